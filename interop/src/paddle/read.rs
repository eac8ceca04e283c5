//! From the text of a `.spec` to operators, refusing whatever is not understood.
//!
//! The text is read once, in order. `jiter` does the grammar of JSON, with the `NaN` and `Infinity` that Python
//! adds to it; a number stays text until the type that it must have is known.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use jiter::{Jiter, JiterError, Peek};
use oplock_core::{ArgDef, AttrDef, AttrType, Kind, OpDef, Part, Scalar, ScalarType, Value, did_you_mean};

use super::{Spec, UnstatedPart, part_from, type_of_number};

/// What is wrong with a `.spec`, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The line, from 1.
    pub line: usize,
    /// The byte in that line, from 1: real files are one line.
    pub column: usize,
    /// The operator in which it is.
    pub op: Option<String>,
    /// The item in which it is.
    pub item: Option<(Kind, String)>,
    /// What is wrong.
    pub reason: String,
}

/// `3:17: operator `slice`, attribute `axes`: …`
impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.line, self.column)?;
        if let Some(op) = &self.op {
            write!(f, "operator `{op}`")?;
            if let Some((kind, item)) = &self.item {
                write!(f, ", {kind} `{item}`")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for SpecError {}

type Result<T> = std::result::Result<T, SpecError>;

/// Reads a `.spec`.
///
/// # Errors
///
/// When the text is not JSON, is of another shape, repeats a key, or has a default that is not of its type.
pub fn parse(text: &str) -> Result<Spec> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader =
        Reader { json: Jiter::new(text.as_bytes()).with_allow_inf_nan(), op: None, item: None, spec: Spec::default() };
    reader.object("the file", Reader::op)?;
    let end = reader.json.finish();
    reader.json(end)?;
    Ok(reader.spec)
}

struct Reader<'a> {
    json: Jiter<'a>,
    op: Option<String>,
    item: Option<(Kind, String)>,
    spec: Spec,
}

/// A default before its type is known.
enum Raw {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    List(Vec<Raw>),
}

impl Raw {
    fn describe(&self) -> String {
        match self {
            Raw::Null => "null".to_owned(),
            Raw::Bool(x) => format!("`{x}`"),
            Raw::Number(text) => format!("the number {text}"),
            Raw::String(text) => format!("the string {text:?}"),
            Raw::List(_) => "a list".to_owned(),
        }
    }
}

impl<'a> Reader<'a> {
    fn error_at(&self, index: usize, reason: impl Into<String>) -> SpecError {
        let position = self.json.error_position(index);
        SpecError {
            line: position.line,
            column: position.column,
            op: self.op.clone(),
            item: self.item.clone(),
            reason: reason.into(),
        }
    }

    fn error(&self, reason: impl Into<String>) -> SpecError {
        self.error_at(self.json.current_index(), reason)
    }

    fn json<T>(&self, result: std::result::Result<T, JiterError>) -> Result<T> {
        result.map_err(|error| self.error_at(error.index, format!("this is not JSON: {}", error.error_type)))
    }

    fn peek(&mut self) -> Result<Peek> {
        let peek = self.json.peek();
        self.json(peek)
    }

