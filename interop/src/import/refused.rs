//! What `#[op]` would refuse of a foreign definition.
//!
//! Other systems mostly keep these rules and do not enforce them. A definition that does not is no error of its file, but no
//! declaration says the same either, so it is left out by name and not declared as something else.

use std::fmt;

use oplock_core::declare::{
    check_attr_absent, check_count_attr, check_operand_absent, check_type_attr, check_type_variable,
    is_of_type_variable, is_type,
};
use oplock_core::model::visible;
use oplock_core::{
    ArgDef, AttrDef, ElementType, Kind, OpDef, TypeVar, check_item_name, check_op_name, is_element_type,
};

use super::literal::is_sayable;

/// An operator that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its saved name.
    pub op: String,
    /// Everything that stands in its way.
    pub reasons: Vec<String>,
}

/// ``` `slice`: attribute `axes` … ```
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", visible(&self.op), self.reasons.join("; "))
    }
}

/// Why an operator cannot be declared as it is; empty where it can.
pub(super) fn reasons(def: &OpDef) -> Vec<String> {
    let mut reasons = Vec::new();
    reasons.extend(check_op_name(&def.name).err().map(|error| error.to_string()));
    for (kind, name) in def.item_names() {
        reasons.extend(check_item_name(name).err().map(|error| format!("{kind}: {error}")));
    }
    for (kind, args) in [(Kind::Input, &def.inputs), (Kind::Output, &def.outputs)] {
        for arg in args.iter() {
            reasons.extend(of_arg(def, kind, arg).map(|reason| format!("{kind} `{}` {reason}", arg.name)));
        }
    }
    reasons.extend(def.types.iter().filter_map(|var| of_variable(def, var)));
    for attr in def.attrs.iter() {
        reasons.extend(of_attr(def, attr).map(|reason| format!("attribute `{}` {reason}", attr.name)));
    }
    reasons
}

/// What is wrong with a type variable.
fn of_variable(def: &OpDef, var: &TypeVar) -> Option<String> {
    if let Err(reason) = check_type_variable(def, &var.name) {
        return Some(reason);
    }
    let wrong = var.allowed.iter().find(|ty| !is_element_type(ty))?;
    Some(format!("`{}` stands for {:?}, which cannot be the name of a type", visible(&var.name), visible(wrong)))
}

/// What is wrong with the type and the number of an operand.
fn check_type(def: &OpDef, kind: Kind, arg: &ArgDef) -> Result<(), String> {
    let is_variable = |name: &str| def.types.iter().any(|var| var.name == name);
    match &arg.ty {
        Some(ElementType::Fixed(ty)) if is_variable(ty) || def.attr(ty).is_some_and(|attr| is_type(attr.ty)) => {
            return Err(format!("is of the type `{}`, by which name another stands", visible(ty)));
        }
        Some(ElementType::Fixed(ty)) if !is_element_type(ty) => {
            return Err(format!("is of {:?}, which cannot be the name of a type", visible(ty)));
        }
        Some(ElementType::Var(var)) if !is_variable(var) => match def.attr(var) {
            None => return Err(format!("is of `{}`, which stands for no type", visible(var))),
            Some(attr) => check_type_attr(kind, arg, attr).map_err(|reason| format!("has no type: {reason}"))?,
        },
        _ => {}
    }
    if arg.heterogeneous && !is_of_type_variable(def, arg) {
        return Err("is heterogeneous, and of no type variable".to_owned());
    }
    if let Some(count) = &arg.count {
        match def.attr(count) {
            None => return Err(format!("is counted by `{}`, which is no attribute", visible(count))),
            Some(attr) => check_count_attr(kind, arg, attr).map_err(|reason| format!("has no number: {reason}"))?,
        }
    }
    arg.check_number().map_err(|reason| format!("has a number that it cannot have: {reason}"))
}

fn of_arg(def: &OpDef, kind: Kind, arg: &ArgDef) -> Option<String> {
    let absent = || check_operand_absent(def, kind, arg).map_err(|error| format!("cannot be absent: {error}"));
    check_type(def, kind, arg).and_then(|()| absent()).err()
}

