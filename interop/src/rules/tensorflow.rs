//! `TensorFlow`'s rules for its operators, as its compatibility test applies them (`OpDefCompatible`,
//! `OpDefAttrDefaultsUnchanged` and `OpDefAddedDefaultsUnchanged` in `op_def_util.cc`, called by `op_compatibility_lib.cc`).
//!
//! A definition is held against every older one of the operator: a graph of any release must still be valid. Of attributes,
//! what was allowed stays allowed, and defaults stay, which are held against the definition before only. Of operands, the
//! sequence of types that an old graph connects must be the same after attributes that it does not know yet took their
//! defaults: so `float` may become `T`, where `T` is new and its default is `float`. Inputs go by their place, so that their
//! names are free; names of outputs are not. Markers such as `is_stateful`, and deprecations, are free.
//!
//! The test stops at the first objection to an operator; here all are said.

use std::collections::BTreeMap;

use oplock_core::{ArgDef, AttrDef, ElementType, Kind, OpDef, Value, is_unguarded_name};

use super::{Judgement, PeerFinding};
use crate::tensorflow::op_list::is_same;

/// The definitions of each operator, oldest first.
pub type Histories = BTreeMap<String, Vec<OpDef>>;

/// Judges the operators of a newer release by those of an older one.
pub fn judge(old: &BTreeMap<String, OpDef>, new: &BTreeMap<String, OpDef>) -> Judgement {
    let one = |ops: &BTreeMap<String, OpDef>| ops.iter().map(|(name, op)| (name.clone(), vec![op.clone()])).collect();
    judge_histories(&one(old), &one(new))
}

/// Judges the histories of a newer release by those of an older one: each definition that the newer adds by all before it.
pub fn judge_histories(old: &Histories, new: &Histories) -> Judgement {
    let mut judgement = Judgement::default();
    for name in old.keys().chain(new.keys().filter(|name| !old.contains_key(*name))) {
        // Internal operators are outside the test.
        if is_unguarded_name(name) {
            continue;
        }
        let Some(added) = new.get(name).filter(|history| !history.is_empty()) else {
            let text = "the operator is gone, and every graph that uses it with it";
            judgement.findings.push(PeerFinding::of_op("op_removed", name, text));
            continue;
        };
        let mut before: Vec<&OpDef> = old.get(name).into_iter().flatten().collect();
        let known = before.iter().zip(added).take_while(|(old, new)| **old == *new).count();
        let is_continued = known == before.len();
        for op in added.iter().skip(if is_continued { known } else { 0 }) {
            judgement.findings.extend(judge_change(&before, op));
            before.push(op);
        }
    }
    judgement.findings.sort_by(|a, b| (&a.op, &a.item, a.rule).cmp(&(&b.op, &b.item, b.rule)));
    judgement.findings.dedup_by(|a, b| (&a.op, &a.item, a.rule, &a.text) == (&b.op, &b.item, b.rule, &b.text));
    judgement
}

/// Judges a definition by all older ones of the operator, oldest first.
pub fn judge_change(history: &[&OpDef], new: &OpDef) -> Vec<PeerFinding> {
    let mut findings: Vec<PeerFinding> = Vec::new();
    let Some((last, _)) = history.split_last() else { return findings };
    if *last == new {
        return findings;
    }
    compare_defaults(last, new, &mut findings);
    // What the nearest definition objects to, those before it would say again.
    for old in history.iter().rev() {
        let mut found = Vec::new();
        compare(old, new, &mut found);
        found
            .retain(|finding| !findings.iter().any(|known| (known.rule, &known.item) == (finding.rule, &finding.item)));
        findings.append(&mut found);
    }
    findings
}

fn of_attr(rule: &'static str, op: &OpDef, attr: &AttrDef, text: String) -> PeerFinding {
    PeerFinding::of_op(rule, op.name.clone(), text).at(Kind::Attr, attr.name.clone())
}

/// What an attribute is where a node does not say it, held against the definition before.
fn compare_defaults(old: &OpDef, new: &OpDef, out: &mut Vec<PeerFinding>) {
    for (before, after) in old.attrs.iter().filter_map(|attr| Some((attr, new.attr(&attr.name)?))) {
        match (&before.default, &after.default) {
            (Some(was), None) => {
                let text = format!("its default was {was}, and it has none");
                out.push(of_attr("attr_default_removed", new, before, text));
            }
            // Another type has other values.
            (Some(was), Some(is)) if !is_same(was, is) && before.ty == after.ty => {
                let text = format!("its default was {was}, and is {is}");
                out.push(of_attr("attr_default_changed", new, before, text));
            }
            _ => {}
        }
    }
}

/// Whether graphs of the older definition are valid by the newer.
fn compare(old: &OpDef, new: &OpDef, out: &mut Vec<PeerFinding>) {
    for before in old.attrs.iter() {
        let Some(after) = new.attr(&before.name) else {
            out.push(of_attr("attr_removed", new, before, "the attribute is gone, and graphs name it".to_owned()));
            continue;
        };
        if before.ty != after.ty {
            let text = format!("its type was `{}`, and is `{}`", before.ty, after.ty);
            out.push(of_attr("attr_type_changed", new, before, text));
            continue;
        }
        if let Some(text) = narrowed(before, after) {
            out.push(of_attr("attr_values_narrowed", new, before, text));
        }
        if let Some(min) = after.min.filter(|min| before.min.is_none_or(|was| *min > was)) {
            let was = before.min.map_or_else(|| "it had no minimum".to_owned(), |was| format!("its minimum was {was}"));
            out.push(of_attr("attr_minimum_raised", new, before, format!("{was}, and is {min}")));
        }
    }
    for after in new.attrs.iter() {
        if old.attr(&after.name).is_none() && after.default.is_none() {
            let text = "it is new and has no default, and older graphs do not state it".to_owned();
            out.push(of_attr("attr_added_without_default", new, after, text));
        }
    }
    compare_args(Kind::Input, old, new, out);
    compare_args(Kind::Output, old, new, out);
}

