//! What a break asks of graphs that were saved before it: the steps that the ledger gives by itself, and what only a function
//! that its author writes can do.
//!
//! The compiler, the command line and the loader all ask here, so that a graph is never upgraded by a step that the
//! compiler did not count on.

use crate::compare::{Finding, Options, allows};
use crate::judge::{op_of_alias, row_findings};
use crate::lock::{Line, Lock, Row, RowKey, Side, Since};
use crate::model::{AttrType, Deprecated, Kind, Revision, SavedKind, ScalarType, Set, Str, Value};

/// A step that the ledger gives by itself, for a node saved before the break.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// An attribute that is absent gets the default of the writer's time, in the type of that time.
    Fill {
        /// The attribute.
        attr: String,
        /// Its default then.
        value: Value,
    },
    /// A value is turned into a wider type, which holds it exactly.
    Widen {
        /// The attribute.
        attr: String,
        /// The wider type.
        to: AttrType,
    },
}

/// A break that graphs of an older data version need a function for.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// The operator.
    pub op: String,
    /// The item; `None` for the operator itself.
    pub item: Option<(Kind, String)>,
    /// The data version of graphs that the break took: the function upgrades what was saved before it.
    pub version: u32,
    /// The rule by which the break was judged.
    pub rule: String,
    /// What broke, in one sentence without a full stop.
    pub what: String,
    /// Since when what broke was promised.
    pub since: Option<Since>,
    /// Where the lock speaks of the break; 0 where it does not.
    pub line: Line,
}

/// Every break that is open (its data version is above `min_producer`) and that the ledger does not cover by itself: for
/// each, a function of its operator and version must be there.
///
/// A deletion of what was deprecated at a version that `min_producer` has reached needs none: no graph that is still read
/// uses it, where its default is the same in all of them. Nor does one of what is read under another name. A revision takes the data version that it names.
pub fn needs(lock: &Lock, min_producer: u32) -> Vec<Need> {
    let mut needs = Vec::new();
    for (key, row) in &lock.ledger {
        let Some(version) = row.version.filter(|version| *version > min_producer) else { continue };
        let went_with_op = key.item.is_some() && row.rule == "op_deleted" && row.to == Side::Absent;
        let was_deprecated = !row.to.is_guarded()
            && deprecated(&row.from).is_some_and(|d| d.version <= min_producer)
            && has_one_default(lock, key, row, min_producer);
        needs.extend(
            new_revisions(row)
                .filter(|revision| revision.version > min_producer)
                .map(|revision| revised(&key.op, revision, row.from.since().cloned(), row.line)),
        );
        let mut does_both = false;
        for (op, new_name, revision) in revisions_of_renamed(lock, key, row) {
            let is_both = revision.version == version;
            does_both |= is_both;
            if revision.version > min_producer {
                let mut need = revised(op, revision, row.from.since().cloned(), row.line);
                if is_both {
                    let note = &revision.note;
                    need.what = format!(
                        "operator `{op}` is `{new_name}` from that version on, which its function says too (`set_op`), and its behaviour is \
                         revised: {note}"
                    );
                }
                needs.push(need);
            }
        }
        if does_both {
            continue;
        }
        if went_with_op || was_deprecated || is_renamed(lock, key, row) || derived(lock, key, row).is_some() {
            continue;
        }
        let mut findings = row_findings(lock, key, row, Options::default());
        findings.retain(|finding| finding.rule.name != "op_revised");
        if findings.iter().all(Finding::backward) {
            continue;
        }
        let what = findings.iter().max_by_key(|finding| finding.bump).map(Finding::message).unwrap_or_default();
        needs.push(Need {
            op: key.op.clone(),
            item: key.item.clone(),
            version,
            rule: row.rule.clone(),
            what,
            since: row.from.since().cloned(),
            line: row.line,
        });
    }
    for (name, entry) in lock.ops.iter().filter(|(_, entry)| matches!(entry.stamp.since, Some(Since::Release(_)))) {
        for revision in entry.def.revisions.iter().filter(|revision| revision.version > min_producer) {
            let is_known = |need: &Need| need.op == *name && need.rule == REVISED && need.version == revision.version;
            if !needs.iter().any(is_known) && was_there_before(lock, name, revision.version) {
                needs.push(revised(name, revision, entry.stamp.since.clone(), entry.stamp.line));
            }
        }
    }
    needs
}

const REVISED: &str = "op_revised";

