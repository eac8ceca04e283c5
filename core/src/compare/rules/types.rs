//! What may change of element types, of numbers of variables and of flags: `TensorFlow`'s published practice for signatures, carried
//! over to type variables that are inferred.

use super::{ADDITION, BREAK, Case, FREE, OPLOCK, Rule, TENSORFLOW};

const TENSORFLOW_SIGNATURES: &str = "TensorFlow, how operators evolve: a fixed type may become an attribute whose default it is, and in no other way may \
     the types of inputs and outputs change";

/// The rules of element types, numbers and flags.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "operand_type_changed",
        why: "What feeds an input has the type that it was declared with, and what reads an output was promised its type.",
        example: "{ op: \"gather\", inputs: { Index: [i] } } with an `i` of i64; once `Index` is i32 it is refused, or read as \
                  something else.",
        source: TENSORFLOW_SIGNATURES,
        cases: &[
            Case {
                message: "the element type of {kind} `{item}` of `{op}` changed from {from} to {to}",
                breaks: "a graph {saved} may have another type at `{item}` of `{op}` than {to}",
                remedy: "restore the type {from}; what is of {to} belongs into a new operator",
                ..BREAK
            },
            Case {
                field: "of",
                from: "any",
                message: "{kind} `{item}` of `{op}` was of any element type, and now of {to}",
                breaks: "a graph {saved} may have another type at `{item}` of `{op}` than {to}",
                remedy: "remove `of`",
                ..BREAK
            },
            Case {
                field: "of",
                to: "any",
                message: "{kind} `{item}` of `{op}` was of element type {from}, and now nothing is promised of it",
                breaks: "a graph {saved} that reads `{item}` of `{op}` was promised {from}",
                remedy: "restore the type {from}",
                ..BREAK
            },
            Case {
                field: "heterogeneous",
                message: "the variables of {kind} `{item}` of `{op}` must be of one type now",
                breaks: "a graph {saved} whose `{op}` node has variables of several types at `{item}` is refused when it runs",
                remedy: "mark it `heterogeneous` again",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "operand_type_widened",
        why: "Every type that a graph may have there is still allowed.",
        example: "{ op: \"gather\", inputs: { Index: [i] } } with an `i` of i32 loads as before once `Index` may be i64 as well.",
        source: TENSORFLOW_SIGNATURES,
        cases: &[
            Case { message: "{kind} `{item}` of `{op}` was of element type {from}, and now of {to}", ..ADDITION },
            Case {
                field: "heterogeneous",
                message: "the variables of {kind} `{item}` of `{op}` may be of several types now",
                ..ADDITION
            },
        ],
    },
    Rule {
        name: "type_variable_changed",
        why: "A type variable is not saved, so its name promises nothing; what it allows is judged at what is of it.",
        example: "{ op: \"add\", inputs: { X: [x], Y: [y] } } loads as before once `T` is named `U`.",
        source: OPLOCK,
        cases: &[
            Case { message: "a type variable of `{op}` changed: {from} became {to}", ..FREE },
            Case {
                field: "of",
                message: "the element type of {kind} `{item}` of `{op}`, {from}, is now written {to}",
                ..FREE
            },
        ],
    },
    Rule {
        name: "type_set_narrowed",
        why: "A graph may have a type there that is no longer allowed.",
        example: "{ op: \"conv\", inputs: { X: [x] } } with an `x` of f16 is refused when it runs, once `T` no longer allows f16.",
        source: TENSORFLOW,
        cases: &[Case {
            message: "the types for which a type variable of `{op}` may stand are fewer: {from} became {to}",
            breaks: "a graph {saved} that uses `{op}` with a type that is gone is refused when it runs",
            remedy: "allow every type again that was allowed: {from}",
            ..BREAK
        }],
    },
    Rule {
        name: "type_set_widened",
        why: "Every type that a graph may have there is still allowed.",
        example: "{ op: \"conv\", inputs: { X: [x] } } with an `x` of f32 loads as before once `T` allows bf16 as well.",
        source: TENSORFLOW,
        cases: &[Case {
            message: "the types for which a type variable of `{op}` may stand are more: {from} became {to}",
            ..ADDITION
        }],
    },
    Rule {
        name: "operand_count_changed",
        why: "A graph has as many variables there as another attribute said, or as it liked.",
        example: "{ op: \"concat\", inputs: { X: [a, b, c] }, attrs: { N: 3 } } has three, whatever a new attribute `M` is by default.",
        source: TENSORFLOW_SIGNATURES,
        cases: &[
            Case {
                message: "attribute `{from}` said how many variables {kind} `{item}` of `{op}` has, and now `{to}` does",
                breaks: "a graph {saved} has as many variables at `{item}` of `{op}` as `{from}` says, and no longer loads",
                remedy: "let `{from}` say it again: `of = {from} * …`",
                ..BREAK
            },
            Case {
                field: "count",
                from: "none",
                message: "attribute `{to}` now says how many variables {kind} `{item}` of `{op}` has, which nothing said",
                breaks: "a graph {saved} may have another number of variables at `{item}` of `{op}`, and no longer loads",
                remedy: "remove the count; one variable may become several that an attribute counts whose default is 1",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "operand_count_relaxed",
        why: "Every number of variables that a graph may have there is still allowed.",
        example: "{ op: \"stack\", inputs: { X: [a] } } has one variable, which is the default of the new attribute `N`.",
        source: TENSORFLOW_SIGNATURES,
        cases: &[
            Case {
                message: "how many variables {kind} `{item}` of `{op}` has was said by `{from}`, and is by `{to}` now",
                ..ADDITION
            },
            Case {
                field: "count",
                from: "none",
                message: "{kind} `{item}` of `{op}` has as many variables as `{to}` says now, which is 1 by default",
                ..ADDITION
            },
            Case {
                field: "count",
                to: "none",
                message: "{kind} `{item}` of `{op}` may have another number of variables than `{from}` says",
                ..ADDITION
            },
        ],
    },
    Rule {
        name: "operand_minimum_raised",
        why: "A graph may have fewer variables there, and no longer loads.",
        example: "{ op: \"concat\", inputs: { X: [a] } } does not load once `X` takes at least 2.",
        source: TENSORFLOW,
        cases: &[Case {
            message: "the least number of variables of {kind} `{item}` of `{op}` is raised from {from} to {to}",
            breaks: "a graph {saved} whose `{op}` node has fewer than {to} variables at `{item}` no longer loads",
            remedy: "restore the least number {from}",
            ..BREAK
        }],
    },
    Rule {
        name: "operand_minimum_lowered",
        why: "Every number of variables that a graph may have there is still allowed.",
        example: "{ op: \"concat\", inputs: { X: [a, b] } } loads as before.",
        source: TENSORFLOW,
        cases: &[
            Case {
                message: "the least number of variables of {kind} `{item}` of `{op}` is lowered from {from} to {to}",
                ..ADDITION
            },
            Case {
                field: "min",
                from: "1",
                to: "1",
                message: "{kind} `{item}` of `{op}` takes at least one variable, as it does where nothing is said",
                ..ADDITION
            },
        ],
    },
    Rule {
        name: "operand_ref_changed",
        why: "What feeds an input that is not a reference has none to give, and what reads an output that is one may write to it.",
        example: "{ op: \"assign\", inputs: { ref: [x] } } with an `x` that is only a value has nothing to assign to.",
        source: TENSORFLOW_SIGNATURES,
        cases: &[
            Case {
                message: "{kind} `{item}` of `{op}` takes a variable by reference now",
                breaks: "a graph {saved} that feeds a mere value into `{item}` of `{op}` is refused when it runs",
                remedy: "remove `by_ref`",
                ..BREAK
            },
            Case {
                field: "by_ref",
                to: "false",
                message: "{kind} `{item}` of `{op}` is no longer by reference",
                breaks: "a graph {saved} that takes `{item}` of `{op}` for a reference is refused when it runs",
                remedy: "mark it `by_ref` again",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "operand_ref_relaxed",
        why: "A reference can be read as a value, so an input may ask for less, and an output may give more.",
        example: "{ op: \"shape\", inputs: { input: [x] } } with an `x` that is a reference loads as before once a value is enough.",
        source: TENSORFLOW_SIGNATURES,
        cases: &[
            Case { message: "{kind} `{item}` of `{op}` no longer needs a reference", ..ADDITION },
            Case { field: "by_ref", to: "true", message: "{kind} `{item}` of `{op}` is a reference now", ..ADDITION },
        ],
    },
    Rule {
        name: "op_flag_removed",
        why: "What reads, rewrites or runs a graph has relied on it.",
        example: "Two { op: \"random\", inputs: {} } of one block are two numbers; without `stateful` an optimiser may make them one.",
        source: OPLOCK,
        cases: &[
            Case {
                message: "operator `{op}` is no longer `{field}`",
                breaks: "of a graph {saved} an optimiser may now merge or leave out `{op}` nodes that were kept apart",
                remedy: "mark it `{field}` again",
                ..BREAK
            },
            Case {
                field: "commutative",
                message: "operator `{op}` is no longer `commutative`",
                breaks: "a graph {saved} in which an optimiser has swapped the inputs of `{op}` means something else",
                remedy: "mark it `commutative` again, and put what minds the order into a new operator",
                ..BREAK
            },
            Case {
                field: "aggregate",
                message: "operator `{op}` is no longer `aggregate`",
                breaks: "a graph {saved} in which an optimiser has grouped the inputs of `{op}` otherwise means something else",
                remedy: "mark it `aggregate` again, and put what minds the order into a new operator",
                ..BREAK
            },
            Case {
                field: "communication",
                message: "operator `{op}` no longer speaks with other processes (`communication`)",
                breaks: "of a graph {saved} one process may now run, delay or leave out `{op}` where another waits for it",
                remedy: "mark it `communication` again",
                ..BREAK
            },
            Case {
                field: "uninitialized",
                message: "operator `{op}` no longer takes variables that hold nothing yet (`uninitialized`)",
                breaks: "a graph {saved} that gives `{op}` such a variable is refused when it runs",
                remedy: "mark it `uninitialized` again",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "op_flag_added",
        why: "Nothing is done to a graph that was not before: it is optimised less, or more is taken; what may be swapped means the same.",
        example: "{ op: \"print\", inputs: { X: [x] } } loads as before, and is no longer left out where nothing reads it.",
        source: OPLOCK,
        cases: &[Case { message: "operator `{op}` is `{field}` now", ..ADDITION }],
    },
];
