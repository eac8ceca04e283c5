//! Operators of a real framework, as `cargo oplock import` declares them, and the same structs with serde's derives.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use oplock_core::judge::{saved_after, seal_data};
use oplock_core::lock::{OpEntry, Release, Since};
use oplock_core::{COMMON, DataVersions, LOCK_FILE, Lock, Map, OpDef, SavedKind};
use oplock_interop::import::{Import, Options, Package as Target, PackageFiles, Source};
use oplock_interop::{DefinitionFile, Format};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::crates::{Library, Package, VERSION};
use crate::error::{Error, file};

/// What a file of definitions declares.
pub(crate) struct Imported {
    source: Source,
    ops: BTreeMap<String, OpDef>,
    /// Those that `#[op]` declares, by saved name.
    declared: Vec<String>,
    /// The file's name.
    file: String,
}

impl Imported {
    /// Reads a file of `PaddlePaddle`'s, `TensorFlow`'s or ONNX's definitions.
    ///
    /// # Errors
    ///
    /// When there is no such file, or none of it can be declared.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let wrong = |what: &str| Error::Definitions { path: path.to_owned(), error: what.to_owned() };
        let bytes = fs::read(path).map_err(file("read", path))?;
        let read = DefinitionFile::read(&bytes, Format::of(&bytes)).map_err(|error| wrong(&error.to_string()))?;
        let (source, ops) = (read.stated.source(), read.ops);
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut imported = Imported { source, ops, declared: Vec::new(), file };
        imported.declared = imported.import(|_| true).ops.into_keys().collect();
        if imported.declared.is_empty() {
            return Err(wrong("it has no operator that `#[op]` declares"));
        }
        Ok(imported)
    }

    /// How many operators there are.
    pub(crate) fn len(&self) -> usize {
        self.declared.len()
    }

    fn import(&self, wanted: impl Fn(&str) -> bool) -> Import {
        let options = Options { source: self.source, derives: Vec::new() };
        Import::new(&self.ops, options, wanted).without_common()
    }

    /// So many of the operators, evenly chosen in the order of their names.
    fn some(&self, ops: usize) -> Import {
        let chosen: BTreeSet<&str> = (0..ops).map(|i| self.declared[i * self.len() / ops].as_str()).collect();
        self.import(|name| chosen.contains(name))
    }

    /// How many inputs, outputs and attributes one of so many operators has of its own, in the mean.
    pub(crate) fn mean_items(&self, ops: usize) -> f64 {
        let items: usize = self.some(ops).ops.values().map(|(_, def)| def.item_names().count()).sum();
        #[expect(clippy::cast_precision_loss, reason = "no file has so many operators")]
        let mean = items as f64 / ops as f64;
        mean
    }

    /// The files of a package of so many operators, but for its manifest; the lock's only where the library has one.
    ///
    /// # Panics
    ///
    /// When what `import` writes is not Rust, which it is tested for.
    pub(crate) fn files(&self, package: Package) -> BTreeMap<PathBuf, String> {
        let target =
            Target { name: package.to_string(), version: VERSION, oplock: String::new(), file: self.file.clone() };
        let import = self.some(package.ops);
        let mut files: PackageFiles = import.package(&target);
        files.remove(Path::new("Cargo.toml"));
        if package.library == Library::Oplock {
            files.insert(LOCK_FILE.into(), lock(&import, package).to_string());
            return files;
        }
        for (path, text) in &mut files {
            if path.starts_with("src/operators") {
                *text = with_serde(text.parse().expect("what is imported is Rust")).to_string();
            }
        }
        files.insert("src/lib.rs".into(), SERDE_ROOT.to_owned());
        files
    }
}

/// The lock of what is declared, released.
fn lock(import: &Import, package: Package) -> Lock {
    let since = Since::Release(VERSION);
    let mut lock = Lock::new(package.to_string());
    lock.positional = import.options.source.is_positional();
    lock.releases.insert(VERSION, Release::new("2026-01-01"));
    let placed = |def: OpDef| if lock.positional { def.numbered() } else { def };
    let entry = |def: &OpDef| OpEntry::new(placed(def.clone()).sorted(), &since);
    let mut ops: Map<_, _> = import.ops.iter().map(|(name, (_, def))| (name.clone(), entry(def))).collect();
    if !import.common.attrs.is_empty() {
        ops.insert(COMMON.to_owned(), OpEntry::new(import.common.clone().sorted(), &since));
    }
    lock.ops = ops;
    let mut versions = DataVersions::default();
    if !import.versions().is_empty() {
        versions.history = import.versions().into_iter().collect();
    }
    let saved = saved_after(&lock, SavedKind::Graph, &versions);
    lock.saved.extend(saved.map(|saved| (SavedKind::Graph, saved)));
    seal_data(&mut lock, &VERSION);
    lock
}

