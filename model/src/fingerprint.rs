//! Digests of signatures, by which two builds tell that they mean different things by one name.
//!
//! What is digested is the canonical text of [`signature_text`], which says all that a saved graph can depend on, and nothing else: not
//! the order of items, not the documentation, not the condition of a feature, not the release since when something is promised.
//! The digest is 128-bit FNV-1a (Fowler, Noll, Vo): ten lines in any language, so that processes that are no Rust
//! programs can take part. It tells apart what was not made to look alike; it is no protection from forgery.

use crate::Map;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::order::{sort_by_name, sort_few};
use crate::{ArgDef, AttrDef, ElementType, Kind, OpDef, Part, Scalar, Str, TypeVar, Value};

/// A 128-bit digest, written as 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub u128);

impl Digest {
    /// The digest of these bytes: 128-bit FNV-1a.
    pub fn of(bytes: &[u8]) -> Digest {
        const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        Digest(bytes.iter().fold(BASIS, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME)))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Digest {
    type Err = ParseFingerprintError;

    fn from_str(text: &str) -> Result<Self, ParseFingerprintError> {
        let is_digest = text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let digest = is_digest.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        let error =
            || ParseFingerprintError { line: 1, what: format!("{text:?} is no digest of 32 hexadecimal digits") };
        digest.map(Digest).ok_or_else(error)
    }
}

/// The digest of an operator's signature, without what is Extra: the FNV-1a digest of [`signature_text`].
pub fn digest(def: &OpDef) -> Digest {
    Digest::of(signature_text(def).as_bytes())
}

/// What [`digest`] is made of: a line for the operator, one for each item that is not Extra in the order of their names (as bytes), inputs
/// first, then outputs, then attributes, and one for each revision. Behind the outputs there is a line for each type variable, in
/// the order in which those lines speak of them.
///
/// Names and texts are preceded by their length in bytes, floats are their bits, so nothing can look like something else.
///
/// ```
/// use oplock_model::{AttrDef, AttrType, ArgDef, OpDef, ScalarType, Value, fingerprint::signature_text};
///
/// let def = OpDef {
///     inputs: vec![ArgDef { dispensable: true, ..ArgDef::new("X") }].into(),
///     attrs: vec![AttrDef { default: Some(Value::F32(1.0)), ..AttrDef::new("scale", AttrType::of(ScalarType::F32)) }].into(),
///     ..OpDef::new("round")
/// };
/// let expected = "op 5:round\ninput 1:X dispensable\nattr 5:scale f32 = 0x3f800000\n";
/// assert_eq!(signature_text(&def), expected);
/// ```
pub fn signature_text(def: &OpDef) -> String {
    let mut text = format!("op {}", Counted(&def.name));
    push_marks(&mut text, &def.flags.each());
    // A type variable is known by its place among those that operands are of: nothing saved has its name.
    let mut vars: Vec<&TypeVar> = Vec::new();
    for kind in [Kind::Input, Kind::Output] {
        let mut args: Vec<_> = def.args(kind).iter().filter(|arg| arg.part != Part::Extra).collect();
        sort_by_name(&mut args, |arg| &arg.name);
        for arg in args {
            push_arg(&mut text, kind, arg, def, &mut vars);
        }
    }
    for (place, var) in vars.iter().enumerate() {
        let _ = write!(text, "types {place}");
        push_names(&mut text, &var.allowed);
        text.push('\n');
    }
    let mut attrs: Vec<_> = def.attrs.iter().filter(|attr| attr.part != Part::Extra).collect();
    sort_by_name(&mut attrs, |attr| &attr.name);
    for attr in attrs {
        push_attr(&mut text, attr);
    }
    let mut revisions: Vec<_> = def.revisions.iter().map(|revision| revision.version).collect();
    sort_few(&mut revisions, |version| *version);
    for version in revisions {
        let _ = writeln!(text, "revised {version}");
    }
    text
}

/// A name or text behind its length in bytes.
struct Counted<'a>(&'a str);

impl fmt::Display for Counted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.0.len(), self.0)
    }
}

