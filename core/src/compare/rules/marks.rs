//! What may be said of operators and items beside their signature: other names, deprecations, revisions, earlier owners.

use super::{ADDITION, BREAK, Case, FREE, OPLOCK, Rule};

/// The rules of aliases, deprecations, revisions and moves.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "op_deprecated",
        why: "Graphs saved before still load, with a warning; only graphs of the new data version must do without the operator.",
        example: "{ op: \"inv\", … } saved at data version 7 loads; at version 8 nobody can save it any more.",
        source: OPLOCK,
        cases: &[Case { message: "operator `{op}` is deprecated from data {to}", ..ADDITION }],
    },
    Rule {
        name: "item_deprecated",
        why: "Graphs saved before still load, with a warning; only graphs of the new data version must do without the item.",
        example: "{ op: \"resize\", attrs: { align: true } } saved at data version 7 loads; at version 8 it cannot be saved.",
        source: OPLOCK,
        cases: &[Case { message: "{subject} is deprecated from data {to}", ..ADDITION }],
    },
    Rule {
        name: "deprecation_removed",
        why: "What may be used again is used by new graphs only, and older releases refuse it there: it is promised anew.",
        example: "{ op: \"inv\", … } saved by the new release does not load in the one that deprecated `inv`.",
        source: OPLOCK,
        cases: &[Case { message: "{subject} is no longer deprecated (it was from data {from})", ..ADDITION }],
    },
    Rule {
        name: "deprecation_postponed",
        why: "Every graph that might use it still may.",
        example: "{ op: \"inv\", … } saved at data version 7, before the earlier one of both, loads as before.",
        source: OPLOCK,
        cases: &[Case { message: "{subject} was deprecated from data {from}, and is now from data {to}", ..ADDITION }],
    },
    Rule {
        name: "deprecation_advanced",
        why: "A graph saved between the two data versions used what it was allowed to use.",
        example: "{ op: \"inv\", … } saved at data version 9 was legal while `inv` was deprecated from version 12, and is refused \
                  once it is from version 8.",
        source: OPLOCK,
        cases: &[Case {
            message: "{subject} was deprecated from data {from}, and is now from data {to}",
            breaks: "a graph {saved} at a data version between the two that uses it no longer loads",
            remedy: "restore the data version of the deprecation: it was deprecated from data {from}",
            ..BREAK
        }],
    },
    Rule {
        name: "op_revised",
        why: "A graph that names the operator meant what it did then; the signature alone cannot tell that it does something else.",
        example: "{ op: \"round\", inputs: { X: [2.5] } } gave 3 and gives 2 once ties go to even, and nobody is told.",
        source: OPLOCK,
        cases: &[Case {
            message: "the behaviour of operator `{op}` is revised in data {to}",
            breaks: "a graph {saved} that uses `{op}` would compute something else",
            remedy: "leave `{op}` as it is, and declare what is new as an operator of its own: #[op(\"{op}_v2\")]",
            ..BREAK
        }],
    },
    Rule {
        name: "revision_removed",
        why: "A graph from before the revision is read as one from after it, when nothing says that there was one.",
        example: "{ op: \"round\", … } saved at data version 8, before ties went to even at 9: without the revision it is taken for \
                  one whose ties do.",
        source: OPLOCK,
        cases: &[Case {
            message: "the revision of operator `{op}` in data {from} is no longer declared",
            breaks: "a graph {saved} from before that revision would be read as one from after it",
            remedy: "declare it again: it was a revision in data {from}",
            ..BREAK
        }],
    },
    Rule {
        name: "note_changed",
        why: "A note is read by people, and never by a loader.",
        example: "{ op: \"inv\", … } loads as before, with a warning in other words.",
        source: OPLOCK,
        cases: &[Case { message: "the note of `{field}` of {subject} changed from {from} to {to}", ..FREE }],
    },
    Rule {
        name: "alias_added",
        why: "A graph that used the other name is read, and every other graph as before.",
        example: "{ op: \"resize\", inputs: { In: [x] } } loads, and `In` is read as `X`.",
        source: OPLOCK,
        cases: &[Case { message: "{subject} may be read under the name `{to}` too", ..ADDITION }],
    },
    Rule {
        name: "alias_removed",
        why: "A graph that used the other name no longer finds what it names.",
        example: "{ op: \"resize\", inputs: { In: [x] } } saved before `In` became `X` no longer loads.",
        source: OPLOCK,
        cases: &[Case {
            message: "{subject} is no longer read under the name `{from}`",
            breaks: "a graph {saved} that says `{from}` no longer loads",
            remedy: "say it again: `alias(\"{from}\")`",
            ..BREAK
        }],
    },
    Rule {
        name: "alias_narrows",
        why: "Whatever was legal under the old name is read under the new one, so that must accept all of it, with its meaning.",
        example: "{ op: \"resize\", attrs: {} } saved when `mode` was \"nearest\" by default; read as `method`, which is \"linear\" by \
                  default, it means something else.",
        source: OPLOCK,
        cases: &[Case {
            message: "{subject} does not accept all that its alias `{from}` allowed: {to}",
            breaks: "a graph {saved} that says `{from}` would not load under the new name, or mean something else",
            remedy: "let it accept all that `{from}` did, or remove the alias and let a function upgrade such graphs",
            ..BREAK
        }],
    },
    Rule {
        name: "alias_taken",
        why: "A name in a saved graph must stand for one thing.",
        example: "{ op: \"resize\", … } while both an operator `resize` and another with the alias `resize` are there.",
        source: OPLOCK,
        cases: &[Case {
            message: "the alias `{from}` of operator `{op}` stands for operator `{to}` as well",
            breaks: "a graph that uses `{from}` could mean either",
            remedy: "remove the alias here or there, or delete the operator that it is to replace",
            ..BREAK
        }],
    },
    Rule {
        name: "version_released",
        why: "Graphs of a data version that a release writes were saved under that release's rules, and no later one may change them.",
        example: "{ op: \"inv\", … } saved at data version 8 by 1.4.0 was legal; a deprecation at 8 that comes with 1.5.0 would \
                  refuse it.",
        source: OPLOCK,
        cases: &[
            Case {
                message: "{subject} is deprecated from data version {to}, and a release has written graphs of version {from}",
                breaks: "a graph of version {to} that uses it was saved legally, and would be refused",
                remedy: "name a new data version above {from}, and declare it among the versions of `saved graph` in `lock!`",
                ..BREAK
            },
            Case {
                field: "revised",
                message: "operator `{op}` is revised in data version {to}, and a release has written graphs of version {from}",
                breaks: "a graph of version {to} that uses `{op}` was saved before the revision, and would be read as one from \
                         after it",
                remedy: "name a new data version above {from}, and declare it among the versions of `saved graph` in `lock!`",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "version_undeclared",
        why: "A data version is declared with what it brought before anything can be said of it.",
        example: "{ op: \"inv\", … } saved at the newest version, 4: no graph would ever reach the version 8 from which `inv` is \
                  deprecated.",
        source: OPLOCK,
        cases: &[
            Case {
                message: "{subject} is deprecated from data version {to}, which is not declared (there is {from})",
                breaks: "no graph has version {to}, so whether one may use it cannot be told",
                remedy: "declare it, with what it brings, among the versions of `saved graph` in `lock!`: `version {to} = \"…\";`",
                ..BREAK
            },
            Case {
                field: "revised",
                message: "operator `{op}` is revised in data version {to}, which is not declared (there is {from})",
                breaks: "no graph has version {to}, so which behaviour one means cannot be told",
                remedy: "declare it, with what it brings, among the versions of `saved graph` in `lock!`: `version {to} = \"…\";`",
                ..BREAK
            },
        ],
    },
    Rule {
        name: "moved_from_added",
        why: "Graphs that name the earlier owner find the operator here.",
        example: "{ op: \"nms\", … } of the package `vision-ops` loads once `detection-ops` says that it came from there.",
        source: OPLOCK,
        cases: &[Case { message: "operator `{op}` is said to come from the package `{to}`", ..ADDITION }],
    },
    Rule {
        name: "moved_from_changed",
        why: "A graph that names the earlier owner no longer finds the operator.",
        example: "{ op: \"nms\", … } of the package `vision-ops` is refused: no package that is linked says that `nms` is its.",
        source: OPLOCK,
        cases: &[Case {
            message: "operator `{op}` came from the package `{from}`, and now that is not said (instead: {to})",
            breaks: "a graph {saved} that uses `{op}` of the package `{from}` no longer loads",
            remedy: "say it again: `moved_from = \"{from}\"`",
            ..BREAK
        }],
    },
    Rule {
        name: "moved_unknown",
        why: "What the earlier owner's graphs mean is in the earlier owner's lock: which releases it had, what changed in them, and how the \
              operator was at last.",
        example: "{ op: \"nms\", attrs: {} } of the package `vision-ops`: which `threshold` it means depends on which release saved it.",
        source: OPLOCK,
        cases: &[Case {
            message: "operator `{op}` is said to come from the package `{from}`, and the lock holds nothing of that package's",
            breaks: "what a graph that `{from}` saved means cannot be told, so it is refused",
            remedy: "take over what the lock of `{from}` says of it: `cargo oplock update --moved-from PATH/ops.lock` (`init --moved-from` where \
                     no lock is here yet)",
            ..BREAK
        }],
    },
    Rule {
        name: "moved_narrows",
        why: "Whatever the earlier owner's graphs say is read here, so the operator must accept all of it, with its meaning.",
        example: "{ op: \"nms\", attrs: {} } of the package `vision-ops`, where `threshold` is 0.5 by default; where it is 0.3 by \
                  default, it means something else.",
        source: OPLOCK,
        cases: &[Case {
            message: "operator `{op}` does not accept all that it did in the package `{from}`: {to}",
            breaks: "a graph of `{from}` {saved} would not load, or mean something else",
            remedy: "let it be as it was in `{from}`, and change it in a later release, whose ledger then knows of it",
            ..BREAK
        }],
    },
];