    /// Reads an object; `member` reads the value of each key, which stands there once.
    fn object(&mut self, what: &str, mut member: impl FnMut(&mut Reader<'a>, String) -> Result<()>) -> Result<()> {
        let peek = self.peek()?;
        if peek != Peek::Object {
            return Err(self.wrong(peek, |found| format!("{what} must be an object, not {found}")));
        }
        let mut seen = BTreeSet::new();
        let first = self.json.known_object().map(|key| key.map(str::to_owned));
        let mut next = self.json(first)?;
        while let Some(key) = next {
            if !seen.insert(key.clone()) {
                return Err(self.error(format!("{what} has the key {key:?} a second time")));
            }
            member(self, key)?;
            let step = self.json.next_key().map(|key| key.map(str::to_owned));
            next = self.json(step)?;
        }
        Ok(())
    }

    /// What stands next is of the wrong kind, unless it is no JSON at all.
    fn wrong(&mut self, peek: Peek, reason: impl Fn(&str) -> String) -> SpecError {
        let start = self.json.current_index();
        let skipped = self.json.known_skip(peek);
        if let Err(error) = self.json(skipped) {
            return error;
        }
        let found = match peek {
            Peek::Null => "null",
            Peek::True | Peek::False => "a boolean",
            Peek::String => "a string",
            Peek::Array => "a list",
            Peek::Object => "an object",
            _ => "a number",
        };
        self.error_at(start, reason(found))
    }

    fn op(&mut self, name: String) -> Result<()> {
        let mut def = OpDef::new(name.clone());
        let mut sections = Vec::new();
        self.op = Some(name.clone());
        self.object("an operator", |reader, section| {
            match section.as_str() {
                "Inputs" => reader.args(Kind::Input, &mut def)?,
                "Outputs" => reader.args(Kind::Output, &mut def)?,
                "Attrs" => {
                    let items = |reader: &mut Self, item| {
                        reader.item = Some((Kind::Attr, item));
                        def.attrs.to_mut().push(reader.attr()?);
                        reader.item = None;
                        Ok(())
                    };
                    reader.object("`Attrs`", items)?;
                }
                other => {
                    let hint = did_you_mean(other, ["Inputs", "Outputs", "Attrs"]);
                    return Err(reader.error(format!("the key {other:?} is not known{hint}")));
                }
            }
            sections.push(section);
            Ok(())
        })?;
        if let Some(missing) = ["Inputs", "Outputs", "Attrs"].into_iter().find(|s| !sections.iter().any(|t| t == s)) {
            return Err(self.error(format!("`{missing}` is missing")));
        }
        self.op = None;
        self.spec.ops.insert(name, def.sorted());
        Ok(())
    }

    fn args(&mut self, kind: Kind, def: &mut OpDef) -> Result<()> {
        let (what, args) = match kind {
            Kind::Input => ("`Inputs`", &mut def.inputs),
            _ => ("`Outputs`", &mut def.outputs),
        };
        self.object(what, |reader, item| {
            reader.item = Some((kind, item));
            args.to_mut().push(reader.arg()?);
            reader.item = None;
            Ok(())
        })
    }

    fn arg(&mut self) -> Result<ArgDef> {
        const FLAGS: [&str; 5] = ["duplicable", "dispensable", "intermediate", "extra", "quant"];
        let mut flags = [None; FLAGS.len()];
        self.object("its description", |reader, key| match FLAGS.iter().position(|flag| *flag == key) {
            Some(i) => {
                flags[i] = Some(reader.flag(&key)?);
                Ok(())
            }
            None => Err(reader.unknown(&key, &FLAGS)),
        })?;
        let [duplicable, dispensable, intermediate, extra, quant] = flags;
        let part = self.part(extra, quant);
        Ok(ArgDef {
            duplicable: self.required("duplicable", duplicable)?,
            dispensable: self.required("dispensable", dispensable)?,
            intermediate: self.required("intermediate", intermediate)?,
            part,
            ..ArgDef::new(self.item_name())
        })
    }

    fn attr(&mut self) -> Result<AttrDef> {
        const KEYS: [&str; 5] = ["type", "generated", "default_value", "extra", "quant"];
        let (mut ty, mut generated, mut default, mut extra, mut quant) = (None, None, None, None, None);
        self.object("its description", |reader, key| {
            match key.as_str() {
                "type" => ty = Some(reader.ty()?),
                "generated" => generated = Some(reader.flag(&key)?),
                "default_value" => {
                    reader.peek()?;
                    let start = reader.json.current_index();
                    default = Some((start, reader.raw(0)?));
                }
                "extra" => extra = Some(reader.flag(&key)?),
                "quant" => quant = Some(reader.flag(&key)?),
                _ => return Err(reader.unknown(&key, &KEYS)),
            }
            Ok(())
        })?;
        let part = self.part(extra, quant);
        let ty = self.required("type", ty)?;
        let (start, raw) = self.required("default_value", default)?;
        let default = value(&raw, ty);
        if default.is_none() && !matches!(raw, Raw::Null) {
            return Err(self.error_at(start, format!("{} is not a value of type `{ty}`", raw.describe())));
        }
        let generated = self.required("generated", generated)?;
        Ok(AttrDef { default, generated, part, ..AttrDef::new(self.item_name(), ty) })
    }

    fn item_name(&self) -> String {
        self.item.as_ref().map(|(_, name)| name.clone()).unwrap_or_default()
    }

    fn required<T>(&self, key: &str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| self.error(format!("`{key}` is missing")))
    }

    fn unknown(&self, key: &str, known: &[&str]) -> SpecError {
        self.error(format!("the key {key:?} is not known{}", did_you_mean(key, known.iter().copied())))
    }

