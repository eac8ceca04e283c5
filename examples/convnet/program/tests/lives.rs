//! One network through three releases of its operators.

use std::path::Path;

use convnet::{Model, Runtime, model};
use convnet_kernels::Tensor;
use oplock::Value;
use oplock::graph::{Note, Warning};

const IMAGES: std::ops::Range<u32> = 0..20;

fn results(runtime: &Runtime, model: &Model) -> Vec<Tensor> {
    IMAGES.map(|number| runtime.run(model, &model::image(number)).unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// The three releases, in order.
fn releases() -> [Runtime; 3] {
    [Runtime::v1_0(), Runtime::v1_1(), Runtime::v2_0()].map(|runtime| runtime.unwrap_or_else(|error| panic!("{error}")))
}

/// The folder of a model that a release saved.
fn saved(runtime: &Runtime, model: &Model) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    runtime.save(model, folder.path()).unwrap_or_else(|error| panic!("{error}"));
    folder
}

fn refusal(runtime: &Runtime, folder: &Path) -> String {
    match runtime.load(folder) {
        Ok(loaded) => panic!("it loads:\n{}", loaded.report),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_1_0_saved_computes_the_same_in_every_release() {
    let [v1_0, v1_1, v2_0] = releases();
    let model = model::of_1_0().unwrap();
    let expected = results(&v1_0, &model);
    assert!(expected.iter().any(|result| *result != expected[0]), "images matter");
    let folder = saved(&v1_0, &model);
    for runtime in [&v1_0, &v1_1, &v2_0] {
        let loaded = runtime.load(folder.path()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(results(runtime, &loaded.model), expected, "{}", loaded.report);
    }
}

#[test]
fn the_report_says_what_was_done() {
    let [v1_0, v1_1, v2_0] = releases();
    let folder = saved(&v1_0, &model::of_1_0().unwrap());
    assert_eq!(v1_0.load(folder.path()).unwrap().report.warnings.len(), 0);
    let warnings = v1_1.load(folder.path()).unwrap().report.warnings;
    let deprecated =
        |(warning, _): (&Warning, _)| matches!(warning, Warning::Deprecated { path, version: 2, .. } if path == "mul");
    assert!(warnings.len() == 1 && warnings.iter().all(deprecated), "{warnings:?}");
    let report = v2_0.load(folder.path()).unwrap().report;
    let upgraded: Vec<_> = report
        .notes
        .keys()
        .filter_map(|note| if let Note::Upgraded { op, version: 3, .. } = note { Some(op.as_str()) } else { None })
        .collect();
    assert_eq!(upgraded, ["avg_pool", "mul", "round"], "{report}");
}

/// What would happen without upgrades: each of the three breaks would be seen.
#[test]
fn each_break_is_seen_in_the_results() {
    let [v1_0, _, v2_0] = releases();
    let model = model::of_1_0().unwrap();
    let expected = results(&v1_0, &model);
    let folder = saved(&v1_0, &model);
    let upgraded = v2_0.load(folder.path()).unwrap().model;
    for (op, attr, old, new) in [
        ("avg_pool", "exclusive", Value::Bool(true), Value::Bool(false)),
        ("round", "ties", Value::String("away".into()), Value::String("even".into())),
    ] {
        let mut model = upgraded.clone();
        let node = model.graph.blocks[0].nodes.iter_mut().find(|node| node.op == op).unwrap();
        assert_eq!(node.attrs.insert(attr.to_owned(), new), Some(old));
        assert!(results(&v2_0, &model) != expected, "{op}.{attr}");
    }
    assert!(v2_0.run(&model, &model::image(0)).unwrap_err().to_string().contains("no operator `mul`"));
}

#[test]
fn what_a_graph_does_not_use_keeps_no_older_release_from_it() {
    let [v1_0, v1_1, v2_0] = releases();
    // The same network as 1.1 saves it, without gaps and without what is deprecated, needs `matmul`, …
    let mut model = model::with_gaps().unwrap();
    let nodes = &mut model.graph.blocks[0].nodes;
    let conv = nodes.iter_mut().rfind(|node| node.op == "conv2d").unwrap();
    conv.attrs.remove("dilations");
    let folder = saved(&v1_1, &model);
    assert!(refusal(&v1_0, folder.path()).contains("written by convnet-ops 1.1.0, needs 1.1.0 for `flatten`"));
    // … and without it nothing new.
    let mut short = model.clone();
    let block = &mut short.graph.blocks[0];
    let cut = block.nodes.iter().position(|node| node.op == "flatten").unwrap();
    block.nodes.truncate(cut);
    block.outputs = block.nodes[cut - 1].outputs["out"].clone();
    let folder = saved(&v1_1, &short);
    let expected = results(&v1_1, &short);
    for runtime in [&v1_0, &v1_1, &v2_0] {
        let loaded = runtime.load(folder.path()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(results(runtime, &loaded.model), expected);
    }
}

#[test]
fn an_older_release_refuses_what_it_would_misread() {
    let [v1_0, v1_1, v2_0] = releases();
    let folder = saved(&v1_1, &model::with_gaps().unwrap());
    let expected = results(&v1_1, &model::with_gaps().unwrap());
    let loaded = v2_0.load(folder.path()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(results(&v2_0, &loaded.model), expected);
    let expected = "\
written by convnet-ops 1.1.0 at data version 2; this is 1.0.0 at data version 1
  help: upgrade convnet-ops
written by convnet-ops 1.1.0, needs 1.1.0 for `conv2d.dilations`; this is 1.0.0
  help: upgrade convnet-ops to 1.1.0 or later, or save the graph without `conv2d.dilations`";
    let refused = refusal(&v1_0, folder.path());
    assert!(refused.starts_with(expected), "{refused}");

    // What 2.0 makes of it by its own rules.
    let folder = saved(&v2_0, &loaded.model);
    for (runtime, release) in [(&v1_0, "1.0.0, at data version 1"), (&v1_1, "1.1.0, at data version 2")] {
        let expected = format!("needs data version 3; this is {release}");
        let refused = refusal(runtime, folder.path());
        assert!(refused.contains(&expected), "{refused}");
    }
}

#[test]
fn what_is_deprecated_is_not_written_any_more() {
    let [_, v1_1, _] = releases();
    let folder = tempfile::tempdir().unwrap();
    let error = v1_1.save(&model::of_1_0().unwrap(), folder.path()).unwrap_err().to_string();
    assert!(error.starts_with("operator `mul` is deprecated since data version 2 of convnet-ops"), "{error}");
    assert!(error.ends_with("help: use `flatten` and `matmul`"), "{error}");
}

/// Three releases of one package are linked into this test, and each has its own functions.
#[test]
fn a_release_has_the_upgrade_functions_that_it_declares() {
    let functions = releases()
        .map(|runtime| runtime.program().packages()["convnet-ops"].upgrades.keys().cloned().collect::<Vec<_>>());
    let of_2_0 = vec![("mul".to_owned(), 3), ("round".to_owned(), 3)];
    assert_eq!(functions, [vec![], vec![], of_2_0]);
}
