//! What changed between two signatures, and what each change means for saved graphs.
//!
//! The rules are data (`rules`); this module finds which of them apply. It knows nothing of releases: whether a
//! package may make the change now is [`crate::judge`]'s question.

mod data_rules;
mod finding;
mod marks;
mod rules;
mod types;

#[cfg(feature = "tools")]
use std::collections::{BTreeMap, BTreeSet};

use crate::condition::Condition;
use crate::lock::{OpEntry, Side, is_promised};
use crate::model::{ArgDef, AttrDef, AttrType, Kind, Map, OpDef, Part, ScalarType, Set, Str, is_unguarded_name};

pub use finding::Finding;
pub use rules::{Case, Forward, RULES, Rule, rule};
pub(crate) use types::allows;

use marks::{Marks, compare_op_marks};
use types::{compare_op_types, compare_operand, may_be_none, released};

/// How the rules are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether relaxing a requirement is a minor change and not a break:
    /// `relaxations = "minor"` in `[package.metadata.oplock]`.
    pub relaxations_are_minor: bool,
    /// How many days before `min_producer` may rise to it a data version must have been released, from 1.0 on; `None` where
    /// nothing is said: `min-producer-window = "180 days"` in `[package.metadata.oplock]`.
    pub min_producer_window: Option<u32>,
}

/// What changed between two sets of operators, ordered by operator.
#[cfg(feature = "tools")]
pub fn compare_sets(old: &BTreeMap<String, OpDef>, new: &BTreeMap<String, OpDef>, options: Options) -> Vec<Finding> {
    let names: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    let aliases: BTreeMap<_, _> =
        new.values().flat_map(|def| def.aliases.iter().map(move |alias| (alias, def))).collect();
    let mut findings = Vec::new();
    for name in names {
        match (old.get(name), new.get(name)) {
            (Some(old), Some(new)) => {
                let mut changes = compare_op(old, new, options);
                once_each_swap(&mut changes);
                findings.append(&mut changes);
            }
            (Some(old), None) => findings.push(match aliases.get(&old.name) {
                Some(new) if old.is_guarded() && new.is_guarded() => op_renamed(&old.name, &new.name),
                _ => op_deleted(old),
            }),
            (None, Some(new)) => findings.push(op_added(new)),
            (None, None) => unreachable!("each name is of one set"),
        }
    }
    findings
}

/// The finding of an operator that is gone.
pub fn op_deleted(old: &OpDef) -> Finding {
    let rule = if old.is_guarded() { "op_deleted" } else { "unguarded_changed" };
    Finding::op(rule, &old.name).between("present", "absent")
}

/// The finding of an operator that is gone, and read under another name.
pub(crate) fn op_renamed(old: &str, new: &str) -> Finding {
    Finding::op("op_deleted", old).renamed("present", new)
}

/// The finding of an operator that is new.
pub fn op_added(new: &OpDef) -> Finding {
    let rule = if new.is_guarded() { "op_added" } else { "unguarded_changed" };
    Finding::op(rule, &new.name).between("absent", "present")
}

/// The finding of an operator that is new and that no build can have, since the manifest lacks a feature.
pub(crate) fn op_added_without_feature(new: &OpDef, feature: &str) -> Finding {
    Finding::op("op_added_without_feature", &new.name).between("absent", "present").without_feature(feature)
}

/// What changed between two signatures of one operator: first the operator itself, then its inputs, outputs
/// and attributes, each by name.
pub fn compare_op(old: &OpDef, new: &OpDef, options: Options) -> Vec<Finding> {
    compare_signatures(old, old, new, options)
}

/// The same of what a lock has: what of that no release carries is in no graph.
pub(crate) fn compare_entry(old: &OpEntry, new: &OpDef, options: Options) -> Vec<Finding> {
    compare_signatures(&old.def, &released(old), new, options)
}

