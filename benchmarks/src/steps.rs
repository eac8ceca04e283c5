//! The instructions of each step alone, an operator or a node: what a budget can hold, since they do not vary as times do.
//!
//! This program calls itself under valgrind, once with few and once with many; what lies between the two counts is what the
//! rest of them cost. The macros run outside of the compiler (`macros-alone`), with a lock in place.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

use clap::ValueEnum as _;
use oplock_core::{LOCK_FILE, Lock, OpDef, Options, compare_sets};
use oplock_graph::{Graph, LoadOptions};

use crate::args::{Instructions, Step};
use crate::cargo::{beside_this_program, output};
use crate::crates::{self, Library, Package, VERSION, op_name, structure};
use crate::error::{Error, file};
use crate::statistics::Spread;
use crate::summary::Goal;
use crate::{graphs, instructions};

/// What a call under valgrind is to do.
const DO: &str = "OPLOCK_BENCHMARK_STEP";
/// How many operators or nodes there are, and how many of them the smaller run takes.
const MANY: usize = 201;
const FEW: usize = 1;
/// By how much a count may be above its budget before it is an error, in hundredths: another version of the compiler or of a
/// dependency moves counts a little.
pub(crate) const TOLERANCE: u32 = 10;

/// Counts, prints, and compares with the budget or writes it.
///
/// # Errors
///
/// When valgrind is not installed, or a count is above its budget.
pub(crate) fn measure(options: &Instructions) -> Result<Vec<Goal>, Error> {
    instructions::find_valgrind()?;
    let package = Package { library: Library::Oplock, ops: MANY };
    let folder = beside_this_program()?.join("benchmarks/steps");
    crates::write(&folder.join("Cargo.toml"), &crates::manifest_of(package, Path::new("oplock")))?;
    crates::write(&folder.join(LOCK_FILE), &crates::lock(package).to_string())?;
    let mut counts = BTreeMap::new();
    for step in Step::value_variants() {
        let [few, many] = [FEW, MANY].map(|many| count(&folder, *step, many));
        let each = many?.saturating_sub(few?) / u64::try_from(MANY - FEW).unwrap_or(1);
        counts.insert(step.name(), each);
    }
    // What a macro does later includes what it did before.
    for (later, earlier) in [("expand", "compare"), ("compare", "read")] {
        let earlier = counts[earlier];
        counts.entry(later).and_modify(|count| *count = count.saturating_sub(earlier));
    }
    if options.write {
        let text = serde_json::to_string_pretty(&counts).unwrap_or_default() + "\n";
        fs::write(&options.budget, text).map_err(file("write", &options.budget))?;
    }
    let text = fs::read_to_string(&options.budget).map_err(file("read", &options.budget))?;
    let budget: BTreeMap<String, u64> = serde_json::from_str(&text)
        .map_err(|error| Error::Budget { path: options.budget.clone(), error: error.to_string() })?;
    report(&counts, &budget)?;
    let ratio =
        |count: u64, allowed: u64| Spread::of([instructions::as_float(count) / instructions::as_float(allowed)]);
    let goal = |(step, count): (&&str, &u64)| {
        let allowed = *budget.get(*step)?;
        Some(Goal::budget(format!("{step}: {count} instructions, to the budget"), ratio(*count, allowed)))
    };
    Ok(counts.iter().filter_map(goal).collect())
}

fn report(counts: &BTreeMap<&'static str, u64>, budget: &BTreeMap<String, u64>) -> Result<(), Error> {
    println!("{:<12} {:>12} {:>12}", "instructions", "of one", "budget");
    let mut above = Vec::new();
    for (step, count) in counts {
        let Some(allowed) = budget.get(*step) else {
            above.push(format!("`{step}` has no budget"));
            continue;
        };
        println!("{step:<12} {count:>12} {allowed:>12}");
        if *count > allowed + allowed * u64::from(TOLERANCE) / 100 {
            above.push(format!("`{step}` takes {count} instructions, and its budget is {allowed}"));
        }
    }
    if above.is_empty() { Ok(()) } else { Err(Error::AboveBudget(above.join("\n  "))) }
}

