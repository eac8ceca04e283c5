//! Operators, operands and attributes.

use std::borrow::Cow;
use std::fmt;

use super::{AttrType, COMMON, Deprecated, ElementType, Flags, Revision, TypeVar, Value, is_unguarded_name};
use crate::Map;
use crate::order::{sort_by_name, sort_few};

/// Text that is either part of the program or owned.
pub type Str = Cow<'static, str>;
/// A list that is either part of the program or owned.
pub type List<T> = Cow<'static, [T]>;

/// The signature of an operator: all that a saved graph can name of it.
///
/// Documentation and the order of fields are not part of it, since neither is saved.
#[derive(Clone, Debug, PartialEq)]
pub struct OpDef {
    /// The saved name, e.g. `slice` or `aten::add.Tensor`.
    pub name: Str,
    /// What the operator reads.
    pub inputs: List<ArgDef>,
    /// What the operator writes.
    pub outputs: List<ArgDef>,
    /// The constants that configure it.
    pub attrs: List<AttrDef>,
    /// Outside the guarantee: recorded, never enforced.
    pub experimental: bool,
    /// The condition under which the operator exists, in the canonical text of `Condition`;
    /// `None` when it always does.
    pub cfg: Option<Str>,
    /// Names under which the operator was saved before, and under which it is still read.
    pub aliases: List<Str>,
    /// Since which data version graphs must not use it.
    pub deprecated: Option<Deprecated>,
    /// Every change of its behaviour under an unchanged signature, by data version.
    pub revisions: List<Revision>,
    /// The package that owned it before, and whose graphs name that package.
    pub moved_from: Option<Str>,
    /// Names that stand for the element type of several operands.
    pub types: List<TypeVar>,
    /// What it promises of its behaviour beside what it computes.
    pub flags: Flags,
}

/// The signature of an input or output (together: operands).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgDef {
    /// The saved name.
    pub name: Str,
    /// May be absent.
    pub dispensable: bool,
    /// Takes one or more variables; with `dispensable`, none or more.
    pub duplicable: bool,
    /// Serves the backward pass only; a loader does not require it.
    pub intermediate: bool,
    /// Its place among the operands of its kind, from 1, where that is promised: whoever gives operands without their names
    /// gives them in this order.
    pub at: Option<u32>,
    /// Who is promised the operand.
    pub part: Part,
    /// Names under which the operand was saved before, and under which it is still read.
    pub aliases: List<Str>,
    /// Since which data version graphs must not use it.
    pub deprecated: Option<Deprecated>,
    /// The element type of its variables; `None` where nothing is said of it.
    pub ty: Option<ElementType>,
    /// The integer attribute whose value is how many variables there are (TensorFlow's `number_attr`); `None` where any number may be.
    pub count: Option<Str>,
    /// The least number of variables where it is connected (ONNX's `min_arity`); `None`, which is 1, where nothing is said.
    pub min: Option<u32>,
    /// Each variable of a duplicable operand may have a type of its own (ONNX's `homogeneous = false`).
    pub heterogeneous: bool,
    /// Reads or writes a variable in place and not its value (TensorFlow's `is_ref`).
    pub by_ref: bool,
}

/// The signature of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct AttrDef {
    /// The saved name.
    pub name: Str,
    /// The type of its values.
    pub ty: AttrType,
    /// What an absent attribute means; `None` when a graph must state it.
    pub default: Option<Value>,
    /// The least value of an integer, or the least length of a list (TensorFlow's `minimum`); `None` where any may be.
    pub min: Option<i64>,
    /// The allowed values of a string or dtype attribute that is an enumeration, or of each element of a list of such; empty when
    /// any is allowed.
    pub values: List<Str>,
    /// Set by the framework and not by a user (`PaddlePaddle`'s marker of that name).
    pub generated: bool,
    /// Who is promised the attribute.
    pub part: Part,
    /// Names under which the attribute was saved before, and under which it is still read.
    pub aliases: List<Str>,
    /// Since which data version graphs must not use it.
    pub deprecated: Option<Deprecated>,
}

