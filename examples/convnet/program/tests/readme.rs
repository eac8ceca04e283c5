//! The README's commands print what it says that they print.

use std::fs;
use std::path::Path;
use std::process::Command;

const CARGO: &str = "cargo run -q -p convnet -- ";

#[test]
fn each_command_prints_what_the_page_shows() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let page = fs::read_to_string(page).unwrap();
    let blocks: Vec<&str> = page.split("```").filter_map(|block| block.strip_prefix("console\n")).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for shown in blocks.iter().flat_map(|block| block.strip_prefix("$ ").unwrap_or_default().split("\n$ ")) {
        let (command, expected) = shown.split_once('\n').unwrap_or((shown, ""));
        let arguments = command.strip_prefix(CARGO).unwrap_or_else(|| panic!("{command}"));
        let output = Command::new(env!("CARGO_BIN_EXE_convnet"))
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .output()
            .unwrap();
        let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert_eq!(printed.trim_end(), expected.trim_end(), "{command}");
        count += 1;
    }
    assert_eq!(count, page.matches("\n$ ").count());
    assert!(count > 0);
}
