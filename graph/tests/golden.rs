//! Golden graphs, and what later releases make of them.

mod common;

use std::fs;
use std::path::Path;

use common::*;
use oplock_core::Value;
use oplock_graph::golden::{self, GoldenError};

const OLD: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
[op]
f.since = "1.0.0"
f.attr.axis = { type = "i32", default = 1 }
"#;

const NEW: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-09-01", graph = 2 }
[saved]
MIN
graph.version.2 = { text = "", since = "2.0.0" }
[op]
f.since = "1.0.0"
f.attr.axis = { type = "i32", default = 2 }
[ledger]
f."2.0.0".attr.axis = { rule = "attr_changed", version = 2, from = { type = "i32", default = 1, since = "1.0.0" }, to = { type = "i32", default = 2 } }
"#;

#[test]
fn a_golden_graph_is_held_to_what_it_meant_until_min_producer_rises_above_it() {
    let (old, new) = (vision("1.0.0", OLD), vision("2.0.0", &NEW.replace("MIN", "")));
    let later = vision("2.0.0", &NEW.replace("MIN", "graph.min_producer = 2"));
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden");
    drop(fs::remove_dir_all(&package));
    for (program, release) in [(&old, "1.0.0"), (&new, "2.0.0")] {
        let folder = package.join(golden::FOLDER).join(release);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("f.json"), save(program, &graph([node("f")])).to_json().unwrap()).unwrap();
    }
    let axes = |program| {
        let mut axes = Vec::new();
        let count = golden::check(program, &package, |sample| {
            axes.push((sample.release.to_string(), sample.loaded.graph.blocks[0].nodes[0].attrs["axis"].clone()));
            Ok(())
        });
        count.map(|count| (count, axes))
    };
    let of = |release: &str, axis| (release.to_owned(), Value::I32(axis));
    assert_eq!(axes(&new).unwrap(), (2, vec![of("1.0.0", 1), of("2.0.0", 2)]));
    assert_eq!(axes(&later).unwrap(), (1, vec![of("2.0.0", 2)]), "what is older is read no more, as was announced");
    // Nothing else excuses one that does not load.
    let refused = axes(&old).unwrap_err();
    let GoldenError::Refused { path, .. } = &refused else { panic!("{refused}") };
    assert!(path.ends_with("2.0.0/f.json"), "{refused}");
}
