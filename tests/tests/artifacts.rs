//! What a build leaves: nothing of the machine on which it was made.

use oplock_tests::Folder;

/// The declarations in a program name their source files as the compiler was told them, relative to the package, and the lock
/// is in it without its place. (What the compiler itself writes down for a debugger is another matter.)
#[test]
fn a_program_holds_no_path_of_its_package() {
    let ops = Folder::released_ops("1.0.0");
    ops.write(
        "src/main.rs",
        &format!(
            "fn main() {{\n    let ops = {}::ops();\n    println!(\"{{}}\", ops.iter().count());\n}}\n",
            ops.crate_name()
        ),
    );
    let program = ops.path().join("program");
    let link = format!("--emit=link={}", program.display());
    ops.cargo("rustc").args(["--bin", &ops.name(), "--", "-C", "strip=symbols", &link]).run().succeeds();
    assert_eq!(ops.run(&program).run().succeeds().stdout, "2\n");
    let bytes = std::fs::read(&program).expect("the program that was built");
    let has = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(has("src/lib.rs"), "the declarations say where they stand");
    assert!(!has(&ops.path().display().to_string()), "{}", ops.path().display());
}
