//! `--rules paddle-ci` against what `PaddlePaddle`'s check printed of its own releases.

use std::fs;
use std::path::Path;

use oplock_interop::paddle::desc::OpDescs;
use oplock_interop::paddle::opver::OpVersions;
use oplock_interop::rules::{Judgement, paddle_ci};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn judge(folder: &Path, old: &str, new: &str) -> Judgement {
    let descs = |version: &str| OpDescs::parse(&read(&folder.join(format!("paddle_{version}.spec")))).unwrap();
    let announced = OpVersions::parse(&read(&folder.join(format!("paddle_{new}.opver.json")))).unwrap();
    paddle_ci::judge(&descs(old), &descs(new), &announced)
}

/// The lines in order, but for those of one operator, which the check leaves in any.
fn normalised(report: &str) -> Vec<String> {
    let mut lines: Vec<_> = report.split('\n').map(str::to_owned).collect();
    for bullets in lines.chunk_by_mut(|a, b| a.starts_with(" * ") && b.starts_with(" * ")) {
        bullets.sort_unstable();
    }
    lines
}

fn assert_reproduced(folder: &Path) -> usize {
    let mut pairs = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let pair = name.strip_prefix("expected_peer_script_").and_then(|name| name.strip_suffix(".txt"));
        let Some((old, new)) = pair.and_then(|pair| pair.split_once("__")) else { continue };
        let report = judge(folder, old, new).report.unwrap_or_default();
        let (found, expected) = (normalised(&report), normalised(&read(&path)));
        for (line, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "{name}: line {}", line + 1);
        }
        assert_eq!(found.len(), expected.len(), "{name}");
        pairs += 1;
    }
    pairs
}

#[test]
fn a_part_of_some_pairs_is_reproduced() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/paddle_ci");
    assert_eq!(assert_reproduced(&folder), 4);
}

/// With `OPLOCK_DATA` set to the folder that holds the whole of the real data.
#[test]
fn all_real_pairs_are_reproduced() {
    let Some(folder) = std::env::var_os("OPLOCK_DATA") else { return };
    assert_eq!(assert_reproduced(&Path::new(&folder).join("paddle")), 7);
}