fn of_attr(def: &OpDef, attr: &AttrDef) -> Option<String> {
    if let Err(error) = check_attr_absent(def, attr) {
        return Some(format!("cannot be absent: {error}"));
    }
    if let Err(reason) = attr.check_min() {
        return Some(format!("has a minimum that it cannot have: {reason}"));
    }
    if !attr.values.is_empty() && !attr.has_values() {
        return Some(format!("is of type `{}` and lists the values of a string", attr.ty));
    }
    let default = attr.default.as_ref();
    if let Some(default) = default.filter(|default| !default.fits(attr.ty)) {
        return Some(format!("is of type `{}`, and its default is {}", attr.ty, default.describe()));
    }
    if let Some(other) = default.and_then(|default| attr.outside(default)) {
        return Some(format!("has a default that is none of its values, {other:?}"));
    }
    (!is_sayable(attr)).then(|| match default {
        None => format!("is of the optional type `{}`, and has no default", attr.ty),
        Some(default) => format!("has a default that no declaration can say, {default}"),
    })
}

#[cfg(test)]
mod tests {
    use oplock_core::{AttrType, Part, Scalar, ScalarType, Value};

    use super::*;

    fn reason(def: &OpDef) -> String {
        reasons(def).join("; ")
    }

    fn with_attr(attr: AttrDef) -> String {
        reason(&OpDef { attrs: vec![attr].into(), ..OpDef::new("o") })
    }

    #[test]
    fn what_an_export_removes_must_be_able_to_be_absent() {
        for (part, word) in [(Part::Extra, "extra"), (Part::Quant, "quant")] {
            let so = |item: &str, remedy: &str| {
                format!("{item} cannot be absent: an export removes what is `{word}`, so such an {remedy}")
            };
            let arg = ArgDef { part, ..ArgDef::new("X") };
            let inputs = OpDef { inputs: vec![arg.clone()].into(), ..OpDef::new("o") };
            assert_eq!(reason(&inputs), so("input `X`", "input must be `dispensable`"));
            let outputs = OpDef { outputs: vec![arg.clone()].into(), ..OpDef::new("o") };
            assert_eq!(reason(&outputs), so("output `X`", "output must be `dispensable` or `intermediate`"));
            let intermediate = ArgDef { intermediate: true, ..arg.clone() };
            assert_eq!(reason(&OpDef { outputs: vec![intermediate.clone()].into(), ..OpDef::new("o") }), "");
            assert_ne!(reason(&OpDef { inputs: vec![intermediate].into(), ..OpDef::new("o") }), "");
            let dispensable = ArgDef { dispensable: true, ..arg };
            assert_eq!(reason(&OpDef { inputs: vec![dispensable].into(), ..OpDef::new("o") }), "");
            let attr = AttrDef { part, ..AttrDef::new("a", AttrType::of(ScalarType::I32)) };
            assert_eq!(with_attr(attr.clone()), so("attribute `a`", "attribute must have a `default`"));
            assert_eq!(with_attr(AttrDef { default: Some(Value::I32(0)), ..attr }), "");
        }
    }

    #[test]
    fn names_outside_the_guarantee() {
        let def = |op: &'static str| OpDef { inputs: vec![ArgDef::new("_x")].into(), ..OpDef::new(op) };
        let expected = "input `_x` cannot be absent: a name that begins with `_` is outside the guarantee, and an export removes it, \
                        so such an input must be `dispensable`";
        assert_eq!(reason(&def("o")), expected);
        assert_eq!(reason(&def("_o")), "");
        assert_eq!(reason(&OpDef { experimental: true, ..def("o") }), "");
    }

    #[test]
    fn defaults_that_cannot_be_said() {
        let attr = |ty, default| AttrDef { default, ..AttrDef::new("a", ty) };
        let (i32, scalar) = (AttrType::of(ScalarType::I32), AttrType::of(ScalarType::Scalar));
        for (attr, expected) in [
            (attr(i32, None), ""),
            (attr(i32, Some(Value::I64(0))), "is of type `i32`, and its default is a value of type `i64`"),
            (attr(i32.optional(), Some(Value::Absent)), ""),
            (attr(i32.optional(), None), "is of the optional type `i32?`, and has no default"),
            (attr(i32.optional(), Some(Value::I32(1))), "has a default that no declaration can say, 1"),
            (
                attr(AttrType::of(ScalarType::Block), Some(Value::Block(1))),
                "has a default that no declaration can say, 1",
            ),
            (attr(AttrType::list(ScalarType::Block), Some(Value::list(vec![]))), ""),
            (
                attr(scalar, Some(Value::Scalar(Scalar::F64(f64::NAN)))),
                "has a default that no declaration can say, nan",
            ),
        ] {
            let found = with_attr(attr);
            assert!(found.contains(expected) && found.is_empty() == expected.is_empty(), "{expected}: {found}");
        }
        let low = AttrDef { min: Some(2), ..attr(i32, Some(Value::I32(1))) };
        assert_eq!(with_attr(low), "attribute `a` has a minimum that it cannot have: the default 1 is below 2");
    }

