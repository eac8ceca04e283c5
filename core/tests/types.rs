//! Element types, numbers of variables and flags through the lives of operators.

mod common;

use common::package::Package;
use oplock_core::Lock;
use oplock_core::lock::merge;

const T: &str = "types.T = { allowed = [\"f16\", \"f32\"] }; input.X = { of = \"T\" }; output.Y = { of = \"T\" }";
const FIXED: &str = "input.X = { type = \"f32\" }; output.Y = { type = \"f32\" }";

fn line<'a>(lock: &'a str, start: &str) -> &'a str {
    lock.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}\n{lock}"))
}

#[test]
fn a_type_that_came_later_says_so_on_the_line_of_its_variable() {
    let mut package = Package::released(&[("f", T)]);
    let at = |package: &Package| line(&package.lock.to_string(), "f.types.T").to_owned();
    assert_eq!(at(&package), "f.types.T = { allowed = [\"f16\", \"f32\"] }");
    package.version("1.1.0").declare("f", &T.replace("\"f32\"]", "\"f32\", \"f64\"]"));
    package.says(&["type_set_widened f: compatible"]).update();
    assert_eq!(at(&package), "f.types.T = { allowed = [\"f16\", \"f32\", \"f64\"], newer = { f64 = \"unreleased\" } }");
    assert_eq!(
        package.rows(),
        [
            "f.unreleased.op = { rule = \"type_set_widened\", from = { types = { T = [\"f16\", \"f32\"] }, since = \"1.0.0\" }, \
          to = { types = { T = [\"f16\", \"f32\", \"f64\"] } } }"
        ]
    );
    // What no release carries is taken back on purpose; what one does is a break.
    let mut back = package.clone();
    back.declare("f", &T.replace("\"f32\"]", "\"f32\", \"i8\"]")).says(&["type_set_narrowed f: withdraw f"]);
    back.declare("f", T).says(&[]).update();
    assert_eq!((at(&back).as_str(), back.rows()), ("f.types.T = { allowed = [\"f16\", \"f32\"] }", vec![]));
    package.seal();
    assert_eq!(at(&package), "f.types.T = { allowed = [\"f16\", \"f32\", \"f64\"], newer = { f64 = \"1.1.0\" } }");
    package.version("1.2.0").declare("f", T).says(&["type_set_narrowed f: needs 2.0.0"]);
    package.version("2.0.0").says(&["type_set_narrowed f: accepted for 2.0.0"]).update();
    package.version("1.9.0").says(&["type_set_narrowed f: needs 2.0.0"]);
}

#[test]
fn a_lock_that_says_otherwise_than_its_ledger_is_refused() {
    let text = |line: &str| {
        format!(
            "{}[release]\n\"1.0.0\" = {{ date = \"2026-01-01\" }}\n\"1.1.0\" = {{ date = \"2026-02-01\" }}\n[op]\n\
             f.since = \"1.0.0\"\nf.input.X = {{ of = \"T\" }}\n{line}\n",
            common::HEAD
        )
    };
    let cases = [
        (
            "f.types.T = { allowed = [\"f32\"], newer = { f32 = \"1.1.0\" } }",
            "`f32` of the type variable `T` of `f` says since 1.1.0, and the ledger says since 1.0.0",
        ),
        ("f.types.T = { since = \"1.1.0\" }", "the type variable `T` of `f` says since 1.1.0"),
        ("f.types.T = { newer = { f32 = \"1.1.0\" } }", "has the unknown key `f32`"),
        ("f.types.T = { allowed = [\"f32\"], newer = { f32 = \"1.2.0\" } }", "names release 1.2.0"),
        ("f.types.T = { allowed = [\"f32\", \"f32\"] }", "has `f32` twice"),
        ("f.types.T = { allowed = [1] }", "type variable `T` has the integer `1`"),
        ("f.types.T = { allowed = [\"\"] }", "type variable `T` has the string \"\""),
        ("f.types.T = { allowed = \"f32\" }", "must have an array of types"),
        ("f.types.T = [\"f32\"]", "must be a table"),
        ("f.stateful = false", "`stateful` is `true` or left out"),
        ("f.input.Y = { type = \"f32\", of = \"T\" }", "has a `type`, and is `of` one as well"),
        ("f.input.Y = { type = \"\" }", "\"\" cannot be `type`"),
        ("f.input.Y = { min = 2 }", "`min`: an operand that is not `duplicable` is one variable"),
        ("f.input.Y = { duplicable = true, min = 0 }", "`min`: an operand that may have no variable is `dispensable`"),
        ("f.input.Y = { duplicable = true, min = -1 }", "`min` cannot be -1"),
        ("f.input.Y = { count = \"N\" }", "`count`: an operand that is not `duplicable` is one variable"),
    ];
    for (line, expected) in cases {
        let error = Lock::parse(&text(line), None).expect_err(line);
        assert!(error.to_string().contains(expected), "{line}: {error}");
        assert_eq!(error.line, 9, "{line}: {error}");
    }
}

