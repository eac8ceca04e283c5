//! "Did you mean": the nearest of the words that would have been right.

/// ``; did you mean `dispensable`?``, or nothing where no word is near.
///
/// Words of like meaning are near as well: other systems' names for the same thing.
pub fn did_you_mean<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(found, known) {
        Some(word) => format!("; did you mean `{word}`?"),
        None => String::new(),
    }
}

/// The names that other systems give to what is meant here.
const SYNONYMS: &[(&str, &str)] = &[
    ("optional", "dispensable"),
    ("nullable", "dispensable"),
    ("repeated", "duplicable"),
    ("variadic", "duplicable"),
    ("list", "duplicable"),
    ("rename", "name"),
    ("aliases", "alias"),
    ("renamed_from", "alias"),
    ("obsolete", "deprecated"),
    ("since", "version"),
    ("reason", "note"),
    ("message", "note"),
    ("changed", "revised"),
    ("moved", "moved_from"),
    ("hidden", "intermediate"),
    ("ignore", "skip"),
    ("default_value", "default"),
    ("type", "as"),
    ("with", "as"),
    ("allowed_values", "values"),
    ("enum", "values"),
    ("unstable", "experimental"),
    ("feature", "cfg"),
    ("attribute", "attr"),
    ("in", "input"),
    ("out", "output"),
];

/// The nearest of the known words, if any is near.
pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut words = Vec::new();
    words.extend(known);
    nearest_of(found, &words)
}

fn nearest_of<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    if let Some(word) = known.iter().find(|word| word.eq_ignore_ascii_case(found)) {
        return Some(word);
    }
    let synonym = SYNONYMS.iter().find(|(other, _)| *other == found).map(|(_, word)| *word);
    if let Some(word) = synonym.and_then(|word| known.iter().find(|k| **k == word)) {
        return Some(word);
    }
    let length = found.chars().count();
    let limit = length.div_ceil(3);
    // What differs more in length is not compared: hostile text is long, and each comparison takes the product of both lengths.
    let like = known.iter().filter(|word| word.chars().count().abs_diff(length) <= limit);
    like.map(|word| (distance(found, word), *word)).filter(|(d, _)| *d <= limit).min().map(|(_, word)| word)
}

/// How many letters must be inserted, removed or replaced.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<_> = b.chars().collect();
    let mut row: Vec<_> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKERS: [&str; 4] = ["dispensable", "duplicable", "extra", "name"];

    #[test]
    fn near_words() {
        assert_eq!(nearest("dispensible", MARKERS), Some("dispensable"));
        assert_eq!(nearest("optional", MARKERS), Some("dispensable"));
        assert_eq!(nearest("Extra", MARKERS), Some("extra"));
        assert_eq!(nearest("nmae", MARKERS), Some("name"));
        assert_eq!(nearest("zzz", MARKERS), None);
    }

    /// Up to a third of what was found may be wrong, whichever is longer, letters counted and not bytes.
    #[test]
    fn words_of_another_length() {
        assert_eq!(nearest("spensable", MARKERS), Some("dispensable"), "two of nine are missing");
        assert_eq!(nearest("dispensableee", MARKERS), Some("dispensable"), "two of thirteen are too many");
        assert_eq!(nearest("nam", ["nam\u{e9}"]), Some("nam\u{e9}"));
        assert_eq!(nearest("abcdef", ["abcdefgh"]), Some("abcdefgh"), "two of six");
        assert_eq!(nearest("abcdef", ["abcdefghi"]), None, "three of six");
        assert_eq!(nearest("abcdefghi", ["abcdef"]), Some("abcdef"), "three of nine");
        assert_eq!(nearest("abcdefghi", ["abcde"]), None, "four of nine");
        assert_eq!(nearest("abcdef", ["abcxef", "abcdef_", "abcxyf"]), Some("abcdef_"), "the first of the nearest");
        // Letter by letter this would take days.
        assert_eq!(nearest(&"a".repeat(10_000_000), ["a".repeat(1_000_000).as_str()]), None);
    }
}
