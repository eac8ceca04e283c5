//! The rules, as data. The macro, the reports, `cargo oplock explain` and the guide all read this table.
//!
//! The tables of `docs/rules.md` are the source of each.

mod marks;
mod places;
mod signature;
mod types;

use super::data_rules::DATA_RULES;
use crate::version::Bump;

/// A rule: a stable name and what it stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Snake case, and never another.
    pub name: &'static str,
    /// Why the rule is there, in one sentence.
    pub why: &'static str,
    /// A graph that the rule protects, or that shows why the change is harmless.
    pub example: &'static str,
    /// Where the rule comes from.
    pub source: &'static str,
    /// What it says of each kind of change; the first is the general one.
    pub cases: &'static [Case],
}

impl Rule {
    /// Whether it is of element types and numbers, so that only the whole operator tells where it applies.
    pub(crate) fn is_of_types(&self) -> bool {
        types::RULES.iter().any(|rule| rule.name == self.name)
    }
}

/// What a rule says of one kind of change.
///
/// In the texts `{op}`, `{kind}`, `{item}`, `{field}`, `{from}` and `{to}` stand for those of the finding, `{subject}` for
/// "operator `slice`" or "input `X` of `slice`", `{feature}` for the feature that the manifest lacks, `{other}` for the operand with which it changed places, `{data}` for "graph" or
/// "checkpoint",
/// and `{saved}` for "saved since 1.2.0".
#[derive(Debug, PartialEq)]
pub struct Case {
    /// The field that changed, or `*`.
    pub field: &'static str,
    /// Its old value, or `*`.
    pub from: &'static str,
    /// Its new value, or `*`.
    pub to: &'static str,
    /// The least bump of the version.
    pub bump: Bump,
    /// Do graphs of older releases load in the new one and mean the same?
    pub backward: bool,
    /// Do graphs of the new release load in older ones?
    pub forward: Forward,
    /// Whether it only relaxes a requirement, which `relaxations = "minor"` makes a minor change.
    pub relaxation: bool,
    /// What changed.
    pub message: &'static str,
    /// Which graph fails or changes its meaning; empty where none does.
    pub breaks: &'static str,
    /// The smallest way back.
    pub remedy: &'static str,
}

impl Case {
    pub(super) fn is_for(&self, field: &str, from: &str, to: &str) -> bool {
        let fits = |pattern: &str, text: &str| pattern == "*" || pattern == text;
        fits(self.field, field) && fits(self.from, from) && fits(self.to, to)
    }
}

/// Whether graphs of a new release load in older ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forward {
    /// All do.
    Yes,
    /// Those do that do not use what is new.
    IfUnused,
    /// None is promised to.
    No,
}

impl Forward {
    /// `yes`, `if_unused` or `no`.
    pub const fn name(self) -> &'static str {
        match self {
            Forward::Yes => "yes",
            Forward::IfUnused => "if_unused",
            Forward::No => "no",
        }
    }
}

/// The rule of that name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name)
}

const PADDLE: &str =
    "PaddlePaddle, operator compatibility rules: inputs, outputs and attributes may only change compatibly";
const TENSORFLOW: &str =
    "TensorFlow, how operators evolve: what an attribute is constrained to may be relaxed, and not tightened";
const OPLOCK: &str = "oplock, docs/rules.md";

pub(super) const BREAK: Case = Case {
    field: "*",
    from: "*",
    to: "*",
    bump: Bump::Major,
    backward: false,
    forward: Forward::No,
    relaxation: false,
    message: "",
    breaks: "",
    remedy: "",
};
const RELAXATION: Case = Case { backward: true, forward: Forward::IfUnused, relaxation: true, ..BREAK };
/// A deletion of a name that stands for something else of the same kind now.
const RENAMING: Case = Case { field: "alias", backward: true, forward: Forward::IfUnused, ..BREAK };
pub(super) const ADDITION: Case = Case { bump: Bump::Minor, backward: true, forward: Forward::IfUnused, ..BREAK };
pub(super) const FREE: Case = Case { bump: Bump::Patch, backward: true, forward: Forward::Yes, ..BREAK };

/// In the place of a field: a case for operands that took each other's place.
pub(super) const SWAPPED: &str = "(swapped)";

/// In the place of a field: a case for what a feature does that the manifest lacks.
pub(super) const FEATURE: &str = "(feature)";

/// Every rule.
pub static RULES: &[Rule] = &joined::<
    { signature::RULES.len() + types::RULES.len() + places::RULES.len() + marks::RULES.len() + DATA_RULES.len() },
>([signature::RULES, types::RULES, places::RULES, marks::RULES, DATA_RULES]);

const fn joined<const N: usize>(tables: [&[Rule]; 5]) -> [Rule; N] {
    let mut all = [tables[0][0]; N];
    let (mut table, mut at, mut i) = (0, 0, 0);
    while i < N {
        if at == tables[table].len() {
            (table, at) = (table + 1, 0);
        }
        all[i] = tables[table][at];
        (at, i) = (at + 1, i + 1);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        for rule in RULES {
            assert_eq!(RULES.iter().filter(|r| r.name == rule.name).count(), 1, "{} twice", rule.name);
            assert!(rule.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{}", rule.name);
            assert!(rule.why.ends_with('.') && !rule.example.is_empty(), "{}", rule.name);
            let first = &rule.cases[0];
            assert_eq!(
                (first.field, first.from, first.to),
                ("*", "*", "*"),
                "{}: the first case is the general one",
                rule.name
            );
            let is_general = |case: &Case| (case.field, case.from, case.to) == ("*", "*", "*");
            assert!(!rule.cases[1..].iter().any(is_general), "{}: the others are for something", rule.name);
            for case in rule.cases {
                assert!(!case.message.is_empty(), "{}", rule.name);
                let is_break = case.bump == Bump::Major;
                assert_eq!(
                    is_break,
                    !case.breaks.is_empty() && !case.remedy.is_empty(),
                    "{}: {}",
                    rule.name,
                    case.message
                );
                let may_be_both = case.relaxation || case.field == "alias";
                assert!(may_be_both || is_break != case.backward, "{}: {}", rule.name, case.message);
            }
        }
    }
}
