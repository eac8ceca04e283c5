//! `cargo oplock diff` of two op descriptions, and the same comparison in Python (`diff.py`).

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use oplock_core::{OpDef, Value};
use oplock_interop::paddle;

use crate::args::Diff;
use crate::cargo::{beside_this_program, output};
use crate::crates::{self, definition, op_name};
use crate::error::Error;
use crate::statistics::Spread;
use crate::summary::Goal;

/// Measures and prints; what the ratios say.
///
/// # Errors
///
/// When a program is missing or fails, or the two do not count the same breaks.
pub(crate) fn measure(options: &Diff) -> Result<Vec<Goal>, Error> {
    eprintln!("preparing: builds the command line");
    let program = build()?;
    let mut goals = Vec::new();
    let mut each = Vec::new();
    let pairs: Vec<Pair> = if let (Some(old), Some(new)) = (&options.old, &options.new) {
        vec![("the two files".to_owned(), 1, old.clone(), new.clone())]
    } else {
        let of = |ops: usize| generate(ops).map(|(old, new)| (format!("{ops} operators"), ops, old, new));
        [780, 7800].map(of).into_iter().collect::<Result<_, _>>()?
    };
    println!("{:<18} {:>10} {:>10} {:>8}", "diff of", "oplock s", "Python s", "breaks");
    for (what, ops, old, new) in pairs {
        let (mut ours, mut python, mut breaks) = (Vec::new(), Vec::new(), 0);
        for _ in 0..options.runs.get() {
            let start = Instant::now();
            breaks = with_oplock(&program, &old, &new)?;
            ours.push(start.elapsed().as_secs_f64());
            let start = Instant::now();
            let counted = with_python(&old, &new)?;
            python.push(start.elapsed().as_secs_f64());
            if counted != breaks {
                return Err(Error::Unequal { ours: breaks, theirs: counted });
            }
        }
        let [a, b] = [&ours, &python].map(|times| Spread::of(times.iter().copied()).median);
        println!("{what:<18} {a:>10.3} {b:>10.3} {breaks:>8}");
        let ratio = Spread::of(ours.iter().zip(&python).map(|(ours, python)| ours / python));
        goals.push(Goal::reported(format!("diff of {what}, to Python's"), ratio));
        each.push((ops, a));
    }
    if let [(few, less), (many, more)] = each.as_slice() {
        #[expect(clippy::cast_precision_loss, reason = "no file has so many operators")]
        let growth = (more / *many as f64) / (less / *few as f64);
        goals.push(Goal::reported(format!("diff: an operator of {many}, to one of {few}"), Spread::of([growth])));
    }
    Ok(goals)
}

/// What is compared, and how many operators it has.
type Pair = (String, usize, PathBuf, PathBuf);

/// The command line, built as its users have it.
fn build() -> Result<PathBuf, Error> {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
    let folder = beside_this_program()?;
    command.args(["build", "--release", "-p", "cargo-oplock", "--manifest-path"]).arg(manifest);
    command.arg("--target-dir").arg(&folder);
    output(command)?;
    Ok(folder.join("release").join(format!("cargo-oplock{}", env::consts::EXE_SUFFIX)))
}

fn with_oplock(program: &Path, old: &Path, new: &Path) -> Result<usize, Error> {
    let mut command = Command::new(program);
    command.args(["oplock", "diff", "--breaks", "--quiet", "--message-format", "short"]).arg(old).arg(new);
    let start = |error| Error::Start { program: program.display().to_string(), error, hint: "" };
    let output = command.output().map_err(start)?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().count())
}

fn with_python(old: &Path, new: &Path) -> Result<usize, Error> {
    let mut command = Command::new("python3");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("diff.py")).arg(old).arg(new);
    let text = String::from_utf8_lossy(&output(command)?.stdout).trim().to_owned();
    let unreadable = || Error::Unreadable { program: "diff.py".to_owned(), expected: "a number", found: text.clone() };
    text.parse().map_err(|_| unreadable())
}

/// Two files of so many operators; a third of those of the second break in one thing or another.
fn generate(ops: usize) -> Result<(PathBuf, PathBuf), Error> {
    let old: BTreeMap<String, OpDef> = (0..ops).map(|i| (op_name(i), definition(op_name(i)))).collect();
    let mut new = old.clone();
    for i in (0..ops).step_by(3) {
        let Some(op) = new.get_mut(&op_name(i)) else { continue };
        if i % 2 == 0 {
            op.inputs.to_mut().retain(|arg| arg.name != "Mask");
        } else if let Some(attr) = op.attrs.to_mut().iter_mut().find(|attr| attr.name == "axis") {
            attr.default = Some(Value::I32(2));
        }
    }
    let folder = beside_this_program()?.join("benchmarks/diff");
    let write = |name: &str, ops: &BTreeMap<String, OpDef>| {
        let path = folder.join(name);
        let text = paddle::to_text(ops).expect("each type of theirs has a number");
        crates::write(&path, &text).map(|()| path)
    };
    Ok((write(&format!("old-{ops}.spec"), &old)?, write(&format!("new-{ops}.spec"), &new)?))
}