fn compare_signatures(old: &OpDef, released: &OpDef, new: &OpDef, options: Options) -> Vec<Finding> {
    let op = &new.name;
    let mut out = Vec::new();
    match (old.is_guarded(), new.is_guarded()) {
        (false, false) => {
            if old.clone().sorted() != new.clone().sorted() {
                out.push(Finding::op("unguarded_changed", op));
            }
        }
        (true, false) => out.push(Finding::op("op_deleted", op).field("experimental", false, true)),
        (false, true) => out.push(Finding::op("op_added", op).field("experimental", true, false)),
        (true, true) => {
            let old_op = old;
            compare_conditions(old, new, &mut out);
            compare_op_marks(old, new, &mut out);
            compare_op_types(old, new, &mut out);
            for kind in [Kind::Input, Kind::Output] {
                for (old, arg) in pairs(old_op.args(kind), new.args(kind), |arg| &arg.name) {
                    compare_args([old_op, released, new], kind, old, arg, &mut out);
                }
            }
            name_swapped(old_op, new, &mut out);
            for (old, attr) in pairs(&old_op.attrs, &new.attrs, |attr| &attr.name) {
                compare_attrs([old_op, new], old, attr, &mut out);
            }
        }
    }
    if options.relaxations_are_minor {
        for finding in &mut out {
            finding.lift_relaxation();
        }
    }
    out
}

/// Items of one name, sorted by it.
fn pairs<'a, T>(old: &'a [T], new: &'a [T], name: fn(&T) -> &str) -> Vec<(Option<&'a T>, Option<&'a T>)> {
    let mut pairs: Map<&str, (Option<&T>, Option<&T>)> = Map::new();
    for item in old {
        pairs.get_or_default(name(item)).0 = Some(item);
    }
    for item in new {
        pairs.get_or_default(name(item)).1 = Some(item);
    }
    pairs.into_values().collect()
}

fn compare_conditions(old: &OpDef, new: &OpDef, out: &mut Vec<Finding>) {
    if old.cfg == new.cfg {
        return;
    }
    let show = |cfg: &Option<crate::model::Str>| cfg.as_ref().map_or("always".to_owned(), ToString::to_string);
    let always = || Condition::All(Vec::new());
    let read = |cfg: &Option<crate::model::Str>| match cfg {
        None => Some(always()),
        Some(text) => Condition::parse(text).ok(),
    };
    let kept = match (read(&old.cfg), read(&new.cfg)) {
        (Some(old), Some(new)) => old.implies(&new),
        _ => false, // what cannot be read is not known to keep anything
    };
    let rule = if kept { "op_condition_widened" } else { "op_condition_narrowed" };
    out.push(Finding::op(rule, &new.name).field("cfg", show(&old.cfg), show(&new.cfg)));
}

/// What both kinds of item are judged by before their own fields: the part to which they belong.
enum Parts {
    /// Neither side carries a promise.
    Unpromised,
    /// The new side carries one that the old side did not.
    Promoted,
    /// The old side carried one that the new side does not.
    Demoted,
    /// Both do.
    Promised,
}

fn parts(old: Part, new: Part) -> Parts {
    match (old == Part::Extra, new == Part::Extra) {
        (true, true) => Parts::Unpromised,
        (true, false) => Parts::Promoted,
        (false, true) => Parts::Demoted,
        (false, false) => Parts::Promised,
    }
}

/// The deletion of an item of the operator whose new signature is `op`: a renaming where another has its name as an alias.
fn deletion(finding: Finding, op: &OpDef, kind: Kind, name: &str, old: Side) -> Finding {
    // A name that carries no promise keeps none.
    match op.item_of_alias(kind, name).filter(|other| is_promised(op, kind, other)) {
        Some(other) => finding.renamed(old, other),
        None => finding.between(old, "absent"),
    }
}

/// Whether an added item is read where graphs have an item that was promised: what those require is there.
fn was_promised(old: &OpDef, kind: Kind, aliases: &[Str]) -> bool {
    aliases.iter().any(|alias| is_promised(old, kind, alias))
}

