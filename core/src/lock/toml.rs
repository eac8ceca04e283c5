//! A TOML document as a tree that knows the line of everything in it.
//!
//! `toml_parser` does the lexing and the grammar. What is added here is small: keys are gathered into
//! tables, each key once, and a number stays text until the type that it must have is known.

use std::borrow::Cow;
use std::collections::BTreeMap;

use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{EventReceiver, RecursionGuard, parse_document};
use toml_parser::{ErrorSink, ParseError, Source, Span};

use crate::model::visible;

/// Deeper nesting than any lock or manifest has; it bounds the stack that a hostile file can use.
const MAX_DEPTH: u32 = 32;

/// A line number, from 1.
pub type Line = u32;

/// What is wrong with a document, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlError {
    /// Where.
    pub line: Line,
    /// What.
    pub reason: String,
}

/// A value and the line on which it begins.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value.
    pub data: Data,
    /// Where it begins.
    pub line: Line,
}

/// A TOML value.
#[derive(Clone, Debug)]
pub enum Data {
    /// A string.
    String(String),
    /// A boolean.
    Bool(bool),
    /// An integer, its digits as written without `_`; other radices are decimal here too.
    Integer(String),
    /// A float, as written without `_`.
    Float(String),
    /// A date or time, as written.
    DateTime(String),
    /// An array.
    Array(Vec<Node>),
    /// A table.
    Table(Table),
}

impl Data {
    /// What this is, for a message.
    pub fn describe(&self) -> String {
        match self {
            Data::String(text) => format!("the string {text:?}"),
            Data::Bool(value) => format!("`{value}`"),
            Data::Integer(text) => format!("the integer `{text}`"),
            Data::Float(text) => format!("the float `{text}`"),
            Data::DateTime(text) => format!("the date `{text}`"),
            Data::Array(_) => "an array".to_owned(),
            Data::Table(_) => "a table".to_owned(),
        }
    }
}

/// A table: each key with the line on which it stands.
#[derive(Clone, Debug, Default)]
pub struct Table {
    entries: BTreeMap<String, Node>,
    /// Whether a `[header]` opened it, after which it may not be opened again.
    opened: bool,
    /// Whether it was written `{ … }`, which nothing may extend.
    inline: bool,
}

impl Table {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.get(key)
    }

    /// All keys with their values, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.entries.iter().map(|(key, node)| (key.as_str(), node))
    }
}

/// Reads a document.
///
/// # Errors
///
/// The first fault in the text, with its line.
pub fn parse(text: &str) -> Result<Table, TomlError> {
    // A byte order mark says nothing in UTF-8; editors of some platforms leave one.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut builder = Builder {
        source,
        lines: Lines::of(text),
        root: Table::default(),
        header: Vec::new(),
        keys: Vec::new(),
        stack: Vec::new(),
        failed: None,
    };
    let mut first: Option<ParseError> = None;
    let mut guard = RecursionGuard::new(&mut builder, MAX_DEPTH);
    parse_document(&tokens, &mut guard, &mut first);
    let fault = first.map(|error| {
        let at = error.unexpected().or(error.context()).map_or(0, |span| span.start());
        let reason = match merge_marker(text, at) {
            Some(marker) => format!("a merge conflict is not resolved: the line begins with `{marker}`"),
            None => describe(&error),
        };
        TomlError { line: builder.lines.at(at), reason }
    });
    match (builder.failed, fault) {
        (Some(a), Some(b)) => Err(if a.line <= b.line { a } else { b }),
        (Some(error), None) | (None, Some(error)) => Err(error),
        (None, None) => Ok(builder.root),
    }
}

fn describe(error: &ParseError) -> String {
    let mut reason = error.description().to_owned();
    if let Some(expected) = error.expected().filter(|e| !e.is_empty()) {
        let list: Vec<_> = expected
            .iter()
            .map(|e| match e {
                toml_parser::Expected::Literal(text) => format!("`{}`", text.escape_debug()),
                toml_parser::Expected::Description(text) => (*text).to_owned(),
                _ => "something else".to_owned(),
            })
            .collect();
        reason.push_str(", expected ");
        reason.push_str(&list.join(" or "));
    }
    reason
}

/// The marker of an unresolved merge on the line of that offset.
fn merge_marker(text: &str, at: usize) -> Option<&'static str> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |i| i + 1);
    ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].into_iter().find(|m| text[start..].starts_with(m))
}

/// Where the lines after the first one begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Lines(text.match_indices('\n').map(|(end, _)| end + 1).collect())
    }

    /// The line of an offset.
    fn at(&self, offset: usize) -> Line {
        let before = self.0.partition_point(|start| *start <= offset);
        Line::try_from(before + 1).unwrap_or(Line::MAX)
    }
}

