//! The workspace of generated crates, and cargo in it.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

use crate::args::{Build, CompileTime};
use crate::crates::{self, Library, Package};
use crate::error::{Error, file};
use crate::imported::Imported;

/// The generated crates, their dependencies built.
pub(crate) struct Workspace {
    folder: PathBuf,
    cargo: PathBuf,
}

impl Workspace {
    /// Generates the crates of these sizes and builds what they depend on; those of `cold` without structs.
    ///
    /// # Errors
    ///
    /// When a file cannot be written, or cargo fails.
    pub(crate) fn prepare(
        options: &CompileTime,
        libraries: &[Library],
        sizes: &[usize],
        cold: &[Library],
        imported: Option<&Imported>,
    ) -> Result<Self, Error> {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let library = options.library.clone().unwrap_or_else(|| project.join("runtime"));
        let library = fs::canonicalize(&library).map_err(file("find", library))?;
        let folder = beside_this_program()?.join("benchmarks/compile-time");
        fs::create_dir_all(&folder).map_err(file("create", &folder))?;
        // The versions that this project is tested with.
        let (from, to) = (project.join("Cargo.lock"), folder.join("Cargo.lock"));
        if from.exists() {
            fs::copy(&from, &to).map_err(file("copy", from))?;
        }
        let of = |library: &Library, ops: &usize| Package { library: *library, ops: *ops };
        let packages = libraries.iter().flat_map(|library| sizes.iter().map(move |ops| of(library, ops)));
        let only_cold = cold.iter().filter(|library| !libraries.contains(library));
        let packages: Vec<_> = packages.chain(only_cold.map(|library| of(library, &0))).collect();
        crates::generate(&folder, &packages, &library, imported)?;
        let workspace = Workspace { folder, cargo: env::var_os("CARGO").unwrap_or_else(|| "cargo".into()).into() };
        output(workspace.cargo(["fetch"]))?;
        for library in libraries {
            for build in [Build::Whole, Build::First] {
                output(workspace.check(of(library, &0), build))?;
            }
        }
        Ok(workspace)
    }

    fn cargo<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(&self.cargo);
        command.current_dir(&self.folder).args(arguments).env("CARGO_TARGET_DIR", self.folder.join("target"));
        // Nothing but the source decides what is compiled; a stale lock is an error and no warning.
        command.env("RUSTC_WRAPPER", "").env("OPLOCK_LOCKED", "1").env_remove("OPLOCK_COLLECT");
        command
    }

    /// `cargo check` of that package.
    pub(crate) fn check(&self, package: Package, build: Build) -> Command {
        let mut command = self.cargo(["check", "--offline", "--package", &package.to_string()]);
        command.env("CARGO_INCREMENTAL", build.incremental());
        command
    }

    /// Makes the next [`Workspace::check`] of that package, and of nothing else, compile it.
    ///
    /// # Errors
    ///
    /// When a file cannot be touched, or cargo fails.
    pub(crate) fn forget(&self, package: Package, build: Build) -> Result<(), Error> {
        if build != Build::Again {
            return output(self.cargo(["clean", "--offline", "--package", &package.to_string()])).map(drop);
        }
        let root = package.root(&self.folder);
        let touch = || File::options().append(true).open(&root)?.set_modified(SystemTime::now());
        touch().map_err(file("touch", &root))
    }

    /// `cargo build` of a crate without structs, all its dependencies included.
    ///
    /// # Errors
    ///
    /// When an older build cannot be removed.
    pub(crate) fn cold_build(&self, library: Library) -> Result<Command, Error> {
        let target = self.folder.join(format!("target-cold-{}", library.name()));
        if target.exists() {
            fs::remove_dir_all(&target).map_err(file("remove", &target))?;
        }
        let package = Package { library, ops: 0 };
        let mut command = self.cargo(["build", "--offline", "--package", &package.to_string()]);
        // What comes from a registry is never built incrementally; this workspace's crates would be, since a path leads to them.
        command.env("CARGO_TARGET_DIR", target).env("CARGO_INCREMENTAL", "0");
        Ok(command)
    }

    /// A file for what a measurement says.
    pub(crate) fn scratch(&self, name: &str) -> PathBuf {
        self.folder.join("target").join(name)
    }
}

/// The target folder that this program was built into.
pub(crate) fn beside_this_program() -> Result<PathBuf, Error> {
    let program = env::current_exe().map_err(|error| Error::Unplaced(error.to_string()))?;
    let folder = program.ancestors().nth(2);
    folder.map(Path::to_owned).ok_or_else(|| Error::Unplaced(program.display().to_string()))
}

/// Runs a command to its end.
///
/// # Errors
///
/// When it cannot be started, or fails.
pub(crate) fn output(mut command: Command) -> Result<Output, Error> {
    let output = command.output().map_err(|error| start(&command, error))?;
    if output.status.success() { Ok(output) } else { Err(failed(&command, &output)) }
}

fn start(command: &Command, error: std::io::Error) -> Error {
    Error::Start { program: command.get_program().display().to_string(), error, hint: "" }
}

fn failed(command: &Command, output: &Output) -> Error {
    let words: Vec<_> = command.get_args().map(|word| word.display().to_string()).collect();
    Error::Failed {
        command: format!("{} {}", command.get_program().display(), words.join(" ")),
        status: output.status,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
