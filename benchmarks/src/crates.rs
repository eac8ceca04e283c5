//! The crates that are compiled: operators of eight items each, and the same structs with serde's derives.

use std::fmt::{self, Write as _};
use std::fs;
use std::path::{Path, PathBuf};

use oplock_core::lock::{OpEntry, Release, Since};
use oplock_core::{ArgDef, AttrDef, AttrType, LOCK_FILE, Lock, OpDef, Part, ScalarType, Value};
use semver::Version;

use crate::error::{Error, file};
use crate::imported::Imported;

/// The version of the generated packages, which is sealed in their locks.
pub(crate) const VERSION: Version = Version::new(1, 0, 0);
/// As many structs as a file has.
const OPS_IN_A_FILE: usize = 100;

/// What is laid upon the structs, or what a crate without structs depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Library {
    /// `#[op]`, with a lock in place.
    Oplock,
    /// `#[derive(Serialize, Deserialize)]`.
    Serde,
    /// `#[derive(clap::Args)]`.
    Clap,
    /// Only what a cold build of it costs.
    Thiserror,
    /// Only what a cold build of it costs, with its macros.
    Sqlx,
}

impl Library {
    /// Those that are laid upon structs.
    pub(crate) const OF_STRUCTS: [Library; 3] = [Library::Oplock, Library::Serde, Library::Clap];
    /// Those whose cold builds are measured.
    pub(crate) const COLD: [Library; 4] = [Library::Oplock, Library::Serde, Library::Thiserror, Library::Sqlx];
    /// Those whose instructions are counted.
    pub(crate) const COUNTED: [Library; 2] = [Library::Oplock, Library::Serde];

    /// The crate's name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Library::Oplock => "oplock",
            Library::Serde => "serde",
            Library::Clap => "clap",
            Library::Thiserror => "thiserror",
            Library::Sqlx => "sqlx",
        }
    }

    /// The line of a manifest; `oplock` is the folder of that crate.
    fn dependency(self, oplock: &Path) -> String {
        match self {
            Library::Oplock => format!("oplock = {{ path = {:?} }}", oplock.to_string_lossy()),
            Library::Serde => "serde = { version = \"1.0\", features = [\"derive\"] }".to_owned(),
            Library::Clap => "clap = { version = \"4.6\", features = [\"derive\"] }".to_owned(),
            Library::Thiserror => "thiserror = \"2.0\"".to_owned(),
            Library::Sqlx => {
                "sqlx = { version = \"0.8\", default-features = false, features = [\"macros\"] }".to_owned()
            }
        }
    }

    /// What stands above a struct.
    fn attribute(self, i: usize) -> String {
        match self {
            Library::Oplock => format!("#[op({:?})]", op_name(i)),
            Library::Clap => "#[derive(Args)]".to_owned(),
            _ => "#[derive(Serialize, Deserialize)]".to_owned(),
        }
    }
}

/// A generated package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) library: Library,
    /// How many structs it has.
    pub(crate) ops: usize,
}

/// The package's name.
impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-on-{}-structs", self.library.name(), self.ops)
    }
}

impl Package {
    /// The name of its crate.
    pub(crate) fn crate_name(self) -> String {
        self.to_string().replace('-', "_")
    }

    /// The crate root.
    pub(crate) fn root(self, workspace: &Path) -> PathBuf {
        workspace.join(self.to_string()).join("src/lib.rs")
    }
}

/// Writes a workspace of these packages, those with structs of what was imported where something was; `oplock` is the folder of that
/// crate.
///
/// # Errors
///
/// When a file cannot be written.
pub(crate) fn generate(
    workspace: &Path,
    packages: &[Package],
    oplock: &Path,
    imported: Option<&Imported>,
) -> Result<(), Error> {
    let members: Vec<_> = packages.iter().map(|package| format!("{:?}", package.to_string())).collect();
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", "));
    write(&workspace.join("Cargo.toml"), &manifest)?;
    for package in packages {
        let folder = workspace.join(package.to_string());
        write(&folder.join("Cargo.toml"), &manifest_of(*package, oplock))?;
        if let Some(imported) = imported.filter(|_| package.ops > 0) {
            for (path, text) in imported.files(*package) {
                write(&folder.join(path), &text)?;
            }
            continue;
        }
        write(&package.root(workspace), &root_of(*package))?;
        for start in (0..package.ops).step_by(OPS_IN_A_FILE) {
            let end = package.ops.min(start + OPS_IN_A_FILE);
            write(&folder.join(format!("src/ops_{start}.rs")), &structs(package.library, start..end))?;
        }
        if package.library == Library::Oplock {
            write(&folder.join(LOCK_FILE), &lock(*package).to_string())?;
        }
    }
    Ok(())
}