fn compare_args(
    [old_op, released, op]: [&OpDef; 3],
    kind: Kind,
    old: Option<&ArgDef>,
    new: Option<&ArgDef>,
    out: &mut Vec<Finding>,
) {
    let [added, not_dispensable, deleted, changed] = match kind {
        Kind::Input => ["input_added", "input_added_not_dispensable", "input_deleted", "input_changed"],
        _ => ["output_added", "output_added_not_dispensable", "output_deleted", "output_changed"],
    };
    let Some(name) = old.or(new).map(|arg| &arg.name) else { return };
    let finding = |rule| Finding::item(rule, &op.name, kind, name);
    let show = |arg: &ArgDef| Side::Arg(arg.clone(), None);
    let is_optional = |new: &ArgDef| new.dispensable || was_promised(old_op, kind, &new.aliases);
    let addition = |new: &ArgDef| if is_optional(new) { added } else { not_dispensable };
    match (old, new) {
        (Some(old), Some(new)) if old == new => {}
        _ if is_unguarded_name(name) => out.push(finding("unguarded_changed")),
        (Some(old), Some(new)) => match parts(old.part, new.part) {
            Parts::Unpromised => out.push(finding("extra_changed").between(show(old), show(new))),
            Parts::Promoted => out.push(finding(addition(new)).promoted(show(old), show(new))),
            Parts::Demoted => out.push(finding(changed).field("extra", false, true)),
            Parts::Promised => {
                let fields = [
                    // That as many as something says may be none is a lower minimum.
                    ("dispensable", old.dispensable, new.dispensable && !may_be_none(released, old, new)),
                    ("duplicable", old.duplicable, new.duplicable),
                    ("intermediate", old.intermediate, new.intermediate),
                    ("quant", old.part == Part::Quant, new.part == Part::Quant),
                ];
                for (field, old, new) in fields.into_iter().filter(|(_, old, new)| old != new) {
                    out.push(finding(changed).field(field, old, new));
                }
                compare_operand([released, op], kind, [old, new], finding, out);
                compare_places(old.at, new.at, finding, out);
                let aliases = [old.aliases.as_ref(), &new.aliases];
                let marks = Marks { aliases, deprecated: [&old.deprecated, &new.deprecated] };
                marks.compare("item_deprecated", finding, out);
            }
        },
        (None, Some(new)) if new.part == Part::Extra => out.push(finding("extra_added").between("absent", show(new))),
        (None, Some(new)) => out.push(finding(addition(new)).between("absent", show(new))),
        (Some(old), None) if old.part == Part::Extra => out.push(finding("extra_deleted").between(show(old), "absent")),
        (Some(old), None) => out.push(deletion(finding(deleted), op, kind, name, show(old))),
        (None, None) => {}
    }
}