/// What stands in for the types of `oplock`, so that serde's derives apply.
const SERDE_ROOT: &str = "#![allow(unused_imports)]

mod oplock {
    use serde::{Deserialize, Serialize};

    pub mod op {}
    #[derive(Serialize, Deserialize)]
    pub struct Var(pub String);
    #[derive(Serialize, Deserialize)]
    pub struct Block(pub u32);
    #[derive(Serialize, Deserialize)]
    pub struct DType(pub String);
    #[derive(Serialize, Deserialize)]
    pub struct Scalar(pub f64);
    #[derive(Serialize, Deserialize)]
    pub struct Complex128(pub f64, pub f64);
    #[derive(Serialize, Deserialize)]
    pub struct Shape(pub Vec<u64>);
    #[derive(Serialize, Deserialize)]
    pub struct Tensor(pub Vec<u8>);
    #[derive(Serialize, Deserialize)]
    pub struct SparseTensor(pub Vec<u8>);
    #[derive(Serialize, Deserialize)]
    pub struct Func(pub String);
    #[derive(Serialize, Deserialize)]
    pub struct TypeProto(pub String);
}

mod operators;

pub use operators::*;
";

/// The same items with serde's derives in the place of `#[op]`, and without what else is oplock's.
fn with_serde(tokens: TokenStream) -> TokenStream {
    let mut output = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let Some(TokenTree::Group(attribute)) = tokens.peek() else {
                    output.extend([token]);
                    continue;
                };
                let name = attribute.stream().into_iter().next().map(|name| name.to_string()).unwrap_or_default();
                match name.as_str() {
                    "op" => {
                        tokens.next();
                        output.extend(derives());
                    }
                    "input" | "output" | "attr" | "skip" => drop(tokens.next()),
                    _ => output.extend([token]),
                }
            }
            TokenTree::Ident(name) if *name == "oplock" => output.extend(stand_in()),
            TokenTree::Group(group) if group.delimiter() != Delimiter::Bracket => {
                output.extend([TokenTree::Group(Group::new(group.delimiter(), with_serde(group.stream())))]);
            }
            _ => output.extend([token]),
        }
    }
    output
}

fn derives() -> TokenStream {
    "#[derive(serde::Serialize, serde::Deserialize)]".parse().expect("an attribute")
}

fn stand_in() -> TokenStream {
    "crate::oplock".parse().expect("a path")
}

#[cfg(test)]
mod tests {
    use oplock_interop::paddle;

    use super::*;

    #[test]
    fn serde_takes_the_place_of_oplock() {
        let text = "use oplock::{Var, op};\n/// Scales.\n#[op(\"scale\", stateful)]\npub struct Scale {\n    \
                    /// What.\n    #[input(name = \"X\")]\n    pub x: Var,\n    #[attr(default = [1])]\n    pub r#type: Vec<oplock::Shape>,\n}";
        let expected = "use crate::oplock::{Var, op};\n/// Scales.\n#[derive(serde::Serialize, serde::Deserialize)]\npub struct Scale {\n    \
                        /// What.\n    pub x: Var, pub r#type: Vec<crate::oplock::Shape>,\n}";
        let plain = |text: &str| text.parse::<TokenStream>().unwrap().to_string();
        assert_eq!(with_serde(text.parse().unwrap()).to_string(), plain(expected));
    }

    /// What is written of a file is a lock that reads, one operator of it an entry, and no macro of ours is left for serde.
    #[test]
    fn a_file_becomes_two_packages() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/benchmarks-imported.spec");
        let ops = BTreeMap::from([("scale_1".to_owned(), crate::crates::definition("scale_1".to_owned()))]);
        crate::crates::write(&path, &paddle::to_text(&ops).unwrap()).unwrap();
        let imported = Imported::read(&path).unwrap();
        assert_eq!((imported.len(), imported.mean_items(1)), (1, 8.0));
        let files = |library| imported.files(Package { library, ops: 1 });
        let oplock = files(Library::Oplock);
        let lock = Lock::parse(&oplock[Path::new(LOCK_FILE)], Some("oplock-on-1-structs")).unwrap();
        assert_eq!(lock.ops.keys().collect::<Vec<_>>(), ["scale_1"]);
        let serde = files(Library::Serde);
        assert!(!serde.contains_key(Path::new(LOCK_FILE)));
        let module = serde.iter().find(|(path, _)| path.starts_with("src/operators")).unwrap().1;
        assert!(module.contains("Serialize") && !module.contains("# [op"), "{module}");
    }
}
