//! The words of protobuf's text format.

use super::super::error::Place;

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// `name`, `DT_FLOAT`, `true`, `inf`.
    Name(&'a str),
    /// `12`, `0x1f`, `1.5e3`; without a sign.
    Number(&'a str),
    /// `"text"`: the bytes for which it stands.
    String(Vec<u8>),
    /// One of `{}<>[]:,;-`.
    Mark(char),
    /// Nothing is left.
    End,
}

impl Token<'_> {
    /// As a message shows it.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Name(text) => format!("`{text}`"),
            Token::Number(text) => format!("the number {text}"),
            Token::String(_) => "a string".to_owned(),
            Token::Mark(mark) => format!("`{mark}`"),
            Token::End => "the end of the file".to_owned(),
        }
    }
}

/// Takes a text apart.
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// The byte that comes next.
    at: usize,
    line: usize,
    line_start: usize,
}

/// What is wrong with a word, and where.
pub(super) type LexError = (Place, String);

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Lexer { text, at, line: 1, line_start: at }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn place(&self) -> Place {
        Place::Text { line: self.line, column: self.at - self.line_start + 1 }
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            match rest.bytes().next() {
                Some(b'\n') => {
                    self.at += 1;
                    self.line += 1;
                    self.line_start = self.at;
                }
                Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => self.at += 1,
                Some(b'#') => self.at += rest.find('\n').unwrap_or(rest.len()),
                _ => return,
            }
        }
    }

    /// The next word, and where it begins.
    pub(super) fn next(&mut self) -> Result<(Place, Token<'a>), LexError> {
        self.skip_blank();
        let place = self.place();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok((place, Token::End)) };
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let token = match first {
            'a'..='z' | 'A'..='Z' | '_' => Token::Name(self.take(rest.find(|c| !is_part(c)))),
            '0'..='9' | '.' => Token::Number(self.take(number_end(rest))),
            '"' | '\'' => Token::String(self.string(first)?),
            '{' | '}' | '<' | '>' | '[' | ']' | ':' | ',' | ';' | '-' => {
                self.at += 1;
                Token::Mark(first)
            }
            other => return Err((place, format!("{other:?} has no meaning here"))),
        };
        Ok((place, token))
    }

    fn take(&mut self, length: Option<usize>) -> &'a str {
        let rest = self.rest();
        let (taken, _) = rest.split_at(length.unwrap_or(rest.len()));
        self.at += taken.len();
        taken
    }

    /// The bytes of a string; it ends in the line in which it begins.
    fn string(&mut self, quote: char) -> Result<Vec<u8>, LexError> {
        let start = self.place();
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let place = self.place();
            let Some(c) = self.rest().chars().next() else {
                return Err((start, "a string begins here and does not end".to_owned()));
            };
            self.at += c.len_utf8();
            match c {
                '\n' => return Err((start, "a string begins here and does not end in its line".to_owned())),
                '\\' => self.escape(&mut bytes).map_err(|reason| (place, reason))?,
                c if c == quote => return Ok(bytes),
                c => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) -> Result<(), String> {
        let Some(c) = self.rest().chars().next() else { return Err("the file ends after `\\`".to_owned()) };
        self.at += c.len_utf8();
        let byte = match c {
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'a' => 0x07,
            'b' => 0x08,
            'f' => 0x0c,
            'v' => 0x0b,
            '\\' | '\'' | '"' | '?' => c as u8,
            '0'..='7' => {
                self.at -= 1;
                let digits = self.digits(8, 3);
                u8::from_str_radix(digits, 8).map_err(|_| format!("`\\{digits}` is no byte"))?
            }
            'x' | 'X' => {
                let digits = self.digits(16, 2);
                u8::from_str_radix(digits, 16).map_err(|_| format!("`\\{c}` needs one or two digits"))?
            }
            'u' | 'U' => {
                let length = if c == 'u' { 4 } else { 8 };
                let digits = self.digits(16, length);
                let code = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == length);
                let Some(code) = code.and_then(char::from_u32) else {
                    return Err(format!("`\\{c}{digits}` is no character: {length} digits of one must stand here"));
                };
                bytes.extend_from_slice(code.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            other => return Err(format!("`\\{}` means nothing", other.escape_default())),
        };
        bytes.push(byte);
        Ok(())
    }

    fn digits(&mut self, radix: u32, most: usize) -> &'a str {
        let rest = self.rest();
        let length = rest.chars().take(most).take_while(|c| c.is_digit(radix)).count();
        self.take(Some(length))
    }
}

/// Where a number ends: after what could be one, so that `1x` is one wrong word and not two right ones.
fn number_end(text: &str) -> Option<usize> {
    let mut before = ' ';
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    text.find(|c: char| {
        let is_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E') && !is_hex;
        before = c;
        !(c.is_ascii_alphanumeric() || c == '.' || c == '_' || is_sign)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<Token<'_>>, LexError> {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        loop {
            match lexer.next()?.1 {
                Token::End => return Ok(tokens),
                token => tokens.push(token),
            }
        }
    }

    #[test]
    fn words() {
        let text = "\u{feff}# a comment\nop { n: \"a\\n\\x41\\101\\u00e4\" 'it\"s' } # end";
        let expected = [
            Token::Name("op"),
            Token::Mark('{'),
            Token::Name("n"),
            Token::Mark(':'),
            Token::String("a\nAA\u{e4}".into()),
            Token::String(b"it\"s".to_vec()),
            Token::Mark('}'),
        ];
        assert_eq!(all(text).unwrap(), expected);
    }

    #[test]
    fn numbers_end_where_no_number_could_go_on() {
        for (text, expected) in [
            ("1.5e-3]", vec![Token::Number("1.5e-3"), Token::Mark(']')]),
            ("-1f,", vec![Token::Mark('-'), Token::Number("1f"), Token::Mark(',')]),
            ("0xe-1", vec![Token::Number("0xe"), Token::Mark('-'), Token::Number("1")]),
            ("1x 2", vec![Token::Number("1x"), Token::Number("2")]),
        ] {
            assert_eq!(all(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_word_is_refused_where_it_stands() {
        for (text, place, reason) in [
            ("a \u{e4}", (1, 3), "has no meaning"),
            ("\n  \"ab", (2, 3), "does not end"),
            ("\"ab\n\"", (1, 1), "does not end in its line"),
            ("\"a\\q\"", (1, 3), "`\\q` means nothing"),
            ("\"\\x\"", (1, 2), "needs one or two digits"),
            ("\"\\400\"", (1, 2), "`\\400` is no byte"),
            ("\"\\ud800\"", (1, 2), "is no character"),
            ("\"\\u12\"", (1, 2), "4 digits"),
            ("\"\\", (1, 2), "the file ends"),
        ] {
            let (found, error) = all(text).expect_err(text);
            assert_eq!(found, Place::Text { line: place.0, column: place.1 }, "{text}: {error}");
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