/// The part of the signature to which an item belongs: who is promised it, and which export removes it.
///
/// | part | removed when a float model is exported | when a quantised one is |
/// |---|---|---|
/// | Def | no | no |
/// | Quant | no | yes |
/// | Extra | yes | yes |
///
/// The table is the one that `PaddlePaddle` publishes for its operator compatibility rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Part of the operator's definition: promised to every saved graph.
    #[default]
    Def,
    /// Serves quantisation: promised like `Def`, removed when a quantised model is exported.
    Quant,
    /// Serves training or one build only: carries no promise, removed by every export.
    Extra,
}

/// Which list of an operator an item belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An input.
    Input,
    /// An output.
    Output,
    /// An attribute.
    Attr,
}

impl Kind {
    /// The word that the lock and machine-readable reports use: `input`, `output` or `attr`.
    pub const fn key(self) -> &'static str {
        match self {
            Kind::Input => "input",
            Kind::Output => "output",
            Kind::Attr => "attr",
        }
    }

    /// The word of a sentence: `input`, `output` or `attribute`.
    pub const fn noun(self) -> &'static str {
        match self {
            Kind::Input => "input",
            Kind::Output => "output",
            Kind::Attr => "attribute",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.noun())
    }
}

impl OpDef {
    /// An operator without items, promised and unconditional.
    pub fn new(name: impl Into<Str>) -> Self {
        OpDef {
            name: name.into(),
            inputs: Cow::Borrowed(&[]),
            outputs: Cow::Borrowed(&[]),
            attrs: Cow::Borrowed(&[]),
            experimental: false,
            cfg: None,
            aliases: Cow::Borrowed(&[]),
            deprecated: None,
            revisions: Cow::Borrowed(&[]),
            moved_from: None,
            types: Cow::Borrowed(&[]),
            flags: Flags::default(),
        }
    }

    /// Whether the guarantee covers the operator: neither `experimental` nor named with a leading `_`.
    pub fn is_guarded(&self) -> bool {
        !self.experimental && !is_unguarded_name(&self.name)
    }

    /// Whether these are the attributes that all operators of a package have, and no operator.
    pub fn is_common(&self) -> bool {
        self.name == COMMON
    }

    /// Adds the attributes that all operators of a package have. One that the operator has by that name stays what it is.
    pub fn add_common(&mut self, common: &OpDef) {
        for attr in common.attrs.iter() {
            if self.attr(&attr.name).is_none() {
                self.attrs.to_mut().push(attr.clone());
            }
        }
        let attrs = self.attrs.to_mut();
        sort_by_name(attrs, |attr| &attr.name);
    }

    /// The operands of one kind; empty for [`Kind::Attr`].
    pub fn args(&self, kind: Kind) -> &[ArgDef] {
        match kind {
            Kind::Input => &self.inputs,
            Kind::Output => &self.outputs,
            Kind::Attr => &[],
        }
    }

    /// The input or output of that name.
    pub fn arg(&self, kind: Kind, name: &str) -> Option<&ArgDef> {
        self.args(kind).iter().find(|a| a.name == name)
    }

    /// The attribute of that name.
    pub fn attr(&self, name: &str) -> Option<&AttrDef> {
        self.attrs.iter().find(|a| a.name == name)
    }

    /// Every item's kind and name, in the order of the definition.
    pub fn item_names(&self) -> impl Iterator<Item = (Kind, &str)> {
        let inputs = self.inputs.iter().map(|a| (Kind::Input, a.name.as_ref()));
        let outputs = self.outputs.iter().map(|a| (Kind::Output, a.name.as_ref()));
        let attrs = self.attrs.iter().map(|a| (Kind::Attr, a.name.as_ref()));
        inputs.chain(outputs).chain(attrs)
    }

    /// Each item's name, and the names under which it was saved before.
    fn saved_names(&self, kind: Kind) -> impl Iterator<Item = (&str, &List<Str>)> {
        let args = self.args(kind).iter().map(|arg| (arg.name.as_ref(), &arg.aliases));
        let attrs = if kind == Kind::Attr { self.attrs.as_ref() } else { &[] };
        args.chain(attrs.iter().map(|attr| (attr.name.as_ref(), &attr.aliases)))
    }