struct Key {
    text: String,
    line: Line,
}

/// A value that is still open.
enum Open {
    Array(Node),
    Inline { table: Table, line: Line, keys_before: Vec<Key> },
}

struct Builder<'a> {
    source: Source<'a>,
    lines: Lines,
    root: Table,
    /// The table that the last `[header]` opened.
    header: Vec<String>,
    /// The dotted key that is being read.
    keys: Vec<Key>,
    stack: Vec<Open>,
    failed: Option<TomlError>,
}

impl Builder<'_> {
    fn fail(&mut self, line: Line, reason: String) {
        if self.failed.is_none() {
            self.failed = Some(TomlError { line, reason });
        }
    }

    /// Puts a finished value where it belongs.
    fn place(&mut self, node: Node) {
        match self.stack.last_mut() {
            Some(Open::Array(Node { data: Data::Array(items), .. })) => items.push(node),
            Some(Open::Array(_)) => unreachable!("an open array holds an array"),
            Some(Open::Inline { table, .. }) => {
                let keys = std::mem::take(&mut self.keys);
                if let Err((line, reason)) = insert(table, &keys, node) {
                    self.fail(line, reason);
                }
            }
            None => {
                let keys = std::mem::take(&mut self.keys);
                let mut table = &mut self.root;
                for key in &self.header {
                    table = match table.entries.get_mut(key).map(|node| &mut node.data) {
                        Some(Data::Table(inner)) => inner,
                        Some(Data::Array(items)) => match last_table(items) {
                            Some(inner) => inner,
                            None => return,
                        },
                        _ => return, // the header was refused, and that is the error to show
                    };
                }
                if let Err((line, reason)) = insert(table, &keys, node) {
                    self.fail(line, reason);
                }
            }
        }
    }

    /// `[a.b]`, or `[[a.b]]`, which adds another table to an array.
    fn open_header(&mut self, is_array: bool) {
        let keys = std::mem::take(&mut self.keys);
        self.header.clear();
        let mut table = &mut self.root;
        let mut problem = None;
        for (i, key) in keys.iter().enumerate() {
            let is_last = i + 1 == keys.len();
            let is_new = !table.entries.contains_key(&key.text);
            let node = table.entries.entry(key.text.clone()).or_insert_with(|| Node {
                data: if is_last && is_array { Data::Array(Vec::new()) } else { Data::Table(Table::default()) },
                line: key.line,
            });
            let first = node.line;
            let next = match &mut node.data {
                Data::Table(inner) if inner.inline || (is_last && (is_array || inner.opened)) => None,
                Data::Table(inner) => {
                    inner.opened |= is_last;
                    Some(inner)
                }
                // What was written `[ … ]` is whole.
                Data::Array(items) if !is_last || (is_array && (is_new || is_of_tables(items))) => {
                    if is_last {
                        items.push(Node { data: Data::Table(Table::default()), line: key.line });
                    }
                    last_table(items)
                }
                _ => None,
            };
            let Some(next) = next else {
                problem = Some((key.line, already(&key.text, first)));
                break;
            };
            table = next;
        }
        match problem {
            Some((line, reason)) => self.fail(line, reason),
            None => self.header.extend(keys.into_iter().map(|key| key.text)),
        }
    }
}

/// The table that `[[…]]` added last; `None` for an array of anything else.
fn last_table(items: &mut [Node]) -> Option<&mut Table> {
    match items.last_mut() {
        Some(Node { data: Data::Table(table), .. }) if !table.inline => Some(table),
        _ => None,
    }
}

/// Whether `[[…]]` added what is in the array.
fn is_of_tables(items: &[Node]) -> bool {
    matches!(items.last(), Some(Node { data: Data::Table(table), .. }) if !table.inline)
}

fn already(key: &str, first: Line) -> String {
    let key = visible(key);
    format!("`{key}` stands here a second time; the first is on line {first}")
}

fn insert(table: &mut Table, keys: &[Key], node: Node) -> Result<(), (Line, String)> {
    let Some((last, path)) = keys.split_last() else {
        return Err((node.line, "a value without a key".to_owned()));
    };
    let mut table = table;
    for key in path {
        let next = table
            .entries
            .entry(key.text.clone())
            .or_insert_with(|| Node { data: Data::Table(Table::default()), line: key.line });
        let first = next.line;
        match &mut next.data {
            Data::Table(inner) if !inner.inline => table = inner,
            _ => return Err((key.line, already(&key.text, first))),
        }
    }
    if let Some(first) = table.entries.get(&last.text) {
        let dotted: Vec<_> = keys.iter().map(|k| k.text.as_str()).collect();
        return Err((last.line, already(&dotted.join("."), first.line)));
    }
    table.entries.insert(last.text.clone(), node); // which begins on the line of its key
    Ok(())
}

