//! What the compiler said, read from what a user sees.

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It does not compile.
    Error,
    /// It compiles.
    Warning,
}

/// An error or a warning.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub level: Level,
    /// All of it, with the source that it shows.
    pub text: String,
    /// Every `FILE:LINE:COLUMN` that it names, the first in front, and `FILE:LINE` of those that it only shows.
    pub places: Vec<String>,
}

/// `src/lib.rs:17:22` without the column: `src/lib.rs:17`.
pub fn line_of(place: &str) -> &str {
    place.rsplit_once(':').map_or(place, |(line, _)| line)
}

/// Cuts standard error at every line that begins a message.
pub(crate) fn read(stderr: &str) -> Vec<Diagnostic> {
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for line in stderr.lines() {
        let level = [("error", Level::Error), ("warning", Level::Warning)]
            .into_iter()
            .find(|(word, _)| line.strip_prefix(word).is_some_and(|rest| rest.starts_with([':', '['])));
        if let Some((_, level)) = level {
            diagnostics.push(Diagnostic { level, text: String::new(), places: Vec::new() });
        }
        let Some(diagnostic) = diagnostics.last_mut() else { continue };
        diagnostic.text.push_str(line);
        diagnostic.text.push('\n');
        let place = line.trim_start().strip_prefix("--> ").or_else(|| line.trim_start().strip_prefix("::: "));
        diagnostic.places.extend(place.map(str::to_owned));
    }
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_their_places() {
        let stderr = "   Compiling x\nerror[E0592]: twice\n --> src/a.rs:3:6\n  |\n ::: src/b.rs:1:2\n\nwarning: old\n  --> src/c.rs:1:1\n\
                      error: could not compile `x`\n";
        let read = read(stderr);
        assert_eq!(read.len(), 3);
        assert_eq!(
            (read[0].level, &read[0].places[..]),
            (Level::Error, &["src/a.rs:3:6".to_owned(), "src/b.rs:1:2".into()][..])
        );
        assert_eq!((read[1].level, read[1].text.contains("old")), (Level::Warning, true));
        assert!(read[2].places.is_empty());
    }
}
