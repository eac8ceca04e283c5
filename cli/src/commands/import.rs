//! `cargo oplock import`: another framework's operators as Rust, into a file or as a crate of their own with its lock.
//!
//! Nothing is overwritten. A crate is made beside its place and moved there when it is whole.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use oplock_core::judge::saved_after;
use oplock_core::lock::{FileError, write_file};
use oplock_core::{COMMON, DataVersions, LOCK_FILE, List, Lock, OpDef, SavedKind};
use oplock_interop::import::{Import as Declarations, Options, Package, PackageFiles, Source};
use semver::Version;

use super::init::first_lock;
use crate::args::{Framework, Import};
use crate::definitions::{Definitions, choose};
use crate::error::Error;
use crate::exit::Exit;
use crate::named::Wanted;
use crate::report::count;
use crate::shell::{self, Shell};

pub(super) fn run(args: &Import, shell: &Shell) -> Result<Exit, Error> {
    // Before anything is read, since what is there decides alone.
    for path in args.out.iter().chain(&args.package) {
        if fs::symlink_metadata(path).is_ok() {
            return Err(Error::ThereAlready(path.clone()));
        }
    }
    let (source, ops) = read(args)?;
    let chosen = chosen(&ops, &args.op, &args.file)?;
    let derives = args.derive.iter().filter(|derive| !derive.is_empty()).cloned().collect();
    let mut declarations = Declarations::new(&ops, Options { source, derives }, |op| chosen.contains(&op));
    if args.without_common {
        declarations = declarations.without_common();
        declarations.common.attrs = List::default();
    }
    for refused in &declarations.refused {
        shell::warn(format_args!("left out: {refused}"));
    }
    if let Some(refused) = declarations.refused.first().filter(|_| !args.op.is_empty() || declarations.ops.is_empty()) {
        return Err(Error::NotDeclarable(refused.op.clone()));
    }
    for attr in declarations.unstated() {
        shell::warn(format_args!(
            "of the default of `{attr}` the file states the type and the sizes, and not the elements: so it is declared, and an \
             `OpList` of protobuf has them"
        ));
    }
    let what = count(declarations.ops.len(), "operator");
    match (&args.out, &args.package) {
        (Some(path), _) => {
            write_file(path, &declarations.module())?;
            shell.status("Created", format_args!("{} ({what})", path.display()));
            let module = path.file_stem().unwrap_or_default().to_string_lossy();
            for (version, text) in declarations.versions() {
                shell.status(
                    "Next",
                    format_args!("`version {version} = {text:?};` in `lock! {{ saved graph {{ … }} }}`"),
                );
            }
            shell.status("Next", format_args!("`mod {module};` in the crate, then `cargo oplock update`"));
        }
        (None, Some(folder)) => {
            let package = package(args, folder)?;
            let declarations = declarations.without_common();
            let files = declarations.package(&package);
            let lock = lock(&declarations, &package, args.released.as_ref())?;
            write_crate(folder, files, &lock)?;
            let left_out = match declarations.refused.len() {
                0 => String::new(),
                n => format!(", {n} left out"),
            };
            shell.status("Created", format_args!("{} ({what}{left_out})", folder.display()));
            shell.status("Next", format_args!("`cargo oplock check` there; commit all of it"));
        }
        (None, None) => shell::print(&declarations.module())?,
    }
    Ok(Exit::Clean)
}

/// The operators of the file, which must be that framework's.
fn read(args: &Import) -> Result<(Source, BTreeMap<String, OpDef>), Error> {
    let definitions = Definitions::read(&args.file)?;
    let source = match args.from {
        Framework::Paddle => Source::Paddle,
        Framework::TensorFlow => Source::TensorFlow,
        Framework::Onnx => Source::Onnx,
    };
    if definitions.system() == Some(source) {
        return Ok((source, definitions.ops));
    }
    Err(Error::NotOfFramework { path: args.file.clone(), framework: source.framework() })
}

/// The saved names that are asked for; all where none is.
fn chosen<'a>(ops: &'a BTreeMap<String, OpDef>, names: &[String], file: &Path) -> Result<Vec<&'a str>, Error> {
    if names.is_empty() {
        return Ok(ops.keys().map(String::as_str).collect());
    }
    choose(ops, names, Some(file))
}

fn package(args: &Import, folder: &Path) -> Result<Package, Error> {
    let of_folder = || folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = args.name.clone().unwrap_or_else(of_folder);
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|c| c.is_ascii_alphabetic());
    if name == "oplock" || !begins || !letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')) {
        return Err(Error::NoPackageName(name));
    }
    let oplock = match &args.oplock {
        None => format!("{:?}", env!("CARGO_PKG_VERSION")),
        Some(path) => {
            let manifest = path.join("Cargo.toml");
            let path = match fs::canonicalize(path) {
                Ok(absolute) if manifest.is_file() => absolute,
                _ => return Err(Error::NoFile { path: manifest, wanted: Wanted::Oplock }),
            };
            format!("{{ path = {:?} }}", path.to_string_lossy())
        }
    };
    let version = args.released.clone().unwrap_or(Version::new(0, 1, 0));
    let file = args.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Package { name, version, oplock, file })
}

/// The lock that `cargo oplock init` would make of the declarations.
fn lock(declarations: &Declarations, package: &Package, released: Option<&Version>) -> Result<String, Error> {
    let positional = declarations.options.source.is_positional();
    let placed = |def: OpDef| if positional { def.numbered() } else { def };
    let mut ops: BTreeMap<_, _> =
        declarations.ops.iter().map(|(name, (_, def))| (name.clone(), placed(def.clone()).sorted())).collect();
    if !declarations.common.attrs.is_empty() {
        ops.insert(COMMON.to_owned(), declarations.common.clone().sorted());
    }
    let mut versions = DataVersions::default();
    if !declarations.versions().is_empty() {
        versions.history = declarations.versions().into_iter().collect();
    }
    let text = first_lock(&package.name, ops, released, |lock, _| {
        lock.positional = positional;
        let saved = saved_after(lock, SavedKind::Graph, &versions);
        lock.saved.extend(saved.map(|saved| (SavedKind::Graph, saved)));
    })
    .to_string();
    Lock::parse(&text, None).map_err(Error::UnwritableLock)?;
    Ok(text)
}

/// Writes all files beside the place of the crate, and moves them there in one step.
fn write_crate(folder: &Path, files: PackageFiles, lock: &str) -> Result<(), Error> {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(failed("create", parent))?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let draft = Draft(parent.join(format!(".{name}.{}.tmp", process::id())));
    fs::create_dir(&draft.0).map_err(failed("create", &draft.0))?;
    for (path, text) in files.into_iter().chain([(PathBuf::from(LOCK_FILE), lock.to_owned())]) {
        let path = draft.0.join(path);
        let parent = path.parent().unwrap_or(&draft.0);
        fs::create_dir_all(parent).map_err(failed("create", parent))?;
        fs::write(&path, text).map_err(failed("write", &path))?;
    }
    // Somebody else may have made it meanwhile; an empty folder would be replaced.
    if fs::symlink_metadata(folder).is_ok() {
        return Err(Error::ThereAlready(folder.to_owned()));
    }
    fs::rename(&draft.0, folder).map_err(failed("create", folder))
}

/// A folder that goes unless it was moved away.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_owned();
    move |error| Error::File(FileError { path, action, error })
}