/// Names in their own order, whatever that of the list.
fn push_names(text: &mut String, names: &[Str]) {
    let mut names: Vec<_> = names.iter().collect();
    sort_by_name(&mut names, |name| name);
    for name in names {
        let _ = write!(text, " {}", Counted(name));
    }
}

fn push_marks(text: &mut String, marks: &[(&str, bool)]) {
    for (word, _) in marks.iter().filter(|(_, set)| *set) {
        text.push(' ');
        text.push_str(word);
    }
    text.push('\n');
}

fn push_arg<'d>(text: &mut String, kind: Kind, arg: &ArgDef, def: &'d OpDef, vars: &mut Vec<&'d TypeVar>) {
    let _ = write!(text, "{} {}", kind.key(), Counted(&arg.name));
    let _ = match &arg.ty {
        None => Ok(()),
        Some(ElementType::Fixed(ty)) => write!(text, " type {}", Counted(ty)),
        Some(ElementType::Var(name)) => match def.types.iter().find(|var| var.name == *name) {
            None => write!(text, " of {}", Counted(name)),
            Some(var) => {
                let place = vars.iter().position(|known| known.name == *name).unwrap_or(vars.len());
                if place == vars.len() {
                    vars.push(var);
                }
                write!(text, " of {place}")
            }
        },
    };
    if let Some(count) = &arg.count {
        let _ = write!(text, " count {}", Counted(count));
    }
    if let Some(min) = arg.min {
        let _ = write!(text, " min {min}");
    }
    let marks = [
        ("duplicable", arg.duplicable),
        ("dispensable", arg.dispensable),
        ("intermediate", arg.intermediate),
        ("quant", arg.part == Part::Quant),
        ("heterogeneous", arg.heterogeneous),
        ("by_ref", arg.by_ref),
    ];
    push_marks(text, &marks);
}

fn push_attr(text: &mut String, attr: &AttrDef) {
    let _ = write!(text, "attr {} {}", Counted(&attr.name), attr.ty);
    if let Some(default) = &attr.default {
        text.push_str(" = ");
        push_value(text, default);
    }
    if let Some(min) = attr.min {
        let _ = write!(text, " min {min}");
    }
    if !attr.values.is_empty() {
        text.push_str(" of");
        push_names(text, &attr.values);
    }
    push_marks(text, &[("quant", attr.part == Part::Quant)]);
}

fn push_value(text: &mut String, value: &Value) {
    let _ = match value {
        Value::Absent => write!(text, "absent"),
        Value::Bool(x) => write!(text, "{x}"),
        Value::I32(x) => write!(text, "{x}"),
        Value::I64(x) => write!(text, "{x}"),
        Value::U32(x) | Value::Block(x) => write!(text, "{x}"),
        Value::U64(x) => write!(text, "{x}"),
        // Every `NaN` is the same value, and so the same bits.
        Value::F32(x) => write!(text, "{:#010x}", if x.is_nan() { f32::NAN } else { *x }.to_bits()),
        Value::F64(x) => write!(text, "{:#018x}", if x.is_nan() { f64::NAN } else { *x }.to_bits()),
        Value::String(x) | Value::DType(x) | Value::Var(x) | Value::TypeProto(x) => write!(text, "{}", Counted(x)),
        Value::Bytes(bytes) => {
            text.push_str("0x");
            bytes.iter().try_for_each(|byte| write!(text, "{byte:02x}"))
        }
        Value::Scalar(Scalar::Bool(x)) => write!(text, "bool {x}"),
        Value::Scalar(Scalar::I64(x)) => write!(text, "i64 {x}"),
        Value::Scalar(Scalar::F64(x)) => {
            text.push_str("f64 ");
            push_value(text, &Value::F64(*x));
            Ok(())
        }
        Value::Scalar(Scalar::Complex128(x)) => {
            text.push_str("complex128 ");
            push_value(text, &Value::Complex128(*x));
            Ok(())
        }
        Value::Complex128(x) => {
            text.push('(');
            push_value(text, &Value::F64(x.re));
            text.push_str(", ");
            push_value(text, &Value::F64(x.im));
            text.push(')');
            Ok(())
        }
        Value::Shape(shape) => write!(text, "{shape}"),
        // What these say is said in one way only, so the lock's text of them is as good as another.
        Value::Tensor(_) | Value::SparseTensor(_) | Value::Func(_) => write!(text, "{}", Counted(&value.to_string())),
        Value::List(items) => {
            text.push('[');
            for (i, item) in items.iter().enumerate() {
                text.push_str(if i > 0 { ", " } else { "" });
                push_value(text, item);
            }
            text.push(']');
            Ok(())
        }
    };
}