fn count(folder: &Path, step: Step, many: usize) -> Result<u64, Error> {
    let counts = folder.join("counts.txt");
    let program = env::current_exe().map_err(|error| Error::Unplaced(error.to_string()))?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "-q", "--log-file=/dev/null"]);
    command.arg(format!("--cachegrind-out-file={}", counts.display())).arg(program);
    // Asking for a variable takes longer the more there are.
    command.env_clear().envs(env::var_os("PATH").map(|path| ("PATH", path)));
    command.env(DO, format!("{} {many}", step.name())).env("CARGO_MANIFEST_DIR", folder);
    let package = Package { library: Library::Oplock, ops: MANY };
    command.env("CARGO_PKG_NAME", package.to_string()).env("CARGO_PKG_VERSION", VERSION.to_string());
    output(command)?;
    instructions::read_count(&counts)
}

/// A call of this program under valgrind.
pub(crate) fn asked_for() -> Option<ExitCode> {
    let text = env::var(DO).ok()?;
    let (step, many) = text.split_once(' ')?;
    let step = Step::value_variants().iter().find(|known| known.name() == step)?;
    run(*step, many.parse().ok()?);
    Some(ExitCode::SUCCESS)
}

/// Does a step with so many, [`FEW`] or [`MANY`].
///
/// # Panics
///
/// When what it is done with is not sound.
fn run(step: Step, many: usize) {
    let declaration = |i: usize| {
        let arguments = format!("{:?}", op_name(i)).parse().expect("a literal");
        (arguments, structure(Library::Oplock, i).parse().expect("a struct"))
    };
    // What all runs have in common is done with all of them, so that it falls out of the difference.
    let declarations: Vec<_> = (0..MANY).map(declaration).collect();
    let lock = crates::lock(Package { library: Library::Oplock, ops: MANY });
    let ops: BTreeMap<String, OpDef> = lock.ops.iter().map(|(name, entry)| (name.clone(), entry.def.clone())).collect();
    let taken = declarations.into_iter().take(many);
    match step {
        Step::Read => taken.for_each(|(arguments, item)| assert!(oplock_macros_alone::read(arguments, item))),
        Step::Compare => {
            taken.for_each(|(arguments, item)| assert!(oplock_macros_alone::read_and_compare(arguments, item)));
        }
        Step::Expand => taken.for_each(|(arguments, item)| {
            black_box(oplock_macros_alone::op(arguments, item));
        }),
        Step::Lock => {
            let texts = [FEW, MANY].map(|ops| crates::lock(Package { library: Library::Oplock, ops }).to_string());
            black_box(Lock::parse(&texts[usize::from(many != FEW)], None).expect("the lock is sound"));
        }
        Step::Diff => {
            let of: BTreeMap<_, _> = ops.into_iter().take(many).collect();
            assert!(compare_sets(&of, &of, Options::default()).is_empty());
        }
        Step::Load => {
            let (program, files) = (graphs::program(), [FEW, MANY].map(graphs::saved));
            let graph = Graph::from_bytes(&files[usize::from(many != FEW)]).expect("the graph is sound");
            black_box(program.load(graph, LoadOptions::default()).expect("the graph loads"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those that need no package around them do what they are named for, or panic.
    #[test]
    fn steps_run() {
        for step in [Step::Read, Step::Lock, Step::Diff, Step::Load] {
            for many in [FEW, MANY] {
                run(step, many);
            }
        }
    }

    #[test]
    fn what_is_above_its_budget_is_an_error() {
        let budget = BTreeMap::from([("read".to_owned(), 1000)]);
        assert!(report(&BTreeMap::from([("read", 1100)]), &budget).is_ok());
        let above = report(&BTreeMap::from([("read", 1101)]), &budget).unwrap_err().to_string();
        assert!(above.contains("`read` takes 1101 instructions, and its budget is 1000"), "{above}");
        let unknown = report(&BTreeMap::from([("lock", 1)]), &budget).unwrap_err().to_string();
        assert!(unknown.contains("`lock` has no budget"), "{unknown}");
    }
}
