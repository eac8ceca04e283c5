//! What may be added, deleted and changed of a signature: the published compatibility rule of `PaddlePaddle`'s operators,
//! extended by conditions and enumerations.

use super::{ADDITION, BREAK, Case, FEATURE, FREE, OPLOCK, PADDLE, RELAXATION, RENAMING, Rule, TENSORFLOW};

/// The rules of inputs, outputs, attributes and operators.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "op_deleted",
        why: "A saved graph names its operators, and a reader without one of them cannot load it.",
        example: "{ op: \"slice\", … } saved by 1.2.0; the release without `slice` knows no such operator.",
        source: PADDLE,
        cases: &[
            Case {
                message: "operator `{op}` is deleted",
                breaks: "a graph {saved} that uses `{op}` no longer loads",
                remedy: "bring the struct with #[op(\"{op}\")] back; if it is behind a #[cfg], say so to oplock: \
                         #[op(\"{op}\", cfg(…))]",
                ..BREAK
            },
            Case {
                message: "operator `{op}` is renamed to `{to}`",
                breaks: "a graph of the new release that uses `{to}` does not load in older ones",
                remedy: "keep the saved name: #[op(\"{op}\")]; a struct may be renamed as you like while its saved name stays",
                ..RENAMING
            },
            Case {
                field: "experimental",
                message: "operator `{op}` is marked experimental, which takes its promise back",
                breaks: "a graph {saved} that uses `{op}` is no longer promised to load",
                remedy: "remove `experimental`",
                ..BREAK
            },
            Case {
                field: FEATURE,
                message: "operator `{op}` needs the feature `{feature}`, which Cargo.toml does not define",
                breaks: "a graph {saved} that uses `{op}` no longer loads: no build has the operator",
                remedy: "bring the feature `{feature}` back",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "op_added",
        why: "Older graphs do not know the operator; only graphs that use it need a new release.",
        example: "A graph without the new operator loads in both releases.",
        source: PADDLE,
        cases: &[
            Case { message: "operator `{op}` is added", ..ADDITION },
            Case { field: "experimental", message: "operator `{op}` is no longer experimental", ..ADDITION },
        ],
    },
    Rule {
        name: "op_added_without_feature",
        why: "What no build has is in no graph, and a lock that promised it could not be kept.",
        example: "No build has `flash_attention` while its `cuda` is not among the [features] of Cargo.toml.",
        source: OPLOCK,
        cases: &[Case {
            message: "the added operator `{op}` needs the feature `{feature}`, which Cargo.toml does not define",
            breaks: "no graph can use `{op}`: no build has the operator",
            remedy: "define the feature `{feature}` in Cargo.toml, or correct the condition",
            ..BREAK
        }],
    },
    Rule {
        name: "op_condition_narrowed",
        why: "A build that lost the operator cannot load the graphs that it saved.",
        example: "{ op: \"slice\", … } saved by a build without `cuda`; now only builds with `cuda` have `slice`.",
        source: OPLOCK,
        cases: &[
            Case {
                message: "operator `{op}` existed where `{from}` holds, and now only where `{to}` does",
                breaks: "a graph {saved} that uses `{op}` no longer loads in builds that lost the operator",
                remedy: "give it back to every build that had it: `cfg({from})`",
                ..BREAK
            },
            Case {
                field: "cfg",
                from: "always",
                message: "operator `{op}` existed in every build, and now only where `{to}` holds",
                breaks: "a graph {saved} that uses `{op}` no longer loads in builds that lost the operator",
                remedy: "remove `cfg(…)`",
                ..BREAK
            },
            Case {
                field: FEATURE,
                message: "operator `{op}` existed where `{from}` holds, and Cargo.toml does not define the feature `{feature}`",
                breaks: "a graph {saved} that uses `{op}` no longer loads in builds that lost the operator",
                remedy: "bring the feature `{feature}` back",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "op_condition_widened",
        why: "Every build that had the operator still has it.",
        example: "{ op: \"flash_attention\", … } saved by a build with `cuda` loads in builds with `cuda`, and in others too.",
        source: OPLOCK,
        cases: &[Case {
            message: "operator `{op}` existed under the condition `{from}`, and now under `{to}`",
            ..ADDITION
        }],
    },
    Rule {
        name: "input_deleted",
        why: "A graph that connects the input would lose what it feeds in, or not load.",
        example: "{ op: \"slice\", inputs: { Input: [x], EndsTensor: [e] } }: without `EndsTensor` the slice would end elsewhere.",
        source: PADDLE,
        cases: &[
            Case {
                message: "input `{item}` of `{op}` is deleted",
                breaks: "a graph {saved} that connects `{item}` of `{op}` no longer loads",
                remedy: "bring the input back under the saved name `{item}`",
                ..BREAK
            },
            Case {
                message: "input `{item}` of `{op}` is renamed to `{to}`",
                breaks: "a graph of the new release that connects `{to}` of `{op}` does not load in older ones",
                remedy: "keep the saved name `{item}`: a field may be renamed as you like while its saved name stays",
                ..RENAMING
            },
        ],
    },
    Rule {
        name: "input_added",
        why: "Graphs without the input load as before, since it may be absent.",
        example: "{ op: \"slice\", inputs: { Input: [x] } } lacks the new input and loads.",
        source: PADDLE,
        cases: &[
            Case { message: "input `{item}` of `{op}` is added", ..ADDITION },
            Case { field: "extra", message: "input `{item}` of `{op}` is no longer extra", ..ADDITION },
        ],
    },
    Rule {
        name: "input_added_not_dispensable",
        why: "Every graph saved before lacks the input, and a required input must be there.",
        example: "{ op: \"slice\", inputs: { Input: [x] } } lacks the new input and does not load.",
        source: PADDLE,
        cases: &[
            Case {
                message: "the added input `{item}` of `{op}` is not dispensable",
                breaks: "a graph {saved} that uses `{op}` lacks `{item}` and no longer loads",
                remedy: "mark it `dispensable` (its field is then `Option<…>`, or stays `Vec<…>`), or put it into a new operator",
                ..BREAK
            },
            Case {
                field: "extra",
                message: "input `{item}` of `{op}` is no longer extra, and it is not dispensable",
                breaks: "a graph {saved} may lack `{item}`, which an exporter removed, and no longer loads",
                remedy: "mark it `dispensable`, or leave it `extra`",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "input_changed",
        why: "Each mark of an input says which graphs are well formed, so a change of one makes saved graphs ill formed.",
        example: "{ op: \"slice\", inputs: { Input: [x] } } without `EndsTensor`, which is now required, does not load.",
        source: PADDLE,
        cases: &[
            Case {
                message: "`{field}` of input `{item}` of `{op}` changed from {from} to {to}",
                breaks: "a graph {saved} that uses `{op}` was checked against another signature",
                remedy: "restore `{field}` to {from}",
                ..BREAK
            },
            Case {
                field: "dispensable",
                from: "true",
                message: "input `{item}` of `{op}` is no longer dispensable",
                breaks: "a graph {saved} whose `{op}` node leaves `{item}` unconnected no longer loads",
                remedy: "mark it `dispensable` again",
                ..BREAK
            },
            Case {
                field: "dispensable",
                from: "false",
                message: "input `{item}` of `{op}` became dispensable",
                breaks: "a graph of the new release that leaves `{item}` unconnected does not load in older ones",
                remedy: "remove `dispensable`, or allow relaxations: `relaxations = \"minor\"` in [package.metadata.oplock]",
                ..RELAXATION
            },
            Case {
                field: "duplicable",
                from: "true",
                message: "input `{item}` of `{op}` is no longer duplicable",
                breaks: "a graph {saved} whose `{op}` node connects several variables to `{item}` no longer loads",
                remedy: "mark it `duplicable` again",
                ..BREAK
            },
            Case {
                field: "duplicable",
                from: "false",
                message: "input `{item}` of `{op}` became duplicable",
                breaks: "a graph of the new release that connects several variables to `{item}` does not load in older ones",
                remedy: "remove `duplicable`, or allow relaxations: `relaxations = \"minor\"` in [package.metadata.oplock]",
                ..RELAXATION
            },
            Case {
                field: "extra",
                message: "input `{item}` of `{op}` became extra, which takes its promise back",
                breaks: "a graph {saved} that connects `{item}` of `{op}` loses it when it is exported",
                remedy: "remove `extra`",
                ..BREAK
            },
            Case {
                field: "intermediate",
                from: "false",
                message: "input `{item}` of `{op}` became intermediate",
                breaks: "a graph of the new release that leaves `{item}` unconnected does not load in older ones",
                remedy: "remove `intermediate`",
                ..BREAK
            },
            Case {
                field: "intermediate",
                from: "true",
                message: "input `{item}` of `{op}` is no longer intermediate",
                breaks: "a graph {saved} whose `{op}` node leaves `{item}` unconnected no longer loads",
                remedy: "mark it `intermediate` again",
                ..BREAK
            },
            Case {
                field: "quant",
                from: "true",
                message: "input `{item}` of `{op}` is no longer quant",
                breaks: "a graph {saved} may lack `{item}`, which a quantised export removed, and is taken for a complete one",
                remedy: "mark it `quant` again",
                ..BREAK
            },
            Case {
                field: "quant",
                from: "false",
                message: "input `{item}` of `{op}` became quant",
                breaks: "a graph {saved} that connects `{item}` of `{op}` loses it in a quantised export",
                remedy: "remove `quant`",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "output_deleted",
        why: "A graph that reads the output would read a variable that nothing writes.",
        example: "{ op: \"batch_norm\", outputs: { Y: [y], SavedMean: [m] } }: without `SavedMean` nothing writes `m`.",
        source: PADDLE,
        cases: &[
            Case {
                message: "output `{item}` of `{op}` is deleted",
                breaks: "a graph {saved} that connects `{item}` of `{op}` no longer loads",
                remedy: "bring the output back under the saved name `{item}`",
                ..BREAK
            },
            Case {
                message: "output `{item}` of `{op}` is renamed to `{to}`",
                breaks: "a graph of the new release that connects `{to}` of `{op}` does not load in older ones",
                remedy: "keep the saved name `{item}`: a field may be renamed as you like while its saved name stays",
                ..RENAMING
            },
        ],
    },
    Rule {
        name: "output_added",
        why: "Graphs without the output load as before, since it may be absent.",
        example: "{ op: \"dropout\", outputs: { Out: [y] } } lacks the new output and loads.",
        source: PADDLE,
        cases: &[
            Case { message: "output `{item}` of `{op}` is added", ..ADDITION },
            Case { field: "extra", message: "output `{item}` of `{op}` is no longer extra", ..ADDITION },
        ],
    },
    Rule {
        name: "output_added_not_dispensable",
        why: "Every graph saved before lacks the output, and a required output must be there.",
        example: "{ op: \"dropout\", outputs: { Out: [y] } } lacks the new output and does not load.",
        source: PADDLE,
        cases: &[
            Case {
                message: "the added output `{item}` of `{op}` is not dispensable",
                breaks: "a graph {saved} that uses `{op}` lacks `{item}` and no longer loads",
                remedy: "mark it `dispensable` (its field is then `Option<…>`, or stays `Vec<…>`), or put it into a new operator",
                ..BREAK
            },
            Case {
                field: "extra",
                message: "output `{item}` of `{op}` is no longer extra, and it is not dispensable",
                breaks: "a graph {saved} may lack `{item}`, which an exporter removed, and no longer loads",
                remedy: "mark it `dispensable`, or leave it `extra`",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "output_changed",
        why: "Each mark of an output says which graphs are well formed, so a change of one makes saved graphs ill formed.",
        example: "{ op: \"split\", outputs: { Out: [a, b] } } with an `Out` that is now a single variable does not load.",
        source: PADDLE,
        cases: &[
            Case {
                message: "`{field}` of output `{item}` of `{op}` changed from {from} to {to}",
                breaks: "a graph {saved} that uses `{op}` was checked against another signature",
                remedy: "restore `{field}` to {from}",
                ..BREAK
            },
            Case {
                field: "dispensable",
                from: "true",
                message: "output `{item}` of `{op}` is no longer dispensable",
                breaks: "a graph {saved} whose `{op}` node leaves `{item}` unconnected no longer loads",
                remedy: "mark it `dispensable` again",
                ..BREAK
            },
            Case {
                field: "dispensable",
                from: "false",
                message: "output `{item}` of `{op}` became dispensable",
                breaks: "a graph of the new release that leaves `{item}` unconnected does not load in older ones",
                remedy: "remove `dispensable`, or allow relaxations: `relaxations = \"minor\"` in [package.metadata.oplock]",
                ..RELAXATION
            },
            Case {
                field: "duplicable",
                from: "true",
                message: "output `{item}` of `{op}` is no longer duplicable",
                breaks: "a graph {saved} whose `{op}` node connects several variables to `{item}` no longer loads",
                remedy: "mark it `duplicable` again",
                ..BREAK
            },
            Case {
                field: "duplicable",
                from: "false",
                message: "output `{item}` of `{op}` became duplicable",
                breaks: "a graph of the new release that connects several variables to `{item}` does not load in older ones",
                remedy: "remove `duplicable`, or allow relaxations: `relaxations = \"minor\"` in [package.metadata.oplock]",
                ..RELAXATION
            },
            Case {
                field: "intermediate",
                from: "true",
                message: "output `{item}` of `{op}` is no longer intermediate",
                breaks: "a graph {saved} whose `{op}` node leaves `{item}` unconnected no longer loads",
                remedy: "mark it `intermediate` again",
                ..BREAK
            },
            Case {
                field: "extra",
                message: "output `{item}` of `{op}` became extra, which takes its promise back",
                breaks: "a graph {saved} that reads `{item}` of `{op}` loses it when it is exported",
                remedy: "remove `extra`",
                ..BREAK
            },
            Case {
                field: "intermediate",
                from: "false",
                message: "output `{item}` of `{op}` became intermediate",
                breaks: "a graph of the new release that leaves `{item}` unconnected does not load in older ones",
                remedy: "remove `intermediate`",
                ..BREAK
            },
            Case {
                field: "quant",
                from: "true",
                message: "output `{item}` of `{op}` is no longer quant",
                breaks: "a graph {saved} may lack `{item}`, which a quantised export removed, and is taken for a complete one",
                remedy: "mark it `quant` again",
                ..BREAK
            },
            Case {
                field: "quant",
                from: "false",
                message: "output `{item}` of `{op}` became quant",
                breaks: "a graph {saved} that reads `{item}` of `{op}` loses it in a quantised export",
                remedy: "remove `quant`",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "attr_deleted",
        why: "A graph that sets the attribute asked for something that can no longer be had.",
        example: "{ op: \"slice\", attrs: { decrease_axis: [0] } }: without the attribute the result has another shape.",
        source: PADDLE,
        cases: &[
            Case {
                message: "attribute `{item}` of `{op}` is deleted",
                breaks: "a graph {saved} that sets `{item}` of `{op}` no longer loads",
                remedy: "bring the attribute back under the saved name `{item}`",
                ..BREAK
            },
            Case {
                message: "attribute `{item}` of `{op}` is renamed to `{to}`",
                breaks: "a graph of the new release that sets `{to}` of `{op}` does not load in older ones",
                remedy: "keep the saved name `{item}`: a field may be renamed as you like while its saved name stays",
                ..RENAMING
            },
        ],
    },
    Rule {
        name: "attr_added",
        why: "Graphs without the attribute get its default, which stands for what the operator did before.",
        example: "{ op: \"conv\", attrs: {} } gets `data_format = \"NHWC\"` and computes what it did.",
        source: PADDLE,
        cases: &[
            Case { message: "attribute `{item}` of `{op}` is added", ..ADDITION },
            Case { field: "extra", message: "attribute `{item}` of `{op}` is no longer extra", ..ADDITION },
        ],
    },
    Rule {
        name: "attr_declared_twice",
        why: "A name in a saved graph must stand for one thing.",
        example: "{ op: \"slice\", attrs: { op_role: 1 } } while both `slice` and all operators have an attribute `op_role`.",
        source: OPLOCK,
        cases: &[Case {
            message: "attribute `{item}` of `{op}` is one that all operators have",
            breaks: "a graph that sets `{item}` of `{op}` could mean either",
            remedy: "remove it from the operator, or from `oplock::lock! { common { … } }`",
            ..BREAK
        }],
    },
    Rule {
        name: "attr_added_without_default",
        why: "Every graph saved before lacks the attribute, and nothing says what it means there.",
        example: "{ op: \"run_program\", attrs: {} } lacks `program_id` and does not load.",
        source: PADDLE,
        cases: &[
            Case {
                message: "the added attribute `{item}` of `{op}` has no default",
                breaks: "a graph {saved} that uses `{op}` lacks `{item}` and no longer loads",
                remedy: "give it the default that stands for what `{op}` did before: `default = …`",
                ..BREAK
            },
            Case {
                field: "extra",
                message: "attribute `{item}` of `{op}` is no longer extra, and it has no default",
                breaks: "a graph {saved} may lack `{item}`, which an exporter removed, and no longer loads",
                remedy: "give it a default, or leave it `extra`",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "attr_changed",
        why: "A saved value keeps its type, and an absent one its default: a change of either gives old graphs another meaning or none.",
        example: "{ op: \"slice\", attrs: {} } meant `starts = []`; with the default [1] it slices elsewhere, and nobody is told.",
        source: PADDLE,
        cases: &[
            Case {
                message: "`{field}` of attribute `{item}` of `{op}` changed from {from} to {to}",
                breaks: "a graph {saved} that sets `{item}` of `{op}` was checked against another signature",
                remedy: "restore `{field}` to {from}",
                ..BREAK
            },
            Case {
                field: "type",
                message: "the type of attribute `{item}` of `{op}` changed from `{from}` to `{to}`",
                breaks: "a graph {saved} that holds `{item}` of `{op}` as `{from}` no longer loads",
                remedy: "restore the type `{from}`, or add an attribute of another name with a default",
                ..BREAK
            },
            Case {
                field: "default",
                from: "none",
                message: "attribute `{item}` of `{op}` got the default {to}",
                breaks: "a graph of the new release that leaves `{item}` out does not load in older ones",
                remedy: "remove the default, or allow relaxations: `relaxations = \"minor\"` in [package.metadata.oplock]",
                ..RELAXATION
            },
            Case {
                field: "default",
                to: "none",
                message: "attribute `{item}` of `{op}` lost its default {from}",
                breaks: "a graph {saved} whose `{op}` node leaves `{item}` out no longer loads",
                remedy: "restore `default = {from}`",
                ..BREAK
            },
            Case {
                field: "default",
                message: "the default of attribute `{item}` of `{op}` changed from {from} to {to}",
                breaks: "a graph {saved} whose `{op}` node leaves `{item}` out would mean {to} where it meant {from}",
                remedy: "restore `default = {from}`, or add an attribute of another name",
                ..BREAK
            },
            Case {
                field: "values",
                from: "any",
                message: "attribute `{item}` of `{op}` allowed every value, and now only {to}",
                breaks: "a graph {saved} that sets `{item}` of `{op}` to another value no longer loads",
                remedy: "remove `values`",
                ..BREAK
            },
            Case {
                field: "values",
                message: "attribute `{item}` of `{op}` allowed {from}, and now {to}",
                breaks: "a graph {saved} that sets `{item}` of `{op}` to a value that is gone no longer loads",
                remedy: "allow every value again that was allowed: {from}",
                ..BREAK
            },
            Case {
                field: "extra",
                message: "attribute `{item}` of `{op}` became extra, which takes its promise back",
                breaks: "a graph {saved} that sets `{item}` of `{op}` loses the value when it is exported",
                remedy: "remove `extra`",
                ..BREAK
            },
            Case {
                field: "quant",
                from: "true",
                message: "attribute `{item}` of `{op}` is no longer quant",
                breaks: "a graph {saved} may lack `{item}`, which a quantised export removed, and is taken for a complete one",
                remedy: "mark it `quant` again",
                ..BREAK
            },
            Case {
                field: "generated",
                from: "false",
                message: "attribute `{item}` of `{op}` became generated",
                breaks: "a graph {saved} holds the `{item}` that its author chose, which `{op}` now takes for a generated one",
                remedy: "remove `generated`",
                ..BREAK
            },
            Case {
                field: "generated",
                from: "true",
                message: "attribute `{item}` of `{op}` is no longer generated",
                breaks: "a graph {saved} holds a generated `{item}`, which `{op}` now takes for its author's choice",
                remedy: "mark it `generated` again",
                ..BREAK
            },
            Case {
                field: "quant",
                from: "false",
                message: "attribute `{item}` of `{op}` became quant",
                breaks: "a graph {saved} that sets `{item}` of `{op}` loses the value in a quantised export",
                remedy: "remove `quant`",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "name_reused",
        why: "A deleted name may still stand in saved graphs, and with another signature it would mean something else there.",
        example: "{ op: \"pad\", attrs: { mode: 1 } } saved before `mode` was deleted; a new `mode` of another type or default is not what it meant.",
        source: OPLOCK,
        cases: &[Case {
            message: "{subject} was deleted, and comes back with another signature: {from} became {to}",
            breaks: "a graph {saved} that has it would load and mean something else, or not load",
            remedy: "take another name, or bring it back as it was: {from}",
            ..BREAK
        }],
    },
    Rule {
        name: "attr_value_added",
        why: "Every value that a graph may hold is still allowed.",
        example: "{ op: \"pad\", attrs: { mode: \"reflect\" } } loads as before.",
        source: OPLOCK,
        cases: &[Case { message: "attribute `{item}` of `{op}` allowed {from}, and now {to}", ..ADDITION }],
    },
    Rule {
        name: "attr_minimum_raised",
        why: "A graph may hold a smaller value, or a shorter list, which no longer loads.",
        example: "{ op: \"top_k\", attrs: { k: 0 } } does not load once the minimum of `k` is 1.",
        source: TENSORFLOW,
        cases: &[
            Case {
                message: "the minimum of attribute `{item}` of `{op}` is raised from {from} to {to}",
                breaks: "a graph {saved} whose `{item}` of `{op}` is below {to} (a list: is shorter) no longer loads",
                remedy: "restore `min = {from}`",
                ..BREAK
            },
            Case {
                field: "min",
                from: "none",
                message: "attribute `{item}` of `{op}` had no minimum, and now has {to}",
                breaks: "a graph {saved} whose `{item}` of `{op}` is below {to} (a list: is shorter) no longer loads",
                remedy: "remove `min`",
                ..BREAK
            },
            Case {
                field: "type",
                message: "attribute `{item}` of `{op}` may no longer be negative: its type changed from `{from}` to `{to}`",
                breaks: "a graph {saved} that sets `{item}` of `{op}` to a negative value no longer loads",
                remedy: "restore the type `{from}`",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "attr_minimum_lowered",
        why: "Every value that a graph may hold is still allowed.",
        example: "{ op: \"top_k\", attrs: { k: 1 } } loads as before.",
        source: TENSORFLOW,
        cases: &[
            Case { message: "the minimum of attribute `{item}` of `{op}` is lowered from {from} to {to}", ..ADDITION },
            Case {
                field: "type",
                message: "attribute `{item}` of `{op}` may be negative now: its type changed from `{from}` to `{to}`",
                ..ADDITION
            },
        ],
    },
    Rule {
        name: "extra_added",
        why: "Extra items carry no promise: every export removes them.",
        example: "{ op: \"slice\", attrs: { use_mkldnn: true } }: what an exporter removes, no reader needs.",
        source: PADDLE,
        cases: &[Case { message: "extra {kind} `{item}` of `{op}` is added", ..FREE }],
    },
    Rule {
        name: "extra_deleted",
        why: "Extra items carry no promise: every export removes them.",
        example: "{ op: \"conv2d\", attrs: { fuse_brelu: true } } loads; the value is dropped and noted.",
        source: PADDLE,
        cases: &[Case { message: "extra {kind} `{item}` of `{op}` is deleted", ..FREE }],
    },
    Rule {
        name: "extra_changed",
        why: "Extra items carry no promise: every export removes them.",
        example: "{ op: \"slice\", attrs: { use_mkldnn: true } }: what an exporter removes, no reader needs.",
        source: PADDLE,
        cases: &[Case { message: "extra {kind} `{item}` of `{op}` changed from {from} to {to}", ..FREE }],
    },
    Rule {
        name: "unguarded_changed",
        why: "Experimental operators, and names that begin with `_`, are outside the guarantee: recorded, never enforced.",
        example: "{ op: \"_debug_print\", … }: whoever saves it was told that it may not load tomorrow.",
        source: OPLOCK,
        cases: &[Case { message: "{subject}, which is outside the guarantee, changed", ..FREE }],
    },
];