/// What a set of operators is: the digest of each, and of all together.
///
/// It is the same for every build of the same operators, whatever the platform and the order of linking. Two processes that exchange it when
/// they connect know whether they mean the same by every operator, and where not, which ones. [`Fingerprint::total`] is enough to know
/// whether; the text of the whole, one line an operator, tells which.
///
/// ```
/// use oplock_model::{AttrDef, AttrType, OpDef, ScalarType, fingerprint::{Difference, Fingerprint}};
///
/// let (round, pad) = (OpDef::new("round"), OpDef::new("pad"));
/// let attr = AttrDef::new("mode", AttrType::of(ScalarType::String));
/// let other_pad = OpDef { attrs: vec![attr].into(), ..OpDef::new("pad") };
/// let here = Fingerprint::of([&round, &pad]);
/// let there: Fingerprint = Fingerprint::of([&other_pad]).to_string().parse().unwrap();
/// assert_ne!(here.total(), there.total());
/// let differences: Vec<_> = here.differences(&there).iter().map(ToString::to_string).collect();
/// assert_eq!(differences, ["operator `pad` has another signature there", "operator `round` is only here"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// The digest of each operator, by its name.
    pub ops: Map<String, Digest>,
}

/// An operator of which two fingerprints say different things.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// Its name.
    pub op: String,
    /// What is different.
    pub how: How,
}

/// What is different about an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// Only the first has it.
    OnlyHere,
    /// Only the other has it.
    OnlyThere,
    /// Both have it, with different signatures.
    Changed,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.how {
            How::OnlyHere => "is only here",
            How::OnlyThere => "is only there",
            How::Changed => "has another signature there",
        };
        write!(f, "operator `{}` {how}", self.op)
    }
}

impl Fingerprint {
    /// The fingerprint of these operators.
    pub fn of<'a>(defs: impl IntoIterator<Item = &'a OpDef>) -> Self {
        Fingerprint { ops: defs.into_iter().map(|def| (def.name.to_string(), digest(def))).collect() }
    }

    /// The digest of all: that of the text of the whole.
    pub fn total(&self) -> Digest {
        Digest::of(self.to_string().as_bytes())
    }

    /// Every operator of which the other says something else, by name; empty exactly when both are equal.
    pub fn differences(&self, other: &Fingerprint) -> Vec<Difference> {
        let here = self.ops.iter().filter_map(|(op, digest)| match other.ops.get(op) {
            None => Some((op, How::OnlyHere)),
            Some(there) => (there != digest).then_some((op, How::Changed)),
        });
        let there = other.ops.keys().filter(|op| !self.ops.contains_key(*op)).map(|op| (op, How::OnlyThere));
        let mut all: Vec<_> = here.chain(there).map(|(op, how)| Difference { op: op.clone(), how }).collect();
        sort_by_name(&mut all, |difference| &difference.op);
        all
    }
}

/// One line an operator, by name: its digest, a space, its name.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ops.iter().try_for_each(|(op, digest)| writeln!(f, "{digest} {op}"))
    }
}

/// A text that is no fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFingerprintError {
    /// The line at fault, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for ParseFingerprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the fingerprint: {}", self.line, self.what)
    }
}

impl std::error::Error for ParseFingerprintError {}

impl FromStr for Fingerprint {
    type Err = ParseFingerprintError;

    fn from_str(text: &str) -> Result<Self, ParseFingerprintError> {
        let mut ops = Map::new();
        for (i, line) in text.lines().enumerate() {
            let error = |what| ParseFingerprintError { line: i + 1, what };
            let (digest, op) =
                line.split_once(' ').ok_or_else(|| error("a digest and a name are expected".to_owned()))?;
            let digest = digest.parse::<Digest>().map_err(|fault| error(fault.what))?;
            crate::check_op_name(op).map_err(|fault| error(fault.to_string()))?;
            if ops.insert(op.to_owned(), digest).is_some() {
                return Err(error(format!("operator `{op}` is there twice")));
            }
        }
        Ok(Fingerprint { ops })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AttrType, Complex128, Deprecated, Func, Revision, ScalarType, Shape};

