//! What changed of element types, of numbers of variables and of flags.
//!
//! A type variable is not saved, so what counts is not its name: it is for which types it may stand, and which operands must
//! have one type because they are of it.

use std::borrow::Cow;

use super::Finding;
use crate::lock::{OpEntry, Since};
use crate::model::{ArgDef, AttrDef, ElementType, Kind, Map, OpDef, Part, ScalarType, Set, Str, TypeVar, Value};

/// What is said of element types on one side, for those that are of an operand.
#[derive(Clone, Copy)]
enum Meaning<'a> {
    /// Nothing is said.
    Any,
    Fixed(&'a str),
    /// The type that an attribute says.
    Attr(&'a AttrDef),
    Var(&'a TypeVar),
    /// A name that the operator does not explain: it was judged beside its ledger row only.
    Unknown(&'a str),
}

fn meaning<'a>(op: &'a OpDef, arg: &'a ArgDef) -> Meaning<'a> {
    match &arg.ty {
        None => Meaning::Any,
        Some(ElementType::Fixed(ty)) => Meaning::Fixed(ty),
        Some(ElementType::Var(name)) => {
            let var = op.types.iter().find(|var| var.name == *name).map(Meaning::Var);
            var.or_else(|| op.attr(name).map(Meaning::Attr)).unwrap_or(Meaning::Unknown(name))
        }
    }
}

/// As a finding says it: `f32`, ``attribute `T` ``, `T = ["f16", "f32"]`.
fn show(meaning: Meaning<'_>) -> String {
    match meaning {
        Meaning::Any => "any".to_owned(),
        Meaning::Fixed(name) | Meaning::Unknown(name) => name.to_owned(),
        Meaning::Attr(attr) => format!("attribute `{}`", attr.name),
        Meaning::Var(var) => show_var(var),
    }
}

fn show_var(TypeVar { name, allowed }: &TypeVar) -> String {
    if allowed.is_empty() { format!("{name} = any") } else { format!("{name} = {:?}", set_of(allowed)) }
}

fn set_of(types: &[Str]) -> Vec<&str> {
    types.iter().map(AsRef::as_ref).collect::<Set<_>>().into_iter().collect()
}

/// Whether the first list, of which none allows any, allows all that the second does.
pub(crate) fn allows(wide: &[Str], narrow: &[Str]) -> bool {
    wide.is_empty() || (!narrow.is_empty() && narrow.iter().all(|ty| wide.contains(ty)))
}

/// Whether a variable, or the value of an attribute, can only be that type.
fn is_only(allowed: &[Str], ty: &str) -> bool {
    matches!(allowed, [only] if only == ty)
}

/// What changed of the flags and of the type variables of an operator.
pub(super) fn compare_op_types(old: &OpDef, new: &OpDef, out: &mut Vec<Finding>) {
    for ((name, before), (_, after)) in old.flags.each().into_iter().zip(new.flags.each()) {
        if before != after {
            let rule = if after { "op_flag_added" } else { "op_flag_removed" };
            out.push(Finding::op(rule, &new.name).field(name, before, after));
        }
    }
    if old.types.is_empty() && new.types.is_empty() {
        return;
    }
    let mut vars: Map<&str, [Option<&TypeVar>; 2]> = Map::new();
    for (side, def) in [old, new].into_iter().enumerate() {
        def.types.iter().for_each(|var| vars.get_or_default(var.name.as_ref())[side] = Some(var));
    }
    for (name, sides) in vars {
        let rule = match sides {
            [Some(before), Some(after)] => {
                let (wider, narrower) =
                    (allows(&after.allowed, &before.allowed), allows(&before.allowed, &after.allowed));
                match (wider, narrower) {
                    (true, true) => continue,
                    _ if !is_kept(old, new, name) => "type_variable_changed",
                    (true, false) => "type_set_widened",
                    (false, _) => "type_set_narrowed",
                }
            }
            _ => "type_variable_changed",
        };
        let show = |var: Option<&TypeVar>| var.map_or("none".to_owned(), show_var);
        out.push(Finding::op(rule, &new.name).field("types", show(sides[0]), show(sides[1])));
    }
}

/// Whether something is of that variable on both sides, so that it is one variable; a row of the ledger alone has no operands.
fn is_kept(old: &OpDef, new: &OpDef, name: &str) -> bool {
    let is_of = |arg: &ArgDef| matches!(&arg.ty, Some(ElementType::Var(var)) if var == name);
    let is_row_alone = new.inputs.is_empty() && new.outputs.is_empty();
    let kinds = [Kind::Input, Kind::Output].into_iter();
    let mut kept = kinds.flat_map(|kind| new.args(kind).iter().map(move |arg| (arg, before(old, kind, arg))));
    is_row_alone || kept.any(|(arg, was)| is_of(arg) && was.is_some_and(is_of))
}

/// The operand as it was, under its own name or an alias.
fn before<'a>(old: &'a OpDef, kind: Kind, arg: &ArgDef) -> Option<&'a ArgDef> {
    old.arg(kind, &arg.name).or_else(|| arg.aliases.iter().find_map(|alias| old.arg(kind, alias)))
}

/// What changed of the element type and number of an operand that is promised on both sides; `old` is what was released.
pub(super) fn compare_operand(
    [old, new]: [&OpDef; 2],
    kind: Kind,
    [was, arg]: [&ArgDef; 2],
    finding: impl Fn(&'static str) -> Finding,
    out: &mut Vec<Finding>,
) {
    if was.ty != arg.ty {
        let sides = [meaning(old, was), meaning(new, arg)];
        let rule = Types { old, new, kind, arg }.rule(sides, was);
        out.push(finding(rule).field("of", show(sides[0]), show(sides[1])));
    }
    if was.by_ref != arg.by_ref {
        let is_relaxed = (kind == Kind::Output) == arg.by_ref;
        let rule = if is_relaxed { "operand_ref_relaxed" } else { "operand_ref_changed" };
        out.push(finding(rule).field("by_ref", was.by_ref, arg.by_ref));
    }
    // What is one variable now is judged as that.
    if was.duplicable && !arg.duplicable {
        return;
    }
    if was.count != arg.count {
        let rule = if keeps_count(old, new, was, arg) { "operand_count_relaxed" } else { "operand_count_changed" };
        let show = |count: &Option<Str>| count.as_ref().map_or("none".to_owned(), ToString::to_string);
        out.push(finding(rule).field("count", show(&was.count), show(&arg.count)));
    }
    // What may have none says no minimum.
    if may_be_none(old, was, arg) {
        out.push(finding("operand_minimum_lowered").field("min", was.least(), 0));
    } else if was.min != arg.min {
        let rule = if arg.least() > was.least() { "operand_minimum_raised" } else { "operand_minimum_lowered" };
        out.push(finding(rule).field("min", was.least(), arg.least()));
    }
    if was.heterogeneous != arg.heterogeneous {
        let rule = if arg.heterogeneous { "operand_type_widened" } else { "operand_type_changed" };
        out.push(finding(rule).field("heterogeneous", was.heterogeneous, arg.heterogeneous));
    }
}

/// Whether an operand of which a minimum, a count or a list of types said how many variables it has may have none now.
pub(super) fn may_be_none(old: &OpDef, was: &ArgDef, arg: &ArgDef) -> bool {
    let lists = || matches!(meaning(old, was), Meaning::Attr(attr) if attr.ty.depth == 1);
    let says_number = was.duplicable && (was.min.is_some() || was.count.is_some() || lists());
    says_number && arg.duplicable && !was.dispensable && arg.dispensable
}

/// Whether every number of variables that was legal is still.
fn keeps_count(old: &OpDef, new: &OpDef, was: &ArgDef, arg: &ArgDef) -> bool {
    match (&was.count, &arg.count) {
        (_, None) => true,
        (Some(before), Some(after)) => is_renamed(new, before, after),
        // One variable is as many as a new attribute says that is 1 by default.
        (None, Some(after)) => {
            let one = [Value::I32(1), Value::I64(1), Value::U32(1), Value::U64(1)];
            let default = added(old, new, after).and_then(|attr| attr.default.as_ref());
            !was.duplicable && !was.dispensable && default.is_some_and(|default| one.contains(default))
        }
    }
}

/// Whether an attribute is read under the name of the other.
fn is_renamed(new: &OpDef, before: &str, after: &str) -> bool {
    new.attr(after).is_some_and(|attr| attr.aliases.iter().any(|alias| alias == before))
}

/// The attribute of that name, where graphs of the old operator cannot have it.
fn added<'a>(old: &OpDef, new: &'a OpDef, name: &str) -> Option<&'a AttrDef> {
    let attr = new.attr(name)?;
    let is_known = old.attr(name).is_some() || attr.aliases.iter().any(|alias| old.attr(alias).is_some());
    Some(attr).filter(|_| !is_known)
}