    /// The item that was saved under that name before.
    pub fn item_of_alias(&self, kind: Kind, alias: &str) -> Option<&str> {
        let mut names = self.saved_names(kind);
        names.find(|(_, aliases)| aliases.iter().any(|name| name == alias)).map(|(name, _)| name)
    }

    /// The first alias of an item that stands for something else as well: the item's kind and name, the alias, and the item
    /// whose name or alias it is too.
    pub fn ambiguous_alias(&self) -> Option<(Kind, &str, &str, &str)> {
        for kind in [Kind::Input, Kind::Output, Kind::Attr] {
            if self.saved_names(kind).all(|(_, aliases)| aliases.is_empty()) {
                continue;
            }
            let mut taken: Map<_, _> = self.saved_names(kind).map(|(name, _)| (name, name)).collect();
            for (name, aliases) in self.saved_names(kind) {
                for alias in aliases.iter() {
                    if let Some(other) = taken.insert(alias.as_ref(), name) {
                        return Some((kind, name, alias, other));
                    }
                }
            }
        }
        None
    }

    /// The same signature, in which each operand says its place: that in the order of the definition, where none says one yet.
    #[must_use]
    pub fn numbered(mut self) -> Self {
        for args in [&mut self.inputs, &mut self.outputs] {
            if args.iter().all(|arg| arg.at.is_none()) {
                (1..).zip(args.to_mut()).for_each(|(at, arg)| arg.at = Some(at));
            }
        }
        self
    }

    /// The same signature with its operands in the order of their places, where they say them.
    #[must_use]
    pub fn in_order(mut self) -> Self {
        for args in [&mut self.inputs, &mut self.outputs] {
            if args.iter().all(|arg| arg.at.is_some()) && !args.is_sorted_by_key(|arg| arg.at) {
                args.to_mut().sort_by_key(|arg| arg.at);
            }
        }
        self
    }

    /// The same signature, in which no place of an operand is promised.
    #[must_use]
    pub fn unnumbered(mut self) -> Self {
        for args in [&mut self.inputs, &mut self.outputs] {
            if args.iter().any(|arg| arg.at.is_some()) {
                args.to_mut().iter_mut().for_each(|arg| arg.at = None);
            }
        }
        self
    }

    /// The same signature with its items sorted by name, and the values of enumerations, aliases and revisions too: the
    /// form in which two are compared and written.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        sort_by_name(self.inputs.to_mut(), |arg| &arg.name);
        sort_by_name(self.outputs.to_mut(), |arg| &arg.name);
        let attrs = self.attrs.to_mut();
        sort_by_name(attrs, |attr| &attr.name);
        for attr in attrs.iter_mut() {
            sort(&mut attr.values);
            sort(&mut attr.aliases);
        }
        self.inputs.to_mut().iter_mut().for_each(|arg| sort(&mut arg.aliases));
        self.outputs.to_mut().iter_mut().for_each(|arg| sort(&mut arg.aliases));
        sort(&mut self.aliases);
        if !self.types.is_empty() {
            let types = self.types.to_mut();
            sort_by_name(types, |var| &var.name);
            for var in types.iter_mut() {
                sort(&mut var.allowed);
            }
        }
        if !self.revisions.is_sorted_by_key(|revision| revision.version) {
            sort_few(self.revisions.to_mut(), |revision| revision.version);
        }
        self
    }
}

impl ArgDef {
    /// The least number of variables of an operand that is connected.
    pub fn least(&self) -> u32 {
        self.min.unwrap_or(1)
    }

