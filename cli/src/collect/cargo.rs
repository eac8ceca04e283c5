//! `cargo check` as it has to be called so that the macros speak: always expanded anew, never from a cache, and
//! without touching the cache of the user's own builds.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use oplock_core::Condition;
use oplock_core::collect::VARIABLE;
use tempfile::TempDir;

use crate::args::{Build, CargoFlags};
use crate::error::Error;
use crate::package::{Package, Roots};
use crate::shell::{self, Shell};

/// The features of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Features {
    all: bool,
    no_default: bool,
    names: Vec<String>,
}

impl Features {
    /// Those of the command line that are meant for this package: `--features` may name another's, or one that
    /// only another has.
    pub(super) fn of_command_line(
        args: &clap_cargo::Features,
        package: &Package,
        selected: &[Package],
    ) -> Result<Self, Error> {
        let mut names = Vec::new();
        for feature in args.features.iter().flat_map(|list| list.split([',', ' '])).filter(|name| !name.is_empty()) {
            let owner = feature.split_once('/').and_then(|(name, rest)| {
                selected.iter().find(|package| package.name == name).map(|package| (package, rest))
            });
            match owner {
                Some((owner, rest)) if owner.id == package.id => names.push(rest.to_owned()),
                Some(_) => {}
                None => {
                    let has =
                        |package: &Package| feature.contains('/') || package.features.iter().any(|f| f == feature);
                    if has(package) {
                        names.push(feature.to_owned());
                    } else if !selected.iter().any(has) {
                        return Err(Error::NoFeature(feature.to_owned()));
                    }
                }
            }
        }
        Ok(Features { all: args.all_features, no_default: args.no_default_features, names })
    }

    /// A set of `[package.metadata.oplock] features`, beside the default features unless those are switched off.
    pub(super) fn of_set(set: &[String], args: &clap_cargo::Features) -> Self {
        Features { all: false, no_default: args.no_default_features, names: set.to_vec() }
    }

    /// The features that are on beside the default ones, where they are all named and all this package's own.
    pub(super) fn plain_names(&self) -> Option<&[String]> {
        let is_plain = !self.all && !self.no_default && !self.names.iter().any(|name| name.contains(['/', ':']));
        is_plain.then_some(&self.names)
    }

    /// Those of a set, beside the default ones.
    #[cfg(test)]
    pub(super) fn of_names(names: &[&str]) -> Self {
        Features { all: false, no_default: false, names: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    /// ` with --features cuda`, or nothing.
    pub(super) fn describe(&self) -> String {
        let args: Vec<_> = self.to_args().iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        if args.is_empty() { String::new() } else { format!(" with {}", args.join(" ")) }
    }

    fn to_args(&self) -> Vec<OsString> {
        let mut args = Vec::new();
        if self.all {
            args.push("--all-features".into());
        }
        if self.no_default {
            args.push("--no-default-features".into());
        }
        if !self.names.is_empty() {
            args.extend(["--features".into(), self.names.join(",").into()]);
        }
        args
    }
}

/// Where runs build, and where the macros write.
pub(super) struct Folders {
    target: PathBuf,
    /// Holds the target folder where the workspace's own cannot be written, as with read-only sources.
    _fallback: Option<TempDir>,
}

impl Folders {
    pub(super) fn new(target_directory: &Path) -> Result<Self, Error> {
        let target = target_directory.join("oplock");
        if fs::create_dir_all(&target).is_ok() && fresh(&target).is_ok() {
            return Ok(Folders { target, _fallback: None });
        }
        let fail = |error| Error::Folder { path: env::temp_dir(), action: "make a folder in", error };
        let fallback = TempDir::with_prefix("cargo-oplock-").map_err(fail)?;
        Ok(Folders { target: fallback.path().to_owned(), _fallback: Some(fallback) })
    }
}

/// A folder that was never there before: the macros' variable names it, and cargo expands a crate again only when
/// the value of a variable that it read has changed.
fn fresh(target: &Path) -> std::io::Result<TempDir> {
    TempDir::with_prefix_in("collect-", target)
}

/// What all runs of one package have in common.
pub(super) struct Cargo<'a> {
    pub(super) package: &'a Package,
    pub(super) build: &'a Build,
    pub(super) flags: &'a CargoFlags,
    pub(super) folders: &'a Folders,
}

impl Cargo<'_> {
    /// Checks the package; the folder holds what the macros wrote.
    pub(super) fn check(&self, features: &Features, shell: &Shell) -> Result<TempDir, Error> {
        let Cargo { package, folders, .. } = self;
        let fail = |error| Error::Folder { path: folders.target.clone(), action: "make a folder in", error };
        let folder = fresh(&folders.target).map_err(fail)?;
        let mut command = self.command("check", features);
        command.env(VARIABLE, folder.path()).arg(match package.roots {
            Roots::Lib(_) => "--lib",
            Roots::Bins(_) => "--bins",
        });
        shell.step("Checking", format_args!("{}{}", package.describe(), features.describe()));
        self.run(command, features)?;
        Ok(folder)
    }

    /// Every flag that holds when the package is checked so: features, the platform's, those of a build script.
    pub(super) fn flags_that_hold(&self, features: &Features) -> Result<BTreeSet<Condition>, Error> {
        let mut command = self.command("rustc", features);
        command.args(["--profile", "check"]);
        match &self.package.roots {
            Roots::Lib(_) => command.arg("--lib"),
            // They hold for one binary as for another.
            Roots::Bins(bins) => command.args(bins.iter().take(1).flat_map(|bin| ["--bin", bin.target.as_str()])),
        };
        command.args(["--", "--print", "cfg"]);
        let flags = self.run(command, features)?;
        Ok(flags.lines().filter_map(|line| Condition::parse(line).ok()).collect())
    }

    fn command(&self, verb: &str, features: &Features) -> Command {
        let Cargo { package, build, flags, folders } = self;
        let mut command = Command::new(program());
        command.args([verb, "--quiet", "--package", &package.id, "--manifest-path"]).arg(&package.manifest_path);
        command.arg("--target-dir").arg(&folders.target).args(features.to_args());
        command.args(["--color", shell::cargo_color()]).args(flags.to_args());
        if let Some(target) = &build.target {
            command.args(["--target", target]);
        }
        command
            // A wrapper's cache would answer for rustc, and no macro would run.
            .env("RUSTC_WRAPPER", "")
            .env("RUSTC_WORKSPACE_WRAPPER", "")
            // A build folder that the user has set would be shared with the user's own builds.
            .env("CARGO_BUILD_BUILD_DIR", &folders.target)
            .stdin(Stdio::null());
        command
    }

    /// What it wrote to standard output.
    fn run(&self, mut command: Command, features: &Features) -> Result<String, Error> {
        let output = command
            .output()
            .map_err(|error| Error::NoCargo { program: program().to_string_lossy().into_owned(), error })?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() {
            return Ok(text(&output.stdout));
        }
        let (package, with) = (self.package.name.clone(), features.describe());
        Err(Error::DoesNotBuild { package, with, output: text(&output.stderr) })
    }
}

fn program() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}
