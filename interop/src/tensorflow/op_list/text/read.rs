//! Reads the text format by the tables of `schema`, and writes it as protobuf binary while it goes, which `prost` decodes:
//! so there is one way from a message's fields to its values.
//!
//! Strict as protobuf's own reader: an unknown field, or one that stands twice and may not, is an error.

use oplock_core::did_you_mean;
use prost::Message;
use prost::encoding::{encode_key, encode_varint};

use super::super::super::{proto, types};
use super::super::binary::{MAX_DEPTH, kind_of};
use super::super::error::{Place, Result};
use super::super::places::Tracker;
use super::super::schema::{Field, FieldType, MessageDef, OP_DEF, OP_LIST};
use super::lexer::{Lexer, Token};

/// Reads a list of definitions.
pub(in super::super) fn read(text: &str) -> Result<(proto::OpList, Tracker)> {
    let mut lexer = Lexer::new(text);
    let mut tracker = Tracker::default();
    let (place, token) = lexer.next().map_err(|(place, reason)| tracker.error(place, reason))?;
    let mut reader = Reader { lexer, tracker: &mut tracker, place, token };
    let mut bytes = Vec::new();
    reader.message(&OP_LIST, None, &mut bytes, 0)?;
    let list = proto::OpList::decode(bytes.as_slice()).map_err(|error| {
        tracker.error(Place::Text { line: 1, column: 1 }, format!("this is not an `OpList`: {error}"))
    })?;
    Ok((list, tracker))
}

struct Reader<'a, 't> {
    lexer: Lexer<'a>,
    tracker: &'t mut Tracker,
    /// The word that comes next, and where it stands.
    token: Token<'a>,
    place: Place,
}

