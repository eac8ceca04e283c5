//! The two streams: findings and results on standard output, progress and errors on standard error.

use std::cell::Cell;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write};

use anstream::ColorChoice;
use anstyle::Style;
use clap_cargo::style::{ERROR, GOOD, NOTE, WARN};

use crate::args::{Color, Global};
use crate::error::Error;
use crate::exit::Exit;

/// Writes to both streams as the user asked.
pub(crate) struct Shell {
    quiet: bool,
    /// Which of how many packages is at work.
    position: Cell<(usize, usize)>,
}

impl Shell {
    /// Obeys `--color` and `--quiet`; `CARGO_TERM_COLOR` speaks where `--color` does not.
    pub(crate) fn new(args: &Global) -> Self {
        let variable = || match std::env::var("CARGO_TERM_COLOR").ok()?.as_str() {
            "always" => Some(Color::Always),
            "never" => Some(Color::Never),
            _ => None,
        };
        let choice = match args.color.or_else(variable).unwrap_or(Color::Auto) {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        choice.write_global();
        Shell { quiet: args.quiet, position: Cell::new((1, 1)) }
    }

    /// Whether no progress is to be printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// A line of progress: `    Checking vision-ops v1.4.2`.
    pub(crate) fn status(&self, verb: &str, message: impl Display) {
        self.verb(GOOD, verb, message);
    }

    /// Says which of how many packages comes next.
    pub(crate) fn at(&self, position: usize, of: usize) {
        self.position.set((position, of));
    }

    /// A line of progress, on a terminal with how far the whole is: `    Checking vision-ops v1.4.2 (2/5)`.
    pub(crate) fn step(&self, verb: &str, message: impl Display) {
        match self.position.get() {
            (position, of) if of > 1 && io::stderr().is_terminal() => {
                self.status(verb, format_args!("{message} ({position}/{of})"));
            }
            _ => self.status(verb, message),
        }
    }

    /// Lines that sum up, without a verb.
    pub(crate) fn lines(&self, text: &str) {
        if !self.quiet {
            to_stderr(text);
        }
    }

    /// A line of progress that asks for attention: `       Stale vision-ops: …`.
    pub(crate) fn attention(&self, verb: &str, message: impl Display) {
        self.verb(WARN, verb, message);
    }

    fn verb(&self, style: Style, verb: &str, message: impl Display) {
        if !self.quiet {
            to_stderr(&format!("{style}{verb:>12}{style:#} {message}\n"));
        }
    }
}

/// What cargo is to be told, whose output is held back and shown later.
pub(crate) fn cargo_color() -> &'static str {
    match anstream::AutoStream::choice(&io::stderr()) {
        ColorChoice::Never => "never",
        _ => "always",
    }
}

/// `warning: …`, whose further lines say all.
pub(crate) fn warn(message: impl Display) {
    to_stderr(&format!("{WARN}warning{WARN:#}: {message}\n"));
}

/// `warning: …`
pub(crate) fn warning(message: impl Display, help: impl Display) {
    to_stderr(&format!("{WARN}warning{WARN:#}: {message}\n  {NOTE}help{NOTE:#}: {help}\n"));
}

/// `error: …`, of a finding that is not an [`Error`].
pub(crate) fn error(message: impl Display) {
    to_stderr(&format!("{ERROR}error{ERROR:#}: {message}\n"));
}

/// Reports why the command ends here, and says how it ends.
pub(crate) fn fail(error: &Error) -> Exit {
    if let Some(output) = error.output() {
        raw(output);
    }
    self::error(error);
    for help in error.help() {
        to_stderr(&format!("  {NOTE}help{NOTE:#}: {help}\n"));
    }
    error.exit()
}

/// What another program wrote to its standard error.
pub(crate) fn raw(text: &str) {
    let text = text.trim_end();
    if !text.is_empty() {
        to_stderr(&format!("{text}\n"));
    }
}

/// Writes a result. A reader that has gone away, such as `head`, is no error.
///
/// # Errors
///
/// When standard output cannot be written for another reason.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Stdout(error)),
        _ => Ok(()),
    }
}

/// What cannot be told to anyone is not told.
fn to_stderr(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}
