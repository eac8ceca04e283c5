//! Rules of the guarantee that can be left out, one at a time, to see what they are for.

use oplock_core::lock::{Row, Side};
use oplock_graph::{Fault, Faults};

/// A rule of core: what it refuses is done all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Coverage,
    BreaksTakeVersions,
    AliasesAccept,
    Window,
    NamesComeBack,
}

impl Rule {
    pub(crate) const ALL: &[(Rule, &str)] = &[
        (Rule::Coverage, "A build compiles though nothing upgrades what a break concerns"),
        (Rule::BreaksTakeVersions, "A break takes no data version"),
        (Rule::AliasesAccept, "A new name accepts less than the old one did"),
        (Rule::Window, "`min_producer` rises to a data version however young it is"),
        (Rule::NamesComeBack, "What was deleted comes back as something else, and that is an addition"),
    ];

    /// Whether findings of a rule of that name are of this one.
    fn is(self, name: &str) -> bool {
        match self {
            Rule::Coverage => name == "break_not_covered",
            Rule::BreaksTakeVersions => name == "break_without_version",
            Rule::AliasesAccept => name == "alias_narrows",
            Rule::Window => name == "min_producer_too_early",
            Rule::NamesComeBack => name == "name_reused",
        }
    }
}

/// The rule that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Without {
    Nothing,
    Engine(Fault),
    Core(Rule),
}

impl Without {
    pub(crate) fn faults(self) -> Faults {
        match self {
            Without::Engine(fault) => Faults::of(&[fault]),
            _ => Faults::default(),
        }
    }

    /// Whether an author does as core says.
    pub(crate) fn obeys(self, rule: &str) -> bool {
        !matches!(self, Without::Core(without) if without.is(rule))
    }

    /// Whether what a ledger row records is taken for an addition: nothing else that it says is a break.
    pub(crate) fn is_addition(self, row: &Row) -> bool {
        let may_be_absent = match &row.to {
            Side::Attr(attr, _) => attr.default.is_some(),
            Side::Arg(arg, _) => arg.dispensable,
            Side::Op(..) | Side::Absent => true,
        };
        self == Without::Core(Rule::NamesComeBack) && Rule::NamesComeBack.is(&row.rule) && may_be_absent
    }

    /// Whether graphs use what is deprecated.
    pub(crate) fn uses_deprecated(self) -> bool {
        self == Without::Engine(Fault::DeprecatedIsRefused)
    }
}
