//! How the macros tell the command line what they saw.
//!
//! While the variable [`VARIABLE`] names a folder, the macros compare nothing: each writes one [`Record`] an
//! expansion into that folder.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};

use crate::judge::saved_after;
use crate::lock::toml::{self, Line, TomlError};
use crate::lock::{
    Fields, Lock, LockError, OpEntry, Since, Stamp, read_ops, read_saved, read_upgrades, write_op, write_saved,
    write_upgrades,
};
use crate::model::{DataVersions, Map, OpDef, SavedKind, write_toml_string};

/// The environment variable that names the folder into which records are written.
pub const VARIABLE: &str = "OPLOCK_COLLECT";

/// What one expansion of a macro saw.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The folder of the package's manifest.
    pub manifest_dir: String,
    /// The name of the crate that was compiled.
    pub crate_name: String,
    /// The source file.
    pub file: String,
    /// The line in it.
    pub line: Line,
    /// What was expanded.
    pub of: Expansion,
}

/// What an expansion tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Expansion {
    /// `lock!`: that the crate was expanded at all, its data versions, and whether the places of operands are promised.
    Lock(Map<SavedKind, DataVersions>, bool),
    /// `#[op]`.
    Op(Box<CollectedOp>),
    /// `#[upgrade]`: of which operator, and for what was saved before which data version.
    Upgrade(String, u32),
}

/// An operator as its declaration gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectedOp {
    /// Its signature.
    pub def: OpDef,
    /// Whether it is marked `unlocked`.
    pub unlocked: bool,
}

impl Record {
    /// The name of the record's file: one for each place, the same whenever that place is expanded again.
    pub fn file_name(&self) -> String {
        let mut hasher = DefaultHasher::new();
        let (name, before) = match &self.of {
            Expansion::Lock(..) => (None, None),
            Expansion::Op(op) => (Some(op.def.name.as_ref()), None),
            Expansion::Upgrade(op, before) => (Some(op.as_str()), Some(before)),
        };
        (&self.manifest_dir, &self.crate_name, &self.file, self.line, name, before).hash(&mut hasher);
        format!("{:016x}.toml", hasher.finish())
    }

    /// The text of the record.
    pub fn to_text(&self) -> String {
        let mut text = String::from("[record]\n");
        for (key, value) in [("manifest_dir", &self.manifest_dir), ("crate", &self.crate_name), ("file", &self.file)] {
            let _ = write!(text, "{key} = ");
            let _ = write_toml_string(&mut text, value);
            text.push('\n');
        }
        let _ = writeln!(text, "line = \"{}\"", self.line);
        let mut lock = Lock::new("");
        match &self.of {
            Expansion::Lock(saved, positional) => {
                text.push_str("lock = true\n");
                if *positional {
                    text.push_str("positional = true\n");
                }
                let saved =
                    saved.iter().filter_map(|(kind, versions)| Some((*kind, saved_after(&lock, *kind, versions)?)));
                lock.saved = saved.collect();
                let _ = write_saved(&mut text, &lock, "");
            }
            Expansion::Op(op) => {
                if op.unlocked {
                    text.push_str("unlocked = true\n");
                }
                text.push_str("\n[op]\n");
                // An entry has its items by name, so what their order says must be said.
                let entry = OpEntry::new(op.def.clone().numbered(), &Since::Unreleased);
                let _ = write_op(&mut text, &op.def.name, &entry, None);
            }
            Expansion::Upgrade(op, before) => {
                lock.upgrades.insert((op.clone(), *before), Stamp { since: Some(Since::Unreleased), line: 0 });
                let _ = write_upgrades(&mut text, &lock);
            }
        }
        text
    }

