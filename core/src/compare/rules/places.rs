//! What may change of the places of operands, where a package promises them.

use super::{BREAK, Case, FREE, OPLOCK, Rule, SWAPPED};

/// The rules of places.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "operand_moved",
        why: "Whoever gives operands in their order, without their names, gives another one than is meant.",
        example: "sub(x, y) in a model that has no names, where `X` and `Y` of `sub` took each other's place: it computes y - x.",
        source: OPLOCK,
        cases: &[
            Case {
                message: "{kind} `{item}` of `{op}` moved from place {from} to place {to}",
                breaks: "a graph {saved} whose format gives the {kind}s of `{op}` in their order means another one by its number {to}",
                remedy: "put `{item}` back to place {from}; a new {kind} comes after all others, and is dispensable",
                ..BREAK
            },
            Case {
                field: SWAPPED,
                message: "{kind}s `{item}` and `{other}` of `{op}` are swapped: `{item}` moved from place {from} to place {to}",
                breaks: "a graph {saved} whose format gives the {kind}s of `{op}` in their order means `{other}` where it has `{item}`",
                remedy: "put both back to their places",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "operand_place_promised",
        why: "Nothing was promised of it before, and graphs name their operands.",
        example: "{ op: \"sub\", inputs: { X: [x], Y: [y] } } loads in both releases.",
        source: OPLOCK,
        cases: &[Case { message: "the place of {kind} `{item}` of `{op}` is promised now: {to}", ..FREE }],
    },
    Rule {
        name: "operand_place_dropped",
        why: "A model that gives operands in their order was promised that order.",
        example: "sub(x, y) in a model that has no names: nothing says any more that `X` comes first.",
        source: OPLOCK,
        cases: &[Case {
            message: "the place of {kind} `{item}` of `{op}`, which was {from}, is no longer promised",
            breaks: "a graph {saved} whose format gives the {kind}s of `{op}` in their order is no longer promised to mean them",
            remedy: "say `operands = \"positional\";` in `lock!` again",
            ..BREAK
        }],
    },
];
