//! Folders that tests write crates into, and commands that run there.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use tempfile::TempDir;

use crate::output::Output;
use crate::{source, tools, workspace};

/// A folder of a test.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// Held as long as any folder of the test is in use.
    owner: Arc<Owner>,
}

/// What all folders of a test have in common.
#[derive(Debug)]
struct Owner {
    root: TempDir,
    _lock: File,
}

/// What a failed test leaves can be looked at.
impl Drop for Owner {
    fn drop(&mut self) {
        if thread::panicking() {
            self.root.disable_cleanup(true);
            eprintln!("kept: {}", self.root.path().display());
        }
    }
}

/// A name for what is made there: `life-17`.
fn name_of(caller: &Location<'_>) -> String {
    let test = Path::new(caller.file()).file_stem().unwrap_or_default().to_string_lossy();
    format!("{}-{}", test.replace('_', "-"), caller.line())
}

impl Folder {
    /// An empty temporary folder, the caller's alone.
    ///
    /// Cargo tells packages of a shared target folder apart by name, version and place in their workspace, and not by
    /// where the workspace lies. So each test gives its packages names of their own, and does not run twice at once.
    #[track_caller]
    pub fn new() -> Self {
        let locks = tools::crates_target_directory().join("locks");
        fs::create_dir_all(&locks).expect("a folder for all tests");
        let lock = File::create(locks.join(name_of(Location::caller()))).expect("a file that says who is at work");
        lock.lock().expect("another run of the same test ends some time");
        let root = TempDir::with_prefix("oplock-").expect("a temporary folder");
        let path = fs::canonicalize(root.path()).expect("the folder was just made");
        Folder { path, owner: Arc::new(Owner { root, _lock: lock }) }
    }

    /// A package with [`source::OPS`] and no lock, which has a name of its own.
    #[track_caller]
    pub fn ops(version: &str) -> Self {
        let name = format!("ops-{}", name_of(Location::caller()));
        Folder::new().package(&name, version, source::OPS)
    }

    /// The same, of which that version was released.
    #[track_caller]
    pub fn released_ops(version: &str) -> Self {
        Folder::ops(version).released(version)
    }

    /// Makes the first lock: this version was released.
    #[must_use]
    #[track_caller]
    pub fn released(self, version: &str) -> Self {
        self.oplock("init").args(["--released", version]).run().succeeds();
        self
    }

    /// A folder in this one.
    #[must_use]
    pub fn sub(&self, name: &str) -> Self {
        let path = self.path.join(name);
        fs::create_dir_all(&path).expect("a folder");
        Folder { path, owner: Arc::clone(&self.owner) }
    }

    /// A package of its own in this folder, in a folder of its name.
    #[must_use]
    pub fn package(&self, name: &str, version: &str, lib: &str) -> Self {
        let folder = self.sub(name);
        folder.write("Cargo.toml", &source::manifest(name, version, ""));
        folder.write("src/lib.rs", lib);
        folder.copy_cargo_lock();
        folder
    }

    /// The name of the folder, which is that of the package in it.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The name of the package as the compiler knows it.
    pub fn crate_name(&self) -> String {
        self.name().replace('-', "_")
    }

