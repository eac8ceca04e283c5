//! From operators of another system to their declarations in Rust.
//!
//! It goes from [`OpDef`]s to text, so one generator serves every reader: only names are made by the conventions of
//! a [`Source`]. The text is as rustfmt leaves it. What `#[op]` would refuse is left out and told of.

mod attribute;
mod declaration;
mod literal;
mod names;
mod package;
mod refused;

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::{AttrDef, COMMON, OpDef, Value};

use crate::tensorflow::op_list::is_unstated;

pub use names::OpNames;
pub use package::{Package, PackageFiles};
pub use refused::Refused;

/// Whose definitions they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// `PaddlePaddle`'s.
    Paddle,
    /// TensorFlow's.
    TensorFlow,
    /// ONNX's.
    Onnx,
}

impl Source {
    /// Whether a node connects operands by their order, so that their places are part of a signature.
    pub const fn is_positional(self) -> bool {
        matches!(self, Source::TensorFlow | Source::Onnx)
    }

    /// The framework as its makers write it.
    pub const fn framework(self) -> &'static str {
        match self {
            Source::Paddle => "PaddlePaddle",
            Source::TensorFlow => "TensorFlow",
            Source::Onnx => "ONNX",
        }
    }
}

/// How the declarations are written.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whose conventions names follow.
    pub source: Source,
    /// What each struct derives, such as `Clone`.
    pub derives: Vec<String>,
}

/// Operators that can be declared, with their names in Rust, and those that cannot.
#[derive(Clone, Debug)]
pub struct Import {
    /// By saved name.
    pub ops: BTreeMap<String, (OpNames, OpDef)>,
    /// What is left out, and why.
    pub refused: Vec<Refused>,
    /// The attributes that every operator of the file has alike, as `lock! { common { … } }` says them; none of a file of few.
    pub common: OpDef,
    /// How they are declared.
    pub options: Options,
}

/// Of fewer operators that they all have an attribute may be chance.
const MANY: usize = 16;

impl Import {
    /// Takes the operators of a file that are `wanted`; all have a say in the names.
    pub fn new(ops: &BTreeMap<String, OpDef>, options: Options, wanted: impl Fn(&str) -> bool) -> Self {
        let mut names = names::names(ops.keys().map(String::as_str), options.source);
        let common = common(ops);
        let mut import = Import { ops: BTreeMap::new(), refused: Vec::new(), common, options };
        for (name, def) in ops.iter().filter(|(name, _)| wanted(name)) {
            let reasons = refused::reasons(def);
            match names.remove(name) {
                Some(names) if reasons.is_empty() => {
                    import.ops.insert(name.clone(), (names, def.clone()));
                }
                _ => import.refused.push(Refused { op: name.clone(), reasons }),
            }
        }
        import
    }

    /// The same without the attributes in common in each operator.
    #[must_use]
    pub fn without_common(mut self) -> Self {
        for (_, def) in self.ops.values_mut() {
            def.attrs.to_mut().retain(|attr| self.common.attr(&attr.name).is_none());
        }
        self
    }

    /// One module with all of them.
    pub fn module(&self) -> String {
        self.text(self.in_order().into_iter())
    }

    /// The data versions at which operators are deprecated, and what to say of each.
    pub fn versions(&self) -> BTreeMap<u32, String> {
        let mut versions = BTreeMap::<u32, Vec<&str>>::new();
        for (_, def) in self.in_order() {
            if let Some(deprecated) = &def.deprecated {
                versions.entry(deprecated.version).or_default().push(&def.name);
            }
        }
        let text = |ops: Vec<&str>| match ops.as_slice() {
            [one] => format!("`{one}` is deprecated"),
            [one, other] => format!("`{one}` and `{other}` are deprecated"),
            ops => format!("`{}` and {} other operators are deprecated", ops[0], ops.len() - 1),
        };
        versions.into_iter().map(|(version, ops)| (version, text(ops))).collect()
    }

    /// The attributes whose default the file states in part, as `op.attr`: of a tensor the elements are not there.
    pub fn unstated(&self) -> Vec<String> {
        let is_open = |value: &Value| matches!(value, Value::Tensor(tensor) if is_unstated(tensor));
        let of = |def: &'_ OpDef| -> Vec<String> {
            let open = def.attrs.iter().filter(|attr| attr.default.as_ref().is_some_and(is_open));
            open.map(|attr| format!("{}.{}", def.name, attr.name)).collect()
        };
        self.ops.values().flat_map(|(_, def)| of(def)).collect()
    }

    /// By name, and the versions of one by number.
    fn in_order(&self) -> Vec<&(OpNames, OpDef)> {
        let mut ops: Vec<_> = self.ops.values().collect();
        ops.sort_by_key(|(_, def)| {
            let group = names::group(&def.name, self.options.source);
            let version = def.name[group.len()..].trim_start_matches(".v").parse::<u32>().unwrap_or_default();
            (group, version)
        });
        ops
    }

    fn text<'a>(&self, ops: impl Iterator<Item = &'a (OpNames, OpDef)>) -> String {
        let (mut out, mut uses) = (String::new(), Vec::new());
        for (names, def) in ops {
            out.push('\n');
            declaration::declare(&mut out, &mut uses, def, &names.ty, &self.options);
        }
        uses_line(uses, Some("op")).unwrap_or_default() + &out
    }
}

/// What a file takes from `oplock`, in rustfmt's order: types, then what begins with a small letter.
fn uses_line(types: Vec<&'static str>, macro_name: Option<&'static str>) -> Option<String> {
    let types: BTreeSet<_> = types.into_iter().collect();
    let uses: Vec<_> = types.into_iter().chain(macro_name).collect();
    match uses.as_slice() {
        [] => None,
        [one] => Some(format!("use oplock::{one};\n")),
        uses => Some(format!("use oplock::{{{}}};\n", uses.join(", "))),
    }
}

/// What every operator has, and has alike.
fn common(ops: &BTreeMap<String, OpDef>) -> OpDef {
    let mut common = OpDef::new(COMMON);
    let Some(first) = ops.values().next().filter(|_| ops.len() >= MANY) else { return common };
    let is_common = |attr: &&AttrDef| ops.values().all(|def| def.attr(&attr.name) == Some(attr));
    common.attrs = first.attrs.iter().filter(is_common).cloned().collect();
    common
}
