//! A real operator crate that tests edit, build, release and put under git.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::common::Run;

/// The crate root: two operators.
pub(crate) const LIB: &str = r#"//! Operators.

use oplock::{Var, op};

oplock::lock!();

/// Slices.
#[op("slice")]
pub struct Slice {
    /// What is sliced.
    #[input]
    pub x: Var,
    /// The slice.
    #[output]
    pub out: Var,
    /// Where each slice begins.
    #[attr(default = [])]
    pub starts: Vec<i32>,
}

/// Adds.
#[op("add")]
pub struct Add {
    /// A summand.
    #[input]
    pub x: Var,
    /// The other.
    #[input]
    pub y: Var,
    /// The sum.
    #[output]
    pub out: Var,
}
"#;

/// One more operator.
pub(crate) const NEG: &str = r#"
/// Negates.
#[op("neg")]
pub struct Neg {
    /// Any.
    #[input]
    pub x: Var,
}
"#;

/// A line of `slice`, and the same with an attribute more.
pub(crate) const STARTS: &str = "    pub starts: Vec<i32>,\n";
pub(crate) const WITH_AXES: &str =
    "    pub starts: Vec<i32>,\n    /// Axes.\n    #[attr(default = [])]\n    pub axes: Vec<i32>,\n";

/// A default of `slice`, and another, which is a break.
pub(crate) const DEFAULT: &str = "#[attr(default = [])]\n    pub starts";
pub(crate) const OTHER_DEFAULT: &str = "#[attr(default = [1])]\n    pub starts";

/// A package of its own workspace, or a member of one.
pub(crate) struct Ops {
    pub(crate) folder: PathBuf,
    _root: Option<TempDir>,
}

impl Ops {
    /// A package with [`LIB`]; the name is the test's own, since all build into one folder.
    pub(crate) fn new(name: &str, version: &str) -> Self {
        let ops = Ops::empty();
        ops.package("", name, version, "\n[workspace]\n");
        ops
    }

    /// A folder without a package.
    pub(crate) fn empty() -> Self {
        let root = TempDir::with_prefix("oplock-cli-").expect("a temporary folder");
        let folder = fs::canonicalize(root.path()).expect("it was just made");
        let ops = Ops { folder, _root: Some(root) };
        let cargo_lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
        fs::copy(cargo_lock, ops.folder.join("Cargo.lock")).expect("this workspace has a Cargo.lock");
        ops
    }