/// What already has that text stays untouched, so that cargo takes it for unchanged.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(file("create", folder))?;
    }
    fs::write(path, text).map_err(file("write", path))
}

pub(crate) fn manifest_of(package: Package, oplock: &Path) -> String {
    let dependency = package.library.dependency(oplock);
    format!(
        "[package]\nname = \"{package}\"\nversion = \"{VERSION}\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\n{dependency}\n"
    )
}

fn root_of(package: Package) -> String {
    let mut text = match package.library {
        Library::Oplock => "oplock::lock!();\n\npub use oplock::Var;\n\n".to_owned(),
        // The same type of wire, to which serde's derives apply.
        Library::Serde => "#[derive(serde::Serialize, serde::Deserialize)]\npub struct Var(pub String);\n\n".to_owned(),
        Library::Clap => "pub type Var = String;\n\n".to_owned(),
        Library::Thiserror | Library::Sqlx => format!("pub use {};\n", package.library.name()),
    };
    for start in (0..package.ops).step_by(OPS_IN_A_FILE) {
        let _ = writeln!(text, "pub mod ops_{start};");
    }
    text
}

/// The fields of every struct: what oplock is told of each, and what both libraries see.
const FIELDS: [(&str, &str); 8] = [
    ("#[input(name = \"X\")]", "x: Var"),
    ("#[input(name = \"Mask\", dispensable)]", "mask: Option<Var>"),
    ("#[output(name = \"Out\")]", "out: Var"),
    ("#[attr(default = 1)]", "axis: i32"),
    ("#[attr(default = 1e-5)]", "epsilon: f32"),
    ("#[attr(default = [1, 1])]", "strides: Vec<i32>"),
    ("#[attr(default = \"NCHW\")]", "layout: String"),
    ("#[attr(default = false, extra)]", "use_mkldnn: bool"),
];

fn structs(library: Library, range: std::ops::Range<usize>) -> String {
    let mut text = match library {
        Library::Oplock => "use oplock::op;\n\nuse crate::Var;\n".to_owned(),
        Library::Clap => "use clap::Args;\n\nuse crate::Var;\n".to_owned(),
        _ => "use serde::{Deserialize, Serialize};\n\nuse crate::Var;\n".to_owned(),
    };
    for i in range {
        let (doc, attribute) = (format!("/// Scales `X` along an axis, variant {i}."), library.attribute(i));
        let _ = write!(text, "\n{doc}\n{attribute}\n{}", structure(library, i));
    }
    text
}

/// A struct without what is above it.
pub(crate) fn structure(library: Library, i: usize) -> String {
    let mut text = format!("pub struct Scale{i} {{\n");
    for (attribute, field) in FIELDS {
        let name = field.split(':').next().unwrap_or_default();
        let _ = writeln!(text, "    /// What `{name}` is for.");
        match library {
            Library::Oplock => text.extend(["    ", attribute, "\n"]),
            Library::Clap => text.push_str("    #[arg(long)]\n"),
            _ => {}
        }
        let _ = writeln!(text, "    pub {field},");
    }
    text.push_str("}\n");
    text
}

/// The saved name of an operator.
pub(crate) fn op_name(i: usize) -> String {
    format!("scale_{i}")
}

/// The lock that says what [`structs`] declare.
pub(crate) fn lock(package: Package) -> Lock {
    let mut lock = Lock::new(package.to_string());
    lock.releases.insert(VERSION, Release::new("2026-01-01"));
    for i in 0..package.ops {
        let def = definition(op_name(i));
        lock.ops.insert(def.name.to_string(), OpEntry::new(def, &Since::Release(VERSION)));
    }
    lock
}

/// The signature of [`FIELDS`].
pub(crate) fn definition(name: String) -> OpDef {
    let arg = |name: &'static str, dispensable| ArgDef { dispensable, ..ArgDef::new(name) };
    let attr =
        |name: &'static str, ty, default, part| AttrDef { default: Some(default), part, ..AttrDef::new(name, ty) };
    let (i32, ones) = (AttrType::list(ScalarType::I32), vec![Value::I32(1), Value::I32(1)]);
    OpDef {
        inputs: vec![arg("X", false), arg("Mask", true)].into(),
        outputs: vec![arg("Out", false)].into(),
        attrs: vec![
            attr("axis", AttrType::of(ScalarType::I32), Value::I32(1), Part::Def),
            attr("epsilon", AttrType::of(ScalarType::F32), Value::F32(1e-5), Part::Def),
            attr("strides", i32, Value::list(ones), Part::Def),
            attr("layout", AttrType::of(ScalarType::String), Value::String("NCHW".into()), Part::Def),
            attr("use_mkldnn", AttrType::of(ScalarType::Bool), Value::Bool(false), Part::Extra),
        ]
        .into(),
        ..OpDef::new(name)
    }
}
