//! `convnet save 1.0 FOLDER` and `convnet run 2.0 FOLDER`: see the README beside the releases.

use std::path::Path;
use std::process::ExitCode;

use convnet::{Result, Runtime, model};
use oplock::graph::Note;

const USAGE: &str = "usage: convnet save 1.0|1.1 FOLDER\n       convnet run 1.0|1.1|2.0 FOLDER";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["save", release, folder] => save(release, Path::new(folder)),
        ["run", release, folder] => run(release, Path::new(folder)),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Saves the network as a program of that release makes it.
fn save(release: &str, folder: &Path) -> Result<()> {
    let model = match release {
        "1.0" => model::of_1_0()?,
        "1.1" => model::with_gaps()?,
        _ => return Err(format!("this example makes no network of release {release}\n{USAGE}").into()),
    };
    runtime(release)?.save(&model, folder)
}

/// Loads a network with that release, and prints its scores for three images.
fn run(release: &str, folder: &Path) -> Result<()> {
    let runtime = runtime(release)?;
    let loaded = runtime.load(folder)?;
    for (warning, times) in &loaded.report.warnings {
        println!("warning: {warning}{times}");
    }
    // Which defaults were filled in would be many lines more.
    for (note, times) in loaded.report.notes.iter().filter(|(note, _)| !matches!(note, Note::Filled { .. })) {
        println!("note: {note}{times}");
    }
    print!("{}", model::scores(&runtime, &loaded.model)?);
    Ok(())
}

fn runtime(release: &str) -> Result<Runtime> {
    match release {
        "1.0" => Runtime::v1_0(),
        "1.1" => Runtime::v1_1(),
        "2.0" => Runtime::v2_0(),
        _ => Err(format!("there is no release {release} of the operators\n{USAGE}").into()),
    }
}