    /// Reads what [`Record::to_text`] wrote.
    ///
    /// # Errors
    ///
    /// When the text is damaged.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        let syntax = |e: TomlError| LockError { line: e.line, kind: crate::lock::LockErrorKind::Syntax(e.reason) };
        let root = toml::parse(text).map_err(syntax)?;
        let root = Fields::new(&root, 1, "the record");
        root.only(&["record", "saved", "op", "upgrade"])?;
        let missing = |what: &str| syntax(TomlError { line: 1, reason: format!("{what} is missing") });
        let record = root.table("record")?.ok_or_else(|| missing("[record]"))?;
        record.only(&["manifest_dir", "crate", "file", "line", "lock", "positional", "unlocked"])?;
        let unlocked = record.flag("unlocked")?;
        let mut lock = Lock::new("");
        let op = read_ops(&root, &Map::new())?.0.into_values().next();
        read_upgrades(&root, &mut lock)?;
        let upgrade = lock.upgrades.into_keys().next();
        let of = match (record.flag("lock")?, op, upgrade) {
            (true, None, None) => {
                let saved = read_saved(&root, &Map::new())?;
                let saved = saved.into_iter().map(|(kind, saved)| (kind, saved.versions)).collect();
                Expansion::Lock(saved, record.flag("positional")?)
            }
            (false, Some(entry), None) => Expansion::Op(Box::new(CollectedOp { def: entry.def, unlocked })),
            (false, None, Some((op, before))) => Expansion::Upgrade(op, before),
            _ => return Err(missing("what was expanded")),
        };
        Ok(Record {
            manifest_dir: record.string("manifest_dir")?,
            crate_name: record.string("crate")?,
            file: record.string("file")?,
            line: record.string("line")?.parse().map_err(|_| missing("`line`"))?,
            of,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AttrDef, AttrType, ScalarType, Set, Value};

    #[test]
    fn a_record_reads_back_as_written() {
        let mut def = OpDef::new("aten::add.Tensor");
        let mut attr = AttrDef::new("F1 \"x\"", AttrType::of(ScalarType::F32));
        attr.default = Some(Value::F32(f32::NAN));
        def.attrs.to_mut().push(attr);
        let versions = DataVersions {
            min_producer: 4,
            min_consumer: 2,
            bad_consumers: [6].into(),
            history: [(1, "one".to_owned()), (8, "\"eight\"".to_owned())].into(),
        };
        let minimal = DataVersions { bad_consumers: [1].into(), ..DataVersions::default() };
        let all = [
            Expansion::Op(Box::new(CollectedOp { def, unlocked: true })),
            Expansion::Upgrade("aten::pad".to_owned(), 9),
            Expansion::Lock(Map::new(), true),
            Expansion::Lock([(SavedKind::Graph, versions), (SavedKind::Checkpoint, minimal)].into(), false),
        ];
        let manifest_dir = "C:\\a b\\\u{e4}".to_owned();
        for of in all {
            let (crate_name, file) = ("x".to_owned(), "src/lib.rs".to_owned());
            let record = Record { manifest_dir: manifest_dir.clone(), crate_name, file, line: 7, of };
            assert_eq!(Record::parse(&record.to_text()), Ok(record));
        }
    }

    /// So that what is expanded again takes the place of what it told before, and of nothing else.
    #[test]
    fn each_place_has_a_file_of_its_own() {
        let op =
            |name: &'static str, unlocked| Expansion::Op(Box::new(CollectedOp { def: OpDef::new(name), unlocked }));
        let record = |line, of| {
            let (manifest_dir, crate_name, file) = ("/p".to_owned(), "p".to_owned(), "src/lib.rs".to_owned());
            Record { manifest_dir, crate_name, file, line, of }
        };
        let first = record(7, op("f", false));
        let name = first.file_name();
        assert_eq!(name, record(7, op("f", true)).file_name(), "it is the same place");
        let digits = name.strip_suffix(".toml").unwrap();
        assert!(digits.len() == 16 && digits.bytes().all(|b| b.is_ascii_hexdigit()), "{name}");
        let others = [
            record(8, op("f", false)),
            record(7, op("g", false)),
            record(7, Expansion::Upgrade("f".to_owned(), 1)),
            record(7, Expansion::Upgrade("f".to_owned(), 2)),
            record(7, Expansion::Lock(Map::new(), false)),
            Record { manifest_dir: "/q".to_owned(), ..first.clone() },
            Record { crate_name: "q".to_owned(), ..first.clone() },
            Record { file: "src/main.rs".to_owned(), ..first.clone() },
        ];
        let names: Set<_> = others.iter().chain([&first]).map(Record::file_name).collect();
        assert_eq!(names.iter().count(), others.len() + 1);
    }
}
