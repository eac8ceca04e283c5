//! The lock as a file: edited by hand, lost, damaged, of another time or package.

use oplock_tests::Folder;

/// An edit of the lock alone is seen by the next build, though no source has changed.
#[test]
fn an_edited_lock_is_read_again() {
    let ops = Folder::released_ops("1.0.0");
    ops.check().succeeds();
    // Somebody makes the lock say what the source does not.
    ops.edit("ops.lock", "default = []", "default = [7]");
    ops.check().fails().has_error_at(&ops.place("src/lib.rs", "[]"), "changed from [7] to []");
    ops.oplock_check().exits(100);
    let state = ops.lock_state();
    ops.oplock_update().exits(100);
    assert_eq!(ops.lock_state(), state);
    ops.edit("ops.lock", "default = [7]", "default = []");
    ops.check().succeeds();
    // With incremental compilation, as it is where a user sets nothing.
    let check = || ops.cargo("check").env("CARGO_INCREMENTAL", "1").run();
    check().succeeds();
    ops.edit("ops.lock", "slice.input.Input = {}\n", "");
    check().fails().says("the added input `Input` of `slice` is not dispensable");
    ops.edit("ops.lock", "[op]\n", "[op]\nslice.input.Input = {}\n");
    check().succeeds();
}

/// What a lock that somebody has edited leaves out or adds is a difference like any other.
#[test]
fn an_edited_lock_forgets_and_invents() {
    let ops = Folder::released_ops("1.0.0");
    let lock = ops.lock();
    let without_add: String = lock.split_inclusive('\n').filter(|line| !line.starts_with("add.")).collect();
    ops.write("ops.lock", &without_add);
    ops.check().succeeds().says("operator `add` is added");
    ops.oplock_update().succeeds();
    assert!(ops.lock_has("add.unreleased = true"), "{}", ops.lock());

    ops.write("ops.lock", &(lock + "ghost.since = \"1.0.0\"\nghost.input.X = {}\n"));
    ops.check().fails().says("operator `ghost` is deleted");
    ops.oplock_check().exits(100).says("operator `ghost` is deleted");
}

#[test]
fn a_lost_lock_is_an_error_and_is_not_made_anew() {
    let ops = Folder::released_ops("1.0.0");
    let lock = ops.lock();
    let git = |args: &[&str]| {
        let run =
            ops.run("git").args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false"]);
        run.args(args).run().succeeds()
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "One"]);
    ops.check().succeeds();
    ops.remove("ops.lock");
    ops.check()
        .fails()
        .has_error_at(&ops.place("src/lib.rs", "oplock::lock!();"), "there is no ops.lock")
        .says("git checkout ops.lock");
    for command in ["init", "check", "update"] {
        ops.oplock(command).run().exits(101).says("git has this lock").says("git checkout HEAD -- ops.lock");
        assert!(!ops.has("ops.lock"), "{command} made a lock that forgets what was promised");
    }
    git(&["checkout", "HEAD", "--", "ops.lock"]);
    assert_eq!(ops.lock(), lock);
    ops.check().succeeds();
}

/// C24, what is fine.
#[test]
fn line_ends_marks_and_order_do_not_matter() {
    let ops = Folder::released_ops("1.0.0");
    let lock = ops.lock();
    let (head, entries) = lock.split_once("[op]\n").unwrap_or_default();
    let mut lines: Vec<_> = entries.lines().collect();
    lines.reverse();
    let cases = [
        ("CRLF", lock.replace('\n', "\r\n")),
        ("a byte order mark", format!("\u{feff}{lock}")),
        ("both", format!("\u{feff}{}", lock.replace('\n', "\r\n"))),
        ("no final newline", lock.trim_end().to_owned()),
        ("comments and blank lines", lock.replace("[op]\n", "\n# why\n[op] # all\n\n")),
        ("another order", format!("{head}[op]\n{}\n", lines.join("\n"))),
    ];
    for (name, text) in cases {
        ops.write("ops.lock", &text);
        let output = ops.check();
        assert!(output.is_success() && output.warnings().is_empty(), "{name}:\n{output}");
        let output = ops.oplock_check();
        assert!(output.is_success(), "{name}:\n{output}");
        assert_eq!(ops.lock(), text, "{name}: check wrote the lock");
        ops.oplock_update().succeeds();
        // What git does to line ends on some systems is not undone at every update.
        if name != "CRLF" && name != "a byte order mark" && name != "both" {
            assert_eq!(ops.lock(), lock, "{name}");
        }
    }
}