    /// Puts a package into a folder of this one.
    pub(crate) fn package(&self, under: &str, name: &str, version: &str, more: &str) {
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime");
        let runtime = runtime.to_string_lossy();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\noplock = {{ path = {runtime:?} }}\n{more}"
        );
        self.write(&format!("{under}Cargo.toml"), &manifest);
        self.write(&format!("{under}src/lib.rs"), LIB);
    }

    /// The same, released as that version.
    pub(crate) fn released(name: &str, version: &str) -> Self {
        let ops = Ops::new(name, version);
        ops.oplock(&["init", "--released", version]).ends(0);
        ops
    }

    /// Puts it under git, with all that is there in the first commit.
    pub(crate) fn with_git(self) -> Self {
        self.git(&["init", "-q", "-b", "main"]);
        self.write(".gitignore", "/target\n");
        self.commit("first");
        self
    }

    /// Declares this data version of graphs, which breaks then take.
    pub(crate) fn takes_version(&self, version: u32) {
        let block =
            format!("oplock::lock! {{\n    saved graph {{\n        version {version} = \"what breaks\";\n    }}\n}}\n");
        self.edit("src/lib.rs", "oplock::lock!();\n", &block);
    }

    /// Declares this data version of graphs and reads nothing older, so that no break needs an upgrade.
    pub(crate) fn refuses_older(&self, version: u32) {
        self.takes_version(version);
        self.edit("src/lib.rs", "saved graph {\n", &format!("saved graph {{\n        min_producer = {version};\n"));
        let manifest = self.read("Cargo.toml");
        self.write("Cargo.toml", &format!("{manifest}\n[package.metadata.oplock]\nmin-producer-window = \"0 days\"\n"));
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    /// Runs git, which must succeed.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        let output = self.try_git(args);
        assert!(output.status.success(), "git {args:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub(crate) fn try_git(&self, args: &[&str]) -> Output {
        let mut command = Command::new("git");
        command.args([
            "-c",
            "user.name=A Tester",
            "-c",
            "user.email=tester@example.com",
            "-c",
            "merge.conflictStyle=merge",
        ]);
        self.clean(&mut command);
        command.args(args).output().expect("git runs")
    }

    fn clean(&self, command: &mut Command) {
        command
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("crates"))
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", env::temp_dir());
        for name in [
            "GIT_DIR",
            "GIT_INDEX_FILE",
            "GITHUB_BASE_REF",
            "OPLOCK",
            "OPLOCK_LOCKED",
            "CARGO_MANIFEST_DIR",
            "RUSTFLAGS",
            "DRY_RUN",
            "NEW_VERSION",
            "CRATE_NAME",
        ] {
            command.env_remove(name);
        }
    }

    /// `cargo oplock …`
    pub(crate) fn oplock(&self, args: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-oplock"));
        command.arg("oplock").args(args);
        self.run(command)
    }

    /// `cargo …`, which finds `cargo oplock`.
    pub(crate) fn cargo(&self, args: &[&str], env: &[(&str, &str)]) -> Run {
        let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        self.program(&cargo, args, env)
    }

    /// Any program, which finds `cargo oplock`.
    pub(crate) fn program(&self, program: &str, args: &[&str], env: &[(&str, &str)]) -> Run {
        let own = Path::new(env!("CARGO_BIN_EXE_cargo-oplock")).parent().map(Path::to_owned);
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(own.into_iter().chain(env::split_paths(&path))).expect("a PATH");
        let mut command = Command::new(program);
        command.args(args).env("PATH", path);
        self.clean(&mut command);
        command.envs(env.iter().copied());
        Ops::finish(command)
    }

    /// Whether this machine has the program.
    pub(crate) fn has_program(&self, program: &str) -> bool {
        self.program("sh", &["-c", &format!("command -v {program}")], &[]).code == Some(0)
    }

    fn run(&self, mut command: Command) -> Run {
        self.clean(&mut command);
        Ops::finish(command)
    }

    fn finish(mut command: Command) -> Run {
        let output = command.output().expect("the program runs");
        Run {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    pub(crate) fn has(&self, file: &str) -> bool {
        self.folder.join(file).exists()
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Puts one text in the place of another, which occurs exactly once.
    pub(crate) fn edit(&self, file: &str, from: &str, to: &str) {
        let text = self.read(file);
        assert_eq!(text.matches(from).count(), 1, "{from:?} should be once in {file}:\n{text}");
        self.write(file, &text.replace(from, to));
    }

    pub(crate) fn lib(&self, from: &str, to: &str) {
        self.edit("src/lib.rs", from, to);
    }

    pub(crate) fn append(&self, text: &str) {
        self.write("src/lib.rs", &(self.read("src/lib.rs") + text));
    }

    pub(crate) fn set_version(&self, version: &str) {
        let text = self.read("Cargo.toml");
        let line = text.lines().find(|line| line.starts_with("version = ")).expect("a version");
        self.write("Cargo.toml", &text.replacen(line, &format!("version = \"{version}\""), 1));
    }

    pub(crate) fn lock(&self) -> String {
        self.read("ops.lock")
    }
}

impl Run {
    /// It ended with that code.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "\n-- stdout\n{}-- stderr\n{}", self.stdout, self.stderr);
        self
    }

    /// The text is somewhere in what it printed.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        let is_there = self.stdout.contains(text) || self.stderr.contains(text);
        assert!(is_there, "should say {text:?}\n-- stdout\n{}-- stderr\n{}", self.stdout, self.stderr);
        self
    }

    /// The text is nowhere in what it printed.
    #[track_caller]
    pub(crate) fn never_says(self, text: &str) -> Self {
        let is_there = self.stdout.contains(text) || self.stderr.contains(text);
        assert!(!is_there, "should not say {text:?}\n-- stdout\n{}-- stderr\n{}", self.stdout, self.stderr);
        self
    }

    /// Standard output is empty.
    #[track_caller]
    pub(crate) fn prints_nothing(self) -> Self {
        assert_eq!(self.stdout, "", "\n-- stderr\n{}", self.stderr);
        self
    }
}
