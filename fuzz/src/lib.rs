//! What hostile bytes are held against: [`TARGETS`], which libFuzzer calls one by one, and a test with all that is kept in `corpus/`.
//!
//! Nothing here may panic but for an assertion, and each assertion is a promise of `docs/graphs.md` or `docs/lock.md`.

mod definitions;
mod models;

use std::sync::LazyLock;

use oplock_core::approvals::Approvals;
use oplock_core::{Lock, Value, check_item_name, check_op_name, mangle_op_name};
use oplock_graph::{
    Export, ExportOptions, Graph, Limits, LoadOptions, Package, Program, Upgrade, UpgradeError, UpgradeFn,
};
use proc_macro2::TokenStream;

pub use definitions::definitions;
pub use models::models;

/// A target: its name, which is that of its folder in `corpus/`, and what it holds bytes against.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] = &[
    ("approvals", approvals),
    ("declaration", declaration),
    ("definitions", definitions),
    ("graph", graph),
    ("lock", lock),
    ("models", models),
    ("names", names),
];

/// The reader: a package with aliases, changed defaults, deletions, a deprecation, a revision and two upgrade functions.
static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let lock = Lock::parse(include_str!("../program.lock"), None).unwrap_or_else(|error| panic!("{error}"));
    let version = lock.last_release().expect("it has releases").clone();
    let mut package = Package::of_lock(lock, version);
    package.upgrades.insert(("gone".to_owned(), 3), UpgradeFn::new(gone));
    package.upgrades.insert(("round".to_owned(), 4), UpgradeFn::new(round));
    Program::of([package]).unwrap_or_else(|error| panic!("{error}"))
});

/// Removes the node, or makes several of it, as the names of its variables say.
fn gone(node: &mut Upgrade<'_>) -> Result<(), UpgradeError> {
    let [from] = node.input("X") else { return Err(UpgradeError::new("it has not one input")) };
    let from = from.clone();
    if let [to] = node.output("Out")
        && to.starts_with('r')
    {
        let to = to.clone();
        node.forward(&to, &from);
        node.remove();
        return Ok(());
    }
    let between = node.fresh_variable("between");
    let mut first = node.node().clone();
    first.op = "add".to_owned();
    first.outputs.insert("Out".to_owned(), vec![between.clone()]);
    node.insert_before(first);
    node.set_input("X", vec![between]);
    node.set_op("add");
    Ok(())
}

/// Says what was meant, and renames what is rounded.
fn round(node: &mut Upgrade<'_>) -> Result<(), UpgradeError> {
    node.set_attr("mode", Value::String("up".into()));
    match node.input("X") {
        [name] if name.starts_with('w') => {
            let name = name.clone();
            node.rename_variable(&name, &format!("{name}.rounded"))
        }
        [name] if name.starts_with('s') => {
            let name = name.clone();
            node.remove_input("X");
            node.remove_variable(&name)
        }
        _ => Ok(()),
    }
}

/// A saved graph, as JSON where it begins as that does: what is read is written as it was read, and what loads is saved, loads
/// again as the same, and is saved as the same.
pub fn graph(bytes: &[u8]) {
    let read = if bytes.first() == Some(&b'{') {
        std::str::from_utf8(bytes).ok().and_then(|text| Graph::from_json(text).ok())
    } else {
        Graph::from_bytes_within(bytes, &Limits { max_bytes: 1 << 20 }).ok()
    };
    let Some(graph) = read else { return };
    same(&graph);
    for allow_unpromised in [false, true] {
        let options = LoadOptions { allow_unpromised };
        let checked = PROGRAM.check(&graph, options);
        let Ok(loaded) = PROGRAM.load(graph.clone(), options).inspect_err(|refused| drop(refused.to_string())) else {
            continue;
        };
        assert!(checked.is_ok(), "what loads passes the check");
        let _ = loaded.report.to_string();
        let kept = PROGRAM.save_loaded(&loaded);
        let saved = match PROGRAM.save(&loaded.graph) {
            Ok(saved) => saved,
            Err(refused) => {
                let is_deprecated = !loaded.report.warnings.is_empty();
                assert!(is_deprecated, "what loads is saved, unless it uses what is deprecated by now: {refused}");
                continue;
            }
        };
        let _ = saved.report.to_string();
        same(&saved.graph);
        let again = PROGRAM.save(&saved.graph).unwrap_or_else(|refused| panic!("what was saved is saved: {refused}"));
        assert_eq!(again.graph, saved.graph, "saving what was saved changes nothing");
        let back = PROGRAM.load(saved.graph, LoadOptions::default());
        let back = back.unwrap_or_else(|refused| panic!("what was saved loads: {refused}"));
        assert_eq!(back.graph.blocks, loaded.graph.blocks, "what was saved means what it meant");
        assert!(back.variables.is_empty(), "what was saved is of today");
        let kept = kept.unwrap_or_else(|refused| panic!("it is saved as it was: {refused}"));
        same(&kept.graph);
        for kind in [Export::Float, Export::Quantised] {
            let options = ExportOptions { drop_quant: true };
            let Ok(exported) = PROGRAM.export(&loaded.graph, kind, options) else { continue };
            let back = PROGRAM.load(exported.graph.clone(), LoadOptions::default());
            let back = back.unwrap_or_else(|refused| panic!("what was exported loads: {refused}"));
            let again = PROGRAM.save(&back.graph).unwrap_or_else(|refused| panic!("and is saved: {refused}"));
            assert_eq!(again.graph, exported.graph, "saving what was exported changes nothing");
        }
    }
}

