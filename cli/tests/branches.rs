//! Bases, merges and release lines of a real crate under git.

#[allow(dead_code, reason = "not every test binary uses all of it")]
mod common;
#[allow(dead_code, reason = "not every test binary uses all of it")]
#[path = "common/ops.rs"]
mod ops;

use std::fs;

use ops::{DEFAULT, LIB, NEG, OTHER_DEFAULT, Ops, STARTS, WITH_AXES};

/// C23: a lock edited by hand, or made anew, to agree with a break.
#[test]
fn a_break_is_not_laundered() {
    let ops = Ops::released("base-c23", "1.0.0").with_git();
    ops.lib(DEFAULT, OTHER_DEFAULT);
    ops.edit("ops.lock", "default = []", "default = [1]");
    ops.oplock(&["check"]).ends(0);
    let run = ops
        .oplock(&["check", "--base", "main"])
        .ends(100)
        .says("    Compared base-c23 with main:ops.lock: 1 error")
        .says("the default of attribute `starts` of `slice` changed from [] to [1] [attr_changed]");
    assert!(run.stdout.contains("  base:   line "), "{}", run.stdout);
    ops.git(&["checkout", "-q", "-b", "change"]);
    ops.commit("launder");
    ops.oplock(&["check", "--base", "main"]).ends(100);
    ops.oplock(&["check", "--base", "HEAD"]).ends(0).says("with HEAD:ops.lock: nothing lost or broken");
    // Against both at once: the change since the lock, and the one in it.
    ops.append(NEG);
    ops.oplock(&["check", "--base", "main", "--message-format", "short"])
        .ends(100)
        .says("neg: operator `neg` is added [op_added] (minor)")
        .says("[base_laundered]");

    // A lock that is made anew forgets the release.
    fs::remove_file(ops.folder.join("ops.lock")).unwrap();
    ops.git(&["rm", "-q", "--cached", "ops.lock"]);
    ops.git(&["commit", "-q", "-m", "remove"]);
    ops.oplock(&["check", "--base", "main"]).ends(100).says("lost its lock: main:ops.lock is there");
    ops.oplock(&["init"]).ends(0);
    ops.oplock(&["check", "--base", "main"]).ends(100).says("the lock lost release 1.0.0");
}

/// A default of `slice` that was changed, approved and sealed as 1.1.0; each step is one commit of a branch.
fn approved_in_steps(name: &str) -> Ops {
    let ops = Ops::released(name, "1.0.0").with_git();
    ops.git(&["checkout", "-q", "-b", "change"]);
    ops.set_version("1.1.0");
    ops.lib(DEFAULT, OTHER_DEFAULT);
    ops.takes_version(2);
    let approve = ["approve", "attr_changed", "slice.starts", "--reason", "no graph has it", "--by", "A. Person"];
    ops.oplock(&approve).ends(0);
    ops.oplock(&["update"]).ends(0);
    ops.commit("approve");
    ops.oplock(&["seal"]).ends(0);
    ops.commit("seal");
    ops
}

