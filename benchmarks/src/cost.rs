//! What a command costs: how long it takes, and how much memory the greatest of its processes holds.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::cargo::output;
use crate::error::{Error, file};

/// What a command cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// From its start to its end.
    pub(crate) wall: Duration,
    /// What only GNU time tells.
    pub(crate) resources: Option<Resources>,
}

/// What the command and all that it started used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resources {
    /// The time on all processors, which varies less than that on the wall.
    pub(crate) cpu: Duration,
    /// The greatest memory of one process (the compiler), in kibibytes.
    pub(crate) memory: u64,
}

/// Measures commands, with GNU time where it is installed.
pub(crate) struct Meter {
    has_gnu_time: bool,
}

impl Meter {
    pub(crate) fn new() -> Self {
        let version = Command::new("time").arg("--version").output();
        let is_gnu = |text: &[u8]| String::from_utf8_lossy(text).contains("GNU");
        Meter { has_gnu_time: version.is_ok_and(|output| is_gnu(&output.stdout) || is_gnu(&output.stderr)) }
    }

    /// Whether processor time and memory are measured.
    pub(crate) fn sees_resources(&self) -> bool {
        self.has_gnu_time
    }

    /// Runs a command; `report` is a file that may be written.
    ///
    /// # Errors
    ///
    /// When the command fails.
    pub(crate) fn run(&self, command: Command, report: &Path) -> Result<Cost, Error> {
        let command = if self.has_gnu_time { under_gnu_time(&command, report) } else { command };
        let start = Instant::now();
        output(command)?;
        let wall = start.elapsed();
        let resources = if self.has_gnu_time { Some(read(report)?) } else { None };
        Ok(Cost { wall, resources })
    }
}

fn under_gnu_time(command: &Command, report: &Path) -> Command {
    let mut timed = Command::new("time");
    timed.args(["--format", "%U %S %M", "--output"]).arg(report).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => timed.env(name, value),
            None => timed.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        timed.current_dir(folder);
    }
    timed
}

fn read(report: &Path) -> Result<Resources, Error> {
    let text = fs::read_to_string(report).map_err(file("read", report))?;
    let words: Vec<_> = text.split_whitespace().collect();
    let seconds = |word: &str| word.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let resources = match words.as_slice() {
        [user, system, memory] => seconds(user).zip(seconds(system)).zip(memory.parse().ok()),
        _ => None,
    };
    let resources = resources.map(|((user, system), memory)| Resources { cpu: user + system, memory });
    resources.ok_or_else(|| Error::Unreadable { program: "time".to_owned(), expected: "three numbers", found: text })
}
