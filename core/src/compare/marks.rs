//! What changed of that which an operator or item says beside its signature: other names, deprecations, revisions,
//! earlier owners.

use super::Finding;
use crate::model::{Deprecated, Map, OpDef, Revision, Set, Str};

/// The marks that operators and items share, of the two sides that are compared.
pub(super) struct Marks<'a> {
    pub(super) aliases: [&'a [Str]; 2],
    pub(super) deprecated: [&'a Option<Deprecated>; 2],
}

impl Marks<'_> {
    /// What changed; `rule` is that of something newly deprecated.
    pub(super) fn compare(
        &self,
        rule: &'static str,
        finding: impl Fn(&'static str) -> Finding,
        out: &mut Vec<Finding>,
    ) {
        let [old, new] = self.aliases.map(|aliases| aliases.iter().map(AsRef::as_ref).collect::<Set<&str>>());
        for name in old.difference(&new) {
            out.push(finding("alias_removed").field("alias", name, "none"));
        }
        for name in new.difference(&old) {
            out.push(finding("alias_added").field("alias", "none", name));
        }
        let changed = |rule, old: &dyn std::fmt::Display, new: &dyn std::fmt::Display| {
            finding(rule).field("deprecated", old, new)
        };
        let show = |it: &Deprecated| said(it.version, &it.note);
        out.extend(match self.deprecated {
            [None, None] => None,
            [None, Some(new)] => Some(changed(rule, &"none", &show(new))),
            [Some(old), None] => Some(changed("deprecation_removed", &show(old), &"none")),
            [Some(old), Some(new)] if old.version < new.version => {
                Some(changed("deprecation_postponed", &show(old), &show(new)))
            }
            [Some(old), Some(new)] if old.version > new.version => {
                Some(changed("deprecation_advanced", &show(old), &show(new)))
            }
            [Some(old), Some(new)] => (old.note != new.note).then(|| changed("note_changed", &show(old), &show(new))),
        });
    }
}

/// What changed of an operator's own marks.
pub(super) fn compare_op_marks(old: &OpDef, new: &OpDef, out: &mut Vec<Finding>) {
    let finding = |rule| Finding::op(rule, &new.name);
    let marks = Marks { aliases: [&old.aliases, &new.aliases], deprecated: [&old.deprecated, &new.deprecated] };
    marks.compare("op_deprecated", finding, out);
    let by_version = |def: &OpDef| -> Map<u32, Str> {
        def.revisions.iter().map(|Revision { version, note }| (*version, note.clone())).collect()
    };
    let (before, after) = (by_version(old), by_version(new));
    let revised = |rule, from: &str, to: &str| finding(rule).field("revised", from, to);
    for version in before.keys().chain(after.keys()).collect::<Set<_>>() {
        let show = |note: &Str| said(*version, note);
        out.extend(match (before.get(version), after.get(version)) {
            (None, Some(note)) => Some(revised("op_revised", "none", &show(note))),
            (Some(note), None) => Some(revised("revision_removed", &show(note), "none")),
            (Some(old), Some(new)) if old != new => Some(revised("note_changed", &show(old), &show(new))),
            _ => None,
        });
    }
    let moved = |rule, from: &str, to: &str| finding(rule).field("moved_from", from, to);
    out.extend(match (old.moved_from.as_deref(), new.moved_from.as_deref()) {
        (None, Some(to)) => Some(moved("moved_from_added", "none", to)),
        (Some(from), to) if Some(from) != to => Some(moved("moved_from_changed", from, to.unwrap_or("none"))),
        _ => None,
    });
}

/// `version 8: use reciprocal`
fn said(version: u32, note: &str) -> String {
    format!("version {version}: {note}")
}