/// A sealed row proves no approval: the file of approvals does, at the base or since.
#[test]
fn an_approval_that_was_written_into_the_ledger_by_hand() {
    let ops = approved_in_steps("base-forged");
    ops.oplock(&["check", "--base", "HEAD~1"]).ends(0).never_says("no graph has it");
    // The file went as it came, so the owners of the file are asked nothing: it is told where the approval was.
    let commit = ops.git(&["rev-parse", "HEAD~1"]);
    ops.oplock(&["check", "--base", "main"])
        .ends(0)
        .says("the break of `slice.attr.starts` in 1.1.0 was approved by A. Person (\"no graph has it\") in commit")
        .says(&commit[..12]);

    // The very same, without the approval: as one commit, and as none.
    ops.git(&["checkout", "-q", "-b", "forged", "main"]);
    ops.git(&["branch", "-q", "-m", "change", "kept"]);
    ops.git(&["checkout", "-q", "kept", "--", "."]);
    let is_forged = |ops: &Ops, base: &str| {
        ops.oplock(&["check", "--base", base, "--message-format", "short"])
            .ends(100)
            .says("[base_unapproved]")
            .says("the ledger says that A. Person approved the break of `slice.attr.starts` in 1.1.0")
            .says("ops.approvals.toml never said so");
    };
    ops.git(&["branch", "-q", "-D", "kept"]);
    is_forged(&ops, "main");
    ops.commit("forge");
    is_forged(&ops, "main");
    ops.oplock(&["check", "--base", "HEAD"]).ends(0);
    // Nor does the approval of another change, or by somebody else, serve.
    let approval = "[[approval]]\nrule = \"attr_changed\"\nop = \"slice\"\nattr = \"starts\"\nfield = \"default\"\nfrom = \"[]\"\n";
    let other = [
        "to = \"[2]\"\nreason = \"no graph has it\"\nby = \"A. Person\"\n",
        "to = \"[1]\"\nreason = \"no graph has it\"\nby = \"B. Person\"\n",
        "to = \"[1]\"\nreason = \"nobody cares\"\nby = \"A. Person\"\n",
    ];
    for (i, other) in other.iter().enumerate() {
        ops.git(&["checkout", "-q", "-b", &format!("other-{i}"), "main"]);
        ops.write("ops.approvals.toml", &format!("{approval}{other}"));
        ops.commit("approve");
        ops.git(&["checkout", "-q", "forged", "--", "."]);
        ops.git(&["rm", "-q", "-f", "ops.approvals.toml"]);
        ops.commit("seal");
        is_forged(&ops, "HEAD~1");
        is_forged(&ops, "main");
    }
    // A major version needs no approval, whatever the row says.
    ops.git(&["checkout", "-q", "-b", "major", "main"]);
    ops.git(&["checkout", "-q", "forged", "--", "."]);
    ops.set_version("2.0.0");
    ops.write("ops.lock", &ops.lock().replace("\"1.1.0\"", "\"2.0.0\""));
    ops.oplock(&["check", "--base", "main"]).ends(0).never_says("A. Person");
}

#[test]
fn an_approval_that_a_clone_has_or_lacks() {
    let ops = approved_in_steps("base-cut");
    // A merge that keeps neither the file nor the branch's name.
    ops.git(&["checkout", "-q", "main"]);
    let first = ops.git(&["rev-parse", "HEAD"]);
    ops.git(&["merge", "-q", "--no-ff", "-m", "merge", "change"]);
    ops.git(&["branch", "-q", "-D", "change"]);
    ops.oplock(&["check", "--base", first.trim()]).ends(0).says("was approved by A. Person");
    // Another folder, and a file for a base, of which no history is known.
    fs::create_dir(ops.folder.join("ops")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock", "ops.lock", "src"] {
        ops.git(&["mv", file, "ops"]);
    }
    ops.commit("move");
    let moved = ["--manifest-path", "ops/Cargo.toml"];
    ops.oplock(&[&["check", "--base", first.trim()][..], &moved].concat()).ends(0).says("was approved by A. Person");
    ops.write("old.lock", &ops.git(&["show", &format!("{}:ops.lock", first.trim())]));
    ops.oplock(&[&["check", "--base", "old.lock"][..], &moved].concat()).ends(0).never_says("A. Person");
    // A clone that has the base and the newest commit only.
    let url = format!("file://{}", ops.folder.display());
    ops.git(&["clone", "-q", "--depth", "1", &url, "clone"]);
    ops.git(&["-C", "clone", "fetch", "-q", "--depth", "1", "origin", first.trim()]);
    let clone = ["--manifest-path", "clone/ops/Cargo.toml"];
    ops.oplock(&[&["check", "--base", first.trim()][..], &clone].concat())
        .ends(100)
        .says("ops.approvals.toml never said so")
        .says("git fetch --unshallow");
}

/// C14: of what no release carries, taking it back is only noted.
#[test]
fn what_no_release_carried_is_only_noted() {
    let ops = Ops::released("base-c14", "1.0.0");
    ops.append(&NEG.replace("pub x: Var,\n}", "pub x: Var,\n    /// A.\n    #[attr]\n    pub a: i32,\n}"));
    ops.oplock(&["update"]).ends(0);
    let ops = ops.with_git();
    ops.lib("pub a: i32", "pub b: i32");
    ops.oplock(&["check"]).ends(100).says("cargo oplock withdraw neg.a");
    ops.oplock(&["withdraw", "neg"]).ends(0);
    ops.oplock(&["update"]).ends(0);
    ops.oplock(&["check", "--base", "HEAD"])
        .ends(0)
        .says("attribute `a` of `neg` is deleted")
        .says("no release carried it");
    ops.oplock(&["check", "--base", "HEAD", "--message-format", "json"]).ends(0).says("\"level\":\"note\"");
}