impl EventReceiver for Builder<'_> {
    fn std_table_close(&mut self, _span: Span, _error: &mut dyn ErrorSink) {
        self.open_header(false);
    }

    fn array_table_close(&mut self, _span: Span, _error: &mut dyn ErrorSink) {
        self.open_header(true);
    }

    fn inline_table_open(&mut self, span: Span, _error: &mut dyn ErrorSink) -> bool {
        let line = self.lines.at(span.start());
        let keys_before = std::mem::take(&mut self.keys);
        self.stack.push(Open::Inline { table: Table { inline: true, ..Table::default() }, line, keys_before });
        true
    }

    fn inline_table_close(&mut self, _span: Span, _error: &mut dyn ErrorSink) {
        if let Some(Open::Inline { table, line, keys_before }) = self.stack.pop() {
            self.keys = keys_before;
            self.place(Node { data: Data::Table(table), line });
        }
    }

    fn array_open(&mut self, span: Span, _error: &mut dyn ErrorSink) -> bool {
        let line = self.lines.at(span.start());
        self.stack.push(Open::Array(Node { data: Data::Array(Vec::new()), line }));
        true
    }

    fn array_close(&mut self, _span: Span, _error: &mut dyn ErrorSink) {
        if let Some(Open::Array(node)) = self.stack.pop() {
            self.place(node);
        }
    }

    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        let line = self.lines.at(span.start());
        let Some(raw) = self.source.get(span) else { return };
        let raw = toml_parser::Raw::new_unchecked(raw.as_str(), encoding, span);
        let mut text = Cow::Borrowed("");
        raw.decode_key(&mut text, error);
        if self.keys.len() < MAX_DEPTH as usize {
            self.keys.push(Key { text: text.into_owned(), line });
        } else {
            self.fail(line, format!("a dotted key has more than {MAX_DEPTH} parts"));
        }
    }

    fn scalar(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        let line = self.lines.at(span.start());
        let Some(raw) = self.source.get(span) else { return };
        let raw = toml_parser::Raw::new_unchecked(raw.as_str(), encoding, span);
        let mut text = Cow::Borrowed("");
        let kind = raw.decode_scalar(&mut text, error);
        let text = text.into_owned();
        let data = match kind {
            ScalarKind::String => Data::String(text),
            ScalarKind::Boolean(value) => Data::Bool(value),
            ScalarKind::DateTime => Data::DateTime(text),
            ScalarKind::Float => Data::Float(text),
            ScalarKind::Integer(radix) if radix.value() == 10 => Data::Integer(text),
            ScalarKind::Integer(radix) => match i128::from_str_radix(&text, radix.value()) {
                Ok(value) => Data::Integer(value.to_string()),
                Err(_) => return self.fail(line, format!("the integer `{}` is too large", raw.as_str())),
            },
        };
        self.place(Node { data, line });
    }

    fn newline(&mut self, span: Span, error: &mut dyn ErrorSink) {
        if let Some(raw) = self.source.get(span) {
            raw.decode_newline(error);
        }
    }

    fn comment(&mut self, span: Span, error: &mut dyn ErrorSink) {
        if let Some(raw) = self.source.get(span) {
            raw.decode_comment(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> (Line, String) {
        let error = parse(text).expect_err(text);
        (error.line, error.reason)
    }

    #[test]
    fn keys_tables_and_lines() {
        let root = parse("\u{feff}a.b = 1\r\na.'c d' = [1, [2]]\r\n[t]\r\nx = { y.z = 0x10, w = '' }").unwrap();
        let at = |path: &[&str]| {
            path.iter().fold(Node { data: Data::Table(root.clone()), line: 0 }, |node, key| match node.data {
                Data::Table(table) => table.get(key).unwrap().clone(),
                other => panic!("{key} of {other:?}"),
            })
        };
        assert_eq!(at(&["a", "c d"]).line, 2);
        assert!(matches!(at(&["t", "x", "y", "z"]).data, Data::Integer(n) if n == "16"));
    }

    #[test]
    fn duplicates_name_both_lines() {
        assert_eq!(error("a.b = 1\n\na.b = 2"), (3, "`a.b` stands here a second time; the first is on line 1".into()));
        assert_eq!(error("a = 1\na.b = 2").0, 2);
        assert_eq!(error("[a]\n[a]").0, 2);
        assert_eq!(error("x = {a = 1, a = 2}").0, 1);
        assert_eq!(error("x = {a = 1}\n[x]").0, 2);
        assert_eq!(error("x = {a = 1}\nx.b = 1").0, 2);
    }

    #[test]
    fn a_fault_of_the_text_says_what_would_be_right() {
        assert_eq!(error("a = 1\nb 2\n"), (2, "key with no value, expected `=`".into()));
        let told = "unquoted keys cannot be empty, expected letters or numbers or `-` or `_`";
        assert_eq!(error("= 1\n"), (1, told.into()));
    }

    #[test]
    fn of_two_faults_the_first_is_told() {
        assert_eq!(error("a = 1\na = 2\nb 2\n").0, 2);
        assert_eq!(error("b 2\na = 1\na = 2\n").0, 1);
        assert_eq!(error("a = 1\na = 2\nb 2\n").1, "`a` stands here a second time; the first is on line 1");
        assert_eq!(error("x = { a = 1, a = 2 b }\n").1, "`a` stands here a second time; the first is on line 1");
    }

    #[test]
    fn a_key_has_as_many_parts_as_nesting_may_be_deep() {
        assert!(parse(&format!("a{} = 1", ".a".repeat(31))).is_ok());
        assert_eq!(error(&format!("\na{} = 1", ".a".repeat(32))), (2, "a dotted key has more than 32 parts".into()));
    }

    #[test]
    fn an_integer_is_its_digits_however_many() {
        let root = parse(&format!("a = {}\n", "9".repeat(60))).unwrap();
        assert!(matches!(&root.get("a").unwrap().data, Data::Integer(n) if *n == "9".repeat(60)));
    }

    #[test]
    fn line_ends_and_comments_have_faults_too() {
        let told = "invalid comment character, expected printable characters";
        assert_eq!(error("a = 1\n# \u{7}\n"), (2, told.into()));
        let told = "carriage return must be followed by newline, expected `\\n`";
        assert_eq!(error("a = 1\n\rb = 1\n"), (2, told.into()));
    }

    #[test]
    fn a_fault_at_the_end_of_a_line_is_one_of_that_line() {
        assert_eq!(error("a = 1\nb =\nc = 1\n").0, 2);
        assert_eq!(error("a = 1\nb\nc = 1\n").0, 2);
        assert_eq!(error("a = 1\n[b\n"), (2, "unclosed table, expected `]`".into()));
        assert_eq!(error("a = 1\n\n\n=").0, 4);
    }

    #[test]
    fn merge_markers_are_named() {
        for marker in ["<<<<<<< HEAD", "=======", ">>>>>>> other", "||||||| base"] {
            let (line, reason) = error(&format!("a = 1\n{marker}\nb = 1\n"));
            assert_eq!(line, 2, "{reason}");
            assert!(reason.contains("merge conflict"), "{reason}");
        }
    }

    #[test]
    fn hostile_nesting_is_refused() {
        assert!(parse(&format!("a = {}", "[".repeat(100_000))).is_err());
        assert!(parse(&format!("a = {}{}", "[".repeat(1000), "]".repeat(1000))).is_err());
        assert!(parse(&format!("a{} = 1", ".a".repeat(100_000))).is_err());
    }

    #[test]
    fn arrays_of_tables() {
        let root = parse("[[bin]]\nname = \"a\"\nx.y = 1\n[[bin]]\nname = \"b\"\n[features]\ncuda = []\n").unwrap();
        let Data::Array(bins) = &root.get("bin").unwrap().data else { panic!("`bin` is an array") };
        assert_eq!(bins.iter().map(|bin| bin.line).collect::<Vec<_>>(), [1, 4]);
        assert!(root.get("features").is_some());
        assert_eq!(error("a = []\n[[a.b]]").0, 2);
        for whole in ["[]", "[1]", "[{ b = 1 }]"] {
            assert_eq!(error(&format!("a = {whole}\n[[a]]")).0, 2, "{whole}");
        }
        assert_eq!(error("[[a]]\n[a]").0, 2);
        assert_eq!(error("a = [{ x = 1 }]\n[a.b]\ny = 1").0, 2, "a list that is written out is complete");
        assert_eq!(error("[a]\n[[a]]").0, 2);
        assert_eq!(error("x = { a = {} }\n[x.a.b]").0, 2);
        assert_eq!(error("x = { a = {} }\n[[x.b]]").0, 2);
        assert!(parse("[[a]]\n[a.b]\nx = 1\n[[a]]\n[a.b]\nx = 1\n[[a.c]]\n[[a.c]]").is_ok());
    }
}