    fn conv() -> OpDef {
        let list = AttrType::list(ScalarType::I32);
        OpDef {
            inputs: vec![ArgDef::new("Input"), ArgDef { dispensable: true, ..ArgDef::new("Bias") }].into(),
            outputs: vec![ArgDef::new("Out")].into(),
            attrs: vec![
                AttrDef { default: Some(Value::list(vec![Value::I32(1)])), ..AttrDef::new("strides", list) },
                AttrDef { part: Part::Extra, ..AttrDef::new("workspace", AttrType::of(ScalarType::I64)) },
                AttrDef {
                    values: vec!["a".into(), "b".into()].into(),
                    ..AttrDef::new("mode", AttrType::of(ScalarType::String))
                },
            ]
            .into(),
            ..OpDef::new("conv2d")
        }
    }

    /// The digests are the same for every build, so they are numbers that stand here; another program computed them:
    /// `h = 0x6c62272e07bb014262b821756295c58d; for b in text: h = (h ^ b) * 0x1000000000000000000013b mod 2**128`.
    #[test]
    fn digests_are_the_same_everywhere() {
        assert_eq!(Digest::of(b"").to_string(), "6c62272e07bb014262b821756295c58d");
        assert_eq!(Digest::of(b"foobar").to_string(), "343e1662793c64bf6f0d3597ba446f18");
        let text = "op 6:conv2d\ninput 4:Bias dispensable\ninput 5:Input\noutput 3:Out\n\
                    attr 4:mode string of 1:a 1:b\nattr 7:strides [i32] = [1]\n";
        assert_eq!(signature_text(&conv()), text);
        assert_eq!(digest(&conv()).to_string(), "f1a0c5315b53ee4dfafb6ab441be1473");
    }

    #[test]
    fn types_and_numbers_are_part_of_it_and_the_names_of_type_variables_are_not() {
        let of = |name: &'static str, var: &'static str| ArgDef {
            ty: Some(ElementType::Var(var.into())),
            ..ArgDef::new(name)
        };
        let concat = |[a, b]: [&'static str; 2], values: &[&'static str]| OpDef {
            inputs: vec![
                ArgDef { duplicable: true, count: Some("N".into()), ..of("values", a) },
                ArgDef {
                    ty: Some(ElementType::Fixed("i32".into())),
                    min: Some(2),
                    by_ref: true,
                    ..ArgDef::new("axis")
                },
                ArgDef { heterogeneous: true, ..of("more", b) },
                of("attr", "D"),
            ]
            .into(),
            types: vec![
                TypeVar { name: a.into(), allowed: values.iter().map(|ty| (*ty).into()).collect() },
                TypeVar { name: b.into(), allowed: vec![].into() },
            ]
            .into(),
            flags: crate::Flags { stateful: true, aggregate: true, ..crate::Flags::default() },
            ..OpDef::new("concat")
        };
        let text = "op 6:concat stateful aggregate\ninput 4:attr of 1:D\ninput 4:axis type 3:i32 min 2 by_ref\n\
                    input 4:more of 0 heterogeneous\ninput 6:values of 1 count 1:N duplicable\n\
                    types 0\ntypes 1 3:f16 3:f32\n";
        assert_eq!(signature_text(&concat(["T", "U"], &["f32", "f16"])), text);
        assert_eq!(signature_text(&concat(["V", "A"], &["f16", "f32"])), text);
        assert_ne!(signature_text(&concat(["T", "T"], &["f32", "f16"])), text);
    }

