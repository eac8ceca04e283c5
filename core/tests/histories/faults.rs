//! What may be left out, so that the search shows what it is for.

use oplock_core::Finding;
use oplock_core::judge::BaseFinding;

/// Something that does not work.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    None,
    /// A rule is not known: what it refuses is accepted.
    Rule(&'static str),
    /// The check against a base does not say this.
    Base(fn(&BaseFinding) -> bool),
    /// Two lines of releases are joined, whatever each promised.
    Parted,
}

impl Fault {
    pub(crate) fn allows(self, finding: &Finding) -> bool {
        matches!(self, Fault::Rule(rule) if rule == finding.rule.name)
    }

    pub(crate) fn hides(self, finding: &BaseFinding) -> bool {
        matches!(self, Fault::Base(is_it) if is_it(finding))
    }
}

fn is_lost(finding: &BaseFinding, of: &str) -> bool {
    matches!(finding, BaseFinding::Lost { what, .. } if what.starts_with(of))
}

fn is_changed(finding: &BaseFinding, of: &str) -> bool {
    matches!(finding, BaseFinding::Changed { what, .. } if what.starts_with(of))
}

fn is_added(finding: &BaseFinding) -> bool {
    is_changed(finding, "the ledger row ") && matches!(finding, BaseFinding::Changed { from, .. } if from == "nothing")
}

/// Whether it is a signature that is another than a release promised.
fn is_laundered(finding: &BaseFinding) -> bool {
    matches!(finding, BaseFinding::Laundered { finding, .. } if finding.rule.name != "name_reused")
}

/// Each part of the check against a base, with a seed by which it is missed. That a name came back as something else is left
/// out: who launders that has to delete, release and declare it anew by a hand that no other part sees, which these
/// histories hardly ever do; `releases.rs` has its tests.
const OF_BASE: [(&str, Fault, u64); 8] = [
    ("a release may be lost", Fault::Base(|finding| is_lost(finding, "release ")), 16),
    ("a release may change", Fault::Base(|finding| is_changed(finding, "release ")), 290),
    ("a ledger row may be lost", Fault::Base(|finding| is_lost(finding, "the ledger row ")), 466),
    (
        "a ledger row may change",
        Fault::Base(|finding| is_changed(finding, "the ledger row ") && !is_added(finding)),
        920,
    ),
    ("a ledger row of a known release may be added", Fault::Base(is_added), 120),
    ("a signature may change without a ledger row", Fault::Base(is_laundered), 480),
    ("since when a thing is promised may change", Fault::Base(|finding| is_changed(finding, "since when ")), 64),
    (
        "a minor release may break without approval",
        Fault::Base(|finding| matches!(finding, BaseFinding::UnannouncedBreak { .. })),
        73,
    ),
];

/// Each rule that a break of these operators meets, likewise.
const RULES: [(&str, u64); 12] = [
    ("op_deleted", 1),
    ("op_condition_narrowed", 4),
    ("name_reused", 21),
    ("input_deleted", 3),
    ("input_added_not_dispensable", 14),
    ("input_changed", 12),
    ("output_deleted", 871),
    ("output_added_not_dispensable", 66),
    ("output_changed", 110),
    ("attr_deleted", 1),
    ("attr_added_without_default", 15),
    ("attr_changed", 41),
];

/// All of them: what is left out, and a seed of a history that then passes and should not.
pub(crate) fn all() -> impl Iterator<Item = (&'static str, Fault, u64)> {
    let parted = ("two lines may be joined that promise one thing differently", Fault::Parted, 901);
    OF_BASE.into_iter().chain([parted]).chain(RULES.map(|(rule, seed)| (rule, Fault::Rule(rule), seed)))
}