fn revised(op: &str, revision: &Revision, since: Option<Since>, line: Line) -> Need {
    let Revision { version, note } = revision;
    let what = format!("the behaviour of operator `{op}` is revised: {note}");
    Need { op: op.to_owned(), item: None, version: *version, rule: REVISED.to_owned(), what, since, line }
}

/// The revisions that a row brings.
fn new_revisions(row: &Row) -> impl Iterator<Item = &Revision> {
    let (from, to) = match (&row.from, &row.to) {
        (Side::Op(from, _), Side::Op(to, _)) => (from.revisions.as_ref(), to.revisions.as_ref()),
        _ => (&[][..], &[][..]),
    };
    to.iter().filter(|new| !from.iter().any(|old| old.version == new.version))
}

/// Whether a release that writes an older data version had an operator that is there since. Nodes of one of that name that was deleted
/// before became others then.
fn was_there_before(lock: &Lock, op: &str, version: u32) -> bool {
    let first = lock.there_since(op, None);
    first.is_some_and(|first| {
        lock.releases.get(&first).is_none_or(|release| release.version_of(SavedKind::Graph) < version)
    })
}

/// The revisions of what a deleted operator is now called that came with the new name, each with the name that a node has when it is
/// upgraded to that data version, and that new name.
///
/// What it becomes takes part in upgrades from the next version on, so at the version of the name itself only a function of the old name
/// can do both.
fn revisions_of_renamed<'l>(lock: &'l Lock, key: &'l RowKey, row: &'l Row) -> Vec<(&'l str, &'l str, &'l Revision)> {
    let (None, Side::Op(was, _), Side::Absent) = (&key.item, &row.from, &row.to) else { return Vec::new() };
    let entries = || lock.ops.values().map(|entry| &entry.def);
    let Some(to) = op_of_alias(entries(), &key.op).and_then(|to| lock.ops.get(to)) else { return Vec::new() };
    let release = key.release.as_ref().and_then(|release| lock.releases.get(release));
    let written = release.map(|release| release.version_of(SavedKind::Graph));
    let came_along = |revision: &&Revision| {
        let is_old = was.revisions.iter().any(|old| old.version == revision.version);
        !is_old && written.is_none_or(|written| revision.version <= written)
    };
    let named = |revision: &'l Revision| {
        let has_old_name = row.version.is_some_and(|version| revision.version <= version);
        let new_name = to.def.name.as_ref();
        (if has_old_name { key.op.as_str() } else { new_name }, new_name, revision)
    };
    to.def.revisions.iter().filter(came_along).map(named).collect()
}

/// Whether what a row deletes is read under another name, which came in the same release: today, or until a later break of
/// what took its place.
fn is_renamed(lock: &Lock, key: &RowKey, row: &Row) -> bool {
    if row.to != Side::Absent {
        return false;
    }
    let name = key.item.as_ref().map_or(key.op.as_str(), |(_, name)| name);
    let kind = key.item.as_ref().map(|(kind, _)| *kind);
    let today = lock.ops.values().filter_map(|entry| match kind {
        None => entry.def.aliases.iter().any(|alias| alias == name).then(|| (entry.def.name.as_ref(), None)),
        Some(kind) => {
            let item = entry.def.item_of_alias(kind, name).filter(|_| entry.def.name == key.op)?;
            Some((key.op.as_str(), Some((kind, item.to_owned()))))
        }
    });
    let earlier = lock.ledger.iter().filter_map(|(other, row)| {
        let is_of = other.item.as_ref().map(|(kind, _)| *kind) == kind && (kind.is_none() || other.op == key.op);
        let has = is_of && aliases(&row.from).iter().any(|alias| alias == name);
        has.then(|| (other.op.as_str(), other.item.clone()))
    });
    today.chain(earlier).any(|(op, item)| came_with(lock, key, name, op, item.as_ref()))
}