#[test]
fn bases_that_are_no_revision() {
    let ops = Ops::released("base-not", "1.0.0");
    ops.oplock(&["check", "--base", "main"]).ends(101).says("is in no git repository, and there is no file `main`");
    fs::copy(ops.folder.join("ops.lock"), ops.folder.join("old.lock")).unwrap();
    ops.oplock(&["check", "--base", "old.lock"]).ends(0).says("with old.lock: nothing lost or broken");
    ops.edit("old.lock", "format = 1", "format = 99");
    ops.oplock(&["check", "--base", "old.lock"]).ends(101).says("old.lock:2: the lock has format 99");
    let ops = ops.with_git();
    ops.oplock(&["check", "--base", "mian"])
        .ends(101)
        .says("git has no revision `mian`")
        .says("is the branch fetched?");
    ops.oplock(&["check", "--base=--help"]).ends(101).says("git has no revision `--help`");
}

#[test]
fn a_shallow_clone_is_told_how_to_be_deepened() {
    let ops = Ops::released("base-shallow", "1.0.0").with_git();
    ops.append(NEG);
    ops.oplock(&["update"]).ends(0);
    ops.commit("second");
    let first = ops.git(&["rev-parse", "HEAD~1"]);
    let url = format!("file://{}", ops.folder.display());
    ops.git(&["clone", "-q", "--depth", "1", &url, "clone"]);
    let manifest = ["--manifest-path", "clone/Cargo.toml"];
    ops.oplock(&[&["check", "--base", "HEAD"][..], &manifest].concat()).ends(0);
    ops.oplock(&[&["check", "--base", first.trim()][..], &manifest].concat())
        .ends(101)
        .says("this is a shallow clone")
        .says("git fetch --unshallow")
        .says("fetch-depth: 0");
}

#[test]
fn a_base_without_a_lock_and_a_folder_that_was_renamed() {
    let ops = Ops::empty();
    ops.write("Cargo.toml", "[workspace]\nmembers = [\"*-ops\"]\nresolver = \"3\"\n");
    ops.package("one-ops/", "base-moved", "1.0.0", "");
    let ops = ops.with_git();
    let init = ["init", "--manifest-path", "one-ops/Cargo.toml", "--released", "1.0.0"];
    ops.oplock(&init).ends(0).says("git config merge.oplock.driver 'cargo oplock resolve --driver %O %A %B'");
    ops.oplock(&["check", "--base", "HEAD"])
        .ends(0)
        .prints_nothing()
        .says("HEAD has no lock of it, so there is nothing to compare");
    ops.commit("lock");
    fs::rename(ops.folder.join("one-ops"), ops.folder.join("two-ops")).unwrap();
    ops.oplock(&["check", "--base", "HEAD"])
        .ends(0)
        .says("       Moved base-moved: its lock was one-ops/ops.lock")
        .says("with HEAD:one-ops/ops.lock: nothing lost or broken");
    ops.edit("two-ops/ops.lock", "default = []", "default = [1]");
    ops.edit("two-ops/src/lib.rs", DEFAULT, OTHER_DEFAULT);
    ops.oplock(&["check", "--base", "HEAD"]).ends(100).says("changed from [] to [1]");
    // Another name at the same place is another package.
    ops.commit("moved");
    ops.edit("two-ops/ops.lock", "\"base-moved\"", "\"base-other\"");
    ops.edit("two-ops/Cargo.toml", "\"base-moved\"", "\"base-other\"");
    ops.oplock(&["check", "--base", "HEAD"])
        .ends(100)
        .says("the lock changed the package from base-moved to base-other");
}

/// Two branches that each add an attribute to the same place of the lock.
fn in_conflict(name: &str) -> Ops {
    let ops = Ops::released(name, "1.0.0").with_git();
    let lib = ops.read("src/lib.rs");
    for (branch, item) in [("ours", "axes"), ("theirs", "bias")] {
        ops.git(&["checkout", "-q", "-b", branch, "main"]);
        ops.write("src/lib.rs", &lib);
        ops.lib(STARTS, &WITH_AXES.replace("axes", item));
        ops.oplock(&["update"]).ends(0);
        ops.commit(branch);
    }
    ops.git(&["checkout", "-q", "ours"]);
    ops
}

