//! JSON as Python's values: equal where Python finds them equal, and printed as `str()` prints them.

use std::fmt::Write as _;

use super::python_float;
use crate::json::{Node, Tree};

/// Whether `==` holds: `1`, `1.0` and `True` are equal, and `NaN` is not equal to itself. In a list or an object it is,
/// since Python finds an element that is the same object equal, and its reader of JSON knows one `NaN`.
pub(crate) fn equal(a: &Node, b: &Node) -> bool {
    match (&a.tree, &b.tree) {
        (Tree::Null, Tree::Null) => true,
        (Tree::String(a), Tree::String(b)) => a == b,
        (Tree::List(a), Tree::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Tree::Object(a), Tree::Object(b)) => same_members(a, b),
        (Tree::Bool(_) | Tree::Number(_), Tree::Bool(_) | Tree::Number(_)) => number(a).equal(&number(b)),
        _ => false,
    }
}

/// Whether two elements are equal, or the one `NaN`.
fn same(a: &Node, b: &Node) -> bool {
    let is_nan = |node: &Node| matches!(&node.tree, Tree::Number(text) if text == "NaN");
    (is_nan(a) && is_nan(b)) || equal(a, b)
}

/// Whether two objects have the same keys, in any order, with equal values.
pub(crate) fn same_members(a: &[(String, Node)], b: &[(String, Node)]) -> bool {
    let in_b = |key: &String| b.iter().find(|(known, _)| known == key);
    a.len() == b.len() && a.iter().all(|(key, value)| in_b(key).is_some_and(|(_, other)| same(value, other)))
}

/// Whether a condition takes the value for true.
pub(crate) fn is_true(node: &Node) -> bool {
    match &node.tree {
        Tree::Null => false,
        Tree::String(text) => !text.is_empty(),
        Tree::List(items) => !items.is_empty(),
        Tree::Object(members) => !members.is_empty(),
        Tree::Bool(_) | Tree::Number(_) => !number(node).equal(&Number::Int("0".to_owned())),
    }
}

/// `str()`: text as it is, and what stands in a list as Python writes it in a program.
pub(crate) fn str(node: &Node) -> String {
    match &node.tree {
        Tree::String(text) => text.clone(),
        _ => repr(node),
    }
}

fn repr(node: &Node) -> String {
    match &node.tree {
        Tree::Null => "None".to_owned(),
        Tree::Bool(true) => "True".to_owned(),
        Tree::Bool(false) => "False".to_owned(),
        Tree::Number(_) => number(node).to_text(),
        Tree::String(text) => quoted(text),
        Tree::List(items) => format!("[{}]", items.iter().map(repr).collect::<Vec<_>>().join(", ")),
        Tree::Object(members) => {
            let member = |(key, node): &(String, Node)| format!("{}: {}", quoted(key), repr(node));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Single quotes, unless the text has some and no double ones.
fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for char in text.chars() {
        match char {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if char == quote => {
                out.push('\\');
                out.push(char);
            }
            // What Rust escapes beyond this is what no font shows, as in Python.
            _ if char.escape_debug().len() > 2 => {
                let code = u32::from(char);
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02x}"),
                    0x100..=0xffff => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
            _ => out.push(char),
        }
    }
    out.push(quote);
    out
}

/// Integers have any length in Python.
enum Number {
    /// The digits, without needless zeros or a sign before zero.
    Int(String),
    Float(f64),
}

fn number(node: &Node) -> Number {
    match &node.tree {
        Tree::Bool(x) => Number::Int(u8::from(*x).to_string()),
        Tree::Number(text) if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => {
            Number::Int(if text == "-0" { "0".to_owned() } else { text.clone() })
        }
        Tree::Number(text) => Number::Float(text.parse().unwrap_or(f64::NAN)),
        _ => Number::Float(f64::NAN),
    }
}

impl Number {
    fn equal(&self, other: &Number) -> bool {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a == b,
            #[expect(clippy::float_cmp, reason = "this is what Python does")]
            (Number::Float(a), Number::Float(b)) => a == b,
            // Rust prints all digits of a whole float, however many.
            (Number::Int(int), Number::Float(float)) | (Number::Float(float), Number::Int(int)) => {
                let float = if *float == 0.0 { 0.0 } else { *float };
                float.is_finite() && float.fract() == 0.0 && *int == format!("{float:.0}")
            }
        }
    }

    fn to_text(&self) -> String {
        match self {
            Number::Int(text) => text.clone(),
            Number::Float(x) if x.is_nan() => "nan".to_owned(),
            Number::Float(x) if x.is_infinite() => if *x > 0.0 { "inf" } else { "-inf" }.to_owned(),
            Number::Float(x) => python_float(*x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Node {
        crate::json::parse(text).unwrap()
    }

    #[test]
    fn values_as_python_prints_them() {
        for (json, text) in [
            ("null", "None"),
            ("true", "True"),
            ("-1", "-1"),
            ("-0", "0"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("0.0005000000237487257", "0.0005000000237487257"),
            ("1e-05", "1e-05"),
            ("1E400", "inf"),
            ("-Infinity", "-inf"),
            ("NaN", "nan"),
            ("1.0", "1.0"),
            ("-0.0", "-0.0"),
            ("\"it's\"", "it's"),
            ("\"\"", ""),
            ("[]", "[]"),
            ("[1, 0.5, \"a\", null, false]", "[1, 0.5, 'a', None, False]"),
            ("[\"it's\", \"\\\"\", \"'\\\"\"]", "[\"it's\", '\"', '\\'\"']"),
            ("[\"\\n\\u0001\\\\\u{e4}\\u200b\"]", "['\\n\\x01\\\\\u{e4}\\u200b']"),
        ] {
            assert_eq!(str(&parse(json)), text, "{json}");
        }
    }

    #[test]
    fn values_are_equal_where_python_finds_them_equal() {
        for (a, b, expected) in [
            ("1", "1.0", true),
            ("1", "true", true),
            ("0", "false", true),
            ("0", "-0.0", true),
            ("0.0", "-0.0", true),
            ("1", "2", false),
            ("0.5", "0", false),
            ("18446744073709551616", "18446744073709551616.0", true),
            ("18446744073709551617", "18446744073709551616.0", false),
            ("NaN", "NaN", false),
            ("[NaN]", "[NaN]", true),
            ("[NaN]", "[1]", false),
            ("{\"a\": NaN}", "{\"a\": NaN}", true),
            ("Infinity", "1e999", true),
            ("Infinity", "1", false),
            ("null", "false", false),
            ("null", "null", true),
            ("\"1\"", "1", false),
            ("\"a\"", "\"a\"", true),
            ("[1, 2]", "[1, 2.0]", true),
            ("[1]", "[1, 2]", false),
            ("{\"a\": 1, \"b\": 2}", "{\"b\": 2, \"a\": 1}", true),
            ("{\"a\": 1}", "{\"a\": 1, \"b\": 2}", false),
            ("{\"a\": 1}", "{\"b\": 1}", false),
        ] {
            assert_eq!(equal(&parse(a), &parse(b)), expected, "{a} {b}");
            assert_eq!(equal(&parse(b), &parse(a)), expected, "{b} {a}");
        }
    }

    #[test]
    fn values_are_true_where_python_takes_them_for_true() {
        for (json, expected) in [
            ("null", false),
            ("false", false),
            ("true", true),
            ("0.0", false),
            ("2", true),
            ("\"\"", false),
            ("[0]", true),
            ("{}", false),
        ] {
            assert_eq!(is_true(&parse(json)), expected, "{json}");
        }
    }
}
