//! Which kind of definitions a file holds, by what is in it and never by its name.

use std::borrow::Cow;

use jiter::{Jiter, Peek};

/// A kind of file that holds operator definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `PaddlePaddle`'s op description: a JSON object of operators.
    Paddle,
    /// ONNX's schemas: a JSON object with a list of `schemas`.
    Onnx,
    /// `TensorFlow`'s definitions as JSON: an object with a list of `ops`.
    TensorFlowJson,
    /// An `OpList` as protobuf text.
    TensorFlowText,
    /// An `OpList` as protobuf.
    TensorFlowBinary,
    /// None of these, but text; a lock is.
    Text,
}

impl Format {
    /// The kind of a file. Whether it is whole is the reader's to say.
    pub fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let is_text = matches!(text, Cow::Borrowed(_)) && !text.contains(is_of_no_text);
        let text = text.trim_start_matches('\u{feff}');
        // No message of protobuf begins so: this is text that is damaged further on.
        if !is_text && !text.starts_with('{') && !text.starts_with("op") {
            return Format::TensorFlowBinary;
        }
        if text.trim_start().starts_with('{') {
            return of_object(text);
        }
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        match lines.next().and_then(|line| line.strip_prefix("op")) {
            Some(rest) if rest.trim_start_matches([':', ' ', '\t']).starts_with(['{', '<']) => Format::TensorFlowText,
            _ => Format::Text,
        }
    }
}

/// Protobuf begins each operator with the byte of a line break and its length, which is some character that no text has
/// sooner or later.
fn is_of_no_text(char: char) -> bool {
    char.is_control() && !matches!(char, '\n' | '\r' | '\t' | '\u{c}')
}

/// An op description has operators, which are objects, where the others have lists.
fn of_object(text: &str) -> Format {
    let mut json = Jiter::new(text.as_bytes()).with_allow_inf_nan();
    let mut key = json.next_object().map(|key| key.map(str::to_owned));
    while let Ok(Some(name)) = &key {
        let Ok(peek) = json.peek() else { break };
        match name.as_str() {
            "schemas" if peek == Peek::Array => return Format::Onnx,
            "ops" | "op" if peek == Peek::Array => return Format::TensorFlowJson,
            _ => {}
        }
        if json.known_skip(peek).is_err() {
            break;
        }
        key = json.next_key().map(|key| key.map(str::to_owned));
    }
    Format::Paddle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_told_by_what_is_in_the_file() {
        for (text, expected) in [
            ("{}", Format::Paddle),
            ("\u{feff} {\"slice\": {\"Inputs\": {}}}", Format::Paddle),
            ("{\"schemas\": {\"Inputs\": {}}, \"ops\": {}}", Format::Paddle),
            ("{\"onnx_version\": \"1.17.0\", \"domains\": {\"\": 22}, \"schemas\": []}", Format::Onnx),
            ("{\"source\": \"x\", \"ops\": [", Format::TensorFlowJson),
            ("{\"op\": []}", Format::TensorFlowJson),
            ("{\"a\": [1", Format::Paddle),
            ("# all\n\nop {\n  name: \"Abs\"\n}\n", Format::TensorFlowText),
            ("op: <name: \"Abs\">", Format::TensorFlowText),
            ("op\u{a}{", Format::Text),
            ("operators", Format::Text),
            ("format = 1\npackage = \"op\"\n", Format::Text),
            ("", Format::Text),
            ("\n\u{5}\n\u{3}Abs", Format::TensorFlowBinary),
        ] {
            assert_eq!(Format::of(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(Format::of(&[0x0a, 0xff, 0x80]), Format::TensorFlowBinary);
    }

    #[test]
    fn text_that_is_damaged_further_on_is_told_by_its_beginning() {
        for (bytes, expected) in [
            (&b"{\"a\": {\"Inp\xff\": {}}}"[..], Format::Paddle),
            (b"{\"schemas\": [\0]}", Format::Onnx),
            (b"{\"ops\": [{\"name\": \"\xc3\"}]}", Format::TensorFlowJson),
            (b"op {\n  name: \"\xff\"\n}\n", Format::TensorFlowText),
            // An operator of 123 bytes.
            (b"\n{\n\x03Abs", Format::TensorFlowBinary),
            (b"\x7fELF\xff", Format::TensorFlowBinary),
        ] {
            assert_eq!(Format::of(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