    /// The part, noting what the file leaves open.
    fn part(&mut self, extra: Option<bool>, quant: Option<bool>) -> Part {
        let unstated = UnstatedPart { extra: extra.is_none(), quant: quant.is_none() };
        if let (true, Some(op), Some((kind, item))) = (unstated != UnstatedPart::default(), &self.op, &self.item) {
            self.spec.unstated.insert((op.clone(), *kind, item.clone()), unstated);
        }
        part_from(extra.unwrap_or(false), quant.unwrap_or(false))
    }

    fn flag(&mut self, key: &str) -> Result<bool> {
        let peek = self.peek()?;
        if !matches!(peek, Peek::True | Peek::False) {
            return Err(self.wrong(peek, |found| format!("`{key}` must be true or false, not {found}")));
        }
        let flag = self.json.known_bool(peek);
        self.json(flag)
    }

    fn ty(&mut self) -> Result<AttrType> {
        self.peek()?;
        let start = self.json.current_index();
        match self.raw(0)? {
            Raw::Number(text) => match text.parse().ok().and_then(type_of_number) {
                Some(ty) => Ok(ty),
                None => Err(self.error_at(start, format!("{text} is not the number of a type: they are 0 to 17"))),
            },
            other => Err(self.error_at(start, format!("`type` must be a number, not {}", other.describe()))),
        }
    }

    /// A value that is not an object; lists stand in no list.
    fn raw(&mut self, depth: u8) -> Result<Raw> {
        match self.peek()? {
            Peek::Null => {
                let null = self.json.known_null();
                self.json(null)?;
                Ok(Raw::Null)
            }
            peek @ (Peek::True | Peek::False) => {
                let flag = self.json.known_bool(peek);
                Ok(Raw::Bool(self.json(flag)?))
            }
            Peek::String => {
                let text = self.json.known_str().map(str::to_owned);
                Ok(Raw::String(self.json(text)?))
            }
            Peek::Array if depth == 0 => {
                let mut items = Vec::new();
                let first = self.json.known_array();
                let mut next = self.json(first)?;
                while next.is_some() {
                    items.push(self.raw(depth + 1)?);
                    let step = self.json.array_step();
                    next = self.json(step)?;
                }
                Ok(Raw::List(items))
            }
            peek @ (Peek::Array | Peek::Object) => Err(self.wrong(peek, |found| format!("{found} cannot stand here"))),
            peek => {
                let text = self.json.known_number_bytes(peek).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
                Ok(Raw::Number(self.json(text)?))
            }
        }
    }
}

/// The value in that type, each number read in its own type and never through another.
fn value(raw: &Raw, ty: AttrType) -> Option<Value> {
    if let Some(element) = ty.element() {
        let Raw::List(items) = raw else { return None };
        return items.iter().map(|item| value(item, element)).collect::<Option<Vec<_>>>().map(Value::list);
    }
    Some(match (ty.scalar, raw) {
        (ScalarType::Bool, Raw::Bool(x)) => Value::Bool(*x),
        (ScalarType::I32, Raw::Number(text)) => Value::I32(text.parse().ok()?),
        (ScalarType::I64, Raw::Number(text)) => Value::I64(text.parse().ok()?),
        (ScalarType::Block, Raw::Number(text)) => Value::Block(text.parse().ok()?),
        // The shortest text of a widened f32 reads back as that f32.
        (ScalarType::F32, Raw::Number(text)) => Value::F32(float(text, f32::is_infinite)?),
        (ScalarType::F64, Raw::Number(text)) => Value::F64(float(text, f64::is_infinite)?),
        (ScalarType::String, Raw::String(text)) => Value::String(Cow::Owned(text.clone())),
        (ScalarType::Var, Raw::String(text)) => Value::Var(Cow::Owned(text.clone())),
        (ScalarType::Scalar, Raw::Bool(x)) => Value::Scalar(Scalar::Bool(*x)),
        (ScalarType::Scalar, Raw::Number(text)) => Value::Scalar(match text.parse() {
            Ok(x) => Scalar::I64(x),
            Err(_) => Scalar::F64(float(text, f64::is_infinite)?),
        }),
        _ => return None,
    })
}

