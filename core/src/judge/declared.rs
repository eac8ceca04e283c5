//! What a declaration must not say, given what was released: whichever version is on the way.
//!
//! A deprecation or revision names a new data version; an alias stands for one thing, and what has it accepts all that
//! the old name allowed. Both are asked of what no release carries yet: later changes are judged by themselves.

#[cfg(feature = "tools")]
use std::collections::BTreeMap;

use super::data::released_version;
use super::{Judged, Remedy, Verdict, blank, tombstone, undone};
use crate::compare::{Finding, Options, compare_op};
use crate::lock::{Line, Lock, OpEntry, OpMark, OpMarks, Side, Since};
use crate::model::{DataVersions, Deprecated, Kind, List, OpDef, Revision, SavedKind, Str, is_unguarded_name};

/// Everything that is wrong with what the signature says of other names and data versions.
pub(super) fn misdeclared(lock: &Lock, new: &OpDef) -> Vec<Judged> {
    if !new.is_guarded() || !says_more(new) {
        return Vec::new();
    }
    let released = undone(lock, &new.name, |_, _| true).filter(|entry| is_released(entry.stamp.since.as_ref()));
    let check = Check { lock, new, released };
    let mut out = Vec::new();
    check.operator(&mut out);
    check.moved(&mut out);
    for (item, aliases, deprecated) in items(new) {
        check.item(&item, aliases, deprecated.as_ref(), &mut out);
    }
    out
}

/// The aliases of operators that stand for another operator too, of a whole package.
#[cfg(feature = "tools")]
pub(super) fn taken_aliases(ops: &BTreeMap<String, OpDef>) -> Vec<Judged> {
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    let mut out = Vec::new();
    for (name, def) in ops {
        for alias in def.aliases.iter() {
            let other = ops.contains_key(alias.as_ref()).then_some(alias.as_ref());
            if let Some(other) = other.or_else(|| owners.insert(alias, name)) {
                out.push(alias_taken(name, alias, other));
            }
        }
    }
    out
}

/// What is said of an operator's alias that stands for another operator as well.
pub fn alias_taken(op: &str, alias: &str, other: &str) -> Judged {
    refused(Finding::declared("alias_taken", op, None, "alias", alias, other), None, 0, None)
}

/// The deprecations and revisions of a package at data versions that it does not declare.
pub fn undeclared_versions<'a>(ops: impl IntoIterator<Item = &'a OpDef>, graph: &DataVersions) -> Vec<Judged> {
    let mut out = Vec::new();
    for def in ops.into_iter().filter(|def| def.is_guarded() && says_more(def)) {
        let mut check = |item: Option<&(Kind, String)>, field, version: u32| {
            if !graph.history.contains_key(&version) {
                let known: Vec<_> = graph.history.keys().map(u32::to_string).collect();
                let finding =
                    Finding::declared("version_undeclared", &def.name, item, field, known.join(", "), version);
                out.push(refused(finding, None, 0, None));
            }
        };
        if let Some(deprecated) = &def.deprecated {
            check(None, "deprecated", deprecated.version);
        }
        for revision in def.revisions.iter() {
            check(None, "revised", revision.version);
        }
        for (item, _, deprecated) in items(def) {
            if let Some(deprecated) = deprecated {
                check(Some(&item), "deprecated", deprecated.version);
            }
        }
    }
    out
}

/// Every operator of every build is asked, so no name is copied.
fn says_more(def: &OpDef) -> bool {
    let of_item = |aliases: &List<Str>, deprecated: &Option<Deprecated>| !aliases.is_empty() || deprecated.is_some();
    let is_bare = def.aliases.is_empty() && def.deprecated.is_none() && def.revisions.is_empty();
    !is_bare
        || def.moved_from.is_some()
        || def.inputs.iter().chain(def.outputs.iter()).any(|arg| of_item(&arg.aliases, &arg.deprecated))
        || def.attrs.iter().any(|attr| of_item(&attr.aliases, &attr.deprecated))
}

type Item<'a> = ((Kind, String), &'a List<Str>, &'a Option<Deprecated>);

fn items(def: &OpDef) -> impl Iterator<Item = Item<'_>> {
    let args = [Kind::Input, Kind::Output].into_iter().flat_map(|kind| {
        def.args(kind).iter().map(move |arg| ((kind, arg.name.to_string()), &arg.aliases, &arg.deprecated))
    });
    let attrs = def.attrs.iter().map(|a| ((Kind::Attr, a.name.to_string()), &a.aliases, &a.deprecated));
    args.chain(attrs)
}

fn refused(finding: Finding, since: Option<Since>, line: Line, locked: Option<String>) -> Judged {
    Judged { finding, verdict: Verdict::Refused(Remedy::Mend), since, line, locked }
}

fn is_released(since: Option<&Since>) -> bool {
    matches!(since, Some(Since::Release(_)))
}