/// C24, what is an error with a line, from the compiler and from every command.
#[test]
fn a_damaged_lock_is_an_error_with_a_line() {
    let ops = Folder::released_ops("1.0.0");
    let lock = ops.lock();
    let starts = "slice.attr.starts = { type = \"[i32]\", default = [] }\n";
    let line_of = |text: &str, part: &str| {
        let (before, _) = text.split_once(part).unwrap_or_else(|| panic!("{part} in {text}"));
        before.matches('\n').count() + 1
    };
    // What the text becomes, what stands at the line at fault, what is said, and the remedy.
    let conflict = format!(
        "<<<<<<< HEAD\n{starts}=======\nslice.attr.starts = {{ type = \"[i32]\", default = [1] }}\n>>>>>>> x\n"
    );
    let cases = [
        (lock.replace(starts, &conflict), "<<<<<<<", "merge", "cargo oplock resolve"),
        (lock.replace("default = [] }", "default = [], colour = 1 }"), "colour", "colour", "git checkout ops.lock"),
        (lock.replace("format = 1", "format = 99"), "format", "format 99", "upgrade"),
        (
            lock.replace("slice.since = \"1.0.0\"\n", "slice.since = \"1.0.0\"\nslice.since = \"1.0.0\"\n"),
            "slice.input",
            "slice.since",
            "",
        ),
        (lock.replace("package = \"ops", "package = \"audio-ops"), "package", "audio-ops", "init"),
        (lock.replace("since = \"1.0.0\"\n", "since = \"3.0.0\"\n"), "since", "3.0.0", ""),
        (lock.replace("default = [] }", "default = [1.5] }"), "[1.5]", "[i32]", ""),
        (lock.replace("type = \"[i32]\", default = [] }", "type = \"[i33]\", default = [] }"), "[i33]", "i33", ""),
        (lock.replace("slice.since = \"1.0.0\"", "slice.since = \"1.0.0"), "slice.since", "", "git checkout ops.lock"),
        (String::new(), "", "", ""),
        ("\u{0}\u{1}".to_owned(), "", "", ""),
    ];
    let call = ops.place("src/lib.rs", "oplock::lock!();");
    for (text, at, says, help) in cases {
        assert_ne!(text, lock);
        ops.write("ops.lock", &text);
        // The second of two lines is at fault.
        let line = if at == "slice.input" { line_of(&text, at) - 1 } else { line_of(&text, at) };
        let place = format!("ops.lock:{line}: ");
        ops.check().fails().does_not_panic().has_errors(1).has_error_at(&call, &place).says(says).says(help);
        for command in ["check", "update"] {
            ops.oplock(command).run().exits(101).does_not_panic().prints_nothing().says(&place).says(says).says(help);
        }
        ops.oplock("plan").arg("major").run().exits(101).says(&place);
        ops.oplock("withdraw").arg("add").run().exits(101).says(&place);
        assert_eq!(ops.lock(), text, "a command wrote over a damaged lock");
    }
    // Bytes that are no text at all.
    std::fs::write(ops.path().join("ops.lock"), [0xff, 0xfe, 0x00]).unwrap_or_default();
    ops.check().fails().does_not_panic().has_errors(1).says("ops.lock");
    ops.oplock_check().exits(101).does_not_panic().says("ops.lock");
    // Mended, it is read again.
    ops.write("ops.lock", &lock);
    ops.check().succeeds();
}

/// An operator whose lines two branches have both added, and git has joined, is an error that names both lines.
#[test]
fn an_operator_twice_is_an_error_with_both_lines() {
    let ops = Folder::released_ops("1.0.0");
    let lock = ops.lock();
    ops.write("ops.lock", &lock.replace("slice.output.Out = {}\n", "slice.output.Out = {}\nslice.output.Out = {}\n"));
    let line = 1 + lock.lines().position(|line| line == "slice.output.Out = {}").unwrap_or_default();
    let (first, second) = (format!("line {line}"), format!("ops.lock:{}: ", line + 1));
    ops.check().fails().has_errors(1).says(&second).says(&first);
    ops.oplock_check().exits(101).says(&second).says(&first);
}

/// Wherever the lock lies, it is replaced and not followed away; a link stays a link.
#[cfg(unix)]
#[test]
fn a_linked_lock_stays_a_link() {
    let ops = Folder::released_ops("1.0.0");
    let shared = ops.sub("locks");
    std::fs::rename(ops.path().join("ops.lock"), shared.path().join("ops.lock")).expect("both are there");
    std::os::unix::fs::symlink("locks/ops.lock", ops.path().join("ops.lock")).expect("links exist here");
    ops.append("src/lib.rs", oplock_tests::source::NEG);
    ops.check().succeeds().says("ops.lock is stale");
    ops.oplock_update().succeeds();
    assert!(ops.path().join("ops.lock").is_symlink());
    assert!(shared.lock_has("neg.unreleased = true"), "{}", shared.lock());
    ops.check().succeeds().warns_of_nothing();
    // It is said where the link leads, when nothing is there.
    shared.remove("ops.lock");
    ops.check().fails().has_errors(1).says("it is a link to locks/ops.lock, which is not there");
}

/// What a package promised it promises under another name too.
#[test]
fn the_lock_follows_a_renamed_package() {
    let ops = Folder::released_ops("1.0.0");
    let old = ops.name();
    let new = format!("{old}-anew");
    ops.edit("Cargo.toml", &format!("name = \"{old}\""), &format!("name = \"{new}\""));
    let rename = format!("`cargo oplock rename {old}`");
    ops.check().fails().has_errors(1).says(&format!("this is the lock of package `{old}`")).says(&rename);
    ops.oplock_update().exits(101).says(&rename);
    ops.oplock("rename").arg(&old).run().succeeds().says(&format!("{old} is {new} now"));
    assert!(ops.lock_has(&format!("package = \"{new}\"")), "{}", ops.lock());
    assert!(ops.lock_has(&format!("formerly = [\"{old}\"]")), "{}", ops.lock());
    ops.check().succeeds().warns_of_nothing();
    ops.oplock_check().exits(0);
    ops.edit("src/lib.rs", "default = []", "default = [1]");
    ops.check().fails().says("since 1.0.0");
}
