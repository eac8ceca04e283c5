//! For each rule two definitions of an operator between which it speaks, or why no graph can show what it protects.

/// What a rule is shown with.
pub(super) enum Sample {
    /// The lines of an operator's definition in a lock of 1.0.0 and of the next release; the rule speaks of what changed between
    /// them. No lines where the operator is gone.
    Change(&'static str, &'static str),
    /// The same, where the rule speaks of what stands beside or before the two definitions: a graph of the first must fail.
    Beside(&'static str, &'static str),
    /// There is no such graph, for this reason.
    None(&'static str),
}

use Sample::{Beside, Change, None};

/// The sample of a rule.
pub(super) fn of(rule: &str) -> &'static Sample {
    SAMPLES.iter().find(|(name, _)| *name == rule).map_or(&None(COMPATIBLE), |(_, sample)| sample)
}

const COMPATIBLE: &str = "old graphs load and mean the same, so no graph needs protection";
const NUMBERS: &str =
    "it is about the numbers that a package declares; what those protect, the version check of each graph shows";
const BEHAVIOUR: &str =
    "the graph loads as before, and the operator computes something else: a golden graph with its outputs shows that";
const TYPES: &str =
    "no graph says what its variables are, so loading shows nothing of it; whoever runs the graph finds out";
const PLACES: &str =
    "the graphs of oplock give operands by their names; it protects models of formats that give them in their order";
const NEVER_BUILT: &str = "a build that says so is never made, so none can save or load a graph";

const SAMPLES: &[(&str, Sample)] = &[
    ("op_deleted", Change("slice.input.X = {}", "")),
    (
        "op_condition_narrowed",
        Change("slice.input.X = {}", "slice.cfg = \"feature = \\\"cuda\\\"\"\nslice.input.X = {}"),
    ),
    ("op_added_without_feature", None("no build has the operator, so none can save a graph with it")),
    ("input_deleted", Change("slice.input.X = {}\nslice.input.Axes = { dispensable = true }", "slice.input.X = {}")),
    ("input_added_not_dispensable", Change("slice.input.X = {}", "slice.input.X = {}\nslice.input.Axes = {}")),
    ("input_changed", Change("slice.input.X = { duplicable = true }", "slice.input.X = {}")),
    (
        "output_deleted",
        Change("slice.output.Mask = { dispensable = true }\nslice.output.Out = {}", "slice.output.Out = {}"),
    ),
    ("output_added_not_dispensable", Change("slice.output.Out = {}", "slice.output.Mask = {}\nslice.output.Out = {}")),
    ("output_changed", Change("slice.output.Out = { dispensable = true }", "slice.output.Out = {}")),
    (
        "attr_deleted",
        Change("slice.attr.axis = { type = \"i32\", default = 0 }", "slice.input.X = { dispensable = true }"),
    ),
    (
        "attr_added_without_default",
        Change("slice.input.X = {}", "slice.input.X = {}\nslice.attr.axis = { type = \"i32\" }"),
    ),
    (
        "attr_changed",
        Change(
            "slice.attr.axis = { type = \"i32\", default = 0 }",
            "slice.attr.axis = { type = \"i32\", default = 1 }",
        ),
    ),
    (
        "attr_minimum_raised",
        Change("slice.attr.axis = { type = \"i32\", min = 0 }", "slice.attr.axis = { type = \"i32\", min = 1 }"),
    ),
    (
        "name_reused",
        Beside(
            "slice.attr.axis = { type = \"i32\", default = 0 }",
            "slice.attr.axis = { type = \"string\", default = \"last\" }",
        ),
    ),
    (
        "alias_removed",
        Change(
            "slice.attr.axis = { type = \"i32\", default = 0, alias = [\"dim\"] }",
            "slice.attr.axis = { type = \"i32\", default = 0 }",
        ),
    ),
    (
        "alias_narrows",
        Beside(
            "slice.attr.dim = { type = \"i32\", min = 0 }",
            "slice.attr.axis = { type = \"i32\", min = 1, alias = [\"dim\"] }",
        ),
    ),
    ("alias_taken", None(NEVER_BUILT)),
    (
        "deprecation_advanced",
        Change(
            "slice.deprecated = { version = 5, note = \"use cut\", since = \"1.0.0\" }",
            "slice.deprecated = { version = 3, note = \"use cut\", since = \"1.0.0\" }",
        ),
    ),
    ("moved_from_changed", Change("slice.moved_from = \"their-ops\"", "slice.input.X = { dispensable = true }")),
    ("moved_unknown", None(NEVER_BUILT)),
    ("moved_narrows", None(NEVER_BUILT)),
    (
        "operand_minimum_raised",
        Change("slice.input.X = { duplicable = true }", "slice.input.X = { duplicable = true, min = 2 }"),
    ),
    (
        "operand_count_changed",
        Change(
            "slice.input.X = { duplicable = true }\nslice.attr.n = { type = \"i64\", default = 2 }",
            "slice.input.X = { duplicable = true, count = \"n\" }\nslice.attr.n = { type = \"i64\", default = 2 }",
        ),
    ),
    ("operand_type_changed", None(TYPES)),
    ("type_variable_changed", None(TYPES)),
    ("type_set_narrowed", None(TYPES)),
    ("operand_ref_changed", None(TYPES)),
    ("op_flag_removed", None(BEHAVIOUR)),
    ("op_flag_added", None(BEHAVIOUR)),
    ("attr_declared_twice", None(NEVER_BUILT)),
    ("operand_moved", None(PLACES)),
    ("operand_place_dropped", None(PLACES)),
    ("op_revised", None(BEHAVIOUR)),
    ("revision_removed", None(BEHAVIOUR)),
    ("version_released", None(NEVER_BUILT)),
    ("version_undeclared", None(NEVER_BUILT)),
    ("data_version_removed", None(NUMBERS)),
    ("data_version_changed", None(NUMBERS)),
    ("data_version_not_above", None(NUMBERS)),
    ("bad_consumer_removed", None(NUMBERS)),
    ("min_consumer_lowered", None(NUMBERS)),
    ("min_producer_raised", None(NUMBERS)),
    ("min_producer_too_early", None(NUMBERS)),
    ("min_producer_lowered", None(NUMBERS)),
    ("break_without_version", None(NUMBERS)),
    (
        "upgrade_removed",
        None("what the function upgrades depends on its author: the break that it covers has a graph of its own"),
    ),
    ("break_not_covered", None("it stands behind another break, which has a graph of its own")),
];

#[cfg(test)]
mod tests {
    use oplock_core::Bump;
    use oplock_core::compare::RULES;

    use super::*;

    #[test]
    fn each_rule_that_breaks_has_a_sample_or_a_reason_of_its_own() {
        for rule in RULES {
            let is_break = rule.cases.iter().any(|case| case.bump == Bump::Major);
            assert!(!is_break || SAMPLES.iter().any(|(name, _)| *name == rule.name), "{}", rule.name);
        }
        for (name, _) in SAMPLES {
            assert!(RULES.iter().any(|rule| rule.name == *name), "{name}");
            assert_eq!(SAMPLES.iter().filter(|(other, _)| other == name).count(), 1, "{name}");
        }
    }
}