    #[test]
    fn what_no_type_or_number_says() {
        let dtype = |part, depth| {
            let ty = AttrType { depth, ..AttrType::of(ScalarType::DType) };
            AttrDef {
                part,
                default: (part == Part::Extra).then(|| Value::DType("f32".into())),
                ..AttrDef::new("D", ty)
            }
        };
        let count = |ty| AttrDef::new("N", AttrType::of(ty));
        let fixed = |ty: &'static str| Some(ElementType::Fixed(ty.into()));
        let var = |ty: &'static str| Some(ElementType::Var(ty.into()));
        let t = || vec![TypeVar { name: "T".into(), allowed: vec!["f32".into()].into() }];
        let x = || ArgDef::new("x");
        let many = || ArgDef { duplicable: true, ..x() };
        for (types, attrs, arg, expected) in [
            (t(), vec![], ArgDef { ty: var("T"), ..x() }, ""),
            (t(), vec![], x(), ""),
            (t(), vec![], ArgDef { ty: fixed("T"), ..x() }, "is of the type `T`, by which name another stands"),
            (vec![], vec![], ArgDef { ty: var("T"), ..x() }, "is of `T`, which stands for no type"),
            (vec![], vec![], ArgDef { ty: fixed("a\nb"), ..x() }, "which cannot be the name of a type"),
            (vec![], vec![dtype(Part::Def, 0)], ArgDef { ty: var("D"), ..x() }, ""),
            (vec![], vec![dtype(Part::Def, 1)], ArgDef { ty: var("D"), ..many() }, ""),
            (vec![], vec![dtype(Part::Def, 1)], ArgDef { ty: var("D"), ..x() }, "a type for each of several variables"),
            (
                vec![],
                vec![dtype(Part::Extra, 0)],
                ArgDef { ty: var("D"), ..x() },
                "attribute `D` is `extra`, and an export that removes it leaves this input",
            ),
            (vec![], vec![], ArgDef { heterogeneous: true, ..many() }, "is heterogeneous, and of no type variable"),
            (t(), vec![], ArgDef { heterogeneous: true, ty: var("T"), ..many() }, ""),
            (vec![], vec![count(ScalarType::I64)], ArgDef { count: Some("N".into()), ..many() }, ""),
            (vec![], vec![], ArgDef { count: Some("N".into()), ..many() }, "is counted by `N`, which is no attribute"),
            (vec![], vec![count(ScalarType::F32)], ArgDef { count: Some("N".into()), ..many() }, "of type `f32`"),
            (vec![], vec![], ArgDef { min: Some(2), ..x() }, "has a number that it cannot have"),
            (vec![TypeVar { name: "f32".into(), allowed: vec![].into() }], vec![], x(), "cannot stand for others"),
            (
                vec![TypeVar { name: "D".into(), allowed: vec![].into() }],
                vec![dtype(Part::Def, 0)],
                x(),
                "is an attribute of this operator",
            ),
        ] {
            let def = OpDef { types: types.into(), attrs: attrs.into(), inputs: vec![arg].into(), ..OpDef::new("o") };
            let found = reason(&def);
            assert!(found.contains(expected) && found.is_empty() == expected.is_empty(), "{expected}: {found}");
        }
    }

    #[test]
    fn names_that_no_lock_takes() {
        let def = OpDef { inputs: vec![ArgDef::new("a\nb")].into(), ..OpDef::new("a b") };
        assert_eq!(reasons(&def).len(), 2);
        let refused = Refused { op: "a\nb".to_owned(), reasons: vec!["x".to_owned(), "y".to_owned()] };
        assert_eq!(refused.to_string(), "`a\\nb`: x; y");
    }
}