struct Check<'a> {
    lock: &'a Lock,
    new: &'a OpDef,
    /// What the last release had of the operator.
    released: Option<OpEntry>,
}

/// What stood behind a name that is an alias now.
struct Was {
    op: OpDef,
    since: Option<Since>,
    line: Line,
}

impl Check<'_> {
    fn operator(&self, out: &mut Vec<Judged>) {
        let before = self.released.as_ref().map(|entry| &entry.def);
        let mut was = Vec::new();
        for alias in self.new.aliases.iter() {
            let Some(old) = self.op_behind(alias) else { continue };
            let is_new = before.is_none_or(|before| !before.aliases.contains(alias));
            let narrowed = is_new.then(|| self.narrowed_op(&old)).flatten();
            out.extend(narrowed.map(|what| self.narrows(None, alias, &what, &old)));
            was.push(old.op);
        }
        let had = |mark: OpMark<'_>| before.into_iter().chain(&was).any(|def| OpMarks::of(def).has(mark));
        let versions = self.new.revisions.iter().map(|Revision { version, .. }| ("revised", *version));
        let deprecated = self.new.deprecated.iter().map(|deprecated| ("deprecated", deprecated.version));
        for (field, version) in deprecated.chain(versions) {
            let mark = if field == "revised" { OpMark::Revision(version) } else { OpMark::Deprecated(version) };
            if !had(mark) {
                out.extend(self.released_version(None, field, version));
            }
        }
    }

    /// What came from another package must be read here as it was there: the lock knows how that was.
    fn moved(&self, out: &mut Vec<Judged>) {
        let Some(package) = &self.new.moved_from else { return };
        let Some(moved) = self.lock.moved_from(package, &self.new.name) else {
            let finding = Finding::declared("moved_unknown", &self.new.name, None, "moved_from", package, "nothing");
            out.push(refused(finding, None, 0, None));
            return;
        };
        // From the release that says so on, the ledger knows what changes.
        if matches!(self.lock.moved_since(&self.new.name, package), Some(Since::Release(_))) {
            return;
        }
        let entry = &moved.ops[self.new.name.as_ref()];
        // Names that it had before were led to this one by the ledger that came along.
        let old = Was { op: without_aliases(&entry.def), since: entry.stamp.since.clone(), line: entry.stamp.line };
        let mut new = self.new.clone();
        if let Some(common) = self.lock.common() {
            new.add_common(common);
        }
        if let Some(what) = (Check { new: &new, lock: self.lock, released: None }).narrowed_op(&old) {
            let finding = Finding::declared("moved_narrows", &self.new.name, None, "moved_from", package, what);
            out.push(refused(finding, old.since, old.line, None));
        }
    }

    fn item(&self, item: &(Kind, String), aliases: &[Str], deprecated: Option<&Deprecated>, out: &mut Vec<Judged>) {
        let released = |name: &str| {
            let entry = self.released.as_ref()?;
            Some(entry.side(Some(&(item.0, name.to_owned())))).filter(|side| *side != Side::Absent)
        };
        let before = released(&item.1);
        let mut was_deprecated: Vec<_> = before.iter().filter_map(deprecation).map(|d| d.version).collect();
        for alias in aliases {
            let Some(old) = self.item_behind(item.0, alias) else { continue };
            let is_new = before.as_ref().is_none_or(|side| !aliases_of(side).contains(alias));
            let narrowed = is_new.then(|| self.narrowed_item(item, alias, &old)).flatten();
            out.extend(narrowed.map(|what| self.narrows(Some(item), alias, &what, &old)));
            let side = OpEntry::new(old.op, &Since::Unreleased).side(Some(&(item.0, alias.to_string())));
            was_deprecated.extend(deprecation(&side).map(|d| d.version));
        }
        if let Some(version) = deprecated.map(|d| d.version).filter(|v| !was_deprecated.contains(v)) {
            let found = self.released_version(Some(item), "deprecated", version);
            out.extend(found.filter(|_| !is_unguarded_name(&item.1)));
        }
    }

    /// A deprecation or revision at a data version that some release writes.
    fn released_version(&self, item: Option<&(Kind, String)>, field: &'static str, version: u32) -> Option<Judged> {
        let newest = released_version(self.lock, SavedKind::Graph)?;
        let finding = Finding::declared("version_released", &self.new.name, item, field, newest, version);
        (version <= newest).then(|| refused(finding, None, 0, None))
    }

    fn narrows(&self, item: Option<&(Kind, String)>, alias: &str, what: &str, old: &Was) -> Judged {
        let finding = Finding::declared("alias_narrows", &self.new.name, item, "alias", alias, what);
        refused(finding, old.since.clone(), old.line, None)
    }

    /// The operator of that name, as the last release had it, or as it was when a release deleted it.
    fn op_behind(&self, name: &str) -> Option<Was> {
        let released = undone(self.lock, name, |_, _| true).filter(|entry| is_released(entry.stamp.since.as_ref()));
        if let Some(entry) = released.filter(|entry| entry.def.is_guarded()) {
            return Some(Was { op: entry.def, since: entry.stamp.since, line: entry.stamp.line });
        }
        let (_, row) = tombstone::of_op(self.lock, name)?;
        let op = tombstone::signature(self.lock, name)?;
        Some(Was { op, since: row.from.since().cloned(), line: row.line })
    }

    /// The item of that name, alone in an operator, as the last release had it or as it was when a release deleted it.
    fn item_behind(&self, kind: Kind, name: &str) -> Option<Was> {
        let item = (kind, name.to_owned());
        let released = self.released.as_ref().and_then(|entry| {
            let stamp = entry.item(kind, name).filter(|stamp| is_released(stamp.since.as_ref()))?;
            Some((entry.side(Some(&item)), stamp.line))
        });
        let (side, line) = if let Some(released) = released {
            released
        } else {
            let (_, row) = tombstone::of_item(self.lock, &self.new.name, &item, None)?;
            (row.from.clone(), row.line)
        };
        let mut entry = blank(&self.new.name, 0);
        entry.set_side(Some(&item), &side);
        Some(Was { op: entry.def, since: side.since().cloned(), line })
    }

    /// The first thing that the operator does not accept of what another was.
    fn narrowed_op(&self, old: &Was) -> Option<String> {
        // A revision of the old operator is history, which needs no declaration here.
        let was =
            OpDef { revisions: self.new.revisions.clone(), moved_from: self.new.moved_from.clone(), ..old.op.clone() };
        first_not_accepted(&was, self.new).or_else(|| self.narrowed_items(old))
    }

    /// The same of the items that were renamed with their operator: of a renaming alone, the comparison asks no more than that it is one.
    fn narrowed_items(&self, old: &Was) -> Option<String> {
        let alone = Check { released: None, ..*self };
        let was = OpEntry::new(old.op.clone(), &Since::Unreleased);
        items(self.new).find_map(|(item, aliases, _)| {
            let is_renamed = |alias: &&Str| was.side(Some(&(item.0, alias.to_string()))).is_guarded();
            aliases.iter().filter(is_renamed).find_map(|alias| alone.narrowed_item(&item, alias, old))
        })
    }

    /// The first thing that an item does not accept of what another was.
    fn narrowed_item(&self, item: &(Kind, String), alias: &str, old: &Was) -> Option<String> {
        if is_unguarded_name(&item.1) {
            return Some("a name that begins with `_` is outside the guarantee".to_owned());
        }
        let (mut before, mut after) = (blank(&self.new.name, 0), blank(&self.new.name, 0));
        let now = OpEntry::new(self.new.clone(), &Since::Unreleased).side(Some(item));
        after.set_side(Some(item), &now);
        let mut side = OpEntry::new(old.op.clone(), &Since::Unreleased).side(Some(&(item.0, alias.to_owned())));
        match &mut side {
            Side::Arg(arg, _) => arg.name = item.1.clone().into(),
            Side::Attr(attr, _) => attr.name = item.1.clone().into(),
            Side::Absent | Side::Op(..) => return None,
        }
        before.set_side(Some(item), &side);
        // Of which types an operand is only the whole operator tells.
        if item.0 != Kind::Attr {
            let released = self.released.as_ref().map_or(&old.op, |released| &released.def);
            for (entry, def) in [(&mut before, released), (&mut after, self.new)] {
                (entry.def.types, entry.def.attrs) = (def.types.clone(), def.attrs.clone());
            }
        }
        let findings = compare_op(&before.def, &after.def, Options::default());
        let mut of_item = findings.iter().filter(|finding| finding.item.as_ref() == Some(item));
        of_item.find(|finding| !finding.backward()).map(Finding::message)
    }
}

fn first_not_accepted(old: &OpDef, new: &OpDef) -> Option<String> {
    let findings = compare_op(old, new, Options::default());
    findings.iter().find(|finding| !finding.backward()).map(Finding::message)
}

fn without_aliases(def: &OpDef) -> OpDef {
    let mut def = OpDef { aliases: List::default(), ..def.clone() };
    for args in [&mut def.inputs, &mut def.outputs] {
        args.to_mut().iter_mut().for_each(|arg| arg.aliases = List::default());
    }
    def.attrs.to_mut().iter_mut().for_each(|attr| attr.aliases = List::default());
    def
}

fn aliases_of(side: &Side) -> &[Str] {
    match side {
        Side::Arg(arg, _) => &arg.aliases,
        Side::Attr(attr, _) => &attr.aliases,
        Side::Op(marks, _) => &marks.aliases,
        Side::Absent => &[],
    }
}

fn deprecation(side: &Side) -> Option<&Deprecated> {
    match side {
        Side::Arg(arg, _) => arg.deprecated.as_ref(),
        Side::Attr(attr, _) => attr.deprecated.as_ref(),
        Side::Op(marks, _) => marks.deprecated.as_ref(),
        Side::Absent => None,
    }
}