    /// Whether it can have the number of variables that it says: only a duplicable operand can, and only once.
    ///
    /// # Errors
    ///
    /// What is wrong with it, for a message that says where.
    pub fn check_number(&self) -> Result<(), &'static str> {
        match (self.min, &self.count) {
            (None, None) => Ok(()),
            _ if !self.duplicable => Err("an operand that is not `duplicable` is one variable"),
            (Some(_), Some(_)) => Err("the attribute that counts the variables has the minimum, not the operand"),
            (Some(0), None) => Err("an operand that may have no variable is `dispensable`"),
            (Some(_), None) if self.dispensable => Err("a `dispensable` operand may have no variable at all"),
            _ => Ok(()),
        }
    }

    /// A required operand of one variable.
    pub fn new(name: impl Into<Str>) -> Self {
        ArgDef {
            name: name.into(),
            dispensable: false,
            duplicable: false,
            intermediate: false,
            at: None,
            part: Part::Def,
            aliases: Cow::Borrowed(&[]),
            deprecated: None,
            ty: None,
            count: None,
            min: None,
            heterogeneous: false,
            by_ref: false,
        }
    }
}

impl AttrDef {
    /// Whether an attribute of its type can have a list of allowed values.
    pub fn has_values(&self) -> bool {
        matches!(self.ty.scalar, super::ScalarType::String | super::ScalarType::DType)
    }

    /// The first part of a value that is none of the allowed values.
    pub fn outside<'v>(&self, value: &'v Value) -> Option<&'v str> {
        match value {
            _ if self.values.is_empty() => None,
            Value::String(text) | Value::DType(text) => {
                let is_allowed = self.values.iter().any(|value| value == text);
                (!is_allowed).then_some(text.as_ref())
            }
            Value::List(items) => items.iter().find_map(|item| self.outside(item)),
            _ => None,
        }
    }

    /// Whether a value is one that the minimum allows.
    pub fn is_enough(&self, value: &Value) -> bool {
        let Some(min) = self.min.map(i128::from) else { return true };
        match value {
            Value::I32(x) => i128::from(*x) >= min,
            Value::I64(x) => i128::from(*x) >= min,
            Value::U32(x) => i128::from(*x) >= min,
            Value::U64(x) => i128::from(*x) >= min,
            Value::List(items) => i128::try_from(items.len()).is_ok_and(|length| length >= min),
            _ => true,
        }
    }

    /// Whether the attribute can have the minimum that it has: an integer, or a list whose length is not given, and a default
    /// that is enough.
    ///
    /// # Errors
    ///
    /// What is wrong with it, for a message that says where.
    pub fn check_min(&self) -> Result<(), String> {
        use super::ScalarType::{I32, I64, Size, U32, U64};
        let Some(min) = self.min else { return Ok(()) };
        if self.ty.length().is_some() {
            return Err(format!("a value of type `{}` has a length already", self.ty));
        }
        if self.ty.depth > 0 && min < 0 {
            return Err(format!("{min} is no length of a list"));
        }
        if self.ty.depth == 0 && !matches!(self.ty.scalar, I32 | I64 | U32 | U64 | Size) {
            return Err(format!("a value of type `{}` is neither an integer nor a list", self.ty));
        }
        match &self.default {
            Some(default) if !self.is_enough(default) => Err(format!("the default {default} is below {min}")),
            _ => Ok(()),
        }
    }

    /// The minimum, where the type has one of its own too: the one that counts. `None` where any value may be.
    pub fn least(&self) -> Option<i64> {
        use super::ScalarType::{Size, U32, U64};
        let own = self.ty.depth > 0 || matches!(self.ty.scalar, U32 | U64 | Size);
        if own { Some(self.min.unwrap_or(0).max(0)) } else { self.min }
    }

    /// An attribute without a default; one of an optional type is absent by default.
    pub fn new(name: impl Into<Str>, ty: AttrType) -> Self {
        AttrDef {
            name: name.into(),
            ty,
            default: ty.optional.then_some(Value::Absent),
            min: None,
            values: Cow::Borrowed(&[]),
            generated: false,
            part: Part::Def,
            aliases: Cow::Borrowed(&[]),
            deprecated: None,
        }
    }
}

/// Sorts names whose order means nothing.
fn sort(names: &mut List<Str>) {
    if !names.is_sorted() {
        sort_by_name(names.to_mut(), |name| name);
    }
}