#[test]
fn a_conflict_is_resolved_item_by_item() {
    let ops = in_conflict("resolve-a");
    assert!(!ops.try_git(&["merge", "-q", "theirs"]).status.success());
    assert!(ops.lock().contains("<<<<<<<"), "{}", ops.lock());
    ops.oplock(&["check"]).ends(101).says("a merge conflict is not resolved").says("cargo oplock resolve");
    ops.oplock(&["resolve"]).ends(0).prints_nothing().says("ops.lock (0 choices); next: `cargo oplock update`");
    let lock = ops.lock();
    for line in ["slice.attr.axes = {", "slice.attr.bias = {"] {
        assert!(lock.contains(line), "{lock}");
    }
    ops.git(&["checkout", "-q", "--ours", "src/lib.rs"]);
    ops.lib(
        "    pub axes: Vec<i32>,\n",
        "    pub axes: Vec<i32>,\n    /// B.\n    #[attr(default = [])]\n    pub bias: Vec<i32>,\n",
    );
    ops.oplock(&["update"]).ends(0);
    ops.commit("merge");
    ops.oplock(&["resolve"]).ends(0).says("there is no conflict");
    ops.oplock(&["check", "--base", "main"]).ends(0);
}

#[test]
fn markers_that_were_added_or_committed_are_explained() {
    let ops = in_conflict("resolve-added");
    assert!(!ops.try_git(&["merge", "-q", "theirs"]).status.success());
    ops.git(&["add", "ops.lock"]);
    let help = "`git checkout -m -- ops.lock` brings the conflict back";
    ops.oplock(&["resolve"]).ends(101).says("git holds no sides of this conflict").says(help);
    ops.git(&["checkout", "-m", "--", "ops.lock"]);
    ops.oplock(&["resolve"]).ends(0).says("ops.lock (0 choices)");
    // From above, the commands that are shown name the file by its path.
    ops.git(&["checkout", "-m", "--", "ops.lock"]);
    ops.commit("merged with markers");
    let path = ops.folder.join("ops.lock");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("<<<<<<<"), "{text}");
    ops.oplock(&["resolve"]).ends(101).says("`git checkout REV -- ops.lock`");
    ops.git(&["checkout", "-q", "ours", "--", "ops.lock"]);
    // Damage is told once, and not once more for the base.
    ops.write("ops.lock", &ops.lock().replace("format = 1", "format = "));
    let run = ops.oplock(&["check", "--base", "main"]).ends(101);
    assert_eq!(run.stderr.matches("ops.lock:2: ").count(), 1, "{}", run.stderr);
}

#[test]
fn approvals_are_resolved_one_by_one() {
    let ops = Ops::released("resolve-approvals", "1.0.0").with_git();
    let lib = ops.read("src/lib.rs");
    let y = "    /// The other.\n    #[input]\n    pub y: Var,";
    let changes = [
        ("ours", "slice.starts", "attr_changed", DEFAULT, OTHER_DEFAULT),
        (
            "theirs",
            "add.y",
            "input_changed",
            y,
            "    /// The other.\n    #[input(dispensable)]\n    pub y: Option<Var>,",
        ),
    ];
    for (branch, path, rule, from, to) in changes {
        ops.git(&["checkout", "-q", "-b", branch, "main"]);
        ops.set_version("1.1.0");
        ops.write("src/lib.rs", &lib);
        ops.takes_version(2);
        ops.lib(from, to);
        ops.oplock(&["approve", rule, path, "--reason", "r", "--by", branch]).ends(0);
        ops.oplock(&["update"]).ends(0);
        ops.commit(branch);
    }
    ops.git(&["checkout", "-q", "ours"]);
    assert!(!ops.try_git(&["merge", "-q", "theirs"]).status.success());
    assert!(ops.read("ops.approvals.toml").contains("<<<<<<<"));
    ops.oplock(&["resolve"]).ends(0).prints_nothing().says("ops.approvals.toml (0 choices); next: `git add");
    ops.git(&["checkout", "-q", "--merge", "ops.approvals.toml"]);
    ops.oplock(&["check"])
        .ends(101)
        .says("a merge conflict is not resolved")
        .says("help: `cargo oplock resolve` merges it by what it says");
    ops.oplock(&["resolve"]).ends(0);
    let approvals = ops.read("ops.approvals.toml");
    assert!(approvals.contains("by = \"ours\"") && approvals.contains("by = \"theirs\""), "{approvals}");
    ops.oplock(&["update"]).ends(0);
    ops.commit("merge");
    ops.oplock(&["check"]).ends(0).says("by ours").says("by theirs");
    // What one side sealed is not brought back.
    ops.git(&["checkout", "-q", "-b", "seal"]);
    ops.oplock(&["seal"]).ends(0);
    ops.commit("seal");
    ops.git(&["checkout", "-q", "-b", "reason", "HEAD~1"]);
    ops.write(
        "ops.approvals.toml",
        &approvals.replace("reason = \"r\"\nby = \"ours\"", "reason = \"s\"\nby = \"ours\""),
    );
    ops.commit("reason");
    assert!(!ops.try_git(&["merge", "-q", "seal"]).status.success());
    ops.oplock(&["resolve"]).ends(0).says("ops.approvals.toml (0 choices)");
    let left = ops.read("ops.approvals.toml");
    assert!(left.contains("by = \"ours\"") && !left.contains("by = \"theirs\""), "{left}");
}

