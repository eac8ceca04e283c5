//! A graph that a rule protects, found and judged by the engine that loads graphs.

use std::fmt::Write as _;

use oplock_core::compare::op_deleted;
use oplock_core::{Finding, Lock, OpDef, Options, compare_op};
use oplock_graph::witness::{Releases, Witness, Writer, witness, witness_of};
use serde_json::{Value, json};

use super::samples::{Sample, of};
use crate::report::Sought;

/// What a rule is shown with.
pub(super) enum Shown {
    /// A graph, and the definitions by which it is saved and loaded.
    Graph { before: &'static str, after: &'static str, witness: Box<Witness> },
    /// Why there is none.
    Reason(&'static str),
}

/// Seeks the graph of a rule.
pub(super) fn shown(rule: &str) -> Shown {
    let (before, after, is_beside) = match of(rule) {
        Sample::Change(before, after) => (*before, *after, false),
        Sample::Beside(before, after) => (*before, *after, true),
        Sample::None(reason) => return Shown::Reason(reason),
    };
    let (Some(old), new) = (definition(before), definition(after)) else { return Shown::Reason(NOTHING) };
    let findings = match &new {
        Some(new) => compare_op(&old, new, Options::default()),
        None => vec![op_deleted(&old)],
    };
    let releases = Releases { package: "vision-ops".to_owned(), ..Releases::default() };
    let seek = |finding: &Finding| {
        if is_beside {
            witness_of(Writer::Older, &releases, &old, new.as_ref(), finding)
        } else {
            witness(&releases, &old, new.as_ref(), finding)
        }
    };
    let found = findings.iter().filter(|finding| is_beside || finding.rule.name == rule).find_map(seek);
    found.map_or(Shown::Reason(NOTHING), |witness| Shown::Graph { before, after, witness: Box::new(witness) })
}

const NOTHING: &str = "none was found whose loading shows it";

/// The operator in those lines of a lock.
fn definition(lines: &str) -> Option<OpDef> {
    let text = format!(
        "format = 1\npackage = \"vision-ops\"\n[release]\n\"1.0.0\" = {{ date = \"2026-01-01\", graph = 5 }}\n[saved]\n\
         graph.version.3 = {{ text = \"\", since = \"1.0.0\" }}\ngraph.version.5 = {{ text = \"\", since = \"1.0.0\" }}\n\
         [op]\nslice.since = \"1.0.0\"\n{lines}\n"
    );
    let lock = Lock::parse(&text, None).ok().filter(|_| !lines.is_empty())?;
    lock.ops.into_values().next().map(|entry| entry.def)
}

impl Shown {
    /// The lines of a person's text.
    pub(super) fn text(self) -> String {
        let (before, after, witness) = match self {
            Shown::Reason(reason) => return format!("\nNo graph shows it: {reason}.\n"),
            Shown::Graph { before, after, witness } => (before, after, witness),
        };
        let mut text = "\nA graph that it protects, as the engine loads it:\n".to_owned();
        for (release, lines) in [("older", before), ("newer", after)] {
            let lines = if lines.is_empty() { "nothing" } else { lines };
            let _ = writeln!(text, "  the {release} release has\n    {}", lines.replace('\n', "\n    "));
        }
        for line in Sought::Found(witness).lines() {
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// What a program's text has: `shown` with the definitions and the graph, or `not_shown` with the reason.
    pub(super) fn add_to(self, object: &mut Value) {
        match self {
            Shown::Reason(reason) => object["not_shown"] = reason.into(),
            Shown::Graph { before, after, witness } => {
                let witness = Sought::Found(witness).object();
                object["shown"] = json!({ "before": before, "after": after, "witness": witness });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use oplock_core::compare::RULES;

    use super::*;

    /// What is printed was loaded: no sample is only said to be harmed.
    #[test]
    fn every_sample_is_of_a_graph_that_its_rule_protects() {
        for rule in RULES {
            let is_reason = matches!(of(rule.name), Sample::None(_));
            match shown(rule.name) {
                Shown::Graph { before, after, witness } => {
                    assert_ne!(before, after, "{}", rule.name);
                    assert_eq!(witness.graph.blocks[0].nodes.len(), 1, "{}", rule.name);
                    assert_eq!(witness.writer, Writer::Older, "{}: {}", rule.name, witness.graph.to_json().unwrap());
                }
                Shown::Reason(reason) => assert!(is_reason, "{}: {reason}", rule.name),
            }
        }
    }
}