#[test]
fn a_fixed_type_becomes_a_variable_and_each_part_of_that_is_taken_back_by_itself() {
    let mut package = Package::released(&[("f", FIXED)]);
    package.version("1.1.0").declare("f", T).says(&[
        "type_variable_changed f: compatible",
        "operand_type_widened f.X: compatible",
        "operand_type_widened f.Y: compatible",
    ]);
    package.update().says(&[]);
    assert_eq!(package.rows().len(), 3, "{}", package.lock);
    let mut sealed = package.clone();
    sealed.seal().version("1.2.0").declare("f", FIXED).says(&[
        "type_variable_changed f: compatible",
        "operand_type_changed f.X: needs 2.0.0",
        "operand_type_changed f.Y: needs 2.0.0",
    ]);
    for path in ["f.X", "f.Y", "f"] {
        package.withdraw(path);
    }
    assert_eq!(package.rows(), [""; 0]);
    package.declare("f", FIXED).says(&[]);
}

#[test]
fn a_fixed_type_becomes_an_attribute_whose_default_it_is_and_stays_compatible_until_it_is_sealed() {
    let attr = "input.X = { of = \"T\" }; output.Y = { of = \"T\" }; attr.T = { type = \"dtype\", default = \"f32\" }";
    let mut package = Package::released(&[("f", FIXED)]);
    package.version("1.1.0").declare("f", attr).update();
    for row in package.rows().iter().filter(|row| row.contains("ledger") || row.contains("rule")) {
        assert!(row.contains("operand_type_widened"), "{row}");
    }
    package.update().version("1.1.1").says(&[]);
    package.version("1.1.0").seal().version("1.2.0").declare("f", &attr.replace("\"f32\"", "\"f64\""));
    package.says(&["attr_changed f.T: needs 2.0.0"]);
}

#[test]
fn one_variable_becomes_as_many_as_a_new_attribute_says_and_stays_compatible_until_it_is_sealed() {
    let mut package = Package::released(&[("f", "input.X = {}")]);
    package.context.options.relaxations_are_minor = true;
    let counted = "input.X = { duplicable = true, count = \"N\" }; attr.N = { type = \"i64\", default = 1 }";
    package.version("1.1.0").declare("f", counted).update();
    package.update().seal().version("1.2.0").declare("f", &counted.replace("count = \"N\"", "min = 2"));
    package.says(&["operand_count_relaxed f.X: compatible", "operand_minimum_raised f.X: needs 2.0.0"]);
}

#[test]
fn an_accepted_break_of_a_type_is_an_error_again_below_its_version() {
    let mut package = Package::released(&[("f", T)]);
    package.version("2.0.0").declare("f", FIXED).update();
    package.version("1.9.0").says(&["operand_type_changed f.X: needs 2.0.0", "operand_type_changed f.Y: needs 2.0.0"]);
    package.version("2.0.0").seal().version("2.1.0").says(&[]);
    assert!(package.lock.to_string().contains("f.\"2.0.0\".input.X = { rule = \"operand_type_changed\""));
}

#[test]
fn numbers_and_references_are_judged_against_what_was_released() {
    let was = "input.X = { duplicable = true, min = 2 }; input.R = { by_ref = true }; stateful = true";
    let now = "input.X = { duplicable = true }; input.R = {}; stateful = true; commutative = true";
    let mut package = Package::released(&[("f", was)]);
    package.version("1.1.0").declare("f", now);
    package.says(&[
        "op_flag_added f: compatible",
        "operand_ref_relaxed f.R: compatible",
        "operand_minimum_lowered f.X: compatible",
    ]);
    package.update().seal().version("1.2.0").declare("f", &was.replace("stateful = true", ""));
    package.says(&[
        "op_flag_removed f: needs 2.0.0",
        "op_flag_removed f: needs 2.0.0",
        "operand_ref_changed f.R: needs 2.0.0",
        "operand_minimum_raised f.X: needs 2.0.0",
    ]);
}