/// Whether what is or was called so got `alias` as another name in the release of the row that deleted what had that name
/// before.
///
/// Where it got the name later, there was a release between that knew neither; what that one made of older graphs, another
/// function or nothing, is what later ones make of them too.
pub fn came_with(lock: &Lock, deletion: &RowKey, alias: &str, op: &str, item: Option<&(Kind, String)>) -> bool {
    let line = lock.release_line();
    let at = |key: &RowKey| {
        key.release.as_ref().map_or(usize::MAX, |release| {
            line.iter().position(|(version, _)| *version == release).unwrap_or(usize::MAX)
        })
    };
    let has = |side: &Side| aliases(side).iter().any(|name| name == alias);
    let when = at(deletion);
    let own = || lock.rows_of(op).filter(|(key, _)| key.item.as_ref() == item);
    // As that release left it.
    let next = own().filter(|(key, _)| at(key) > when).min_by_key(|(key, _)| at(key));
    let side = match next {
        Some((_, row)) => row.from.clone(),
        None => lock.ops.get(op).map_or(Side::Absent, |entry| entry.side(item)),
    };
    let is_of_release = match side.since() {
        Some(Since::Release(release)) => deletion.release.as_ref() == Some(release),
        Some(Since::Unreleased) => deletion.release.is_none(),
        None => return false,
    };
    let is_new_name = || own().any(|(key, row)| key.release == deletion.release && !has(&row.from));
    has(&side) && (is_of_release || is_new_name())
}

fn aliases(side: &Side) -> &[Str] {
    match side {
        Side::Op(marks, _) => &marks.aliases,
        Side::Arg(arg, _) => &arg.aliases,
        Side::Attr(attr, _) => &attr.aliases,
        Side::Absent => &[],
    }
}

/// The open breaks that neither the ledger nor one of these functions (of which operator, for what was saved before which
/// version) covers.
pub fn uncovered(lock: &Lock, min_producer: u32, functions: &Set<(String, u32)>) -> Vec<Need> {
    let mut needs = needs(lock, min_producer);
    needs.retain(|need| !functions.contains(&(need.op.clone(), need.version)));
    needs
}

/// `min_producer` of graphs as the last release had it; a rise that no release carries closes nothing for good.
pub fn released_min_producer(lock: &Lock) -> u32 {
    let saved = lock.saved.get(&SavedKind::Graph);
    saved.map_or(1, |saved| saved.min_producer.was.unwrap_or(saved.versions.min_producer))
}

/// The steps that carry a node over the change that a row records, in their order: none where there is nothing to do,
/// `None` where the ledger cannot tell how.
///
/// It can where every graph from before loads as it is, where only a default changed, was set or removed, and where a type was
/// widened.
pub fn derived(lock: &Lock, key: &RowKey, row: &Row) -> Option<Vec<Step>> {
    let findings = row_findings(lock, key, row, Options::default());
    let is_by_itself = |finding: &Finding| {
        let is_widened = || match (&row.from, &row.to) {
            (Side::Attr(from, _), Side::Attr(to, _)) => {
                // The values and the minimum change with the type: what was legal must still be.
                let is_high_enough = |min: i64| from.least().is_some_and(|was| was >= min);
                widens(from.ty, to.ty) && allows(&to.values, &from.values) && to.min.is_none_or(is_high_enough)
            }
            _ => false,
        };
        // A graph names its operands, so that it loads wherever they are.
        let is_place = matches!(finding.rule.name, "operand_moved" | "operand_place_dropped");
        finding.backward()
            || is_place
            || (finding.rule.name == "attr_changed" && finding.field == Some("default"))
            || (finding.rule.name == "attr_changed" && finding.field == Some("type") && is_widened())
    };
    if !findings.iter().all(is_by_itself) {
        return None;
    }
    let (Side::Attr(from, _), Side::Attr(to, _)) = (&row.from, &row.to) else { return Some(Vec::new()) };
    if !row.from.is_guarded() || !row.to.is_guarded() {
        return Some(Vec::new());
    }
    let mut steps = Vec::new();
    if let Some(default) = &from.default
        && widen(default, to.ty) != to.default
    {
        steps.push(Step::Fill { attr: from.name.to_string(), value: default.clone() });
    }
    if from.ty != to.ty {
        steps.push(Step::Widen { attr: to.name.to_string(), to: to.ty });
    }
    Some(steps)
}

/// Whether every value of one type is exactly a value of the other.
pub fn widens(from: AttrType, to: AttrType) -> bool {
    use ScalarType::{F32, F64, I32, I64, Size, U32, U64};
    let is_wider = from.scalar == to.scalar
        || matches!((from.scalar, to.scalar), (I32, I64 | F64) | (F32, F64) | (U32, U64 | I64 | F64) | (Size, I64));
    let has_length = |(from, to): (&Option<u32>, &Option<u32>)| to.is_none() || from == to;
    let is_as_long = from.lengths.iter().zip(&to.lengths).all(has_length);
    is_wider && from.depth == to.depth && is_as_long && (to.optional || !from.optional)
}

