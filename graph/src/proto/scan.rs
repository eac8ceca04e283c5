//! Walks through bytes before anything is made of them: every field is one of `graph.proto`, every length lies within the file, and every
//! number within its type.
//!
//! `prost` alone skips fields that it does not know and cuts numbers to size, so a graph could lose a part of its meaning in silence; and
//! it allocates before it looks further. What is allocated after the scan grows with the bytes, and with nothing that they claim.

use std::fmt::Write as _;

use super::schema::{Field, GRAPH, LIST, Label, Message, Type};
use crate::ReadError;

/// Checks that the bytes are a graph.
pub(crate) fn scan(bytes: &[u8]) -> Result<(), ReadError> {
    let mut scanner = Scanner { bytes, at: 0, path: Vec::new(), lists: 0 };
    scanner.message(&GRAPH, bytes.len()).map_err(|fault| scanner.error(fault))
}

/// How deep lists may be within each other.
pub(crate) const MAX_LISTS: u8 = oplock_core::AttrType::MAX_DEPTH;

/// The most fields of a message.
pub(crate) const MAX_FIELDS: usize = 24;

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Through which fields the place was reached; how many of a repeated one came before.
    path: Vec<(&'static str, Option<u32>)>,
    lists: u8,
}

/// What is wrong, and at which byte.
struct Fault {
    at: usize,
    what: String,
}

const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const COUNTED: u64 = 2;
const FIXED32: u64 = 5;

impl Scanner<'_> {
    fn error(&self, Fault { at, what }: Fault) -> ReadError {
        let mut path = String::new();
        for (name, index) in &self.path {
            let dot = if path.is_empty() { "" } else { "." };
            path.push_str(dot);
            path.push_str(name);
            if let Some(index) = index {
                let _ = write!(path, "[{index}]");
            }
        }
        ReadError::Damaged { at, path, what }
    }

    /// A message that ends at that byte. Where it fails, the path stays at the place.
    fn message(&mut self, message: &'static Message, end: usize) -> Result<(), Fault> {
        let start = self.at;
        let mut counts = [0_u32; MAX_FIELDS];
        while self.at < end {
            let at = self.at;
            let key = self.varint(end)?;
            let (number, wire) = (key >> 3, key & 7);
            let Some((index, field)) = message.field(number) else {
                let what = format!("a `{}` has no field {number}", message.name);
                return Err(Fault { at, what });
            };
            let count = counts[index];
            let repeated = field.label == Label::Repeated;
            if count > 0 && !repeated {
                return Err(Fault { at, what: format!("field `{}` is there twice", field.name) });
            }
            self.path.push((field.name, repeated.then_some(count)));
            counts[index] += self.field(field, wire, at, end)?;
            self.path.pop();
        }
        for (field, count) in message.fields.iter().zip(counts) {
            if field.label == Label::Required && count == 0 {
                let what = match field.ty {
                    Type::Bool => "the last field is missing: the file is cut off".to_owned(),
                    _ => format!("the field `{}` is missing or empty", field.name),
                };
                return Err(Fault { at: if matches!(field.ty, Type::Bool) { end } else { start }, what });
            }
        }
        let set = counts.iter().fold(0_u32, |sum, count| sum.saturating_add(*count));
        if message.is_choice && set != 1 {
            return Err(Fault {
                at: start,
                what: format!("a `{}` has exactly one field, this one has {set}", message.name),
            });
        }
        Ok(())
    }

    /// The content of a field; how many elements it gave.
    fn field(&mut self, field: &'static Field, wire: u64, at: usize, end: usize) -> Result<u32, Fault> {
        let wanted = match field.ty {
            Type::Bool | Type::Sint32 | Type::Sint64 | Type::Uint32 | Type::Uint64 | Type::Export => VARINT,
            Type::Float => FIXED32,
            Type::Double => FIXED64,
            Type::String | Type::Bytes | Type::Message(_) => COUNTED,
        };
        let packed = field.label == Label::Repeated && wanted != COUNTED && wire == COUNTED;
        if wire != wanted && !packed {
            return Err(Fault { at, what: format!("field `{}` is not of the wire type {wire}", field.name) });
        }
        if wire != COUNTED {
            let number = self.number(field, end)?;
            return Ok(u32::from(number != 0 || field.label != Label::Required));
        }
        let length_at = self.at;
        let length = self.varint(end)?;
        let rest = end - self.at;
        let Some(length) = usize::try_from(length).ok().filter(|length| *length <= rest) else {
            let what = format!("a length of {length} where {rest} bytes are left: the file is cut off, or damaged");
            return Err(Fault { at: length_at, what });
        };
        let start = self.at;
        let end = start + length;
        if packed {
            let mut count = 0_u32;
            while self.at < end {
                let _ = self.number(field, end)?;
                count = count.saturating_add(1);
            }
            return Ok(count);
        }
        match field.ty {
            Type::Message(message) => self.nested(message, end)?,
            Type::String => {
                let text = std::str::from_utf8(&self.bytes[start..end]);
                if let Err(error) = text {
                    return Err(Fault { at: start + error.valid_up_to(), what: "a text that is not UTF-8".to_owned() });
                }
                if field.label == Label::Required && length == 0 {
                    return Ok(0);
                }
            }
            _ => {}
        }
        self.at = end;
        Ok(1)
    }

    /// Every cycle of messages goes through lists, so nothing else needs a bound.
    fn nested(&mut self, message: &'static Message, end: usize) -> Result<(), Fault> {
        if !std::ptr::eq(message, &raw const LIST) {
            return self.message(message, end);
        }
        if self.lists == MAX_LISTS {
            return Err(Fault { at: self.at, what: format!("lists are more than {MAX_LISTS} deep within each other") });
        }
        self.lists += 1;
        self.message(message, end)?;
        self.lists -= 1;
        Ok(())
    }

    /// A whole number, or 0 for a float.
    fn number(&mut self, field: &Field, end: usize) -> Result<u64, Fault> {
        let at = self.at;
        let width = match field.ty {
            Type::Float => 4,
            Type::Double => 8,
            _ => {
                let value = self.varint(end)?;
                let max = match field.ty {
                    Type::Bool => 1,
                    Type::Sint32 | Type::Uint32 => u32::MAX.into(),
                    Type::Export => 2,
                    _ => u64::MAX,
                };
                return if value <= max {
                    Ok(value)
                } else {
                    Err(Fault { at, what: format!("{value} is no value of the field") })
                };
            }
        };
        if end - at < width {
            return Err(Fault { at, what: "a number is cut off".to_owned() });
        }
        self.at += width;
        Ok(0)
    }

    fn varint(&mut self, end: usize) -> Result<u64, Fault> {
        let at = self.at;
        let mut value = 0_u64;
        for (i, byte) in self.bytes[at..end].iter().enumerate().take(10) {
            let bits = u64::from(byte & 0x7f);
            if i == 9 && bits > 1 {
                break;
            }
            value |= bits << (7 * i);
            if byte & 0x80 == 0 {
                self.at += i + 1;
                return Ok(value);
            }
        }
        let what = if end - at < 10 { "a number is cut off" } else { "a number of more than 64 bits" };
        Err(Fault { at, what: what.to_owned() })
    }
}
