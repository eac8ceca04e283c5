//! JSON of which every value knows where it stands, so that whatever is not understood is named with its line.
//!
//! It takes what Python writes, `NaN` and `Infinity` too; a number stays text until the type that it must have is
//! known.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use jiter::{Jiter, JiterError, Peek};
use oplock_core::did_you_mean;

/// Deeper than any file that is meant.
const DEPTH: usize = 64;

/// What is wrong with a file of definitions, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The line, from 1.
    pub line: usize,
    /// The byte in that line, from 1: real files are one line.
    pub column: usize,
    /// What is wrong, with the names of the things in which it is.
    pub reason: String,
}

/// `3:17: schema `Abs`: …`
impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.reason)
    }
}

impl std::error::Error for JsonError {}

/// Something wrong with a value, before its line is known.
#[derive(Debug)]
pub(crate) struct Fault {
    at: usize,
    reason: String,
    /// Whether the reason begins with a place.
    is_placed: bool,
}

impl Fault {
    fn new(at: usize, reason: impl Into<String>) -> Self {
        Fault { at, reason: reason.into(), is_placed: false }
    }

    /// Names the thing in which it is.
    pub(crate) fn within(mut self, place: impl fmt::Display) -> Self {
        let separator = if self.is_placed { ", " } else { ": " };
        self.reason = format!("{place}{separator}{}", self.reason);
        self.is_placed = true;
        self
    }

    /// Finds the line.
    pub(crate) fn locate(self, text: &str) -> JsonError {
        let mut lines = text.as_bytes()[..self.at.min(text.len())].split(|byte| *byte == b'\n');
        let column = lines.next_back().map_or(0, <[u8]>::len) + 1;
        JsonError { line: lines.count() + 1, column, reason: self.reason }
    }
}

/// A value and where it begins.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) at: usize,
    pub(crate) tree: Tree,
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    /// As it is written.
    Number(String),
    String(String),
    List(Vec<Node>),
    /// In the order of the file; each key is there once.
    Object(Vec<(String, Node)>),
}

type Result<T> = std::result::Result<T, Fault>;

/// Reads a whole text.
pub(crate) fn parse(text: &str) -> Result<Node> {
    let skipped = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut reader = Reader { json: Jiter::new(&text.as_bytes()[skipped..]).with_allow_inf_nan(), skipped };
    let node = reader.node(0)?;
    let end = reader.json.finish();
    reader.checked(end)?;
    Ok(node)
}

struct Reader<'a> {
    json: Jiter<'a>,
    skipped: usize,
}

impl Reader<'_> {
    fn here(&self) -> usize {
        self.json.current_index() + self.skipped
    }

    fn checked<T>(&self, result: std::result::Result<T, JiterError>) -> Result<T> {
        result
            .map_err(|error| Fault::new(error.index + self.skipped, format!("this is not JSON: {}", error.error_type)))
    }

    fn node(&mut self, depth: usize) -> Result<Node> {
        let peek = self.json.peek();
        let peek = self.checked(peek)?;
        let at = self.here();
        if depth > DEPTH {
            return Err(Fault::new(at, format!("this is more than {DEPTH} values deep")));
        }
        let tree = match peek {
            Peek::Null => {
                let null = self.json.known_null();
                self.checked(null)?;
                Tree::Null
            }
            Peek::True | Peek::False => {
                let flag = self.json.known_bool(peek);
                Tree::Bool(self.checked(flag)?)
            }
            Peek::String => {
                let text = self.json.known_str().map(str::to_owned);
                Tree::String(self.checked(text)?)
            }
            Peek::Array => {
                let mut items = Vec::new();
                let first = self.json.known_array();
                let mut next = self.checked(first)?;
                while next.is_some() {
                    items.push(self.node(depth + 1)?);
                    let step = self.json.array_step();
                    next = self.checked(step)?;
                }
                Tree::List(items)
            }
            Peek::Object => Tree::Object(self.members(depth)?),
            _ => {
                let text = self.json.known_number_bytes(peek).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
                Tree::Number(self.checked(text)?)
            }
        };
        Ok(Node { at, tree })
    }

    fn members(&mut self, depth: usize) -> Result<Vec<(String, Node)>> {
        let mut members = Vec::new();
        let mut seen = BTreeSet::new();
        let first = self.json.known_object().map(|key| key.map(str::to_owned));
        let mut next = self.checked(first)?;
        while let Some(key) = next {
            if !seen.insert(key.clone()) {
                return Err(Fault::new(self.here(), format!("the key {key:?} is here a second time")));
            }
            let value = self.node(depth + 1)?;
            members.push((key, value));
            let step = self.json.next_key().map(|key| key.map(str::to_owned));
            next = self.checked(step)?;
        }
        Ok(members)
    }
}

impl Node {
    /// What stands nowhere.
    pub(crate) const NULL: Node = Node { at: 0, tree: Tree::Null };

    /// What is wrong with it.
    pub(crate) fn fault(&self, reason: impl Into<String>) -> Fault {
        Fault::new(self.at, reason)
    }