/// The places of an operand, where the package promises them.
fn compare_places(
    old: Option<u32>,
    new: Option<u32>,
    finding: impl Fn(&'static str) -> Finding,
    out: &mut Vec<Finding>,
) {
    let show = |at: Option<u32>| at.map_or("none".to_owned(), |at| at.to_string());
    let rule = match (old, new) {
        _ if old == new => return,
        (None, _) => "operand_place_promised",
        (_, None) => "operand_place_dropped",
        _ => "operand_moved",
    };
    out.push(finding(rule).field("at", show(old), show(new)));
}

/// Tells of operands that moved which of them took each other's place.
fn name_swapped(old: &OpDef, new: &OpDef, out: &mut [Finding]) {
    for finding in out.iter_mut().filter(|finding| finding.rule.name == "operand_moved") {
        let Some((kind, name)) = finding.item.clone() else { continue };
        let places = |name: &str| Some((old.arg(kind, name)?.at?, new.arg(kind, name)?.at?));
        let Some((from, to)) = places(&name) else { continue };
        let other = new.args(kind).iter().find(|other| places(&other.name) == Some((to, from)));
        if let Some(other) = other {
            finding.swapped(&other.name);
        }
    }
}

/// Of operands that took each other's place one finding is enough.
pub(crate) fn once_each_swap(findings: &mut Vec<Finding>) {
    findings.retain(|finding| match (&finding.item, &finding.other) {
        (Some((_, name)), Some(other)) => name < other,
        _ => true,
    });
}

fn compare_attrs([old_op, op]: [&OpDef; 2], old: Option<&AttrDef>, new: Option<&AttrDef>, out: &mut Vec<Finding>) {
    let Some(name) = old.or(new).map(|attr| &attr.name) else { return };
    let finding = |rule| Finding::item(rule, &op.name, Kind::Attr, name);
    let show = |attr: &AttrDef| Side::Attr(attr.clone(), None);
    let is_optional = |new: &AttrDef| new.default.is_some() || was_promised(old_op, Kind::Attr, &new.aliases);
    let addition = |new: &AttrDef| if is_optional(new) { "attr_added" } else { "attr_added_without_default" };
    match (old, new) {
        (Some(old), Some(new)) if is_same_attr(old, new) => {}
        _ if is_unguarded_name(name) => out.push(finding("unguarded_changed")),
        (Some(old), Some(new)) => match parts(old.part, new.part) {
            Parts::Unpromised => out.push(finding("extra_changed").between(show(old), show(new))),
            Parts::Promoted => out.push(finding(addition(new)).promoted(show(old), show(new))),
            Parts::Demoted => out.push(finding("attr_changed").field("extra", false, true)),
            Parts::Promised => {
                let changed = || finding("attr_changed");
                if old.ty == new.ty || is_sign_apart(old.ty, new.ty) {
                    compare_minimums(old, new, out, finding);
                    compare_defaults(old, new, out, changed);
                    compare_values(old, new, out, finding);
                } else {
                    // A default and a list of values are of the type, so they change with it.
                    out.push(changed().field("type", old.ty, new.ty));
                }
                if old.generated != new.generated {
                    out.push(changed().field("generated", old.generated, new.generated));
                }
                let quant = [old.part == Part::Quant, new.part == Part::Quant];
                if quant[0] != quant[1] {
                    out.push(changed().field("quant", quant[0], quant[1]));
                }
                let aliases = [old.aliases.as_ref(), &new.aliases];
                let marks = Marks { aliases, deprecated: [&old.deprecated, &new.deprecated] };
                marks.compare("item_deprecated", finding, out);
            }
        },
        (None, Some(new)) if new.part == Part::Extra => out.push(finding("extra_added").between("absent", show(new))),
        (None, Some(new)) => out.push(finding(addition(new)).between("absent", show(new))),
        (Some(old), None) if old.part == Part::Extra => out.push(finding("extra_deleted").between(show(old), "absent")),
        (Some(old), None) => out.push(deletion(finding("attr_deleted"), op, Kind::Attr, name, show(old))),
        (None, None) => {}
    }
}

/// The order of the allowed values means nothing.
fn is_same_attr(old: &AttrDef, new: &AttrDef) -> bool {
    *old == AttrDef { values: old.values.clone(), ..new.clone() } && value_set(old) == value_set(new)
}

fn value_set(attr: &AttrDef) -> Set<&str> {
    attr.values.iter().map(AsRef::as_ref).collect()
}

fn compare_defaults(old: &AttrDef, new: &AttrDef, out: &mut Vec<Finding>, finding: impl Fn() -> Finding) {
    if old.default == new.default {
        return;
    }
    let show = |attr: &AttrDef| attr.default.as_ref().map_or("none".to_owned(), ToString::to_string);
    out.push(finding().field("default", show(old), show(new)).defaults(old.default.clone(), new.default.clone()));
}

/// Whether two types differ in nothing but whether an integer may be negative: what is saved is of one type.
fn is_sign_apart(old: AttrType, new: AttrType) -> bool {
    use ScalarType::{I64, Size};
    matches!((old.scalar, new.scalar), (I64, Size) | (Size, I64)) && old == AttrType { scalar: old.scalar, ..new }
}

fn compare_minimums(old: &AttrDef, new: &AttrDef, out: &mut Vec<Finding>, finding: impl Fn(&'static str) -> Finding) {
    let rule = |is_raised| finding(if is_raised { "attr_minimum_raised" } else { "attr_minimum_lowered" });
    if old.ty != new.ty {
        out.push(rule(new.ty.scalar == ScalarType::Size).field("type", old.ty, new.ty));
    }
    if old.min != new.min {
        let show = |min: Option<i64>| min.map_or("none".to_owned(), |min| min.to_string());
        out.push(rule(new.least() > old.least()).field("min", show(old.min), show(new.min)));
    }
}

fn compare_values(old: &AttrDef, new: &AttrDef, out: &mut Vec<Finding>, finding: impl Fn(&'static str) -> Finding) {
    let (before, after) = (value_set(old), value_set(new));
    if before == after {
        return;
    }
    let show = |values: &Set<&str>| {
        if values.is_empty() { "any".to_owned() } else { format!("{:?}", values.iter().collect::<Vec<_>>()) }
    };
    let (from, to) = (show(&before), show(&after));
    let lost = match (before.is_empty(), after.is_empty()) {
        (_, true) => false,
        (true, false) => true,
        (false, false) => before.difference(&after).next().is_some(),
    };
    let rule = if lost { "attr_changed" } else { "attr_value_added" };
    out.push(finding(rule).field("values", from, to));
}