/// Which values were allowed and no longer are; an empty list allows all.
fn narrowed(before: &AttrDef, after: &AttrDef) -> Option<String> {
    if after.values.is_empty() {
        return None;
    }
    let show = |values: &[&str]| values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
    if before.values.is_empty() {
        let allowed: Vec<_> = after.values.iter().map(AsRef::as_ref).collect();
        return Some(format!("any value was allowed, and now only {}", show(&allowed)));
    }
    let gone: Vec<_> = before.values.iter().filter(|value| !after.values.contains(value)).map(AsRef::as_ref).collect();
    (!gone.is_empty()).then(|| {
        format!("{} no longer allowed: {}", if gone.len() == 1 { "a value is" } else { "values are" }, show(&gone))
    })
}

/// The type of what an old graph connects at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Slot {
    /// Only where the name binds.
    name: Option<String>,
    /// The attribute that says how often the type stands here.
    count: Option<String>,
    ty: SlotType,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum SlotType {
    Fixed(String),
    /// The old graph says it by this attribute: one type, or one for each of several variables.
    Attr(String),
    Open,
}

impl std::fmt::Display for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}: ")?;
        }
        if let Some(count) = &self.count {
            write!(f, "{count} * ")?;
        }
        match &self.ty {
            SlotType::Fixed(name) | SlotType::Attr(name) => f.write_str(name),
            SlotType::Open => f.write_str("any"),
        }
    }
}

/// More slots than any operator has are not made of a default.
const MAX_SLOTS: usize = 1 << 16;

/// What an old graph connects, by a definition's operands: with what the old graph says by its attributes, and else with the
/// defaults. With each slot, whether it is a reference. `None` where a default is missing, which is found elsewhere.
fn slots(kind: Kind, op: &OpDef, old: &OpDef, new: &OpDef) -> Option<Vec<(Slot, bool)>> {
    let mut slots = Vec::new();
    for arg in op.args(kind) {
        let (count, times) = match &arg.count {
            None => (None, 1),
            Some(count) if old.attr(count).is_some() => (Some(count.to_string()), 1),
            Some(count) => match default_of(new, count)? {
                Value::I64(times) => (None, usize::try_from(*times).unwrap_or(0)),
                _ => return None,
            },
        };
        let types = types_of(arg, old, new)?;
        if types.len().saturating_mul(times) > MAX_SLOTS {
            return None;
        }
        let name = (kind == Kind::Output).then(|| arg.name.to_string());
        for ty in std::iter::repeat_n(types, times).flatten() {
            slots.push((Slot { name: name.clone(), count: count.clone(), ty }, arg.by_ref));
        }
    }
    Some(slots)
}

fn types_of(arg: &ArgDef, old: &OpDef, new: &OpDef) -> Option<Vec<SlotType>> {
    Some(vec![match &arg.ty {
        None => SlotType::Open,
        Some(ElementType::Fixed(name)) => SlotType::Fixed(name.to_string()),
        Some(ElementType::Var(name)) if old.attr(name).is_some() => SlotType::Attr(name.to_string()),
        Some(ElementType::Var(name)) => match default_of(new, name)? {
            Value::DType(name) => SlotType::Fixed(name.to_string()),
            Value::List(types) => {
                let fixed = |ty: &Value| match ty {
                    Value::DType(name) => Some(SlotType::Fixed(name.to_string())),
                    _ => None,
                };
                return types.iter().map(fixed).collect();
            }
            _ => return None,
        },
    }])
}

fn default_of<'a>(op: &'a OpDef, attr: &str) -> Option<&'a Value> {
    op.attr(attr)?.default.as_ref()
}

fn compare_args(kind: Kind, old: &OpDef, new: &OpDef, out: &mut Vec<PeerFinding>) {
    let Some((before, after)) = slots(kind, old, old, new).zip(slots(kind, new, old, new)) else { return };
    let (changed, lost) = match kind {
        Kind::Input => ("input_signature_changed", "input_became_ref"),
        _ => ("output_signature_changed", "output_lost_ref"),
    };
    if !before.iter().map(|(slot, _)| slot).eq(after.iter().map(|(slot, _)| slot)) {
        let show =
            |slots: &[(Slot, bool)]| slots.iter().map(|(slot, _)| slot.to_string()).collect::<Vec<_>>().join(", ");
        let text = format!("its {kind}s were ({}), and are ({})", show(&before), show(&after));
        out.push(PeerFinding::of_op(changed, new.name.clone(), text));
        return;
    }
    for (i, ((_, was_ref), (_, is_ref))) in before.iter().zip(&after).enumerate() {
        let text = match kind {
            Kind::Input if !was_ref && *is_ref => format!("{kind} {i} took a value, and takes a reference only"),
            Kind::Output if *was_ref && !is_ref => format!("{kind} {i} was a reference, and is a value"),
            _ => continue,
        };
        out.push(PeerFinding::of_op(lost, new.name.clone(), text));
        return;
    }
}
