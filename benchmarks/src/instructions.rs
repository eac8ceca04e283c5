//! Instruction counts, which do not vary as times do: valgrind's cachegrind on the compiler itself.
//!
//! Cargo calls this program in the place of the compiler (`RUSTC_WRAPPER`); for the crate that is asked for it runs the
//! compiler under valgrind, for any other the compiler alone.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::args::{Build, CompileTime};
use crate::cargo::{Workspace, output};
use crate::crates::{Library, Package};
use crate::error::{Error, file};
use crate::imported::Imported;
use crate::statistics::Spread;
use crate::summary::Goal;

/// The name of the crate whose compilation is counted.
const CRATE: &str = "OPLOCK_BENCHMARK_CRATE";
/// The file for the counts.
const COUNTS: &str = "OPLOCK_BENCHMARK_COUNTS";

/// Counts and prints.
///
/// # Errors
///
/// When valgrind is not installed, or a crate cannot be generated or does not compile.
pub(crate) fn measure(options: &CompileTime) -> Result<Vec<Goal>, Error> {
    let imported = options.definitions.as_deref().map(Imported::read).transpose()?;
    let ops = options.sizes(imported.as_ref().map(Imported::len))[0];
    find_valgrind()?;
    let compiler = compiler()?;
    eprintln!("preparing: generates the crates and builds what they depend on");
    let workspace = Workspace::prepare(options, &Library::COUNTED, &[0, ops], &[], imported.as_ref())?;
    println!("{:<8} {:>16} {:>16} {:>16}", "", "without ops", format!("with {ops}"), "per op");
    let mut costs = Vec::new();
    for library in Library::COUNTED {
        let empty = count(&workspace, &compiler, Package { library, ops: 0 })?;
        let filled = count(&workspace, &compiler, Package { library, ops })?;
        let per_op = filled.saturating_sub(empty) / u64::try_from(ops.max(1)).unwrap_or(1);
        println!("{:<8} {empty:>16} {filled:>16} {per_op:>16}", library.name());
        costs.push(as_float(per_op));
    }
    if let Some(imported) = &imported {
        println!("an operator has {:.1} items in the mean", imported.mean_items(ops));
    }
    let ratio = Spread::of([costs.iter().copied().reduce(|oplock, serde| oplock / serde).unwrap_or(f64::NAN)]);
    Ok(vec![Goal::per_op(format!("instructions of an operator, of {ops}, to serde's"), ratio)])
}

#[expect(clippy::cast_precision_loss, reason = "counts of this size are exact, or nearly so")]
pub(crate) fn as_float(count: u64) -> f64 {
    count as f64
}

pub(crate) fn find_valgrind() -> Result<(), Error> {
    let start = |error| Error::Start {
        program: "valgrind".to_owned(),
        error,
        hint: "\n  help: it is a package of that name on most systems; without `--instructions` it is not needed",
    };
    Command::new("valgrind").arg("--version").output().map(drop).map_err(start)
}

/// The compiler itself: the one on the path may be rustup's proxy, which valgrind does not see through.
fn compiler() -> Result<PathBuf, Error> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(&rustc);
    command.args(["--print", "sysroot"]);
    let root = String::from_utf8_lossy(&output(command)?.stdout).trim().to_owned();
    Ok(Path::new(&root).join("bin").join(format!("rustc{}", env::consts::EXE_SUFFIX)))
}

fn count(workspace: &Workspace, compiler: &Path, package: Package) -> Result<u64, Error> {
    let counts = workspace.scratch("counts.txt");
    workspace.forget(package, Build::Whole)?;
    let program = env::current_exe().map_err(|error| Error::Unplaced(error.to_string()))?;
    let mut command = workspace.check(package, Build::Whole);
    command.env("RUSTC_WRAPPER", program).env("RUSTC", compiler);
    command.env(CRATE, package.crate_name()).env(COUNTS, &counts);
    output(command)?;
    read_count(&counts)
}

/// The number in a file that cachegrind wrote, which is removed.
///
/// # Errors
///
/// When there is no such file, or no number in it.
pub(crate) fn read_count(counts: &Path) -> Result<u64, Error> {
    let text = fs::read_to_string(counts).map_err(file("read", counts))?;
    fs::remove_file(counts).map_err(file("remove", counts))?;
    let summary = text.lines().find_map(|line| line.strip_prefix("summary:"));
    let count = summary.and_then(|summary| summary.split_whitespace().next()?.parse().ok());
    count.ok_or_else(|| Error::Unreadable {
        program: "valgrind".to_owned(),
        expected: "how many instructions it counted",
        found: text.lines().last().unwrap_or_default().to_owned(),
    })
}

/// A call of this program in the place of the compiler.
pub(crate) struct Count {
    crate_name: String,
    counts: PathBuf,
}

impl Count {
    /// The call, if this is one.
    pub(crate) fn asked_for() -> Option<Self> {
        Some(Count { crate_name: env::var(CRATE).ok()?, counts: env::var_os(COUNTS)?.into() })
    }

    /// Runs the compiler.
    pub(crate) fn run(&self) -> ExitCode {
        let arguments: Vec<OsString> = env::args_os().skip(1).collect();
        let Some((compiler, rest)) = arguments.split_first() else {
            eprintln!("error: cargo named no compiler");
            return ExitCode::FAILURE;
        };
        let mut command = Command::new(compiler);
        if rest.windows(2).any(|pair| pair[0] == "--crate-name" && pair[1] == *self.crate_name) {
            command = Command::new("valgrind");
            // What valgrind says itself would stand among what the compiler says to cargo.
            command.args(["--tool=cachegrind", "--cache-sim=no", "-q", "--log-file=/dev/null"]);
            command.arg(format!("--cachegrind-out-file={}", self.counts.display())).arg(compiler);
        }
        match command.args(rest).status() {
            Ok(status) => status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1).into(),
            Err(error) => {
                eprintln!("error: cannot run {}: {error}", command.get_program().display());
                ExitCode::FAILURE
            }
        }
    }
}