/// The same value in a wider type; `None` where the type holds it not exactly.
pub fn widen(value: &Value, to: AttrType) -> Option<Value> {
    if value.fits(to) {
        return Some(value.clone());
    }
    if let Value::List(items) = value {
        let element = to.element()?;
        return items.iter().map(|item| widen(item, element)).collect::<Option<Vec<_>>>().map(Value::list);
    }
    if to.depth != 0 {
        return None;
    }
    Some(match (value, to.scalar) {
        (Value::I32(x), ScalarType::I64) => Value::I64((*x).into()),
        (Value::I32(x), ScalarType::F64) => Value::F64((*x).into()),
        (Value::F32(x), ScalarType::F64) => Value::F64((*x).into()),
        (Value::U32(x), ScalarType::U64) => Value::U64((*x).into()),
        (Value::U32(x), ScalarType::I64) => Value::I64((*x).into()),
        (Value::U32(x), ScalarType::F64) => Value::F64((*x).into()),
        _ => return None,
    })
}

/// Whether an attribute that is deleted has the same default in all graphs that are still read: one that leaves it out means that of its time,
/// which differs from the last one.
fn has_one_default(lock: &Lock, key: &RowKey, row: &Row, min_producer: u32) -> bool {
    let Side::Attr(last, _) = &row.from else { return true };
    let is_earlier = |version: u32| version > min_producer && row.version.is_none_or(|own| version <= own);
    let rows = lock.rows_of(&key.op).filter(|(other, _)| other.item == key.item && *other != key);
    let mut earlier = rows.filter(|(_, row)| row.from.is_guarded() && row.version.is_some_and(is_earlier));
    let widened = |value: &Value| widen(value, last.ty).unwrap_or_else(|| value.clone());
    earlier.all(|(_, row)| match &row.from {
        Side::Attr(was, _) => was.default.as_ref().map(widened) == last.default.as_ref().map(widened),
        _ => true,
    })
}

fn deprecated(side: &Side) -> Option<&Deprecated> {
    match side {
        Side::Arg(arg, _) => arg.deprecated.as_ref(),
        Side::Attr(attr, _) => attr.deprecated.as_ref(),
        Side::Op(marks, _) => marks.deprecated.as_ref(),
        Side::Absent => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_holds_every_value_is_wider() {
        let of = |text: &str| text.parse::<AttrType>().unwrap();
        for (from, to) in [("i32", "i64"), ("[i32]", "[f64]"), ("[[f32]]", "[[f64]]"), ("u32", "i64?"), ("i64", "i64?")]
        {
            assert!(widens(of(from), of(to)), "{from} {to}");
            assert!(!widens(of(to), of(from)), "{to} {from}");
        }
        for (from, to) in [("[i32; 2]", "[i64]"), ("[[f32; 2]; 3]", "[[f64]; 3]"), ("usize", "i64?")] {
            assert!(widens(of(from), of(to)), "{from} {to}");
            assert!(!widens(of(to), of(from)), "{to} {from}");
        }
        for (from, to) in [("[i32; 2]", "[i64; 3]"), ("usize", "u64"), ("[[i32; 2]]", "[[i32; 3]]")] {
            assert!(!widens(of(from), of(to)), "{from} {to}");
        }
        for (from, to) in
            [("i64", "f64"), ("u64", "f64"), ("i32", "f32"), ("i32", "[i64]"), ("i32?", "i64"), ("i32", "u64")]
        {
            assert!(!widens(of(from), of(to)), "{from} {to}");
        }
        for (value, to, wide) in [
            (Value::I32(-1), "i64", Value::I64(-1)),
            (Value::I32(-1), "f64", Value::F64(-1.0)),
            (Value::U32(7), "u64", Value::U64(7)),
            (Value::U32(7), "i64", Value::I64(7)),
            (Value::U32(7), "f64", Value::F64(7.0)),
        ] {
            assert_eq!(widen(&value, of(to)), Some(wide), "{value} {to}");
            assert_eq!(widen(&value, of(&format!("[{to}]"))), None, "{value} {to}");
        }
        assert_eq!(widen(&Value::F32(0.01), of("f64")), Some(Value::F64(f64::from(0.01_f32))));
        let list = Value::list(vec![Value::I32(-1)]);
        assert_eq!(widen(&list, of("[f64]")), Some(Value::list(vec![Value::F64(-1.0)])));
        assert_eq!(widen(&list, of("[u64]")), None);
        assert_eq!(widen(&Value::Absent, of("i64?")), Some(Value::Absent));
        assert_eq!(widen(&Value::Absent, of("i64")), None);
    }
}