/// C36: git does not join what seals and what withdraws; resolving keeps what was sealed.
#[test]
fn sealing_and_withdrawing_conflict() {
    let ops = Ops::released("resolve-c36", "1.0.0");
    ops.set_version("1.1.0");
    ops.append(NEG);
    ops.oplock(&["update"]).ends(0);
    let ops = ops.with_git();
    ops.git(&["checkout", "-q", "-b", "seal"]);
    ops.oplock(&["seal"]).ends(0);
    ops.commit("seal");
    ops.git(&["checkout", "-q", "-b", "withdraw", "main"]);
    ops.oplock(&["withdraw", "neg"]).ends(0);
    ops.commit("withdraw");
    assert!(!ops.try_git(&["merge", "-q", "seal"]).status.success());
    ops.oplock(&["resolve"]).ends(0).says("      Chosen neg: took theirs, ").says("(1 choice)");
    assert!(ops.lock().contains("neg.since = \"1.1.0\""), "{}", ops.lock());
    ops.oplock(&["check", "--base", "seal"]).ends(0);
}

#[test]
fn git_s_merge_driver() {
    let ops = in_conflict("resolve-driver");
    ops.write(".git/info/attributes", "ops.lock merge=oplock\n");
    let driver = format!("'{}' oplock resolve --driver %O %A %B", env!("CARGO_BIN_EXE_cargo-oplock"));
    ops.git(&["config", "merge.oplock.driver", &driver]);
    // The source conflicts all the same, and the lock does not.
    assert!(!ops.try_git(&["merge", "-q", "theirs"]).status.success());
    assert_eq!(ops.git(&["diff", "--name-only", "--diff-filter=U"]), "src/lib.rs\n");
    let lock = ops.lock();
    assert!(lock.contains("slice.attr.axes = {") && lock.contains("slice.attr.bias = {"), "{lock}");
    // What cannot be read is a conflict.
    ops.write("damaged", "format = 99\n");
    ops.write("whole", &lock);
    ops.oplock(&["resolve", "--driver", "whole", "damaged", "whole"])
        .ends(101)
        .says("our side cannot be merged: line 1");
    assert_eq!(ops.read("damaged"), "format = 99\n");
    ops.write("nothing", "");
    ops.oplock(&["resolve", "--driver", "nothing", "whole", "whole"]).ends(0);
    assert_eq!(ops.read("whole"), lock);
    ops.oplock(&["resolve", "--driver", "whole"]).ends(2);
}

#[test]
fn a_lock_that_one_side_deleted() {
    let ops = Ops::released("resolve-deleted", "1.0.0").with_git();
    ops.git(&["checkout", "-q", "-b", "change"]);
    ops.append(NEG);
    ops.oplock(&["update"]).ends(0);
    ops.commit("change");
    ops.git(&["checkout", "-q", "main"]);
    ops.git(&["rm", "-q", "ops.lock"]);
    ops.commit("delete");
    assert!(!ops.try_git(&["merge", "-q", "change"]).status.success());
    ops.oplock(&["resolve"]).ends(101).says("one side has deleted the lock").says("git checkout --ours ops.lock");
}