    /// Its kind, as a message says it.
    pub(crate) fn describe(&self) -> String {
        match &self.tree {
            Tree::Null => "null".to_owned(),
            Tree::Bool(x) => format!("`{x}`"),
            Tree::Number(text) => format!("the number {text}"),
            Tree::String(text) => format!("the string {text:?}"),
            Tree::List(_) => "a list".to_owned(),
            Tree::Object(_) => "an object".to_owned(),
        }
    }

    fn other_than<T>(&self, what: &str) -> Result<T> {
        Err(self.fault(format!("this must be {what}, not {}", self.describe())))
    }

    pub(crate) fn object(&self) -> Result<&[(String, Node)]> {
        if let Tree::Object(members) = &self.tree { Ok(members) } else { self.other_than("an object") }
    }

    pub(crate) fn list(&self) -> Result<&[Node]> {
        if let Tree::List(items) = &self.tree { Ok(items) } else { self.other_than("a list") }
    }

    pub(crate) fn text(&self) -> Result<&str> {
        if let Tree::String(text) = &self.tree { Ok(text) } else { self.other_than("a string") }
    }

    pub(crate) fn flag(&self) -> Result<bool> {
        if let Tree::Bool(x) = self.tree { Ok(x) } else { self.other_than("true or false") }
    }

    /// A number of that type, as `what` calls it.
    pub(crate) fn number<T: FromStr>(&self, what: &str) -> Result<T> {
        match &self.tree {
            Tree::Number(text) => text.parse().or_else(|_| self.other_than(what)),
            _ => self.other_than(what),
        }
    }

    /// The members of an object that has no others than these; what may be missing is an `Option`.
    pub(crate) fn known<const N: usize>(&self, keys: [&'static str; N]) -> Result<Members<'_, N>> {
        let mut nodes = [None; N];
        for (key, node) in self.object()? {
            match keys.iter().position(|known| known == key) {
                Some(i) => nodes[i] = Some(node),
                None => return Err(node.fault(format!("the key {key:?} is not known{}", did_you_mean(key, keys)))),
            }
        }
        Ok(Members { object: self, keys, nodes })
    }
}

/// The members of an object, each under a key that is known.
pub(crate) struct Members<'a, const N: usize> {
    object: &'a Node,
    keys: [&'static str; N],
    nodes: [Option<&'a Node>; N],
}

impl<'a, const N: usize> Members<'a, N> {
    /// The value of a key, where it is.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Node> {
        self.keys.iter().position(|known| *known == key).and_then(|i| self.nodes[i])
    }

    /// The value of a key that must be there.
    pub(crate) fn need(&self, key: &str) -> Result<&'a Node> {
        self.get(key).ok_or_else(|| self.object.fault(format!("`{key}` is missing")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str, read: impl Fn(&Node) -> Result<()>) -> String {
        parse(text).and_then(|node| read(&node)).unwrap_err().locate(text).to_string()
    }

    #[test]
    fn what_is_no_json_is_named_with_its_line() {
        for (text, expected) in [
            ("", "1:1: this is not JSON: EOF while parsing a value"),
            ("{\n \"a\": 1,\n \"a\": 2}", "3:6: the key \"a\" is here a second time"),
            ("[1] x", "1:5: this is not JSON: trailing characters"),
            ("\u{feff}[1", "1:6: this is not JSON: EOF while parsing a list"),
        ] {
            assert_eq!(error(text, |_| Ok(())), expected, "{text}");
        }
        assert!(error(&"[".repeat(100_000), |_| Ok(())).contains("more than 64 values deep"));
    }

    #[test]
    fn what_is_of_another_kind_is_named_with_its_line() {
        let known = |node: &Node| node.known(["name", "type"])?.need("type").map(|_| ());
        assert_eq!(error("{\"nam\": 1}", known), "1:9: the key \"nam\" is not known; did you mean `name`?");
        assert_eq!(error("{\n\"name\": 1}", known), "1:1: `type` is missing");
        assert_eq!(error("[]", known), "1:1: this must be an object, not a list");
        let number = |node: &Node| node.number::<i32>("a number of 32 bits").map(|_| ());
        assert_eq!(error(" 2147483648", number), "1:2: this must be a number of 32 bits, not the number 2147483648");
        let within = |node: &Node| node.text().map(|_| ()).map_err(|fault| fault.within("input `X`").within("op `a`"));
        assert_eq!(error("null", within), "1:1: op `a`, input `X`: this must be a string, not null");
        assert_eq!(error("1", |node| node.flag().map(|_| ())), "1:1: this must be true or false, not the number 1");
        assert_eq!(error("true", |node| node.list().map(|_| ())), "1:1: this must be a list, not `true`");
    }

    #[test]
    fn numbers_of_python_are_taken() {
        let Ok(Tree::List(items)) = parse("[NaN, -Infinity, 1e-05]").map(|node| node.tree) else { panic!() };
        let texts: Vec<_> = items.iter().map(Node::describe).collect();
        assert_eq!(texts, ["the number NaN", "the number -Infinity", "the number 1e-05"]);
    }
}