/// The element type of one operand.
struct Types<'a> {
    old: &'a OpDef,
    new: &'a OpDef,
    kind: Kind,
    arg: &'a ArgDef,
}

impl<'a> Types<'a> {
    /// The rule of a change of what is said of the type.
    fn rule(&self, sides: [Meaning<'a>; 2], was: &ArgDef) -> &'static str {
        const CHANGED: &str = "operand_type_changed";
        const WIDENED: &str = "operand_type_widened";
        const SAME: &str = "type_variable_changed";
        let holds = |condition: bool, rule| if condition { rule } else { CHANGED };
        match sides {
            [Meaning::Any, _] | [Meaning::Fixed(_), Meaning::Fixed(_)] => CHANGED,
            // What reads an output was promised its type.
            [_, Meaning::Any] => holds(self.kind == Kind::Input, WIDENED),
            [Meaning::Fixed(ty), Meaning::Var(TypeVar { allowed, .. })] if is_only(allowed, ty) => SAME,
            [Meaning::Fixed(ty), Meaning::Attr(AttrDef { values, .. })] if is_only(values, ty) => SAME,
            [Meaning::Fixed(ty), Meaning::Var(var)] => {
                let is_that = |other: Meaning<'_>| match other {
                    Meaning::Fixed(other) => other == ty,
                    Meaning::Var(other) => is_only(&other.allowed, ty),
                    Meaning::Attr(other) => is_only(&other.values, ty),
                    Meaning::Any | Meaning::Unknown(_) => false,
                };
                let allowed = var.allowed.is_empty() || var.allowed.iter().any(|allowed| allowed == ty);
                holds(allowed && self.agrees(var, is_that) && self.has_input(self.new, var), WIDENED)
            }
            [Meaning::Fixed(ty), Meaning::Attr(attr)] => holds(self.is_by_default(attr, was, ty), WIDENED),
            [Meaning::Var(before), Meaning::Fixed(ty)] => holds(is_only(&before.allowed, ty), SAME),
            [Meaning::Attr(before), Meaning::Fixed(ty)] => holds(is_only(&before.values, ty), SAME),
            [Meaning::Var(before), Meaning::Attr(attr)] => {
                let by_default = match before.allowed.as_ref() {
                    [only] => self.is_by_default(attr, was, only),
                    _ => false,
                };
                holds(by_default, WIDENED)
            }
            [Meaning::Attr(before), Meaning::Attr(attr)] => holds(is_renamed(self.new, &before.name, &attr.name), SAME),
            [Meaning::Attr(before), Meaning::Var(var)] => {
                let is_that = |other: Meaning<'_>| matches!(other, Meaning::Attr(other) if other.name == before.name);
                let is_wide = before.ty.depth == 0 && allows(&var.allowed, &before.values);
                holds(is_wide && self.agrees(var, is_that) && self.has_input(self.new, var), WIDENED)
            }
            [Meaning::Var(before), Meaning::Var(var)] => {
                let is_that = |other: Meaning<'_>| matches!(other, Meaning::Var(other) if other.name == before.name);
                let is_wide = before.name == var.name || allows(&var.allowed, &before.allowed);
                // What an output could not be inferred from before, it need not be now.
                let is_inferred = self.has_input(self.new, var) || !self.has_input(self.old, before);
                if !is_wide || !is_inferred || !self.agrees(var, is_that) {
                    CHANGED
                } else if self.is_as_bound(before, var) && allows(&before.allowed, &var.allowed) {
                    SAME
                } else {
                    WIDENED
                }
            }
            // Their row alone does not say for what they stand; that they are one name is all that is known.
            [Meaning::Unknown(_), _] | [_, Meaning::Unknown(_)] => {
                let name = |arg: &ArgDef| arg.ty.as_ref().map(|ty| ty.name().clone());
                holds(name(was) == name(self.arg), SAME)
            }
        }
    }

    /// The other operands that must have the type of one that is of the variable.
    fn bound<'d>(&self, def: &'d OpDef, var: &'d TypeVar) -> impl Iterator<Item = (Kind, &'d ArgDef)> + use<'d> {
        let (kind, own) = (self.kind, self.arg.name.clone());
        let is_of = |arg: &ArgDef| matches!(&arg.ty, Some(ElementType::Var(name)) if *name == var.name);
        let all =
            [Kind::Input, Kind::Output].into_iter().flat_map(|kind| def.args(kind).iter().map(move |arg| (kind, arg)));
        let others = all.filter(move |(other, arg)| (*other, &arg.name) != (kind, &own));
        others.filter(move |(_, arg)| is_of(arg) && !arg.heterogeneous && arg.part != Part::Extra)
    }

    /// Whether what must now have the type of the operand had it in every graph.
    fn agrees(&self, var: &TypeVar, is_that: impl Fn(Meaning<'a>) -> bool) -> bool {
        let was_that = |arg: &'a ArgDef| is_that(meaning(self.old, arg));
        let mut bound = self.bound(self.new, var);
        self.arg.heterogeneous || bound.all(|(kind, arg)| before(self.old, kind, arg).is_none_or(was_that))
    }

    /// Whether there is an input from which the type of the operand is known: an output must be like one.
    fn has_input(&self, def: &OpDef, var: &TypeVar) -> bool {
        let is_known = |(kind, arg): (Kind, &ArgDef)| kind == Kind::Input && before(self.old, kind, arg).is_some();
        self.kind == Kind::Input || (!self.arg.heterogeneous && self.bound(def, var).any(is_known))
    }

    /// Whether the same operands are of both variables.
    fn is_as_bound(&self, before: &TypeVar, after: &TypeVar) -> bool {
        let names = |def, var| -> Set<(Kind, String)> {
            self.bound(def, var).map(|(kind, arg)| (kind, arg.name.to_string())).collect()
        };
        names(self.old, before) == names(self.new, after)
    }

    /// Whether graphs that lack the attribute have that type.
    fn is_by_default(&self, attr: &AttrDef, was: &ArgDef, ty: &str) -> bool {
        let is_that = |value: &Value| matches!(value, Value::DType(value) if value == ty);
        let Some(attr) = added(self.old, self.new, &attr.name) else {
            let known = self.old.attr(&attr.name).filter(|attr| attr.ty.scalar == ScalarType::DType);
            return known.is_some_and(|attr| attr.ty.depth == 0 && is_only(&attr.values, ty));
        };
        match &attr.default {
            Some(Value::List(items)) => {
                !was.duplicable && !was.dispensable && matches!(items.as_ref(), [only] if is_that(only))
            }
            Some(value) => is_that(value),
            None => false,
        }
    }
}

/// The signature without what no release has, of an entry that a release has: an attribute that was only just added is in no
/// graph.
pub(super) fn released(entry: &OpEntry) -> Cow<'_, OpDef> {
    let is_new = |since: Option<&Since>| since == Some(&Since::Unreleased);
    let is_new_attr = |attr: &AttrDef| is_new(entry.item_since(Kind::Attr, &attr.name));
    if is_new(entry.stamp.since.as_ref()) || !entry.def.attrs.iter().any(is_new_attr) {
        return Cow::Borrowed(&entry.def);
    }
    let mut def = entry.def.clone();
    def.attrs.to_mut().retain(|attr| !is_new_attr(attr));
    Cow::Owned(def)
}
