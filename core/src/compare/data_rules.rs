//! The rules of data versions and of upgrades. `docs/versions.md` is the source of each.

use super::rules::{ADDITION, BREAK, Case, FREE, Rule};

const OPLOCK: &str = "oplock, docs/versions.md";
const TENSORFLOW: &str = "TensorFlow, data versions of graphs and checkpoints (producer, min_producer, min_consumer, bad_consumers); oplock, docs/versions.md";

/// The rules of this file.
pub(super) const DATA_RULES: &[Rule] = &[
    Rule {
        name: "data_version_added",
        why: "What is written says which version it has, so a reader knows what it may expect.",
        example: "A graph of version 8 loads wherever version 8 is known, and where it uses nothing that came after version 4, there too.",
        source: TENSORFLOW,
        cases: &[
            Case { message: "data version {to} of {data}s is added", ..ADDITION },
            Case {
                field: "bad_consumers",
                message: "data version {to} of {data}s is added, and all that it does is to name a bad consumer",
                ..FREE
            },
        ],
    },
    Rule {
        name: "data_version_removed",
        why: "Data that says a version was written, and a reader that does not know the version cannot judge it.",
        example: "{ producer: 8, … } was saved by 1.4.0; a reader whose newest version is 4 takes it for data of the future.",
        source: TENSORFLOW,
        cases: &[Case {
            message: "data version {from} of {data}s is gone",
            breaks: "{data}s {saved} say version {from}, which this build does not know",
            remedy: "bring `version {from}` back in `oplock::lock!`, under `saved {data}`",
            ..BREAK
        }],
    },
    Rule {
        name: "data_version_changed",
        why: "The history tells what each version brought, and what was released does not change.",
        example: "Version 8 = \"`inv` is deprecated\" in 1.4.0; a 1.5.0 that says \"`inv` works again\" lies about what 1.4.0 wrote.",
        source: OPLOCK,
        cases: &[Case {
            message: "what data version {to} of {data}s brought is told in other words, and it is released",
            breaks: "{data}s {saved} at that version were written with another understanding of it",
            remedy: "restore the words: {from}",
            ..BREAK
        }],
    },
    Rule {
        name: "data_version_not_above",
        why: "Versions count upwards: data of a later release has a greater one, or it would be taken for older data.",
        example: "{ producer: 7, … } of a 1.5.0 whose predecessor wrote version 8 would be upgraded as if it were older.",
        source: TENSORFLOW,
        cases: &[Case {
            message: "data version {to} of {data}s is new, and version {from} is released",
            breaks: "{data}s at version {to} would be taken for older than those {saved}",
            remedy: "give it a number above {from}",
            ..BREAK
        }],
    },
    Rule {
        name: "bad_consumer_added",
        why: "A reader that is known to misread what is written now refuses it instead.",
        example: "Version 6 rounds wrongly: { producer: 8, bad_consumers: [6] } is refused by the build of version 6.",
        source: TENSORFLOW,
        cases: &[Case { message: "version {to} is named a bad consumer of {data}s", ..FREE }],
    },
    Rule {
        name: "bad_consumer_removed",
        why: "A reader that misreads does so for good: it is out in the world.",
        example: "Version 6 rounds wrongly; { producer: 9, bad_consumers: [] } would be misread by it again.",
        source: TENSORFLOW,
        cases: &[Case {
            message: "version {from} is no longer named a bad consumer of {data}s",
            breaks: "a {data} of the new release is misread by the build of version {from}",
            remedy: "name it again: `bad_consumers = [{from}];` in `oplock::lock!`, under `saved {data}`",
            ..BREAK
        }],
    },
    Rule {
        name: "min_consumer_raised",
        why: "Older data loads as ever; what is written now says who may read it.",
        example: "{ producer: 8, min_consumer: 8 } is refused by the build of version 4, which would misread it.",
        source: TENSORFLOW,
        cases: &[Case { message: "`min_consumer` of {data}s rises from {from} to {to}", ..ADDITION }],
    },
    Rule {
        name: "min_consumer_lowered",
        why: "The readers that were kept away would misread what is written now as they would have before.",
        example: "{ producer: 9, min_consumer: 4 } is accepted by the build of version 4, which was kept away before.",
        source: TENSORFLOW,
        cases: &[Case {
            message: "`min_consumer` of {data}s falls from {from} to {to}",
            breaks: "a {data} of the new release may be misread by builds below version {from}",
            remedy: "restore `min_consumer = {from};` in `oplock::lock!`, under `saved {data}`",
            ..BREAK
        }],
    },
    Rule {
        name: "min_producer_raised",
        why: "Data of an older producer is refused, whatever it uses.",
        example: "{ producer: 3, … } loads while `min_producer` is 1, and is refused when it is 4.",
        source: TENSORFLOW,
        cases: &[Case {
            message: "`min_producer` of {data}s rises from {from} to {to}",
            breaks: "every {data} {saved} at a data version below {to} is refused",
            remedy: "restore `min_producer = {from};` in `oplock::lock!`, under `saved {data}`",
            ..BREAK
        }],
    },
    Rule {
        name: "min_producer_too_early",
        why: "Who has saved data must have had the time to write it anew with a release that writes a version which stays readable.",
        example: "No release has written version 8 yet, so a `min_producer` of 8 refuses every file that there is.",
        source: OPLOCK,
        cases: &[Case {
            message: "`min_producer` of {data}s rises to {to}, and no release writes that version yet",
            breaks: "every {data} {saved} is refused, and no release could have written one that is not",
            remedy: "release the version first; the window is `min-producer-window` in [package.metadata.oplock], zero below 1.0",
            ..BREAK
        }],
    },
    Rule {
        name: "min_producer_lowered",
        why: "What was refused was no longer kept readable: breaks were left without a way to upgrade.",
        example: "{ producer: 3, … } was refused by 2.0.0; no upgrade of it is kept, so 2.1.0 would misread it.",
        source: TENSORFLOW,
        cases: &[Case {
            message: "`min_producer` of {data}s falls from {from} to {to}",
            breaks: "a {data} below version {from} would be accepted, and nothing upgrades it",
            remedy: "restore `min_producer = {from};` in `oplock::lock!`, under `saved {data}`",
            ..BREAK
        }],
    },
    Rule {
        name: "upgrade_added",
        why: "It only says how older graphs are read.",
        example: "{ op: \"pad\", attrs: { mode: \"constant\" } } of version 8 becomes what it means at version 9.",
        source: OPLOCK,
        cases: &[Case { message: "an upgrade of `{op}` nodes saved before data version {to} is added", ..FREE }],
    },
    Rule {
        name: "upgrade_removed",
        why: "Graphs that it upgraded would load unchanged, and mean something else.",
        example: "{ op: \"pad\", attrs: { mode: \"constant\" } } of version 8: without the upgrade nothing knows what `mode` was.",
        source: OPLOCK,
        cases: &[
            Case {
                message: "the upgrade of `{op}` nodes saved before data version {to} is gone",
                breaks: "a graph at a data version below {to} that uses `{op}` loads without it, and means something else, or does not load",
                remedy: "bring the function with `#[oplock::upgrade(op = \"{op}\", before = {to})]` back",
                ..BREAK
            },
            Case {
                field: "min_producer",
                message: "the upgrade of `{op}` nodes saved before data version {to} is gone, and such graphs are refused anyway",
                ..FREE
            },
        ],
    },
    Rule {
        name: "break_without_version",
        why: "An older release must be able to refuse what it would misread, and all that it knows of a graph is its data versions.",
        example: "{ op: \"pad\", … } saved by 2.0.0, where `mode` means something else: without a new version 1.9.0 reads it in the old meaning.",
        source: OPLOCK,
        cases: &[Case {
            message: "the break of {subject} takes no data version: the last release writes version {from}, and no greater one is declared",
            breaks: "a graph of the new release is read by older ones, which know nothing of the break",
            remedy: "declare the version that it takes, in `oplock::lock!` under `saved graph`: `version {to} = \"what breaks\";`",
            ..BREAK
        }],
    },
    Rule {
        name: "break_not_covered",
        why: "A graph that the version check accepts must load and mean what it meant, so each break needs a way over it.",
        example: "{ op: \"pad\", attrs: { mode: \"constant\" } } of version 8 passes the version check; version 9 has no `mode`.",
        source: OPLOCK,
        cases: &[
            NOT_COVERED,
            Case {
                field: "op_deleted",
                remedy: "write what becomes of such a node, or why nothing does: `#[oplock::upgrade(op = \"{op}\", before = {to})] fn upgrade(node: &mut oplock::graph::Upgrade<'_>) -> Result<(), oplock::graph::UpgradeError>`\n  \
                         help: or keep it, with `deprecated(version = {to}, note = \"…\")`, and delete it in a later release, when `min_producer` has reached {to}\n  \
                         help: or refuse graphs saved before it: `min_producer = {to};` in `oplock::lock!`, under `saved graph` (in a major release)",
                ..NOT_COVERED
            },
        ],
    },
];

const NOT_COVERED: Case = Case {
    message: "{from}: nothing upgrades graphs saved before data version {to}, and they are still read",
    breaks: "a graph {saved} at a data version below {to} that uses `{op}` passes the version check, and no longer loads or means something else",
    remedy: "write how such a node is upgraded: `#[oplock::upgrade(op = \"{op}\", before = {to})] fn upgrade(node: &mut oplock::graph::Upgrade<'_>) -> Result<(), oplock::graph::UpgradeError>`\n  \
             help: or refuse graphs saved before it: `min_producer = {to};` in `oplock::lock!`, under `saved graph` (in a major release)",
    ..BREAK
};
