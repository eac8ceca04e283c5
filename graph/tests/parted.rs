//! What a maintenance line gave to operators after the trunk had gone on without it.

mod common;

use std::sync::{Arc, Mutex};

use common::*;
use oplock_core::digest;
use oplock_graph::{Graph, Package, Program, Unpromised, UpgradeFn};

/// The trunk: `device` was promised until 2.0.0, `role` is since then and has another default since 3.0.0, `step` is since 3.0.0.
const TRUNK: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
"3.0.0" = { date = "2026-03-01", graph = 3 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
graph.version.3 = { text = "", since = "3.0.0" }
[op]
f.since = "1.0.0"
f.attr.device = { type = "i32", default = 0, extra = true }
f.attr.role = { type = "i32", default = 4, since = "2.0.0" }
f.attr.step = { type = "i32", default = 7, since = "3.0.0" }
[upgrade]
f.3 = { since = "3.0.0" }
[ledger]
f."2.0.0".attr.device = { rule = "attr_deleted", version = 2, from = { type = "string", default = "cpu", since = "1.0.0" }, to = { type = "i32", default = 0, extra = true } }
f."3.0.0".attr.role = { rule = "attr_changed", version = 3, from = { type = "i32", default = 3, since = "2.0.0" }, to = { type = "i32", default = 4 } }
"#;

/// What the function of the trunk sees of a node.
type Seen = Arc<Mutex<Vec<Vec<String>>>>;

fn trunk() -> (Program, Seen) {
    let mut package: Package = package("vision-ops", "3.0.0", TRUNK);
    let seen = Seen::default();
    let notes = Arc::clone(&seen);
    let function = UpgradeFn::new(move |upgrade| {
        notes.lock().unwrap().push(upgrade.node().attrs.keys().cloned().collect());
        Ok(())
    });
    package.upgrades.insert(("f".to_owned(), 3), function);
    (program([package]), seen)
}

/// As 2.1.0 of the maintenance line writes it: all of these attributes are younger than `f`, and were added with these defaults.
fn maintained(node: oplock_registry::Node) -> Graph {
    let mut stamp = stamp(2, 1, &[]);
    stamp.releases = vec![release("1.0.0", 1), release("2.0.0", 2), release("2.1.0", 2)];
    let mut graph = written(graph([node]), stamp);
    let added = [("device", string("cpu")), ("role", i32(3)), ("step", i32(1))];
    graph.added.insert("f".to_owned(), added.map(|(name, value)| (name.to_owned(), value)).into());
    graph
}

#[test]
fn what_no_shared_release_had_is_gone_before_functions_run() {
    let (program, seen) = trunk();
    let node = node("f").attr("device", string("cpu")).attr("role", i32(3)).attr("step", i32(1));
    let loaded = loaded(&program, &maintained(node));
    assert_eq!(*seen.lock().unwrap(), [["role"]], "2.0.0 had `role` alone");
    let attrs = &loaded.graph.blocks[0].nodes[0].attrs;
    assert_eq!(attrs["role"], i32(3), "it is what it was");
    assert_eq!(attrs["step"], i32(7), "that of 2.1.0 is none of this one");
    let notes = loaded.report.to_string();
    for name in ["f.device", "f.step"] {
        assert!(notes.contains(name), "{name}: {notes}");
    }
}

#[test]
fn what_it_was_not_added_with_says_something() {
    let (program, _) = trunk();
    let refused = refused(&program, &maintained(node("f").attr("device", string("gpu"))));
    assert_eq!(nodes(&refused).len(), 1, "{refused}");
}

/// Nor does it concern who shares all releases of the writer, or reads unpromised data of its own definitions.
#[test]
fn what_a_shared_release_had_stays() {
    let (program, seen) = trunk();
    let all = || node("f").attr("role", i32(3)).attr("step", i32(1));
    let mut own = save(&program, &graph([all()]));
    own.added.clone_from(&maintained(all()).added);
    let read = |graph: &Graph| loaded(&program, graph).graph.blocks[0].nodes[0].clone();
    assert_eq!(read(&own), all());
    let digests = [("f".to_owned(), digest(&program.packages()["vision-ops"].ops["f"]).to_string())].into();
    let stamp = own.stamps.get_mut("vision-ops").unwrap();
    stamp.unpromised = Some(Unpromised { reason: "no release of it had `f.step` yet".to_owned(), digests });
    stamp.releases.truncate(2);
    (stamp.oldest_reader, stamp.min_consumer) = (None, 1);
    assert_eq!(read(&own), all());
    assert!(seen.lock().unwrap().is_empty());
}

/// What the trunk had before it took another line over, and has with it: 1.1.0 was sealed before 3.0.0, which did not know it.
const JOINED: &str = r#"
[release]
"1.0.0" = { date = "2026-01-01" }
"1.1.0" = { date = "2026-01-02", behind = "3.0.0" }
"2.0.0" = { date = "2026-02-01", graph = 2 }
"3.0.0" = { date = "2026-03-01", graph = 3 }
"3.1.0" = { date = "2026-04-01", graph = 3 }
[saved]
graph.version.2 = { text = "", since = "2.0.0" }
graph.version.3 = { text = "", since = "3.0.0" }
[op]
f.since = "1.0.0"
f.attr.late = { type = "i32", default = 0, since = "1.1.0" }
f.attr.role = { type = "i32", default = 4, since = "3.0.0" }
"#;

/// Releases of the trunk go on reading each other: to those that did not know the other line it stands behind them.
#[test]
fn a_line_that_was_taken_over_late_stands_behind_what_did_not_know_it() {
    let without = |text: &str| {
        let lines =
            text.lines().filter(|line| !["1.1.0", "3.1.0", "f.attr.late"].iter().any(|gone| line.contains(gone)));
        lines.collect::<Vec<_>>().join("\n")
    };
    let before = program([package("vision-ops", "3.0.0", &without(JOINED))]);
    let after = program([package("vision-ops", "3.1.0", JOINED)]);
    let of = |node: oplock_registry::Node| graph([node]);
    // What only the newest data version and the last release have.
    let saved = before.save(&of(node("f").attr("role", i32(9)))).unwrap().graph;
    assert_eq!(loaded(&after, &saved).graph.blocks[0].nodes[0].attrs["role"], i32(9));
    let saved = after.save(&of(node("f").attr("role", i32(9)))).unwrap().graph;
    assert_eq!(loaded(&before, &saved).graph.blocks[0].nodes[0].attrs["role"], i32(9));
    // And what the other line brought is younger for who did not know it.
    let saved = after.save(&of(node("f").attr("late", i32(5)))).unwrap().graph;
    let refused = before.load(saved, oplock_graph::LoadOptions::default()).unwrap_err().to_string();
    assert!(refused.contains("needs 1.1.0 for `f.late`"), "{refused}");
}

/// Both lines have a data version 2, and each of them broke something else by it.
#[test]
fn a_graph_of_another_line_is_taken_as_of_the_last_release_that_both_have() {
    let line = |release: &str, changed: &str| {
        let default = |op: &str| if op == changed { 2 } else { 1 };
        format!(
            r#"
[release]
"1.0.0" = {{ date = "2026-01-01" }}
"{release}" = {{ date = "2026-02-01", graph = 2 }}
[saved]
graph.version.2 = {{ text = "", since = "{release}" }}
[op]
f.since = "1.0.0"
f.attr.n = {{ type = "i32", default = {} }}
g.since = "1.0.0"
g.attr.n = {{ type = "i32", default = {} }}
[ledger]
{changed}."{release}".attr.n = {{ rule = "attr_changed", version = 2, from = {{ type = "i32", default = 1, since = "1.0.0" }}, to = {{ type = "i32", default = 2 }} }}
"#,
            default("f"),
            default("g")
        )
    };
    let (trunk, branch) = (vision("2.0.0", &line("2.0.0", "f")), vision("1.5.0", &line("1.5.0", "g")));
    for (writer, reader, op) in [(&branch, &trunk, "f"), (&trunk, &branch, "g")] {
        let saved = save(writer, &graph([node(op)]));
        assert!(saved.stamps["vision-ops"].producer == 2 && saved.blocks[0].nodes[0].attrs.is_empty());
        assert_eq!(loaded(reader, &saved).graph.blocks[0].nodes[0].attrs["n"], i32(1), "{op}");
    }
}
