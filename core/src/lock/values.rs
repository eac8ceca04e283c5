//! Which values an attribute may have, and which of them came later than the attribute itself.
//!
//! `mode = { type = "string", values = ["a", "b"], newer = { b = "1.2.0" } }`: a graph that has `b` needs a reader of 1.2.0. As with
//! aliases the ledger knows that, too, so a line that says something else was edited by hand.

use std::borrow::Cow;

use semver::Version;

use super::read::{Fields, LockError, meaning, version};
use super::toml::{Data, Line};
use super::write::{Fields as Table, Key, Quoted};
use super::{Lock, Release, RowKey, Side, Since};
use crate::model::{AttrDef, Kind, Map, Str};
use crate::order::sort_by_name;

/// How `newer` says that no release carries something yet.
const UNRELEASED: &str = "unreleased";

/// The list of an attribute's allowed values, of which each is there once and one is the default.
pub(super) fn read_values(attr: &mut AttrDef, fields: &Fields<'_>) -> Result<(), LockError> {
    let Some(node) = fields.table.get("values") else { return Ok(()) };
    let Data::Array(items) = &node.data else {
        return meaning(node.line, format!("{}: `values` must be an array of strings", fields.what));
    };
    if !attr.has_values() {
        let what = "lists the values of a string or dtype, or of the elements of a list of such";
        return meaning(node.line, format!("{}: `values` {what}, not of type `{}`", fields.what, attr.ty));
    }
    let mut values: Vec<Str> = Vec::new();
    let mut sorted = Vec::new();
    for item in items {
        let Data::String(text) = &item.data else {
            return meaning(item.line, format!("{}: `values` has {}", fields.what, item.data.describe()));
        };
        values.push(Cow::Owned(text.clone()));
        sorted.push((text.as_str(), item.line));
    }
    sort_by_name(&mut sorted, |(text, _)| text);
    if let Some([_, (text, line)]) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return meaning(*line, format!("{}: `values` has {text:?} twice", fields.what));
    }
    attr.values = Cow::Owned(values);
    if let Some(other) = attr.default.as_ref().and_then(|default| attr.outside(default)) {
        return meaning(node.line, format!("{}: the default {other:?} is none of its `values`", fields.what));
    }
    Ok(())
}

/// What `newer` says: since when each of its names is.
pub(super) fn read_newer(
    fields: &Fields<'_>,
    names: &[&str],
    releases: &Map<Version, Release>,
) -> Result<Map<String, (Since, Line)>, LockError> {
    let Some(newer) = fields.table("newer")? else { return Ok(Map::new()) };
    newer.only(names)?;
    let mut map = Map::new();
    for (name, node) in newer.table.iter() {
        let since = newer.optional(name, |text, line| {
            if text == UNRELEASED {
                return Ok(Since::Unreleased);
            }
            let release = version(text, line)?;
            if releases.contains_key(&release) {
                return Ok(Since::Release(release));
            }
            meaning(line, format!("{} names release {release}, which [release] does not list", fields.what))
        })?;
        map.extend(since.map(|since| (name.to_owned(), (since, node.line))));
    }
    Ok(map)
}

/// Writes `newer`, where it says something.
pub(super) fn write_newer<'a>(table: &mut Table, newer: impl IntoIterator<Item = (&'a str, Since)>) {
    let mut names = Table::default();
    for (name, since) in newer {
        let name = Key(name).to_string();
        match since {
            Since::Unreleased => names.add(&name, Quoted(UNRELEASED)),
            Since::Release(release) => names.add(&name, format_args!("\"{release}\"")),
        }
    }
    if !names.is_empty() {
        table.add("newer", names);
    }
}

impl Lock {
    /// The allowed values of an attribute that came later than the attribute itself, by value, and since when each is.
    ///
    /// The ledger tells: the first change that allowed a value after the last one that did not.
    pub fn newer_values(&self, op: &str, attr: &str) -> Vec<(&str, Since)> {
        let entry = self.ops.get(op);
        let Some(since) = entry.and_then(|entry| entry.item_since(Kind::Attr, attr)) else { return Vec::new() };
        let Some(def) = entry.and_then(|entry| entry.def.attr(attr)) else { return Vec::new() };
        if def.values.is_empty() {
            return Vec::new();
        }
        let is_of = |key: &RowKey| matches!(&key.item, Some((Kind::Attr, item)) if item == attr);
        let rows = || self.rows_of(op).filter(|(key, _)| is_of(key));
        // What no release has sealed is the newest, and sorts first.
        let sealed = rows().filter(|(key, _)| key.release.is_some());
        let pending = rows().filter(|(key, _)| key.release.is_none());
        let rows: Vec<_> = sealed.chain(pending).collect();
        let value_since = |value: &str| {
            let mut newest = None;
            for (key, row) in &rows {
                match (allows(&row.from, value), allows(&row.to, value)) {
                    (false, true) => newest = Some(key.release.clone().map_or(Since::Unreleased, Since::Release)),
                    (_, false) => newest = None,
                    (true, true) => {}
                }
            }
            newest.filter(|newest| newest != since)
        };
        let newer = def.values.iter().filter_map(|value| Some((value.as_ref(), value_since(value)?)));
        newer.collect()
    }
}

/// Whether an attribute that is promised could have that value.
fn allows(side: &Side, value: &str) -> bool {
    let allows = |def: &AttrDef| def.has_values() && (def.values.is_empty() || def.values.iter().any(|v| v == value));
    matches!(side, Side::Attr(def, _) if side.is_guarded() && allows(def))
}

/// What the lines of an operator's attributes say of newer values, to be held against the ledger.
pub(super) struct StatedValues {
    pub(super) op: String,
    pub(super) attr: String,
    pub(super) newer: Map<String, (Since, Line)>,
    pub(super) line: Line,
}

impl StatedValues {
    pub(super) fn check(&self, lock: &Lock) -> Result<(), LockError> {
        let StatedValues { op, attr, newer, line } = self;
        let known = lock.newer_values(op, attr);
        let fail = |value: &str, line, said: Option<&Since>, known: Option<&Since>| {
            let show = |since: Option<&Since>| since.map_or("nothing".to_owned(), ToString::to_string);
            let what = format!("value {value:?} of attribute `{attr}` of `{op}`");
            let (said, known) = (show(said), show(known));
            meaning(line, format!("{what} says {said}, and the ledger says {known}: one was edited by hand"))
        };
        for (value, since) in &known {
            match newer.get(*value) {
                Some((said, _)) if said == since => {}
                Some((said, line)) => return fail(value, *line, Some(said), Some(since)),
                None => return fail(value, *line, None, Some(since)),
            }
        }
        let unknown = newer.iter().find(|(value, _)| known.iter().all(|(known, _)| known != value));
        unknown.map_or(Ok(()), |(value, (said, line))| fail(value, *line, Some(said), None))
    }
}