#[test]
fn the_releases_of_another_line_are_absorbed() {
    let ops = Ops::released("absorb-a", "1.0.0").with_git();
    ops.git(&["checkout", "-q", "-b", "hotfix"]);
    ops.set_version("1.1.0");
    ops.lib(STARTS, WITH_AXES);
    ops.oplock(&["seal"]).ends(0);
    ops.commit("1.1.0");
    ops.git(&["checkout", "-q", "main"]);
    ops.write("src/lib.rs", &LIB.replace(STARTS, WITH_AXES));
    ops.append(NEG);
    ops.oplock(&["update"]).ends(0);
    ops.oplock(&["absorb", "hotfix"]).ends(0).prints_nothing().says("    Absorbed hotfix:ops.lock (1 release)");
    let lock = ops.lock();
    assert!(lock.contains("slice.attr.axes = { type = \"[i32]\", default = [], since = \"1.1.0\" }"), "{lock}");
    ops.set_version("1.2.0");
    ops.oplock(&["seal"]).ends(0);
    ops.oplock(&["absorb", "hotfix"]).ends(0).says("it has all that hotfix:ops.lock has");
    ops.oplock(&["check", "--base", "hotfix"]).ends(0);
    ops.oplock(&["absorb", "nowhere"]).ends(101).says("git has no revision `nowhere`");
}

/// What a release recorded is neither lost nor changed; what no release has is free.
#[test]
fn golden_graphs_of_releases_stay() {
    let ops = Ops::released("base-golden", "1.0.0").with_git();
    for file in ["golden/1.0.0/a.json", "golden/1.0.0/a.scores", "golden/9.0.0/b.json"] {
        ops.write(file, "{}\n");
    }
    ops.git(&["add", "golden"]);
    ops.git(&["commit", "--quiet", "--message", "Golden graphs"]);
    ops.oplock(&["check", "--base", "HEAD"]).ends(0);
    std::fs::remove_dir_all(ops.folder.join("golden/9.0.0")).unwrap();
    ops.oplock(&["check", "--base", "HEAD"]).ends(0);
    ops.write("golden/1.0.0/a.scores", "1\n");
    ops.oplock(&["check", "--base", "HEAD"]).ends(100).says("golden/1.0.0/a.scores is not what it was");
    std::fs::remove_file(ops.folder.join("golden/1.0.0/a.json")).unwrap();
    ops.oplock(&["check", "--base", "HEAD", "--message-format", "short"])
        .ends(100)
        .says("golden/1.0.0/a.json is gone")
        .says("[golden_lost]");
}

/// A reader that has both lines takes the data of each for its own: neither `absorb` nor `resolve` joins what promises one thing
/// differently.
#[test]
fn lines_of_releases_that_promise_one_thing_differently_are_not_joined() {
    let ops = Ops::released("absorb-parted", "1.0.0").with_git();
    ops.git(&["checkout", "-q", "-b", "hotfix"]);
    ops.set_version("1.1.0");
    ops.lib(STARTS, WITH_AXES);
    ops.oplock(&["seal"]).ends(0);
    ops.commit("1.1.0");
    ops.git(&["checkout", "-q", "main"]);
    ops.set_version("2.0.0");
    ops.write("src/lib.rs", &LIB.replace(STARTS, &WITH_AXES.replace("default = []", "default = [0]")));
    ops.oplock(&["seal"]).ends(0);
    ops.commit("2.0.0");
    let (lock, said) = (
        ops.lock(),
        "the default of attribute `axes` of `slice` changed from [] to [0] [attr_changed]\n    released: line 17, since 1.1.0",
    );
    ops.oplock(&["absorb", "hotfix"])
        .ends(101)
        .says("two lines of releases promise one thing differently, and no lock keeps both promises")
        .says(said)
        .says("help: leave the other line's releases out: data that they saved is read here where it uses nothing that they added");
    assert_eq!(ops.lock(), lock);
    assert!(!ops.try_git(&["merge", "-q", "hotfix"]).status.success());
    ops.git(&["checkout", "-q", "--ours", "Cargo.toml", "Cargo.lock", "src/lib.rs"]);
    let conflict = ops.lock();
    ops.oplock(&["resolve"])
        .ends(101)
        .says(said)
        .says("help: keep the releases of one line: `git checkout --ours ops.lock`");
    assert_eq!(ops.lock(), conflict);
    for (file, rev) in [("base.lock", "main~1"), ("ours.lock", "main"), ("theirs.lock", "hotfix")] {
        ops.write(file, &ops.git(&["show", &format!("{rev}:ops.lock")]));
    }
    ops.oplock(&["resolve", "--driver", "base.lock", "ours.lock", "theirs.lock"]).ends(101).says(said);
    assert_eq!(ops.read("ours.lock"), lock);
    ops.git(&["checkout", "-q", "--ours", "ops.lock"]);
    ops.oplock(&["update"]).ends(0);
}