    /// Pins the versions of all dependencies to those of this workspace, which were downloaded to build it.
    pub fn copy_cargo_lock(&self) {
        fs::copy(workspace().join("Cargo.lock"), self.path.join("Cargo.lock"))
            .expect("this workspace has a Cargo.lock");
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is such a file or folder in it.
    pub fn has(&self, file: &str) -> bool {
        self.path.join(file).exists()
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, file: &str, text: &str) {
        let path = self.path.join(file);
        fs::create_dir_all(path.parent().unwrap_or(&self.path)).expect("a folder");
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// The text of a file.
    #[track_caller]
    pub fn read(&self, file: &str) -> String {
        let path = self.path.join(file);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Removes a file.
    #[track_caller]
    pub fn remove(&self, file: &str) {
        let path = self.path.join(file);
        fs::remove_file(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Puts one text in the place of another, which occurs exactly once.
    #[track_caller]
    pub fn edit(&self, file: &str, from: &str, to: &str) {
        let text = self.read(file);
        assert!(text.matches(from).count() == 1, "{from:?} should be once in {file}:\n{text}");
        self.write(file, &text.replace(from, to));
    }

    /// Adds to the end of a file.
    #[track_caller]
    pub fn append(&self, file: &str, text: &str) {
        self.write(file, &(self.read(file) + text));
    }

    /// Gives the package another version.
    #[track_caller]
    pub fn set_version(&self, version: &str) {
        let text = self.read("Cargo.toml");
        let line = text.lines().find(|line| line.starts_with("version = ")).expect("a manifest has a version");
        self.write("Cargo.toml", &text.replacen(line, &format!("version = \"{version}\""), 1));
    }

    /// Declares this data version of graphs, which breaks then take: enough where the ledger covers them by itself.
    #[track_caller]
    pub fn takes_version(&self, version: u32) {
        let block =
            format!("oplock::lock! {{\n    saved graph {{\n        version {version} = \"what breaks\";\n    }}\n}}\n");
        self.edit("src/lib.rs", "oplock::lock!();\n", &block);
    }

    /// Declares this data version of graphs and reads nothing older, so that no break needs an upgrade; no release need have
    /// written the version before.
    #[track_caller]
    pub fn refuses_older(&self, version: u32) {
        self.takes_version(version);
        self.edit("src/lib.rs", "saved graph {\n", &format!("saved graph {{\n        min_producer = {version};\n"));
        let manifest = self.read("Cargo.toml");
        let table = "[package.metadata.oplock]\n";
        let manifest = if manifest.contains(table) { manifest } else { format!("{manifest}\n{table}") };
        self.write("Cargo.toml", &manifest.replace(table, &format!("{table}min-producer-window = \"0 days\"\n")));
    }

    /// Where a text that occurs once stands in a file, as the compiler names places: `src/lib.rs:17:22`.
    #[track_caller]
    pub fn place(&self, file: &str, text: &str) -> String {
        let all = self.read(file);
        assert!(all.matches(text).count() == 1, "{text:?} should be once in {file}:\n{all}");
        let (before, _) = all.split_once(text).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        format!("{file}:{line}:{column}")
    }

    /// The text of the lock.
    #[track_caller]
    pub fn lock(&self) -> String {
        self.read("ops.lock")
    }

    /// Whether the lock has exactly this line.
    pub fn lock_has(&self, line: &str) -> bool {
        self.lock().lines().any(|l| l == line)
    }

    /// The text of the lock and when it was written: two that are equal say that nobody touched it.
    #[track_caller]
    pub fn lock_state(&self) -> (String, SystemTime) {
        let modified = fs::metadata(self.path.join("ops.lock")).and_then(|metadata| metadata.modified());
        (self.lock(), modified.expect("the lock is there"))
    }

    /// The names of all files in it, folders not followed.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).expect("the folder is there");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// `cargo COMMAND` in this folder.
    pub fn cargo(&self, command: &str) -> Run {
        self.run(tools::cargo()).arg(command)
    }

    /// `cargo oplock COMMAND` in this folder.
    pub fn oplock(&self, command: &str) -> Run {
        self.cargo("oplock").arg(command)
    }

    /// The command line itself, which cargo would call, as one process.
    pub fn oplock_alone(&self, command: &str) -> Command {
        let mut run = self.run(tools::cargo_oplock()).arg("oplock").arg(command);
        run.command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        run.command
    }

    /// `cargo check`
    pub fn check(&self) -> Output {
        self.cargo("check").run()
    }

    /// `cargo test`
    pub fn test(&self) -> Output {
        self.cargo("test").run()
    }

    /// `cargo oplock check`
    pub fn oplock_check(&self) -> Output {
        self.oplock("check").run()
    }

    /// `cargo oplock update`
    pub fn oplock_update(&self) -> Output {
        self.oplock("update").run()
    }

    /// Any program in this folder, with the environment of a user whose shell finds `cargo oplock`.
    pub fn run(&self, program: impl AsRef<OsStr>) -> Run {
        let mut command = Command::new(program);
        tools::clean(&mut command);
        let plugins = tools::cargo_oplock().parent().map(Path::to_owned);
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(plugins.into_iter().chain(env::split_paths(&path))).expect("a PATH");
        command
            .current_dir(&self.path)
            .env("PATH", path)
            .env("CARGO_TARGET_DIR", tools::crates_target_directory())
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            // Whatever repository the temporary folder may lie in is none of the crate's.
            .env("GIT_CEILING_DIRECTORIES", env::temp_dir())
            .stdin(Stdio::null());
        Run { command }
    }
}

impl Default for Folder {
    #[track_caller]
    fn default() -> Self {
        Folder::new()
    }
}

/// A command that is about to run.
#[derive(Debug)]
pub struct Run {
    command: Command,
}

impl Run {
    /// One more argument.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// More arguments.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.args(args);
        self
    }

    /// A variable of the environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Variables of the environment.
    #[must_use]
    pub fn envs(mut self, variables: &[(&str, &str)]) -> Self {
        self.command.envs(variables.iter().copied());
        self
    }

    /// With another target folder than the one that all tests share: for flags that are part of what cargo's cache is
    /// keyed by.
    #[must_use]
    pub fn target_directory(self, name: &str) -> Self {
        let path = tools::crates_target_directory().join(name);
        self.env("CARGO_TARGET_DIR", path)
    }

    /// Runs it to its end.
    pub fn run(mut self) -> Output {
        let output = self.command.output().unwrap_or_else(|error| panic!("{:?}: {error}", self.command));
        Output::new(self.describe(), &output)
    }

    fn describe(&self) -> String {
        let words = std::iter::once(self.command.get_program()).chain(self.command.get_args());
        let words: Vec<OsString> = words.map(OsStr::to_owned).collect();
        words.join(OsStr::new(" ")).to_string_lossy().into_owned()
    }
}