#[test]
fn two_branches_that_widen_one_variable_are_joined() {
    let base = Package::released(&[("f", T)]);
    let [ours, theirs] = ["f64", "i8"].map(|ty| {
        let mut branch = base.clone();
        branch.version("1.1.0").declare("f", &T.replace("\"f32\"]", &format!("\"f32\", \"{ty}\"]"))).update();
        branch
    });
    let merged = merge(&base.lock, &ours.lock, &theirs.lock);
    assert_eq!(merged.choices, []);
    let both = T.replace("\"f32\"]", "\"f32\", \"f64\", \"i8\"]");
    let mut package = Package { lock: merged.lock, ..ours };
    package.declare("f", &both).says(&[]).seal();
    assert!(package.lock.to_string().contains("newer = { f64 = \"1.1.0\", i8 = \"1.1.0\" }"), "{}", package.lock);
    // What one of them takes away is a choice: what promises more is taken.
    let mut narrower = base.clone();
    narrower.version("2.0.0").declare("f", &T.replace("\"f16\", ", "")).update();
    let merged = merge(&base.lock, &narrower.lock, &theirs.lock);
    assert_eq!(merged.choices.iter().map(|choice| choice.path.as_str()).collect::<Vec<_>>(), ["f"]);
}

#[test]
fn an_alias_of_an_operand_must_be_of_a_type_that_allows_what_the_name_did() {
    let old = "types.T = { allowed = [\"f16\", \"f32\"] }; input.In = { of = \"T\" }";
    let new = "input.X = { of = \"T\", alias = [\"In\"] }";
    let mut package = Package::released(&[("f", old)]);
    package.version("2.0.0").declare("f", &format!("types.T = {{ allowed = [\"f16\", \"f32\", \"f64\"] }}; {new}"));
    package.says(&[
        "type_set_widened f: compatible",
        "input_deleted f.In: accepted for 2.0.0",
        "input_added f.X: compatible",
    ]);
    package.declare("f", "input.X = { type = \"f32\", alias = [\"In\"] }");
    package.says(&[
        "type_variable_changed f: compatible",
        "input_deleted f.In: accepted for 2.0.0",
        "input_added f.X: compatible",
        "alias_narrows f.X: a mistake",
    ]);
}

/// What a row says of type variables is judged by the operands that are of them, and not by their names.
#[test]
fn a_variable_that_other_operands_are_of_stays_another_variable_until_it_is_sealed() {
    let mut package =
        Package::released(&[("f", "types.T = { allowed = [\"f32\", \"f64\"] }; input.X = { of = \"T\" }")]);
    package.version("1.1.0").declare(
        "f",
        "types.T = { allowed = [\"f32\"] }; types.U = { allowed = [\"f32\", \"f64\"] }; input.X = { of = \"U\" }; \
         input.Y = { of = \"T\", dispensable = true }",
    );
    package.says(&[
        "type_variable_changed f: compatible",
        "type_variable_changed f: compatible",
        "type_variable_changed f.X: compatible",
        "input_added f.Y: compatible",
    ]);
    package.update().seal().version("1.1.1").says(&[]);
}

/// Nothing of it is in a graph, and all of it is what the lock holds.
#[test]
fn an_unreleased_operator_is_held_with_the_attributes_that_explain_it() {
    let attr = "attr.T = { type = \"dtype\", default = \"f32\", values = [\"f32\"] }";
    let mut package = Package::fresh("1.0.0", &[("f", &format!("input.X = {{ of = \"T\" }}; {attr}"))]);
    package.update().declare("f", &format!("input.X = {{ type = \"f32\" }}; {attr}"));
    package.says(&["type_variable_changed f.X: compatible"]);
}

/// A build with the lock may have saved graphs whose attribute says another type; of one that a release has, which the lock got only now,
/// no released graph has the attribute.
#[test]
fn an_operator_that_no_release_carries_is_judged_with_all_that_the_lock_has_of_it() {
    let fixed = "input.X = { type = \"f32\" }; attr.d = { type = \"dtype\", default = \"f32\" }";
    let said = fixed.replace("type = \"f32\" }", "of = \"d\" }");
    let mut fresh = Package::fresh("1.0.0", &[("f", fixed)]);
    fresh.update().declare("f", &said).says(&["operand_type_changed f.X: withdraw f.X"]);
    let mut package = Package::released(&[("f", "input.X = { type = \"f32\" }")]);
    package.version("1.1.0").declare("f", fixed).update();
    package.declare("f", &said).says(&["operand_type_widened f.X: compatible"]).update();
}
