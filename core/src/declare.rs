//! What a declaration must keep in itself, whoever makes it: `#[op]` refuses what does not, and an import leaves it out.
//!
//! Each check says what is wrong, for a message that says where. What is of an item alone is asked of the item
//! ([`AttrDef::check_min`], [`ArgDef::check_number`]).

use std::fmt;

use crate::model::{
    ArgDef, AttrDef, AttrType, ELEMENT_TYPES, ElementType, Kind, OpDef, Part, ScalarType, is_element_type,
    is_unguarded_name, visible,
};

/// Why graphs must be able to do without an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removable {
    /// Every export removes it.
    Extra,
    /// The export of a quantised model removes it.
    Quant,
    /// It is not to be used.
    Deprecated,
    /// Its name is outside the guarantee.
    Unguarded,
}

impl fmt::Display for Removable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Removable::Extra => "an export removes what is `extra`",
            Removable::Quant => "an export removes what is `quant`",
            Removable::Deprecated => "graphs must do without what is deprecated",
            Removable::Unguarded => "a name that begins with `_` is outside the guarantee, and an export removes it",
        })
    }
}

/// An item that graphs must be able to do without, and cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAbsent {
    /// Why they must.
    pub why: Removable,
    kind: Kind,
}

impl fmt::Display for NotAbsent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let remedy = match self.kind {
            Kind::Input => "input must be `dispensable`",
            Kind::Output => "output must be `dispensable` or `intermediate`",
            Kind::Attr => "attribute must have a `default`",
        };
        write!(f, "{}, so such an {remedy}", self.why)
    }
}

fn removable(op: &OpDef, part: Part, name: &str, is_deprecated: bool) -> Option<Removable> {
    match part {
        Part::Extra => Some(Removable::Extra),
        Part::Quant => Some(Removable::Quant),
        Part::Def if is_deprecated => Some(Removable::Deprecated),
        // Of what is outside itself nothing is promised.
        Part::Def => (op.is_guarded() && is_unguarded_name(name)).then_some(Removable::Unguarded),
    }
}

/// Whether graphs can do without an operand where they must.
///
/// # Errors
///
/// [`NotAbsent`].
pub fn check_operand_absent(op: &OpDef, kind: Kind, arg: &ArgDef) -> Result<(), NotAbsent> {
    let may_be = arg.dispensable || (kind == Kind::Output && arg.intermediate);
    match removable(op, arg.part, &arg.name, arg.deprecated.is_some()) {
        Some(why) if !may_be => Err(NotAbsent { why, kind }),
        _ => Ok(()),
    }
}

/// Whether graphs can do without an attribute where they must.
///
/// # Errors
///
/// [`NotAbsent`].
pub fn check_attr_absent(op: &OpDef, attr: &AttrDef) -> Result<(), NotAbsent> {
    match removable(op, attr.part, &attr.name, attr.deprecated.is_some()) {
        Some(why) if attr.default.is_none() => Err(NotAbsent { why, kind: Kind::Attr }),
        _ => Ok(()),
    }
}

/// Whether a name can be that of a type variable of the operator, whose attributes are known.
///
/// # Errors
///
/// What is wrong with it.
pub fn check_type_variable(op: &OpDef, name: &str) -> Result<(), String> {
    if !is_element_type(name) || name == "_" {
        Err(format!("{name:?} is no name of a type variable"))
    } else if op.attr(name).is_some() {
        Err(format!("`{name}` is an attribute of this operator: of which type an operand is would be said twice"))
    } else if ELEMENT_TYPES.contains(&name) {
        Err(format!("`{name}` is a type, and cannot stand for others"))
    } else {
        Ok(())
    }
}

/// Whether an operand is of a type variable, and not of an attribute's type or one of its own.
pub fn is_of_type_variable(op: &OpDef, arg: &ArgDef) -> bool {
    matches!(&arg.ty, Some(ElementType::Var(var)) if op.types.iter().any(|known| known.name == *var))
}

/// Whether an attribute of that type says how many variables there are.
pub const fn is_count(ty: AttrType) -> bool {
    use ScalarType::{I32, I64, Size, U32, U64};
    ty.depth == 0 && !ty.optional && matches!(ty.scalar, I32 | I64 | U32 | U64 | Size)
}

/// Whether an attribute of that type says a type, or one for each of several variables.
pub const fn is_type(ty: AttrType) -> bool {
    matches!(ty.scalar, ScalarType::DType) && ty.depth <= 1 && !ty.optional
}

/// Whether an attribute can say of which type an operand is.
///
/// # Errors
///
/// Why it cannot.
pub fn check_type_attr(kind: Kind, arg: &ArgDef, attr: &AttrDef) -> Result<(), String> {
    let (name, ty) = (visible(&attr.name), attr.ty);
    if !is_type(ty) {
        return Err(format!("attribute `{name}` is of type `{ty}`: what says a type is of type `dtype` or `[dtype]`"));
    }
    if ty.depth > 0 && !arg.duplicable {
        let has = format!("attribute `{name}` has a type for each of several variables");
        return Err(format!("{has}, and an operand that is not `duplicable` is one"));
    }
    check_stays(kind, arg, attr)
}

/// Whether an attribute can say how many variables an operand has.
///
/// # Errors
///
/// Why it cannot.
pub fn check_count_attr(kind: Kind, arg: &ArgDef, attr: &AttrDef) -> Result<(), String> {
    if !is_count(attr.ty) {
        let reason = "what says how many variables there are is one integer";
        return Err(format!("attribute `{}` is of type `{}`: {reason}", visible(&attr.name), attr.ty));
    }
    check_stays(kind, arg, attr)
}

/// What an export removes can say nothing of what it leaves.
fn check_stays(kind: Kind, arg: &ArgDef, attr: &AttrDef) -> Result<(), String> {
    // How many of the exports remove it.
    let weight = |part: Part| match part {
        Part::Def => 0,
        Part::Quant => 1,
        Part::Extra => 2,
    };
    if weight(attr.part) <= weight(arg.part) {
        return Ok(());
    }
    let mark = if attr.part == Part::Extra { "extra" } else { "quant" };
    Err(format!("attribute `{}` is `{mark}`, and an export that removes it leaves this {kind}", visible(&attr.name)))
}
