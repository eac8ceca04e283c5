//! What is said of locks and approvals, beside the rules that say what changed: the names that stand behind it, and what
//! `cargo oplock explain` tells of each.

/// Something that a check may say.
pub(crate) struct Check {
    /// Snake case, and never another.
    pub(crate) name: &'static str,
    /// Why it is looked at, in one sentence.
    pub(crate) why: &'static str,
    /// A graph that it protects, or that shows what it is about.
    pub(crate) example: &'static str,
    /// What to do.
    pub(crate) remedy: &'static str,
    /// Where it is written down.
    pub(crate) source: &'static str,
}

const APPROVING: &str = "oplock, docs/breaking.md: An approval";
const BASE: &str = "oplock, docs/branches.md: Against a base";
const RELEASING: &str = "oplock, docs/releasing.md";

/// Every check, sorted by name.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        name: "approval_expired",
        why: "An approval with a last day was given for a time, and nobody has said since that it still holds.",
        example: "{ op: \"slice\", … } without `starts`: that no such graph is in use was true until the day that was named.",
        remedy: "take the change back, or remove the entry and let it be approved anew with `cargo oplock approve`",
        source: APPROVING,
    },
    Check {
        name: "approval_in_patch_release",
        why: "Who takes a patch release expects every graph to mean what it meant, whoever approved the contrary.",
        example: "{ op: \"slice\" } saved by 1.4.0 gets another `starts` in 1.4.1, which package managers install unasked.",
        remedy: "raise the package's version to the next minor one",
        source: APPROVING,
    },
    Check {
        name: "approval_unused",
        why: "An approval that matches no change waits to allow a later one that nobody has looked at.",
        example: "{ op: \"slice\" }: a default that went from [] to [1] was approved and taken back; the same change a year later \
                  would pass.",
        remedy: "correct the entry, so that it names one finding exactly, or remove it",
        source: APPROVING,
    },
    Check {
        name: "base_approved_since",
        why: "An approval that came and was sealed within one change is not seen in it as a whole, so the file's owners were \
              not asked.",
        example: "{ op: \"slice\" } without `starts` gets another default, which only the author of the change has approved.",
        remedy: "nothing, if the named commit was reviewed; else let one pull request approve, and a later one seal",
        source: BASE,
    },
    Check {
        name: "base_changed",
        why: "What a release promised, and since when, is history: another history lets a loader misjudge graphs.",
        example: "{ op: \"slice\", attrs: { axes: [0] } }: which releases load it depends on since when `axes` is promised.",
        remedy: "restore the lock of the base and run `cargo oplock update`",
        source: BASE,
    },
    Check {
        name: "base_laundered",
        why: "A lock that was made anew, or edited, agrees with the source and hides the break from every other check.",
        example: "{ op: \"slice\" } saved by 1.4.0 means `starts = []`; the edited lock says that it was [1] all along.",
        remedy: "restore the lock of the base and run `cargo oplock update`; the break then needs a major version or an approval",
        source: BASE,
    },
    Check {
        name: "base_lost",
        why: "A release or a ledger row that is gone takes the tombstones and promises with it that rest on it.",
        example: "{ op: \"pad\", attrs: { mode: 1 } } saved before `mode` was deleted: without the row a new `mode` could take \
                  its place.",
        remedy: "restore the lock of the base and run `cargo oplock update`",
        source: BASE,
    },
    Check {
        name: "base_noted",
        why: "What no release carried may be taken back; it is told, since the other branch may build on it.",
        example: "{ op: \"neg\" } saved by a build between two releases does not load: no release ever promised that it would.",
        remedy: "nothing, if it was meant",
        source: BASE,
    },
    Check {
        name: "base_unannounced_break",
        why: "A release that is no major version may break only what a named person approved.",
        example: "{ op: \"slice\", … } saved by 1.4.0 does not load in 1.5.0, and nobody said that it need not.",
        remedy: "restore the lock of the base; then plan a major version, or let the break be approved",
        source: BASE,
    },
    Check {
        name: "base_unapproved",
        why: "A name and a reason in the ledger were written there by sealing an approval, or by hand.",
        example: "{ op: \"slice\" } without `starts` gets another default, and nobody but the ledger knows of an approval.",
        remedy: "restore the lock of the base, run `cargo oplock approve`, commit the approval, then `cargo oplock seal`; deepen \
                 a shallow clone first",
        source: BASE,
    },
    Check {
        name: "could_not_run",
        why: "What could not be looked at is not in order.",
        example: "No graph: the package does not build, or its lock cannot be read.",
        remedy: "what the message says",
        source: "oplock, docs/ci.md",
    },
    Check {
        name: "golden_lost",
        why: "Without its golden graphs nothing shows that what a release saved still loads, and means the same.",
        example: "golden/1.0.0/network.json, which a changed default would compute differently, is deleted with the change.",
        remedy: "restore the file from the base, and mend the operators or their upgrade functions",
        source: BASE,
    },
    Check {
        name: "lock_lost",
        why: "Without its lock a package has no promise left that anything could be held to.",
        example: "{ op: \"slice\", … } saved by 1.4.0 is protected by nothing once the lock is deleted and made anew.",
        remedy: "bring it back from git; `cargo oplock init` would forget all releases",
        source: BASE,
    },
    Check {
        name: "lock_stale",
        why: "What the lock does not hold yet is not protected against the next change.",
        example: "{ op: \"neg\" } saved by this build: `neg` may still change without a word.",
        remedy: "`cargo oplock update`, or `cargo oplock seal` for a release",
        source: RELEASING,
    },
    Check {
        name: "release_passed",
        why: "A release that was never sealed may have promised, or broken, what the lock knows nothing of.",
        example: "{ op: \"add\", … } saved by 2.0.0, which shipped unsealed: 2.1.0 would be held to 1.4.0 only.",
        remedy: "if it was never published, say what takes its place with `cargo oplock plan VERSION`; if it was, set the \
                 package's version back to it and seal",
        source: RELEASING,
    },
];

/// The check of that name.
pub(crate) fn check(name: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|check| check.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formats_name_each() {
        assert!(CHECKS.is_sorted_by_key(|check| check.name));
        let documented = include_str!("../../docs/formats.md");
        for check in CHECKS.iter().filter(|check| check.name != "could_not_run") {
            assert!(documented.contains(&format!("`{}`", check.name)), "{}", check.name);
        }
    }
}