/// Both formats give back what they were given, in one way.
fn same(graph: &Graph) {
    let bytes = graph.to_bytes().unwrap_or_else(|error| panic!("what was read is written: {error}"));
    let read = Graph::from_bytes(&bytes).unwrap_or_else(|error| panic!("what was written is read: {error}"));
    assert_eq!(read, *graph);
    assert_eq!(read.to_bytes().as_ref(), Ok(&bytes));
    let text = graph.to_json().unwrap_or_else(|error| panic!("what was read is written as JSON: {error}"));
    let read = Graph::from_json(&text).unwrap_or_else(|error| panic!("JSON that was written is read: {error}"));
    assert_eq!(read, *graph);
    assert_eq!(read.to_json().as_ref(), Ok(&text));
}

/// A lock: what is read is written, is read as the same, and is written as the same.
pub fn lock(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let lock = match Lock::parse(text, None) {
        Ok(lock) => lock,
        Err(error) => return drop((error.to_string(), error.remedy())),
    };
    let written = lock.to_string();
    let read =
        Lock::parse(&written, None).unwrap_or_else(|error| panic!("what was written is read: {error}\n{written}"));
    assert_eq!(read.to_string(), written);
    assert!(read == lock, "what was written says what was read:\n{written}");
}

/// An `ops.approvals.toml`: what is read is written, and is read as the same.
pub fn approvals(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let approvals = match Approvals::parse(text) {
        Ok(approvals) => approvals,
        Err(error) => return drop(error.to_string()),
    };
    let written = approvals.to_string();
    let read =
        Approvals::parse(&written).unwrap_or_else(|error| panic!("what was written is read: {error}\n{written}"));
    assert!(read == approvals, "what was written says what was read:\n{written}");
    assert_eq!(read.to_string(), written);
}

/// Two names, a line each: what is an operator's name becomes an identifier of Rust, and another name another one.
pub fn names(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (a, b) = text.split_once('\n').unwrap_or((text, ""));
    for name in [a, b] {
        drop(check_item_name(name).map_err(|error| error.to_string()));
    }
    let [one, other] = [a, b].map(|name| check_op_name(name).is_ok().then(|| mangle_op_name(name)));
    for mangled in [&one, &other].into_iter().flatten() {
        let is_identifier = mangled.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        assert!(is_identifier && !mangled.starts_with(|c: char| c.is_ascii_digit()), "{mangled}");
    }
    assert!(one.is_none() || (a == b) == (one == other), "{a:?} and {b:?} become {one:?} and {other:?}");
}

/// What an author writes for `#[op]`: its arguments in the first line, the item in the rest. A mistake becomes an error.
pub fn declaration(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (arguments, item) = text.split_once('\n').unwrap_or((text, ""));
    let (Ok(arguments), Ok(item)) = (arguments.parse::<TokenStream>(), item.parse::<TokenStream>()) else { return };
    let is_sound = oplock_macros_alone::read(arguments.clone(), item.clone());
    let expanded = oplock_macros_alone::op(arguments, item).to_string();
    assert!(is_sound || expanded.contains("compile_error"), "what is wrong is an error: {expanded}");
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use oplock_graph::{Graph, LoadOptions};

    /// `BLESS=1 cargo test` writes each graph that is kept as JSON as protobuf, too.
    #[test]
    fn graphs_are_kept_in_both_formats() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/graph");
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let graph = Graph::from_json(&fs::read_to_string(&path).unwrap());
                let bytes = graph.unwrap_or_else(|error| panic!("{}: {error}", path.display())).to_bytes().unwrap();
                let binary = path.with_extension("graph");
                if std::env::var_os("BLESS").is_some() {
                    fs::write(&binary, &bytes).unwrap();
                }
                if !["full", "unpromised"].contains(&path.file_stem().unwrap().to_str().unwrap()) {
                    let loaded = super::PROGRAM.load(Graph::from_bytes(&bytes).unwrap(), LoadOptions::default());
                    loaded.unwrap_or_else(|refused| panic!("{}: {refused}", path.display()));
                }
                assert_eq!(fs::read(&binary).unwrap(), bytes, "{}", binary.display());
            }
        }
    }

    /// Each target is a program of libFuzzer's, and is told of in the README.
    #[test]
    fn every_target_is_a_program() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (manifest, readme) =
            ["Cargo.toml", "README.md"].map(|file| fs::read_to_string(folder.join(file)).unwrap()).into();
        for (name, _) in super::TARGETS {
            let program = fs::read_to_string(folder.join(format!("fuzz_targets/{name}.rs"))).unwrap();
            assert!(program.contains(&format!("oplock_fuzz::{name}(bytes)")), "{name}");
            assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
            assert!(readme.contains(&format!("| `{name}` |")), "{name}");
        }
    }

    /// Everything that was kept: the seeds, and whatever once went wrong.
    #[test]
    fn what_is_kept_is_held() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
        for (name, target) in super::TARGETS {
            let files = fs::read_dir(corpus.join(name)).unwrap();
            let mut count = 0;
            for file in files {
                let path = file.unwrap().path();
                println!("{}", path.display());
                target(&fs::read(path).unwrap());
                count += 1;
            }
            assert!(count > 0, "there is nothing in corpus/{name}");
        }
    }
}