impl<'a> Reader<'a, '_> {
    fn next(&mut self) -> Result<Token<'a>> {
        let (place, token) = self.lexer.next().map_err(|(place, reason)| self.tracker.error(place, reason))?;
        self.place = place;
        Ok(std::mem::replace(&mut self.token, token))
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T> {
        Err(self.tracker.error(self.place, format!("{wanted} must stand here, not {}", self.token.describe())))
    }

    fn eat(&mut self, mark: char) -> Result<bool> {
        let found = self.token == Token::Mark(mark);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    /// The fields of a message, up to the mark that closes it, or to the end of the file.
    fn message(
        &mut self,
        def: &'static MessageDef,
        close: Option<char>,
        bytes: &mut Vec<u8>,
        depth: usize,
    ) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(self.tracker.error(self.place, format!("messages nest more than {MAX_DEPTH} deep")));
        }
        let mut seen = Vec::new();
        loop {
            match (&self.token, close) {
                (Token::End, None) => return Ok(()),
                (Token::Mark(mark), Some(close)) if *mark == close => {
                    self.next()?;
                    return Ok(());
                }
                (Token::Name(name), _) => {
                    let name = *name;
                    let Some(field) = def.field_of_name(name) else {
                        let known = def.fields.iter().map(|field| field.name);
                        let hint = did_you_mean(name, known);
                        return Err(self
                            .tracker
                            .error(self.place, format!("`{}` has no field `{name}`{hint}", def.name)));
                    };
                    self.once(def, field, &mut seen)?;
                    let place = self.place;
                    self.next()?;
                    self.field(field, place, bytes, depth)?;
                }
                _ => return self.unexpected(&format!("a field of `{}`", def.name)),
            }
            let _ = self.eat(',')? || self.eat(';')?;
        }
    }

    fn once(&self, def: &MessageDef, field: &'static Field, seen: &mut Vec<&'static Field>) -> Result<()> {
        if field.many {
            return Ok(());
        }
        let before = seen.iter().find(|other| other.number == field.number || (field.one_of && other.one_of));
        if let Some(before) = before {
            let reason = if before.number == field.number {
                format!("`{}` of `{}` stands here a second time", field.name, def.name)
            } else {
                format!("`{}` has `{}` already, and only one of the two may stand", def.name, before.name)
            };
            return Err(self.tracker.error(self.place, reason));
        }
        seen.push(field);
        Ok(())
    }

    fn field(&mut self, field: &'static Field, place: Place, bytes: &mut Vec<u8>, depth: usize) -> Result<()> {
        let has_colon = self.eat(':')?;
        if let FieldType::Unread(_) = field.ty {
            self.tracker.unread(place, format!("`{}`", field.name));
            return self.skip(depth);
        }
        let is_message = matches!(field.ty, FieldType::Message(_));
        if !has_colon && !is_message {
            return self.unexpected(&format!("`:` after `{}`", field.name));
        }
        if field.many && self.eat('[')? {
            if self.eat(']')? {
                return Ok(());
            }
            loop {
                self.value(field, self.place, bytes, depth)?;
                if self.eat(']')? {
                    return Ok(());
                }
                if !self.eat(',')? {
                    return self.unexpected("`,` or `]`");
                }
            }
        }
        self.value(field, place, bytes, depth)
    }

    /// One value of a field, with the key of the field before it.
    fn value(&mut self, field: &'static Field, place: Place, bytes: &mut Vec<u8>, depth: usize) -> Result<()> {
        encode_key(field.number, field.ty.wire_type(), bytes);
        match field.ty {
            FieldType::Message(inner) => {
                let close = match &self.token {
                    Token::Mark('{') => '}',
                    Token::Mark('<') => '>',
                    _ => return self.unexpected(&format!("`{{` after `{}`", field.name)),
                };
                self.next()?;
                let mut content = Vec::new();
                self.inner(inner, field, close, place, &mut content, depth)?;
                delimited(&content, bytes);
            }
            FieldType::Text | FieldType::Bytes => {
                let place = self.place;
                let content = self.string()?;
                if let FieldType::Text = field.ty {
                    let Ok(text) = str::from_utf8(&content) else {
                        return Err(self.tracker.error(place, format!("`{}` is not UTF-8", field.name)));
                    };
                    if field.name == "name" && depth <= 2 {
                        self.tracker.name(text);
                    }
                }
                delimited(&content, bytes);
            }
            FieldType::Bool => encode_varint(self.boolean()?.into(), bytes),
            FieldType::Element => encode_varint(self.element()?, bytes),
            FieldType::Float => bytes.extend_from_slice(&self.float(f32::is_infinite)?.to_le_bytes()),
            FieldType::Double => bytes.extend_from_slice(&self.float(f64::is_infinite)?.to_le_bytes()),
            FieldType::Int32 => encode_varint(self.integer(i32::MIN.into(), i32::MAX.into())?, bytes),
            FieldType::Int64 => encode_varint(self.integer(i64::MIN.into(), i64::MAX.into())?, bytes),
            FieldType::Uint32 => encode_varint(self.integer(0, u32::MAX.into())?, bytes),
            FieldType::Uint64 => encode_varint(self.integer(0, u64::MAX.into())?, bytes),
            FieldType::Unread(_) => {}
        }
        Ok(())
    }

    fn inner(
        &mut self,
        def: &'static MessageDef,
        field: &Field,
        close: char,
        place: Place,
        content: &mut Vec<u8>,
        depth: usize,
    ) -> Result<()> {
        if std::ptr::eq(def, &raw const OP_DEF) {
            self.tracker.enter_op(place);
            self.message(def, Some(close), content, depth + 1)?;
            self.tracker.leave_op();
            return Ok(());
        }
        let kind = kind_of(def, field);
        if let Some(kind) = kind {
            self.tracker.enter_item(kind, place);
        }
        self.message(def, Some(close), content, depth + 1)?;
        if kind.is_some() {
            self.tracker.leave_item();
        }
        Ok(())
    }

    /// Strings that follow each other are one.
    fn string(&mut self) -> Result<Vec<u8>> {
        let Token::String(_) = self.token else { return self.unexpected("a string") };
        let mut all = Vec::new();
        while let Token::String(_) = self.token {
            if let Token::String(part) = self.next()? {
                all.extend_from_slice(&part);
            }
        }
        Ok(all)
    }

    fn boolean(&mut self) -> Result<bool> {
        let value = match self.token {
            Token::Name("true" | "True" | "t") | Token::Number("1") => true,
            Token::Name("false" | "False" | "f") | Token::Number("0") => false,
            _ => return self.unexpected("true or false"),
        };
        self.next()?;
        Ok(value)
    }

    fn element(&mut self) -> Result<u64> {
        let Token::Name(name) = self.token else {
            return self.integer(i32::MIN.into(), i32::MAX.into());
        };
        let Some(number) = types::number_of_name(name) else {
            return Err(self.tracker.error(self.place, format!("`{name}` is not a type such as `DT_FLOAT`")));
        };
        self.next()?;
        Ok(sign_extended(number.into()))
    }

    /// An integer as the varint of it.
    fn integer(&mut self, least: i128, most: i128) -> Result<u64> {
        let place = self.place;
        let is_negative = self.eat('-')?;
        let Token::Number(text) = self.token else { return self.unexpected("an integer") };
        let (digits, radix) = match text.as_bytes() {
            [b'0', b'x' | b'X', ..] => (&text[2..], 16),
            [b'0', _, ..] => (&text[1..], 8),
            _ => (text, 10),
        };
        // A sign would be read as part of the digits.
        let value = if digits.starts_with('+') { None } else { i128::from_str_radix(digits, radix).ok() };
        let value = value.map(|value| if is_negative { -value } else { value });
        let Some(value) = value.filter(|value| (least..=most).contains(value)) else {
            let sign = if is_negative { "-" } else { "" };
            return Err(self.tracker.error(place, format!("{sign}{text} is not an integer from {least} to {most}")));
        };
        self.next()?;
        Ok(sign_extended(value))
    }

    fn float<T>(&mut self, is_infinite: impl Fn(T) -> bool) -> Result<T>
    where
        T: std::str::FromStr + std::ops::Neg<Output = T> + Copy,
    {
        let place = self.place;
        let is_negative = self.eat('-')?;
        let (text, is_named) = match self.token {
            Token::Number(text) => (text.strip_suffix(['f', 'F']).unwrap_or(text), false),
            Token::Name(name) if ["inf", "infinity", "nan"].iter().any(|n| name.eq_ignore_ascii_case(n)) => {
                (name, true)
            }
            _ => return self.unexpected("a number"),
        };
        let value = text.parse::<T>().ok().filter(|value| is_named || !is_infinite(*value));
        let Some(value) = value else {
            return Err(self.tracker.error(place, format!("{text} is not a number of the field's type")));
        };
        self.next()?;
        Ok(if is_negative { -value } else { value })
    }

    /// Passes over the value of a field that is not read, whatever it is.
    fn skip(&mut self, depth: usize) -> Result<()> {
        let mut open = Vec::new();
        loop {
            let token = self.next()?;
            match token {
                Token::Mark('{') => open.push('}'),
                Token::Mark('<') => open.push('>'),
                Token::Mark('[') => open.push(']'),
                Token::Mark(mark @ ('}' | '>' | ']')) if open.pop() != Some(mark) => {
                    return Err(self.tracker.error(self.place, format!("`{mark}` closes nothing")));
                }
                Token::End => return Err(self.tracker.error(self.place, "the file ends inside a field")),
                // A sign belongs to what follows.
                Token::Mark('-') => continue,
                _ => {}
            }
            if open.len() + depth > MAX_DEPTH {
                return Err(self.tracker.error(self.place, format!("messages nest more than {MAX_DEPTH} deep")));
            }
            if open.is_empty() && !matches!((&token, &self.token), (Token::String(_), Token::String(_))) {
                return Ok(());
            }
        }
    }
}

fn delimited(content: &[u8], bytes: &mut Vec<u8>) {
    encode_varint(content.len() as u64, bytes);
    bytes.extend_from_slice(content);
}

/// As protobuf writes a number that may be negative.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the low 64 bits are what is written")]
const fn sign_extended(value: i128) -> u64 {
    value as u64
}
