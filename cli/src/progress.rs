//! How far a long command is, on a terminal: one line that is written over itself.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// How often the line changes.
const EVERY: Duration = Duration::from_millis(200);

/// A line of progress.
pub(crate) struct Progress {
    is_shown: bool,
    began: Instant,
    last: Option<Instant>,
    /// Of how much in all.
    total: u64,
}

impl Progress {
    /// A line that is shown where standard error is a terminal and nobody asked for silence.
    pub(crate) fn new(total: u64, is_quiet: bool) -> Self {
        let is_shown = !is_quiet && io::stderr().is_terminal();
        Progress { is_shown, began: Instant::now(), last: None, total }
    }

    /// So much is done.
    pub(crate) fn at(&mut self, done: u64, what: impl FnOnce() -> String) {
        let now = Instant::now();
        if !self.is_shown || self.last.is_some_and(|last| now - last < EVERY) {
            return;
        }
        self.last = Some(now);
        let left = left(now - self.began, done, self.total);
        let percent = (done * 100).checked_div(self.total).unwrap_or(100);
        let _ = write!(io::stderr(), "\r\u{1b}[K{:>12} {} ({percent} %{left})", "Auditing", what());
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        if self.is_shown && self.last.is_some() {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}

/// `, about 3 min left`, once that can be told.
fn left(passed: Duration, done: u64, total: u64) -> String {
    if done == 0 || passed < Duration::from_secs(1) {
        return String::new();
    }
    let seconds = u128::from(total.saturating_sub(done)) * passed.as_millis() / u128::from(done) / 1000;
    match seconds {
        0..=89 => format!(", about {seconds} s left"),
        90..=5399 => format!(", about {} min left", (seconds + 30) / 60),
        _ => format!(", about {} h left", (seconds + 1800) / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_estimated_by_what_was_done() {
        let after = |seconds, done| left(Duration::from_secs(seconds), done, 100);
        assert_eq!(after(0, 10), "");
        assert_eq!(after(10, 0), "");
        assert_eq!(after(10, 50), ", about 10 s left");
        assert_eq!(after(60, 25), ", about 3 min left");
        assert_eq!(after(3600, 10), ", about 9 h left");
        assert_eq!(after(10, 100), ", about 0 s left");
        assert_eq!(after(10, 200), ", about 0 s left");
    }
}
