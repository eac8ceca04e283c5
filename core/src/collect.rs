//! How the macros tell the command line what they saw.
//!
//! While the variable [`VARIABLE`] names a folder, `#[op]` compares nothing; it writes one [`Record`] an operator
//! into that folder, and `lock!` writes that the crate was expanded at all.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};

use std::collections::BTreeMap;

use crate::lock::toml::{self, Line, TomlError};
use crate::lock::{Fields, LockError, OpEntry, Since, read_ops, write_op};
use crate::model::{OpDef, write_toml_string};

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
    /// The operator; `None` for the record of `lock!` itself.
    pub op: Option<CollectedOp>,
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
        let name = self.op.as_ref().map(|op| op.def.name.as_ref());
        (&self.manifest_dir, &self.crate_name, &self.file, self.line, name).hash(&mut hasher);
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
        if let Some(op) = &self.op {
            if op.unlocked {
                text.push_str("unlocked = true\n");
            }
            text.push_str("\n[op]\n");
            let entry = OpEntry::new(op.def.clone(), &Since::Unreleased);
            let _ = write_op(&mut text, &op.def.name, &entry, &|_| entry.stamp.since.clone());
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
        root.only(&["record", "op"])?;
        let missing = || syntax(TomlError { line: 1, reason: "[record] is missing".to_owned() });
        let record = root.table("record")?.ok_or_else(missing)?;
        record.only(&["manifest_dir", "crate", "file", "line", "unlocked"])?;
        let unlocked = record.flag("unlocked")?;
        let op = read_ops(&root, &BTreeMap::new())?.0.into_values().next();
        Ok(Record {
            manifest_dir: record.string("manifest_dir")?,
            crate_name: record.string("crate")?,
            file: record.string("file")?,
            line: record.string("line")?.parse().map_err(|_| missing())?,
            op: op.map(|entry| CollectedOp { def: entry.def, unlocked }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AttrDef, AttrType, ScalarType, Value};

    #[test]
    fn a_record_reads_back_as_written() {
        let mut def = OpDef::new("aten::add.Tensor");
        let mut attr = AttrDef::new("F1 \"x\"", AttrType::of(ScalarType::F32));
        attr.default = Some(Value::F32(f32::NAN));
        def.attrs.to_mut().push(attr);
        let op = Some(CollectedOp { def, unlocked: true });
        let manifest_dir = "C:\\a b\\\u{e4}".to_owned();
        let record = Record { manifest_dir, crate_name: "x".to_owned(), file: "src/lib.rs".to_owned(), line: 7, op };
        assert_eq!(Record::parse(&record.to_text()), Ok(record.clone()));
        assert_eq!(Record::parse(&Record { op: None, ..record.clone() }.to_text()), Ok(Record { op: None, ..record }));
    }
}
