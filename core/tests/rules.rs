//! What each change of a signature means: every rule and every case of it, what fires and what must not.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use common::types_table::TYPES;
use common::{any_attr, any_op, context, lock, op, op_named, show};
use oplock_core::approvals::Approval;
use oplock_core::compare::RULES;
use oplock_core::judge::{declared_twice, undeclared_versions};
use oplock_core::{
    ArgDef, AttrDef, Bump, COMMON, DataVersions, Deprecated, ElementType, Finding, Kind, Map, OpDef, Options, Part,
    Revision, Set, Value, compare_op, compare_sets, is_unguarded_name, judge_op, judge_set,
};
use proptest::prelude::*;
use proptest::sample::Index;

/// A name, the signature of `f` before, after, and all that is to be said of it. `ABSENT` is no `f` at all.
type Row = (&'static str, &'static str, &'static str, &'static [&'static str]);

const ABSENT: &str = "ABSENT";

/// What is said whichever way relaxations are read, but for the word "relaxation".
const TABLE: &[Row] = &[
    // ---- the operator ----
    ("an operator is deleted", "input.X = {}", ABSENT, &["op_deleted: present -> absent => break"]),
    (
        "an operator is added, whatever it requires",
        ABSENT,
        "input.X = {}; attr.a = { type = \"i32\" }",
        &["op_added: absent -> present => minor"],
    ),
    (
        "an experimental operator is deleted",
        "experimental = true",
        ABSENT,
        &["unguarded_changed: present -> absent => patch"],
    ),
    (
        "an experimental operator is added",
        ABSENT,
        "experimental = true",
        &["unguarded_changed: absent -> present => patch"],
    ),
    (
        "a promised operator is marked experimental",
        "input.X = {}",
        "experimental = true",
        &["op_deleted experimental: false -> true => break"],
    ),
    (
        "an operator is no longer experimental, whatever else changed",
        "experimental = true; input.X = {}",
        "attr.a = { type = \"i32\" }",
        &["op_added experimental: true -> false => minor"],
    ),
    (
        "an experimental operator changes",
        "experimental = true; input.X = {}",
        "experimental = true",
        &["unguarded_changed => patch"],
    ),
    (
        "C33: a condition is added",
        "input.X = {}",
        "cfg = \"feature = \\\"cuda\\\"\"; input.X = {}",
        &["op_condition_narrowed cfg: always -> feature = \"cuda\" => break"],
    ),
    (
        "a condition is narrowed",
        "cfg = \"any(unix, windows)\"",
        "cfg = \"unix\"",
        &["op_condition_narrowed cfg: any(unix, windows) -> unix => break"],
    ),
    (
        "a condition is replaced by one that does not follow from it",
        "cfg = \"unix\"",
        "cfg = \"windows\"",
        &["op_condition_narrowed cfg: unix -> windows => break"],
    ),
    ("a condition is removed", "cfg = \"unix\"", "", &["op_condition_widened cfg: unix -> always => minor"]),
    (
        "a condition is widened",
        "cfg = \"unix\"",
        "cfg = \"any(windows, unix)\"",
        &["op_condition_widened cfg: unix -> any(unix, windows) => minor"],
    ),
    ("the order within a condition changes", "cfg = \"any(unix, windows)\"", "cfg = \"any(windows, unix)\"", &[]),
    (
        "a condition and an item change at once",
        "input.X = {}",
        "cfg = \"unix\"",
        &["op_condition_narrowed cfg: always -> unix => break", "input_deleted input.X: {} -> absent => break"],
    ),
    // ---- inputs ----
    (
        "an input is deleted",
        "input.X = { duplicable = true }",
        "",
        &["input_deleted input.X: { duplicable = true } -> absent => break"],
    ),
    (
        "a dispensable input is deleted",
        "input.X = { dispensable = true }",
        "",
        &["input_deleted input.X: { dispensable = true } -> absent => break"],
    ),
    (
        "a quant input is deleted",
        "input.X = { quant = true }",
        "",
        &["input_deleted input.X: { quant = true } -> absent => break"],
    ),
    (
        "C2: a dispensable input that is not duplicable is added",
        "",
        "input.Y = { dispensable = true }",
        &["input_added input.Y: absent -> { dispensable = true } => minor"],
    ),
    (
        "C2: a duplicable input that is not dispensable is added",
        "",
        "input.Y = { duplicable = true }",
        &["input_added_not_dispensable input.Y: absent -> { duplicable = true } => break"],
    ),
    (
        "an intermediate input is added, which is not dispensable by that",
        "",
        "input.Y = { intermediate = true }",
        &["input_added_not_dispensable input.Y: absent -> { intermediate = true } => break"],
    ),
    (
        "a quant input is added",
        "",
        "input.Y = { quant = true }",
        &["input_added_not_dispensable input.Y: absent -> { quant = true } => break"],
    ),
    (
        "a dispensable quant input is added",
        "",
        "input.Y = { dispensable = true, quant = true }",
        &["input_added input.Y: absent -> { dispensable = true, quant = true } => minor"],
    ),
    (
        "C12: an input is no longer dispensable",
        "input.A = { dispensable = true }",
        "input.A = {}",
        &["input_changed input.A dispensable: true -> false => break"],
    ),
    (
        "C12: an input becomes dispensable",
        "input.A = {}",
        "input.A = { dispensable = true }",
        &["input_changed input.A dispensable: false -> true => relaxation"],
    ),
    (
        "an input becomes duplicable",
        "input.A = {}",
        "input.A = { duplicable = true }",
        &["input_changed input.A duplicable: false -> true => relaxation"],
    ),
    (
        "an input is no longer duplicable",
        "input.A = { duplicable = true }",
        "input.A = {}",
        &["input_changed input.A duplicable: true -> false => break"],
    ),
    (
        "an input becomes intermediate",
        "input.A = {}",
        "input.A = { intermediate = true }",
        &["input_changed input.A intermediate: false -> true => break"],
    ),
    (
        "an input is no longer intermediate",
        "input.A = { intermediate = true }",
        "input.A = {}",
        &["input_changed input.A intermediate: true -> false => break"],
    ),
    (
        "an input becomes quant",
        "input.A = {}",
        "input.A = { quant = true }",
        &["input_changed input.A quant: false -> true => break"],
    ),
    (
        "an input is no longer quant",
        "input.A = { quant = true }",
        "input.A = {}",
        &["input_changed input.A quant: true -> false => break"],
    ),
    (
        "each mark that changed is named",
        "input.A = { dispensable = true }",
        "input.A = { duplicable = true, intermediate = true }",
        &[
            "input_changed input.A dispensable: true -> false => break",
            "input_changed input.A duplicable: false -> true => relaxation",
            "input_changed input.A intermediate: false -> true => break",
        ],
    ),
    (
        "C11: a def input is marked extra",
        "input.A = {}",
        "input.A = { extra = true }",
        &["input_changed input.A extra: false -> true => break"],
    ),
    (
        "a quant input is marked extra",
        "input.A = { quant = true }",
        "input.A = { extra = true }",
        &["input_changed input.A extra: false -> true => break"],
    ),
    (
        "C11: an extra input becomes def while dispensable",
        "input.A = { dispensable = true, extra = true }",
        "input.A = { dispensable = true }",
        &["input_added input.A: { dispensable = true, extra = true } -> { dispensable = true } => minor"],
    ),
    (
        "an extra input becomes def and dispensable at once",
        "input.A = { extra = true }",
        "input.A = { dispensable = true, duplicable = true }",
        &["input_added input.A: { extra = true } -> { duplicable = true, dispensable = true } => minor"],
    ),
    (
        "C11: an extra input becomes def, not dispensable",
        "input.A = { dispensable = true, extra = true }",
        "input.A = {}",
        &["input_added_not_dispensable input.A: { dispensable = true, extra = true } -> {} => break"],
    ),
    (
        "an extra input is added",
        "",
        "input.A = { extra = true }",
        &["extra_added input.A: absent -> { extra = true } => patch"],
    ),
    (
        "an extra input is deleted",
        "input.A = { extra = true }",
        "",
        &["extra_deleted input.A: { extra = true } -> absent => patch"],
    ),
    (
        "an extra input changes",
        "input.A = { dispensable = true, extra = true }",
        "input.A = { extra = true }",
        &["extra_changed input.A: { dispensable = true, extra = true } -> { extra = true } => patch"],
    ),
    ("an input with `_` is added", "", "input._A = {}", &["unguarded_changed input._A => patch"]),
    ("an input with `_` is deleted", "input._A = {}", "", &["unguarded_changed input._A => patch"]),
    (
        "an input with `_` changes",
        "input._A = {}",
        "input._A = { quant = true }",
        &["unguarded_changed input._A => patch"],
    ),
    // ---- outputs ----
    ("an output is deleted", "output.O = {}", "", &["output_deleted output.O: {} -> absent => break"]),
    (
        "a dispensable output is added",
        "",
        "output.O = { dispensable = true }",
        &["output_added output.O: absent -> { dispensable = true } => minor"],
    ),
    ("an output is added", "", "output.O = {}", &["output_added_not_dispensable output.O: absent -> {} => break"]),
    (
        "an intermediate output is added, which is not dispensable by that",
        "",
        "output.O = { intermediate = true }",
        &["output_added_not_dispensable output.O: absent -> { intermediate = true } => break"],
    ),
    (
        "an extra output becomes def while dispensable",
        "output.O = { dispensable = true, extra = true }",
        "output.O = { dispensable = true, quant = true }",
        &[
            "output_added output.O: { dispensable = true, extra = true } -> { dispensable = true, quant = true } => minor",
        ],
    ),
    (
        "an extra output becomes def, not dispensable",
        "output.O = { extra = true }",
        "output.O = {}",
        &["output_added_not_dispensable output.O: { extra = true } -> {} => break"],
    ),
    (
        "an output is no longer dispensable",
        "output.O = { dispensable = true }",
        "output.O = {}",
        &["output_changed output.O dispensable: true -> false => break"],
    ),
    (
        "an output becomes dispensable",
        "output.O = {}",
        "output.O = { dispensable = true }",
        &["output_changed output.O dispensable: false -> true => relaxation"],
    ),
    (
        "an output becomes duplicable",
        "output.O = {}",
        "output.O = { duplicable = true }",
        &["output_changed output.O duplicable: false -> true => relaxation"],
    ),
    (
        "an output is no longer duplicable",
        "output.O = { duplicable = true }",
        "output.O = {}",
        &["output_changed output.O duplicable: true -> false => break"],
    ),
    (
        "an output becomes intermediate",
        "output.O = {}",
        "output.O = { intermediate = true }",
        &["output_changed output.O intermediate: false -> true => break"],
    ),
    (
        "an output is no longer intermediate",
        "output.O = { intermediate = true }",
        "output.O = {}",
        &["output_changed output.O intermediate: true -> false => break"],
    ),
    (
        "an output becomes extra",
        "output.O = {}",
        "output.O = { extra = true }",
        &["output_changed output.O extra: false -> true => break"],
    ),
    (
        "an output becomes quant",
        "output.O = {}",
        "output.O = { quant = true }",
        &["output_changed output.O quant: false -> true => break"],
    ),
    (
        "an output is no longer quant",
        "output.O = { quant = true }",
        "output.O = {}",
        &["output_changed output.O quant: true -> false => break"],
    ),
    (
        "an extra output is added",
        "",
        "output.O = { extra = true }",
        &["extra_added output.O: absent -> { extra = true } => patch"],
    ),
    // ---- attributes ----
    (
        "C1: an attribute with a default is added",
        "attr.strides = { type = \"[i32]\" }",
        "attr.strides = { type = \"[i32]\" }; attr.data_format = { type = \"string\", default = \"NHWC\" }",
        &["attr_added attr.data_format: absent -> { type = \"string\", default = \"NHWC\" } => minor"],
    ),
    (
        "C3: a default of false is a default",
        "",
        "attr.a = { type = \"bool\", default = false }",
        &["attr_added attr.a: absent -> { type = \"bool\", default = false } => minor"],
    ),
    (
        "C3: a default of 0 is a default",
        "",
        "attr.a = { type = \"i32\", default = 0 }",
        &["attr_added attr.a: absent -> { type = \"i32\", default = 0 } => minor"],
    ),
    (
        "C3: a default of \"\" is a default",
        "",
        "attr.a = { type = \"string\", default = \"\" }",
        &["attr_added attr.a: absent -> { type = \"string\", default = \"\" } => minor"],
    ),
    (
        "C3: a default of [] is a default",
        "",
        "attr.a = { type = \"[i32]\", default = [] }",
        &["attr_added attr.a: absent -> { type = \"[i32]\", default = [] } => minor"],
    ),
    (
        "C35: an optional attribute is added",
        "",
        "attr.a = { type = \"f32?\" }",
        &["attr_added attr.a: absent -> { type = \"f32?\" } => minor"],
    ),
    (
        "an attribute without a default is added",
        "",
        "attr.a = { type = \"i32\" }",
        &["attr_added_without_default attr.a: absent -> { type = \"i32\" } => break"],
    ),
    (
        "a generated attribute without a default is added",
        "",
        "attr.a = { type = \"i32\", generated = true }",
        &["attr_added_without_default attr.a: absent -> { type = \"i32\", generated = true } => break"],
    ),
    (
        "an attribute is deleted",
        "attr.a = { type = \"i32\", default = 0 }",
        "",
        &["attr_deleted attr.a: { type = \"i32\", default = 0 } -> absent => break"],
    ),
    (
        "C4: the type of an attribute changes",
        "attr.height_sections = { type = \"[i32]\" }",
        "attr.height_sections = { type = \"[i64]\" }",
        &["attr_changed attr.height_sections type: [i32] -> [i64] => break"],
    ),
    (
        "a default changes with its type, which is one change",
        "attr.a = { type = \"i32\", default = 1 }",
        "attr.a = { type = \"f32\", default = 1.0 }",
        &["attr_changed attr.a type: i32 -> f32 => break"],
    ),
    (
        "C35: an optional attribute becomes required",
        "attr.a = { type = \"f32?\" }",
        "attr.a = { type = \"f32\" }",
        &["attr_changed attr.a type: f32? -> f32 => break"],
    ),
    (
        "C35: a required attribute becomes optional",
        "attr.a = { type = \"f32\" }",
        "attr.a = { type = \"f32?\" }",
        &["attr_changed attr.a type: f32 -> f32? => break"],
    ),
    (
        "C5: an attribute is replaced by one of another name",
        "attr.use_quantizer = { type = \"bool\", default = false }",
        "attr.mkldnn_data_type = { type = \"string\", default = \"float32\" }",
        &[
            "attr_added attr.mkldnn_data_type: absent -> { type = \"string\", default = \"float32\" } => minor",
            "attr_deleted attr.use_quantizer: { type = \"bool\", default = false } -> absent => break",
        ],
    ),
    (
        "C6: an extra attribute is deleted",
        "attr.fuse_brelu = { type = \"bool\", default = false, extra = true }",
        "",
        &["extra_deleted attr.fuse_brelu: { type = \"bool\", default = false, extra = true } -> absent => patch"],
    ),
    (
        "C7: a default changes",
        "attr.starts = { type = \"[i32]\", default = [] }",
        "attr.starts = { type = \"[i32]\", default = [1] }",
        &["attr_changed attr.starts default: [] -> [1] => break"],
    ),
    (
        "C7: a default is spelled in another way",
        "attr.a = { type = \"f32\", default = 1e-5 }",
        "attr.a = { type = \"f32\", default = 0.00001 }",
        &[],
    ),
    (
        "C7: a zero changes its sign",
        "attr.a = { type = \"f32\", default = 0.0 }",
        "attr.a = { type = \"f32\", default = -0.0 }",
        &["attr_changed attr.a default: 0.0 -> -0.0 => break"],
    ),
    (
        "C7: NaN is NaN",
        "attr.a = { type = \"f64\", default = nan }",
        "attr.a = { type = \"f64\", default = -nan }",
        &[],
    ),
    (
        "C7: a default is given",
        "attr.a = { type = \"i32\" }",
        "attr.a = { type = \"i32\", default = 0 }",
        &["attr_changed attr.a default: none -> 0 => relaxation"],
    ),
    (
        "C7: a default is taken away",
        "attr.a = { type = \"i32\", default = 0 }",
        "attr.a = { type = \"i32\" }",
        &["attr_changed attr.a default: 0 -> none => break"],
    ),
    (
        "a default changes to a text that looks like no default",
        "attr.a = { type = \"string\", default = \"x\" }",
        "attr.a = { type = \"string\", default = \"none\" }",
        &["attr_changed attr.a default: \"x\" -> \"none\" => break"],
    ),
    (
        "a scalar default changes its own type",
        "attr.a = { type = \"scalar\", default = 0 }",
        "attr.a = { type = \"scalar\", default = 0.0 }",
        &["attr_changed attr.a default: 0 -> 0.0 => break"],
    ),
    (
        "a default of absent becomes a value",
        "attr.a = { type = \"i32?\" }",
        "attr.a = { type = \"i32?\", default = 1 }",
        &["attr_changed attr.a default: absent -> 1 => break"],
    ),
    (
        "an attribute becomes generated",
        "attr.a = { type = \"i32\" }",
        "attr.a = { type = \"i32\", generated = true }",
        &["attr_changed attr.a generated: false -> true => break"],
    ),
    (
        "an attribute is no longer generated",
        "attr.a = { type = \"i32\", generated = true }",
        "attr.a = { type = \"i32\" }",
        &["attr_changed attr.a generated: true -> false => break"],
    ),
    (
        "an attribute becomes quant",
        "attr.a = { type = \"i32\" }",
        "attr.a = { type = \"i32\", quant = true }",
        &["attr_changed attr.a quant: false -> true => break"],
    ),
    (
        "an attribute is no longer quant",
        "attr.a = { type = \"i32\", quant = true }",
        "attr.a = { type = \"i32\" }",
        &["attr_changed attr.a quant: true -> false => break"],
    ),
    (
        "an attribute becomes extra",
        "attr.a = { type = \"i32\", default = 0 }",
        "attr.a = { type = \"i32\", default = 0, extra = true }",
        &["attr_changed attr.a extra: false -> true => break"],
    ),
    (
        "an extra attribute becomes def with a default",
        "attr.a = { type = \"i32\", default = 0, extra = true }",
        "attr.a = { type = \"i64\", default = 1 }",
        &[
            "attr_added attr.a: { type = \"i32\", default = 0, extra = true } -> { type = \"i64\", default = 1 } => minor",
        ],
    ),
    (
        "an extra attribute becomes quant without a default",
        "attr.a = { type = \"i32\", default = 0, extra = true }",
        "attr.a = { type = \"i32\", quant = true }",
        &[
            "attr_added_without_default attr.a: { type = \"i32\", default = 0, extra = true } -> { type = \"i32\", quant = true } => break",
        ],
    ),
    (
        "an extra attribute is added without a default",
        "",
        "attr.a = { type = \"i32\", extra = true }",
        &["extra_added attr.a: absent -> { type = \"i32\", extra = true } => patch"],
    ),
    (
        "an extra attribute changes its type",
        "attr.a = { type = \"i32\", extra = true }",
        "attr.a = { type = \"bool\", extra = true }",
        &["extra_changed attr.a: { type = \"i32\", extra = true } -> { type = \"bool\", extra = true } => patch"],
    ),
    (
        "C34: an enumeration gains a value",
        "attr.m = { type = \"string\", values = [\"a\", \"b\"] }",
        "attr.m = { type = \"string\", values = [\"c\", \"a\", \"b\"] }",
        &["attr_value_added attr.m values: [\"a\", \"b\"] -> [\"a\", \"b\", \"c\"] => minor"],
    ),
    (
        "C34: an enumeration loses a value",
        "attr.m = { type = \"string\", values = [\"a\", \"b\"] }",
        "attr.m = { type = \"string\", values = [\"a\"] }",
        &["attr_changed attr.m values: [\"a\", \"b\"] -> [\"a\"] => break"],
    ),
    (
        "an input moves",
        "input.A = { at = 1 }; input.B = { at = 2, extra = true, dispensable = true }",
        "input.A = { at = 2 }; input.B = { at = 1, extra = true, dispensable = true }",
        &[
            "operand_moved input.A at: 1 -> 2 => break",
            "extra_changed input.B: { at = 2, dispensable = true, extra = true } -> { at = 1, dispensable = true, extra = true } => patch",
        ],
    ),
    (
        "two inputs are swapped, which is one finding for both",
        "input.A = { at = 1 }; input.B = { at = 2 }; input.C = { at = 3 }",
        "input.A = { at = 3 }; input.B = { at = 2 }; input.C = { at = 1 }",
        &["operand_moved input.A at: 1 -> 3 => break"],
    ),
    (
        "three outputs go round",
        "output.A = { at = 1 }; output.B = { at = 2 }; output.C = { at = 3 }",
        "output.A = { at = 2 }; output.B = { at = 3 }; output.C = { at = 1 }",
        &[
            "operand_moved output.A at: 1 -> 2 => break",
            "operand_moved output.B at: 2 -> 3 => break",
            "operand_moved output.C at: 3 -> 1 => break",
        ],
    ),
    (
        "an input is added before the end",
        "input.A = { at = 1 }; input.B = { at = 2 }",
        "input.A = { at = 1 }; input.B = { at = 3 }; input.N = { at = 2, dispensable = true }",
        &[
            "operand_moved input.B at: 2 -> 3 => break",
            "input_added input.N: absent -> { at = 2, dispensable = true } => minor",
        ],
    ),
    (
        "an input is added at the end",
        "input.A = { at = 1 }",
        "input.A = { at = 1 }; input.N = { at = 2, dispensable = true }",
        &["input_added input.N: absent -> { at = 2, dispensable = true } => minor"],
    ),
    (
        "places are promised",
        "input.A = {}; output.A = {}",
        "input.A = { at = 1 }; output.A = { at = 1 }",
        &[
            "operand_place_promised input.A at: none -> 1 => patch",
            "operand_place_promised output.A at: none -> 1 => patch",
        ],
    ),
    (
        "places are no longer promised",
        "input.A = { at = 1 }",
        "input.A = {}",
        &["operand_place_dropped input.A at: 1 -> none => break"],
    ),
    (
        "an element type gains a value",
        "attr.t = { type = \"dtype\", values = [\"f32\"] }",
        "attr.t = { type = \"dtype\", values = [\"f16\", \"f32\"] }",
        &["attr_value_added attr.t values: [\"f32\"] -> [\"f16\", \"f32\"] => minor"],
    ),
    (
        "a list of element types loses a value",
        "attr.t = { type = \"[dtype]\", values = [\"f16\", \"f32\"] }",
        "attr.t = { type = \"[dtype]\", values = [\"f32\"] }",
        &["attr_changed attr.t values: [\"f16\", \"f32\"] -> [\"f32\"] => break"],
    ),
    (
        "the elements of a list of strings are limited",
        "attr.t = { type = \"[string]\" }",
        "attr.t = { type = \"[string]\", values = [\"sum\"] }",
        &["attr_changed attr.t values: any -> [\"sum\"] => break"],
    ),
    (
        "a value is renamed",
        "attr.m = { type = \"string\", values = [\"a\", \"b\"] }",
        "attr.m = { type = \"string\", values = [\"a\", \"c\"] }",
        &["attr_changed attr.m values: [\"a\", \"b\"] -> [\"a\", \"c\"] => break"],
    ),
    (
        "values are limited",
        "attr.m = { type = \"string\" }",
        "attr.m = { type = \"string\", values = [\"a\"] }",
        &["attr_changed attr.m values: any -> [\"a\"] => break"],
    ),
    (
        "values are no longer limited",
        "attr.m = { type = \"string\", values = [\"a\"] }",
        "attr.m = { type = \"string\" }",
        &["attr_value_added attr.m values: [\"a\"] -> any => minor"],
    ),
    (
        "an integer gets a minimum",
        "attr.k = { type = \"i32\" }",
        "attr.k = { type = \"i32\", min = 1 }",
        &["attr_minimum_raised attr.k min: none -> 1 => break"],
    ),
    (
        "a minimum is raised",
        "attr.k = { type = \"i64\", min = -1 }",
        "attr.k = { type = \"i64\", min = 0 }",
        &["attr_minimum_raised attr.k min: -1 -> 0 => break"],
    ),
    (
        "a minimum is lowered",
        "attr.k = { type = \"[i64]\", min = 2 }",
        "attr.k = { type = \"[i64]\", min = 1 }",
        &["attr_minimum_lowered attr.k min: 2 -> 1 => minor"],
    ),
    (
        "a minimum is removed",
        "attr.k = { type = \"i32\", min = 0 }",
        "attr.k = { type = \"i32\" }",
        &["attr_minimum_lowered attr.k min: 0 -> none => minor"],
    ),
    (
        "a minimum that the type has itself takes nothing away",
        "attr.k = { type = \"[i64]\" }; attr.n = { type = \"u32\" }",
        "attr.k = { type = \"[i64]\", min = 0 }; attr.n = { type = \"u32\", min = -1 }",
        &[
            "attr_minimum_lowered attr.k min: none -> 0 => minor",
            "attr_minimum_lowered attr.n min: none -> -1 => minor",
        ],
    ),
    (
        "an integer may no longer be negative",
        "attr.k = { type = \"i64\", default = 1 }; attr.l = { type = \"[[i64; 2]]?\" }",
        "attr.k = { type = \"usize\", default = 2 }; attr.l = { type = \"[[usize; 2]]?\" }",
        &[
            "attr_minimum_raised attr.k type: i64 -> usize => break",
            "attr_changed attr.k default: 1 -> 2 => break",
            "attr_minimum_raised attr.l type: [[i64; 2]]? -> [[usize; 2]]? => break",
        ],
    ),
    (
        "an integer may be negative",
        "attr.k = { type = \"[usize]\", min = 1 }",
        "attr.k = { type = \"[i64]\", min = 1 }",
        &["attr_minimum_lowered attr.k type: [usize] -> [i64] => minor"],
    ),
    (
        "an integer changes more than its sign",
        "attr.k = { type = \"usize\" }; attr.l = { type = \"[i64]\" }",
        "attr.k = { type = \"i32\" }; attr.l = { type = \"usize\" }",
        &["attr_changed attr.k type: usize -> i32 => break", "attr_changed attr.l type: [i64] -> usize => break"],
    ),
    (
        "the length of a list is given, taken away or another",
        "attr.a = { type = \"[i32]\" }; attr.b = { type = \"[i32; 2]\" }; attr.c = { type = \"[i32; 2]\" }",
        "attr.a = { type = \"[i32; 2]\" }; attr.b = { type = \"[i32]\" }; attr.c = { type = \"[i32; 3]\" }",
        &[
            "attr_changed attr.a type: [i32] -> [i32; 2] => break",
            "attr_changed attr.b type: [i32; 2] -> [i32] => break",
            "attr_changed attr.c type: [i32; 2] -> [i32; 3] => break",
        ],
    ),
    (
        "an attribute's default, values and marks change at once",
        "attr.m = { type = \"string\", default = \"a\", values = [\"a\", \"b\"] }",
        "attr.m = { type = \"string\", default = \"b\", values = [\"b\"], generated = true, quant = true }",
        &[
            "attr_changed attr.m default: \"a\" -> \"b\" => break",
            "attr_changed attr.m values: [\"a\", \"b\"] -> [\"b\"] => break",
            "attr_changed attr.m generated: false -> true => break",
            "attr_changed attr.m quant: false -> true => break",
        ],
    ),
    (
        "an attribute with `_` changes its type",
        "attr._m = { type = \"i32\" }",
        "attr._m = { type = \"f32\" }",
        &["unguarded_changed attr._m => patch"],
    ),
    // ---- other names ----
    (
        "an operator may be read under another name",
        "",
        "alias.g = { unreleased = true }",
        &["alias_added alias: none -> g => minor"],
    ),
    (
        "an operator is no longer read under one name, and is under another",
        "alias.g = { unreleased = true }; alias.h = { unreleased = true }",
        "alias.h = { unreleased = true }; alias.i = { unreleased = true }",
        &["alias_removed alias: g -> none => break", "alias_added alias: none -> i => minor"],
    ),
    (
        "items may be read under other names, whose order means nothing",
        "input.X = { alias = [\"a\", \"b\"] }; output.Y = {}; attr.z = { type = \"i32\" }",
        "input.X = { alias = [\"b\", \"a\"] }; output.Y = { alias = [\"a\"] }; attr.z = { type = \"i32\", alias = [\"a\", \"b\"] }",
        &[
            "alias_added output.Y alias: none -> a => minor",
            "alias_added attr.z alias: none -> a => minor",
            "alias_added attr.z alias: none -> b => minor",
        ],
    ),
    (
        "an item is no longer read under another name",
        "attr.z = { type = \"i32\", alias = [\"a\"] }",
        "attr.z = { type = \"i32\" }",
        &["alias_removed attr.z alias: a -> none => break"],
    ),
    (
        "items are renamed, whatever they require",
        "input.X = {}; output.Y = {}; attr.z = { type = \"i32\" }",
        "input.A = { alias = [\"X\"] }; output.B = { alias = [\"Y\"] }; attr.c = { type = \"i32\", alias = [\"z\"] }",
        &[
            "input_added input.A: absent -> { alias = [\"X\"] } => minor",
            "input_deleted input.X: {} -> A => renaming",
            "output_added output.B: absent -> { alias = [\"Y\"] } => minor",
            "output_deleted output.Y: {} -> B => renaming",
            "attr_added attr.c: absent -> { type = \"i32\", alias = [\"z\"] } => minor",
            "attr_deleted attr.z: { type = \"i32\" } -> c => renaming",
        ],
    ),
    (
        "a required input is added that is read where graphs had an extra one, which promised nothing",
        "input.X = { dispensable = true, extra = true }",
        "input.A = { alias = [\"X\"] }",
        &[
            "input_added_not_dispensable input.A: absent -> { alias = [\"X\"] } => break",
            "extra_deleted input.X: { dispensable = true, extra = true } -> absent => patch",
        ],
    ),
    (
        "a required input is added whose other name is that of an attribute",
        "attr.x = { type = \"i32\" }",
        "input.A = { alias = [\"x\"] }",
        &[
            "input_added_not_dispensable input.A: absent -> { alias = [\"x\"] } => break",
            "attr_deleted attr.x: { type = \"i32\" } -> absent => break",
        ],
    ),
    // ---- deprecations ----
    (
        "an operator is deprecated",
        "",
        "deprecated = { version = 8, note = \"use g\", unreleased = true }",
        &["op_deprecated deprecated: none -> version 8: use g => minor"],
    ),
    (
        "items are deprecated",
        "input.X = { dispensable = true }; attr.z = { type = \"i32\", default = 0 }",
        "input.X = { dispensable = true, deprecated = { version = 8, note = \"a\" } }; \
         attr.z = { type = \"i32\", default = 0, deprecated = { version = 9, note = \"b\" } }",
        &[
            "item_deprecated input.X deprecated: none -> version 8: a => minor",
            "item_deprecated attr.z deprecated: none -> version 9: b => minor",
        ],
    ),
    (
        "an item is no longer deprecated",
        "output.X = { dispensable = true, deprecated = { version = 8, note = \"a\" } }",
        "output.X = { dispensable = true }",
        &["deprecation_removed output.X deprecated: version 8: a -> none => minor"],
    ),
    (
        "a deprecation is postponed",
        "deprecated = { version = 8, note = \"a\", unreleased = true }",
        "deprecated = { version = 12, note = \"b\", unreleased = true }",
        &["deprecation_postponed deprecated: version 8: a -> version 12: b => minor"],
    ),
    (
        "a deprecation is advanced",
        "deprecated = { version = 12, note = \"a\", unreleased = true }",
        "deprecated = { version = 8, note = \"a\", unreleased = true }",
        &["deprecation_advanced deprecated: version 12: a -> version 8: a => break"],
    ),
    (
        "the note of a deprecation changes",
        "attr.z = { type = \"i32\", default = 0, deprecated = { version = 9, note = \"a\" } }",
        "attr.z = { type = \"i32\", default = 0, deprecated = { version = 9, note = \"b\" } }",
        &["note_changed attr.z deprecated: version 9: a -> version 9: b => patch"],
    ),
    (
        "an extra item is deprecated",
        "attr.z = { type = \"i32\", default = 0, extra = true }",
        "attr.z = { type = \"i32\", default = 0, extra = true, deprecated = { version = 9, note = \"a\" } }",
        &["extra_changed attr.z: { type = \"i32\", default = 0, extra = true } -> { type = \"i32\", default = 0, \
           extra = true, deprecated = { version = 9, note = \"a\" } } => patch"],
    ),
    // ---- revisions, earlier owners ----
    (
        "an operator's behaviour is revised twice",
        "revised.4 = { note = \"a\", unreleased = true }",
        "revised.9 = { note = \"b\", unreleased = true }; revised.4 = { note = \"a\", unreleased = true }; \
         revised.12 = { note = \"c\", unreleased = true }",
        &["op_revised revised: none -> version 9: b => break", "op_revised revised: none -> version 12: c => break"],
    ),
    (
        "a revision is forgotten, and another told in other words",
        "revised.9 = { note = \"b\", unreleased = true }; revised.4 = { note = \"a\", unreleased = true }",
        "revised.4 = { note = \"c\", unreleased = true }",
        &[
            "note_changed revised: version 4: a -> version 4: c => patch",
            "revision_removed revised: version 9: b -> none => break",
        ],
    ),
    (
        "an operator comes from another package",
        "",
        "moved_from = \"p\"",
        &["moved_from_added moved_from: none -> p => minor"],
    ),
    (
        "an operator comes from elsewhere",
        "moved_from = \"p\"",
        "moved_from = \"q\"",
        &["moved_from_changed moved_from: p -> q => break"],
    ),
    (
        "an operator is no longer said to have moved",
        "moved_from = \"p\"",
        "",
        &["moved_from_changed moved_from: p -> none => break"],
    ),
    (
        "an experimental operator is revised and deprecated",
        "experimental = true",
        "experimental = true; revised.4 = { note = \"a\" }; deprecated = { version = 8, note = \"\" }",
        &["unguarded_changed => patch"],
    ),
    // ---- what is no change ----
    (
        "C19: the order of items and values means nothing",
        "input.X = {}; input.A = {}; attr.m = { type = \"string\", values = [\"b\", \"a\"] }",
        "attr.m = { type = \"string\", values = [\"a\", \"b\"] }; input.A = {}; input.X = {}",
        &[],
    ),
    (
        "the order of an extra attribute's values means nothing",
        "attr.m = { type = \"string\", values = [\"b\", \"a\"], extra = true }",
        "attr.m = { type = \"string\", values = [\"a\", \"b\"], extra = true }",
        &[],
    ),
    (
        "an item moves from one kind to another, which are two items",
        "input.X = { dispensable = true }",
        "output.X = { dispensable = true }",
        &[
            "input_deleted input.X: { dispensable = true } -> absent => break",
            "output_added output.X: absent -> { dispensable = true } => minor",
        ],
    ),
];

fn one(signature: &str) -> BTreeMap<String, OpDef> {
    if signature == ABSENT { BTreeMap::new() } else { BTreeMap::from([("f".to_owned(), op(signature))]) }
}

fn findings(row: &Row, relaxations_are_minor: bool) -> Vec<Finding> {
    compare_sets(&one(row.1), &one(row.2), Options { relaxations_are_minor, ..Options::default() })
}

#[test]
fn each_change_is_found_with_its_verdict_and_nothing_else_is() {
    for row in TABLE.iter().chain(TYPES) {
        let said: Vec<_> = findings(row, false).iter().map(show).collect();
        assert_eq!(said, row.3, "{}", row.0);
    }
}

#[test]
fn relaxations_are_minor_where_the_package_says_so_and_nothing_else_moves() {
    for row in TABLE.iter().chain(TYPES) {
        let said: Vec<_> = findings(row, true).iter().map(show).collect();
        let expected: Vec<_> = row.3.iter().map(|line| line.replace("=> relaxation", "=> minor")).collect();
        assert_eq!(said, expected, "{}", row.0);
    }
}

#[test]
fn no_signature_of_the_table_differs_from_itself() {
    for row in TABLE.iter().chain(TYPES) {
        for signature in [row.1, row.2] {
            let ops = one(signature);
            assert_eq!(compare_sets(&ops, &ops, Options::default()), [], "{}", row.0);
        }
    }
}

/// Operator `f`, whose condition names a feature that the manifest lacks: alone, beside one that it has, and new.
fn without_feature() -> [Finding; 3] {
    let mut context = context("1.0.0");
    context.features = Some(Set::from(["rocm".to_owned()]));
    let judge = |lock_text: &str, cfg: &str| {
        let mut judgement = judge_op(&lock(lock_text), &context, &op(cfg));
        assert_eq!(judgement.findings.len(), 1);
        judgement.findings.remove(0).finding
    };
    let [cuda, both] = ["cfg = 'feature = \"cuda\"'", "cfg = 'any(feature = \"cuda\", feature = \"rocm\")'"];
    [
        judge(&format!("[op]\nf.unreleased = true\nf.{cuda}\n"), cuda),
        judge(&format!("[op]\nf.unreleased = true\nf.{both}\n"), both),
        judge("[op]\ng.unreleased = true\n", cuda),
    ]
}

/// Operator `f` without its deleted input, which comes back as something else: only a tombstone knows of it.
fn reused() -> Finding {
    let lock = lock(
        "[release]\n'1.0.0' = { date = '2026-01-01' }\n'2.0.0' = { date = '2026-02-01' }\n[op]\nf.since = '1.0.0'\n\
         [ledger]\nf.'2.0.0'.input.X = { rule = 'input_deleted', from = { since = '1.0.0' } }\n",
    );
    let mut judgement = judge_op(&lock, &context("2.0.0"), &op("input.X = { dispensable = true, duplicable = true }"));
    assert_eq!(judgement.findings.len(), 2);
    judgement.findings.remove(1).finding
}

/// What two branches were merged to may have the name again, and no row that says so.
#[test]
fn a_reused_name_without_a_row_is_an_error_and_the_lock_is_stale() {
    let lock = lock(
        "[release]\n'1.0.0' = { date = '2026-01-01' }\n'2.0.0' = { date = '2026-02-01' }\n[op]\nf.unreleased = true\n\
         f.input.X = { unreleased = true }\n[ledger]\nf.'2.0.0'.op = { rule = 'op_deleted', from = { since = '1.0.0' } }\n",
    );
    let judgement = judge_op(&lock, &context("2.1.0"), &op("input.X = {}"));
    let said: Vec<_> = judgement.findings.iter().map(|judged| show(&judged.finding)).collect();
    assert_eq!(said, ["name_reused: no items -> (input X {}) => break"]);
    assert!(judgement.stale, "the row is lacking");
}

#[test]
fn a_deleted_name_that_comes_back_as_something_else_is_reused() {
    let expected = "name_reused input.X: {} -> { duplicable = true, dispensable = true } => break";
    assert_eq!(show(&reused()), expected);
}

#[test]
fn a_feature_that_no_manifest_defines_deletes_its_operators() {
    let [deleted, narrowed, added] = without_feature();
    assert_eq!(show(&deleted), "op_deleted: present -> absent => break");
    let expected = "any(feature = \"cuda\", feature = \"rocm\") -> feature = \"rocm\"";
    assert_eq!(show(&narrowed), format!("op_condition_narrowed cfg: {expected} => break"));
    assert_eq!(show(&added), "op_added_without_feature: absent -> present => break");
    for finding in [deleted, narrowed, added] {
        assert!(finding.message().contains("the feature `cuda`"), "{}", finding.message());
        assert!(finding.remedy().contains("the feature `cuda`"), "{}", finding.remedy());
    }
}

/// What is said only of a whole package, or of a declaration that is held against what was released.
fn declared() -> Vec<Finding> {
    let lock = lock(
        "[release]\n'1.0.0' = { date = '2026-01-01', graph = 8 }\n[op]\ng.since = '1.0.0'\ng.input.X = {}\n\
         h.since = '1.0.0'\nold.since = '1.0.0'\n",
    );
    let source = common::set(&[
        (
            "f",
            "alias.g = { unreleased = true }; alias.h = { unreleased = true }; input.X = { alias = [\"a\"] }; \
             deprecated = { version = 8, note = \"\", unreleased = true }; revised.8 = { note = \"\", unreleased = true }",
        ),
        ("h", ""),
        ("new", "alias.old = { unreleased = true }"),
        ("g", "input.X = {}; input.Y = {}"),
        (
            "f2",
            "alias.g = { unreleased = true }; input.X = { deprecated = { version = 7, note = \"\" } }; input.Y = {}",
        ),
    ]);
    let judged = judge_set(&lock, &context("2.0.0"), &source).findings.into_iter();
    let versions = DataVersions { history: Map::from([(7, String::new())]), ..DataVersions::default() };
    judged.chain(undeclared_versions(source.values(), &versions)).map(|judged| judged.finding).collect()
}

/// What an operator declares that all operators have.
fn twice() -> Vec<Finding> {
    let (common, own) = (op_named("*", "attr.a = { type = \"i32\" }"), op_named("f", "attr.a = { type = \"i32\" }"));
    declared_twice(&lock(""), &common, &own).into_iter().map(|judged| judged.finding).collect()
}

/// What an operator is said to be that came from another package.
fn moved() -> Vec<Finding> {
    let lock = lock(
        "[moved.their-ops.release]\n'1.0.0' = { date = '2026-01-01' }\n[moved.their-ops.op]\nf.since = '1.0.0'\n\
         f.attr.a = { type = 'i32', default = 1 }\n",
    );
    let source = common::set(&[
        ("f", "moved_from = \"their-ops\"; attr.a = { type = \"i32\", default = 2 }"),
        ("g", "moved_from = \"their-ops\""),
    ]);
    judge_set(&lock, &context("1.0.0"), &source).findings.into_iter().map(|judged| judged.finding).collect()
}

#[test]
fn what_came_from_another_package_is_what_it_was_there() {
    let said: Vec<_> = moved().iter().map(|finding| format!("{} {}", finding.op, show(finding))).collect();
    assert_eq!(
        said,
        [
            "f op_added: absent -> present => minor",
            "f moved_narrows moved_from: their-ops -> the default of attribute `a` of `f` changed from 1 to 2 => break",
            "g op_added: absent -> present => minor",
            "g moved_unknown moved_from: their-ops -> nothing => break",
        ]
    );
}

fn all_fired() -> Vec<Finding> {
    let special = without_feature().into_iter().chain([reused()]).chain(declared()).chain(twice()).chain(moved());
    TABLE.iter().chain(TYPES).flat_map(|row| findings(row, false)).chain(special).collect()
}

#[test]
fn what_a_declaration_must_not_say_given_what_was_released() {
    let said: Vec<_> = declared().iter().map(|finding| format!("{} {}", finding.op, show(finding))).collect();
    assert_eq!(
        said,
        [
            "f alias_taken alias: g -> g => break",
            "f alias_taken alias: h -> h => break",
            "f2 alias_taken alias: g -> g => break",
            "f op_added: absent -> present => minor",
            "f alias_narrows alias: h -> the added input `X` of `f` is not dispensable => break",
            "f version_released deprecated: 8 -> 8 => break",
            "f version_released revised: 8 -> 8 => break",
            "f2 op_added: absent -> present => minor",
            "f2 alias_narrows alias: g -> the added input `Y` of `f2` is not dispensable => break",
            "f2 version_released input.X deprecated: 8 -> 7 => break",
            "g input_added_not_dispensable input.Y: absent -> {} => break",
            "new op_added: absent -> present => minor",
            "old op_deleted: present -> new => renaming",
            "f version_undeclared deprecated: 7 -> 8 => break",
            "f version_undeclared revised: 7 -> 8 => break",
        ]
    );
}

#[test]
fn every_rule_and_every_case_of_it_is_exercised() {
    let fired = all_fired();
    // The rules of data versions are exercised in `versions`.
    for rule in RULES.iter().filter(|rule| !rule.source.contains("docs/versions.md")) {
        // Of a change of a mark each is told in its own words; the general ones wait for a mark to come.
        let is_fallback = |at: usize| at == 0 && rule.name.ends_with("_changed") && rule.cases.len() > 1;
        for (_, case) in rule.cases.iter().enumerate().filter(|(at, _)| !is_fallback(*at)) {
            let found = fired.iter().any(|finding| std::ptr::eq(finding.case, case));
            assert!(found, "nothing exercises {} with {} from {} to {}", rule.name, case.field, case.from, case.to);
        }
    }
}

/// What every rule says, as `core/tests/rules.txt` has it. `BLESS=1 cargo test -p oplock-core --test rules` writes it anew.
#[test]
fn what_the_rules_say_is_changed_on_purpose() {
    let mut text = String::new();
    for rule in RULES {
        let _ = writeln!(text, "{}: {}\n  {}\n  source: {}", rule.name, rule.why, rule.example, rule.source);
        for case in rule.cases {
            let relaxation = if case.relaxation { ", a relaxation" } else { "" };
            let (bump, forward) = (case.bump.name(), case.forward.name());
            let _ = writeln!(text, "- {}: {} -> {}", case.field, case.from, case.to);
            let _ = writeln!(text, "  {bump}, backward {}, forward {forward}{relaxation}", case.backward);
            let _ = writeln!(text, "  {}", case.message);
            for (name, said) in [("breaks", case.breaks), ("help", case.remedy)] {
                if !said.is_empty() {
                    let _ = writeln!(text, "  {name}: {said}");
                }
            }
        }
        text.push('\n');
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let known = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    assert!(known == text, "{path} is another text now: BLESS=1 writes it anew");
}

#[test]
fn every_sentence_is_filled_in() {
    for finding in all_fired() {
        let texts = [finding.message(), finding.breaks("saved since 1.2.0"), finding.remedy()];
        for text in &texts {
            for hole in
                ["{feature}", "{op}", "{kind}", "{item}", "{field}", "{from}", "{to}", "{saved}", "{other}", "``"]
            {
                assert!(!text.contains(hole), "{}: {text}", show(&finding));
            }
            assert!(!text.ends_with('.'), "{text}");
        }
        assert!(texts[0].contains(&format!("`{}`", finding.op)), "{}", texts[0]);
        if let Some((_, item)) = &finding.item {
            assert!(texts[0].contains(item.as_str()), "{}", texts[0]);
        }
        assert_eq!(finding.is_break(), texts[1].contains("graph"), "{}", show(&finding));
    }
}

#[test]
fn the_order_of_allowed_values_means_nothing_whatever_is_promised() {
    for mark in ["", ", extra = true", ", default = \"a\""] {
        for name in ["m", "_m"] {
            let old = op(&format!("attr.{name} = {{ type = \"string\", values = [\"a\", \"b\"]{mark} }}"));
            let mut new = old.clone();
            new.attrs.to_mut()[0].values.to_mut().reverse();
            assert_ne!(old, new);
            assert_eq!(compare_op(&old, &new, Options::default()), [], "{name}{mark}");
        }
    }
}

#[test]
fn what_a_name_or_value_holds_is_never_taken_for_a_hole() {
    let old = op("attr.'{to}' = { type = \"string\", default = \"{saved} {op}\" }");
    let new = op("attr.'{to}' = { type = \"string\", default = \"{item}\" }");
    let finding = compare_op(&old, &new, Options::default()).remove(0);
    assert_eq!(finding.message(), "the default of attribute `{to}` of `f` changed from \"{saved} {op}\" to \"{item}\"");
    assert!(finding.breaks("saved before").contains("would mean \"{item}\" where it meant \"{saved} {op}\""));
}

#[test]
fn findings_come_by_operator_and_then_by_kind_and_item() {
    let old = common::set(&[
        ("b", "input.B = {}; input.A = {}; attr.z = { type = \"i32\" }; output.C = {}"),
        ("a", ""),
        ("d", ""),
    ]);
    let new = common::set(&[("b", ""), ("c", ""), ("d", "cfg = \"unix\"")]);
    let order: Vec<_> = compare_sets(&old, &new, Options::default()).iter().map(Finding::path).collect();
    assert_eq!(order, ["a", "b.A", "b.B", "b.C", "b.z", "c", "d"]);
}

/// Between two sets an operator that is gone and whose name another one has as an alias was renamed, if both are promised.
#[test]
fn an_operator_is_renamed_by_an_alias() {
    let gone = |old: &str, new: &str| {
        let (old, new) = (common::set(&[("a", old)]), common::set(&[("b", new)]));
        let findings = compare_sets(&old, &new, Options::default());
        assert_eq!(findings.iter().map(Finding::path).collect::<Vec<_>>(), ["a", "b"]);
        findings[0].message()
    };
    let alias = "alias.a = { unreleased = true }";
    assert!(gone("", alias).contains("`b`"), "{}", gone("", alias));
    assert!(!gone("", "").contains("`b`"), "{}", gone("", ""));
    let unguarded = "experimental = true";
    assert!(!gone(unguarded, alias).contains("`b`"), "nothing was promised of it: {}", gone(unguarded, alias));
}

// ---- for any signature ----

/// Two items that cannot both be of one signature's random names.
const FRESH: &str = "fresh item";

fn is_guarded_item(name: &str, part: Part) -> bool {
    part != Part::Extra && !is_unguarded_name(name)
}

fn args_of(def: &mut OpDef, kind: Kind) -> &mut Vec<ArgDef> {
    if kind == Kind::Input { def.inputs.to_mut() } else { def.outputs.to_mut() }
}

fn other_deprecation(deprecated: Option<&Deprecated>) -> Option<Deprecated> {
    match deprecated {
        Some(Deprecated { version: 1, .. }) => None,
        Some(Deprecated { note, .. }) => Some(Deprecated { version: 1, note: note.clone() }),
        None => Some(Deprecated { version: 1000, note: "".into() }),
    }
}

/// Every signature that differs from `def` in one mark or item for which a promise was made, or is.
fn mutants(def: &OpDef, other: &AttrDef) -> Vec<OpDef> {
    let mut out = Vec::new();
    let mut push = |change: &mut dyn FnMut(&mut OpDef)| {
        let mut mutant = def.clone();
        change(&mut mutant);
        out.push(mutant);
    };
    for kind in [Kind::Input, Kind::Output] {
        for (i, arg) in def.args(kind).iter().enumerate().filter(|(_, a)| is_guarded_item(&a.name, a.part)) {
            push(&mut |m| drop(args_of(m, kind).remove(i)));
            push(&mut |m| args_of(m, kind)[i].dispensable = !arg.dispensable);
            push(&mut |m| args_of(m, kind)[i].duplicable = !arg.duplicable);
            push(&mut |m| args_of(m, kind)[i].intermediate = !arg.intermediate);
            push(&mut |m| args_of(m, kind)[i].name = FRESH.into());
            push(&mut |m| args_of(m, kind)[i].by_ref = !arg.by_ref);
            push(&mut |m| args_of(m, kind)[i].ty = Some(ElementType::Fixed(FRESH.into())));
            if arg.duplicable {
                push(&mut |m| args_of(m, kind)[i].heterogeneous = !arg.heterogeneous);
                push(&mut |m| args_of(m, kind)[i].count = Some(FRESH.into()));
                push(&mut |m| args_of(m, kind)[i].min = Some(arg.least() + 1));
            }
            push(&mut |m| args_of(m, kind)[i].aliases.to_mut().push(FRESH.into()));
            push(&mut |m| args_of(m, kind)[i].deprecated = other_deprecation(arg.deprecated.as_ref()));
            for part in [Part::Def, Part::Quant, Part::Extra].into_iter().filter(|p| *p != arg.part) {
                push(&mut |m| args_of(m, kind)[i].part = part);
            }
        }
        push(&mut |m| args_of(m, kind).push(ArgDef::new(FRESH)));
    }
    for (i, attr) in def.attrs.iter().enumerate().filter(|(_, a)| is_guarded_item(&a.name, a.part)) {
        push(&mut |m| drop(m.attrs.to_mut().remove(i)));
        push(&mut |m| m.attrs.to_mut()[i].generated = !attr.generated);
        push(&mut |m| m.attrs.to_mut()[i].name = FRESH.into());
        push(&mut |m| m.attrs.to_mut()[i].aliases.to_mut().push(FRESH.into()));
        push(&mut |m| m.attrs.to_mut()[i].deprecated = other_deprecation(attr.deprecated.as_ref()));
        if other.ty != attr.ty {
            push(&mut |m| m.attrs.to_mut()[i].ty = other.ty);
        }
        let default = if attr.default.is_some() { None } else { Some(Value::Absent) };
        push(&mut |m| m.attrs.to_mut()[i].default.clone_from(&default));
        push(&mut |m| m.attrs.to_mut()[i].min = Some(attr.min.map_or(0, |min| min + 1)));
        push(&mut |m| m.attrs.to_mut()[i].values.to_mut().push(FRESH.into()));
        for part in [Part::Def, Part::Quant, Part::Extra].into_iter().filter(|p| *p != attr.part) {
            push(&mut |m| m.attrs.to_mut()[i].part = part);
        }
    }
    let added = AttrDef { name: FRESH.into(), part: Part::Quant, ..other.clone() };
    push(&mut |m| m.attrs.to_mut().push(added.clone()));
    push(&mut |m| m.experimental = true);
    push(&mut |m| m.cfg = Some("feature = \"another\"".into()));
    push(&mut |m| m.aliases.to_mut().push(FRESH.into()));
    push(&mut |m| m.deprecated = other_deprecation(def.deprecated.as_ref()));
    push(&mut |m| m.revisions.to_mut().push(Revision { version: 1000, note: "".into() }));
    push(&mut |m| m.moved_from = Some("another".into()));
    push(&mut |m| m.flags.stateful = !def.flags.stateful);
    push(&mut |m| m.flags.uninitialized = !def.flags.uninitialized);
    out
}

proptest! {
    #[test]
    fn a_signature_is_as_itself_in_any_order(def in any_op(), order in any::<Vec<Index>>()) {
        let mut shuffled = def.clone();
        for index in &order {
            for items in [shuffled.inputs.to_mut(), shuffled.outputs.to_mut()] {
                let at = if items.is_empty() { 0 } else { index.index(items.len()) };
                items.rotate_left(at);
            }
            let attrs = shuffled.attrs.to_mut();
            let at = if attrs.is_empty() { 0 } else { index.index(attrs.len()) };
            attrs.rotate_left(at);
            for attr in attrs {
                attr.values.to_mut().reverse();
            }
        }
        prop_assert_eq!(compare_op(&def, &def, Options::default()), []);
        prop_assert_eq!(compare_op(&def, &shuffled, Options::default()), []);
        prop_assert_eq!(compare_op(&shuffled, &def, Options::default()), []);
        prop_assert_eq!(shuffled.sorted(), def.sorted());
    }

    #[test]
    fn what_is_said_does_not_depend_on_the_order_of_items(old in any_op(), new in any_op()) {
        let new = OpDef { name: old.name.clone(), ..new };
        let said = compare_op(&old, &new, Options::default());
        let mut reversed = new.clone();
        reversed.inputs.to_mut().reverse();
        reversed.outputs.to_mut().reverse();
        reversed.attrs.to_mut().reverse();
        prop_assert_eq!(&compare_op(&old, &reversed, Options::default()), &said);
        prop_assert_eq!(compare_op(&old.sorted(), &reversed, Options::default()), said);
    }

    /// Whatever came in one direction goes in the other, and one of the two is a break unless nothing was promised.
    #[test]
    fn the_way_back_names_the_same_items(old in any_op(), new in any_op()) {
        let new = OpDef { name: old.name.clone(), ..new };
        // That places are promised is free at any time, and to take that back is a break.
        let is_free = |f: &Finding| f.bump == Bump::Patch && f.rule.name != "operand_place_promised";
        let names = |findings: &[Finding]| findings.iter().map(|f| (f.item.clone(), is_free(f))).collect::<BTreeSet<_>>();
        let (there, back) = (compare_op(&old, &new, Options::default()), compare_op(&new, &old, Options::default()));
        prop_assert_eq!(names(&there), names(&back));
        let breaks = |findings: &[Finding]| findings.iter().any(Finding::is_break);
        // What was deprecated may be used again: either way old graphs load.
        if there.iter().any(|f| f.bump != Bump::Patch && f.field != Some("deprecated")) {
            prop_assert!(breaks(&there) || breaks(&back));
        }
    }

    #[test]
    fn no_single_change_of_what_is_promised_goes_unseen(def in any_op(), other in any_attr("a".to_owned())) {
        let def = OpDef { name: "f".into(), experimental: false, ..def };
        for mutant in mutants(&def, &other) {
            for (old, new) in [(&def, &mutant), (&mutant, &def)] {
                let findings = compare_op(old, new, Options::default());
                prop_assert!(!findings.is_empty(), "{:?}\n{:?}", old, new);
                prop_assert!(findings.iter().any(|f| f.bump > Bump::Patch), "{:?}", findings);
            }
        }
    }

    #[test]
    fn what_is_extra_or_unguarded_is_never_more_than_a_patch(def in any_op(), other in any_op()) {
        // All that is promised stays; all else is taken from another operator.
        let OpDef { inputs, outputs, attrs, .. } = other;
        let mut new = OpDef { inputs, outputs, attrs, ..def.clone() };
        macro_rules! keep {
            ($($list:ident)*) => {$(
                let promised = def.$list.iter().filter(|i| is_guarded_item(&i.name, i.part)).cloned();
                let names: BTreeSet<_> = promised.clone().map(|i| i.name).collect();
                let rest = new.$list.iter().filter(|i| !names.contains(&i.name) && !is_guarded_item(&i.name, i.part)).cloned();
                new.$list = promised.chain(rest).collect::<Vec<_>>().into();
            )*};
        }
        keep!(inputs outputs attrs);
        for finding in compare_op(&def, &new, Options::default()) {
            prop_assert_eq!(finding.bump, Bump::Patch, "{}", show(&finding));
            prop_assert!(finding.backward());
        }
    }
}

#[test]
fn what_changed_is_told_of_an_operator_of_its_item_or_of_all_operators() {
    let told = |name: &str, before: &str, after: &str| {
        let findings = compare_op(&op_named(name, before), &op_named(name, after), Options::default());
        findings.iter().map(Finding::message).collect::<Vec<_>>()
    };
    let mark = "{ version = 9, note = \"use g\" }";
    let attr = |mark: &str| format!("attr.a = {{ type = \"i32\", default = 1{mark} }}");
    let deprecated = attr(&format!(", deprecated = {mark}"));
    assert_eq!(
        told("f", "", &format!("deprecated = {mark}")),
        ["operator `f` is deprecated from data version 9: use g"]
    );
    assert_eq!(told("f", &attr(""), &deprecated), ["attribute `a` of `f` is deprecated from data version 9: use g"]);
    assert_eq!(
        told(COMMON, &attr(""), &deprecated),
        ["attribute `a` of all operators is deprecated from data version 9: use g"]
    );
}

/// But for the one of two operands that took each other's place.
#[test]
fn an_approval_is_of_one_finding() {
    let approved = |before: &str, after: &str| {
        let findings = compare_op(&op(before), &op(after), Options::default());
        let first = Approval::new(&findings[0], "a reason", "A. Person", None);
        findings.iter().map(|finding| first.is_of(finding)).collect::<Vec<_>>()
    };
    let attrs = |a: u8, b: u8| {
        format!("attr.a = {{ type = \"i32\", default = {a} }}; attr.b = {{ type = \"i32\", default = {b} }}")
    };
    assert_eq!(approved(&attrs(1, 2), &attrs(2, 1)), [true, false]);
    assert_eq!(approved(&attrs(1, 1), &attrs(2, 2)), [true, false]);
    let places =
        |a: u8, b: u8, c: u8| format!("input.A = {{ at = {a} }}; input.B = {{ at = {b} }}; input.C = {{ at = {c} }}");
    assert_eq!(approved(&places(1, 2, 3), &places(2, 1, 3)), [true, true]);
    assert_eq!(approved(&places(1, 2, 3), &places(2, 3, 1)), [true, false, false]);
    let outputs = |a: u8, b: u8| format!("output.Y = {{ at = {a} }}; output.Z = {{ at = {b} }}");
    let both = |a: u8, b: u8| format!("{}; {}", places(a, b, 3), outputs(a, b));
    assert_eq!(approved(&both(1, 2), &both(2, 1)), [true, true, false, false]);
}