    /// Each change of what a graph can depend on changes the digest, and nothing else does.
    #[test]
    fn what_a_digest_depends_on() {
        let base = digest(&conv());
        let with = |change: &dyn Fn(&mut OpDef)| {
            let mut def = conv();
            change(&mut def);
            digest(&def)
        };
        let same: [&dyn Fn(&mut OpDef); 8] = [
            &|def| *def = def.clone().sorted(),
            &|def| def.attrs.to_mut().reverse(),
            &|def| drop(def.attrs.to_mut().remove(1)),
            &|def| def.cfg = Some("feature = \"cuda\"".into()),
            &|def| def.experimental = true,
            &|def| def.aliases = vec!["conv".into()].into(),
            &|def| def.deprecated = Some(Deprecated { version: 2, note: "".into() }),
            &|def| def.attrs.to_mut()[0].generated = true,
        ];
        for (i, change) in same.iter().enumerate() {
            assert_eq!(with(change), base, "change {i} changes nothing that a graph depends on");
        }
        let different: [&dyn Fn(&mut OpDef); 12] = [
            &|def| def.name = "conv3d".into(),
            &|def| def.inputs.to_mut()[1].dispensable = false,
            &|def| def.inputs.to_mut()[1].duplicable = true,
            &|def| def.inputs.to_mut()[1].intermediate = true,
            &|def| def.inputs.to_mut()[1].part = Part::Quant,
            &|def| def.inputs.to_mut()[1].part = Part::Extra,
            &|def| def.outputs.to_mut()[0].name = "Output".into(),
            &|def| def.attrs.to_mut()[0].default = None,
            &|def| def.attrs.to_mut()[0].default = Some(Value::list(vec![])),
            &|def| def.attrs.to_mut()[2].values = vec!["a".into()].into(),
            &|def| def.attrs.to_mut()[1].part = Part::Quant,
            &|def| def.revisions = vec![Revision { version: 9, note: "".into() }].into(),
        ];
        let mut seen = vec![base];
        for (i, change) in different.iter().enumerate() {
            let digest = with(change);
            assert!(!seen.contains(&digest), "change {i} is one that a graph can depend on");
            seen.push(digest);
        }
    }

    #[test]
    fn values_do_not_look_alike() {
        let values = [
            Value::Absent,
            Value::Scalar(Scalar::Bool(false)),
            Value::Scalar(Scalar::I64(0)),
            Value::Scalar(Scalar::F64(0.0)),
            Value::Scalar(Scalar::F64(-0.0)),
            Value::F32(f32::NAN),
            Value::F64(f64::NAN),
            Value::String("".into()),
            Value::String("1:a".into()),
            Value::list(vec![]),
            Value::list(vec![Value::list(vec![])]),
            Value::list(vec![Value::String("a".into()), Value::String("b".into())]),
            Value::list(vec![Value::String("a, 1:b".into())]),
            Value::Bytes(vec![0].into()),
            Value::Scalar(Scalar::Complex128(Complex128 { re: 0.0, im: 0.0 })),
            Value::Scalar(Scalar::Complex128(Complex128 { re: 0.0, im: -0.0 })),
            Value::Complex128(Complex128 { re: 0.0, im: 0.0 }),
            Value::Shape(Shape::default()),
            Value::Shape(Shape::of([None])),
            Value::Func(Box::new(Func::new("f"))),
        ];
        let texts: crate::Set<_> = values
            .iter()
            .map(|value| {
                let mut text = String::new();
                push_value(&mut text, value);
                text
            })
            .collect();
        assert_eq!(texts.len(), values.len(), "{texts:?}");
    }

    #[test]
    fn fingerprints_read_back_and_others_are_refused() {
        let fingerprint = Fingerprint::of([&conv(), &OpDef::new("aten::add.Tensor")]);
        assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint.clone()));
        assert_eq!("".parse(), Ok(Fingerprint::default()));
        let digest = Digest(1);
        for (text, error) in [
            (format!("{digest} a\n{digest} a\n"), "line 2 of the fingerprint: operator `a` is there twice"),
            (format!("{digest}\n"), "line 1 of the fingerprint: a digest and a name are expected"),
            ("+0000000000000000000000000000001 a".to_owned(), "no digest of 32 hexadecimal digits"),
            (format!("{digest} a b"), "cannot stand at byte 1"),
        ] {
            let found = text.parse::<Fingerprint>().unwrap_err().to_string();
            assert!(found.contains(error), "{found}");
        }
    }
}