/// Rust reads Python's words for what is no number too; a number that overflows is none of the type.
fn float<T: std::str::FromStr + Copy>(text: &str, is_infinite: impl Fn(T) -> bool) -> Option<T> {
    let value = text.parse().ok()?;
    if is_infinite(value) && !text.ends_with("Infinity") { None } else { Some(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attr(ty: &str, default: &str) -> Result<Option<Value>> {
        let attr = format!("{{\"type\": {ty}, \"generated\": false, \"default_value\": {default}}}");
        let text = format!("{{\"o\": {{\"Inputs\": {{}}, \"Outputs\": {{}}, \"Attrs\": {{\"a\": {attr}}}}}}}");
        parse(&text).map(|spec| spec.ops["o"].attrs[0].default.clone())
    }

    #[test]
    fn defaults_are_read_in_their_own_type() {
        for (ty, default, expected) in [
            ("1", "0.10000000149011612", Some(Value::F32(0.1))),
            ("1", "1", Some(Value::F32(1.0))),
            ("1", "NaN", Some(Value::F32(f32::NAN))),
            ("1", "-Infinity", Some(Value::F32(f32::NEG_INFINITY))),
            ("15", "Infinity", Some(Value::F64(f64::INFINITY))),
            ("1", "-0.0", Some(Value::F32(-0.0))),
            ("0", "-2147483648", Some(Value::I32(i32::MIN))),
            ("9", "9223372036854775807", Some(Value::I64(i64::MAX))),
            ("10", "[]", Some(Value::list(vec![]))),
            ("17", "[true, 1, 1.0]", {
                let items = [Scalar::Bool(true), Scalar::I64(1), Scalar::F64(1.0)];
                Some(Value::list(items.into_iter().map(Value::Scalar).collect()))
            }),
            ("2", "\"NaN\"", Some(Value::String("NaN".into()))),
            ("8", "null", None),
        ] {
            assert_eq!(attr(ty, default), Ok(expected), "{ty} {default}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (ty, default) in [
            ("0", "2147483648"),
            ("0", "1.0"),
            ("0", "true"),
            ("1", "1e39"),
            ("1", "\"NaN\""),
            ("3", "1"),
            ("3", "[1.5]"),
            ("3", "[[1]]"),
            ("6", "0"),
            ("2", "{}"),
            ("18", "0"),
            ("-1", "0"),
            ("1.0", "0"),
            ("\"i32\"", "0"),
        ] {
            let error = attr(ty, default).expect_err(default);
            assert_eq!(error.op.as_deref(), Some("o"), "{error}");
            assert_eq!(error.item, Some((Kind::Attr, "a".to_owned())), "{error}");
        }
    }

    #[test]
    fn other_shapes_are_refused_where_they_stand() {
        for (text, at, reason) in [
            ("", (1, 0), "not JSON"),
            ("[]", (1, 1), "the file must be an object, not a list"),
            ("{\"o\": 1}", (1, 7), "an operator must be an object, not a number"),
            ("{\n\"o\": {\"Input\": {}}}", (2, 15), "did you mean `Inputs`?"),
            ("{\"o\": {\"Inputs\": {}, \"Attrs\": {}}}", (1, 34), "`Outputs` is missing"),
            ("{\"o\": {\"Inputs\": {\"X\": {\"dispensible\": true}}}}", (1, 0), "did you mean `dispensable`?"),
            ("{\"o\": {\"Inputs\": {\"X\": {\"extra\": 1}}}}", (1, 0), "`extra` must be true or false, not a number"),
            ("{\"o\": {\"Inputs\": {\"X\": {}}}}", (1, 0), "`duplicable` is missing"),
            ("{\"o\": {\"Inputs\": {}, \"Inputs\": {}}}", (1, 0), "\"Inputs\" a second time"),
            ("{\"o\": {}, \"o\": {}}", (1, 0), ""),
            ("{\"o\": {\"Inputs\": {}, \"Outputs\": {}, \"Attrs\": {}}} x", (1, 0), "trailing"),
            ("{\"o\": {\"Inputs\": {}, \"Outputs\": {}, \"Attrs\": {}},\n \"o\": {}}", (2, 0), "\"o\" a second time"),
            ("{\"o\": {\"Inputs\": {}, \"Outputs\": {}, \"Attrs\": {}}", (1, 0), "not JSON: EOF"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.to_string().contains(reason), "{text}: {error}");
            assert!(error.line == at.0 && (at.1 == 0 || error.column == at.1), "{text}: {error}");
        }
        assert!(parse(&"{\"a\":".repeat(100_000)).is_err());
        assert!(parse(&format!("{{\"o\": {}", "[".repeat(100_000))).is_err());
    }
}
