//! Walks through bytes before anything is made of them: every field is one of the table, every length lies within the file, and every
//! number within its type.
//!
//! `prost` alone skips fields that it does not know and cuts numbers to size, so a graph could lose a part of its meaning in silence; and
//! it allocates before it looks further. What is allocated after the scan grows with the bytes, and with nothing that they claim.

use std::fmt::Write as _;

use super::{Damage, Field, Label, Message, Policy, Type};

/// Checks that the bytes are that message.
///
/// # Errors
///
/// [`Damage`], which says where they are not.
pub fn scan(bytes: &[u8], message: &'static Message, policy: Policy) -> Result<(), Damage> {
    let mut scanner = Scanner { bytes, at: 0, depth: 0, open: Vec::new(), policy };
    scanner.message(message, bytes.len()).map_err(|fault| (*fault).damage())
}

/// The contents of each of some fields, and the bytes of all others.
type Split<'a> = (Vec<&'a [u8]>, Vec<u8>);

/// The contents of each field of that number, and the bytes of all others: what is within such a field can be decoded by itself, while
/// what was made of the one before is still in the processor's cache.
///
/// # Errors
///
/// [`Damage`], which there is not where the bytes were scanned.
pub(crate) fn split(bytes: &[u8], number: u64) -> Result<Split<'_>, Damage> {
    let mut scanner = Scanner { bytes, at: 0, depth: 0, open: Vec::new(), policy: Policy::Foreign };
    scanner.split(number).map_err(|fault| (*fault).damage())
}

/// The most fields of a message: which were there is one number, a bit for each.
pub const MAX_FIELDS: usize = 32;

/// How deep messages may be within each other, which is how deep `prost` goes.
const MAX_DEPTH: usize = 100;

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Through how many fields the place was reached.
    depth: usize,
    /// The messages with a bound of their own that are open.
    open: Vec<&'static Message>,
    policy: Policy,
}

/// What is wrong, and at which byte.
struct Fault {
    at: usize,
    what: String,
    /// Through which fields the place was reached, the innermost first; how many of a repeated one came before. It is put together on
    /// the way out, so that sound bytes pay nothing for it.
    path: Vec<(&'static str, Option<u32>)>,
}

impl Fault {
    fn damage(self) -> Damage {
        let mut path = String::new();
        for (name, index) in self.path.iter().rev() {
            let dot = if path.is_empty() { "" } else { "." };
            path.push_str(dot);
            path.push_str(name);
            if let Some(index) = index {
                let _ = write!(path, "[{index}]");
            }
        }
        Damage { at: self.at, path, what: self.what }
    }
}

#[cold]
fn fault<T>(at: usize, what: String) -> Result<T, Box<Fault>> {
    Err(Box::new(Fault { at, what, path: Vec::new() }))
}

const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const COUNTED: u64 = 2;
const FIXED32: u64 = 5;

impl<'a> Scanner<'a> {
    fn split(&mut self, number: u64) -> Result<Split<'a>, Box<Fault>> {
        let (mut contents, mut rest) = (Vec::new(), Vec::new());
        let end = self.bytes.len();
        while self.at < end {
            let at = self.at;
            let key = self.varint(end)?;
            if key == number << 3 | COUNTED {
                let end = self.length(end)?;
                contents.push(&self.bytes[self.at..end]);
                self.at = end;
            } else {
                self.pass_over(key & 7, at, end)?;
                rest.extend_from_slice(&self.bytes[at..self.at]);
            }
        }
        Ok((contents, rest))
    }

    /// A message that ends at that byte.
    fn message(&mut self, message: &'static Message, end: usize) -> Result<(), Box<Fault>> {
        let start = self.at;
        let mut seen = 0_u32;
        while self.at < end {
            let at = self.at;
            let key = self.varint(end)?;
            let (number, wire) = (key >> 3, key & 7);
            let Some((index, field)) = message.field(number) else {
                if self.policy == Policy::Foreign && number > 0 {
                    self.pass_over(wire, at, end)?;
                    continue;
                }
                let what = format!("a `{}` has no field {number}", message.name);
                return fault(at, what);
            };
            let bit = 1 << index;
            if seen & bit != 0 && field.label != Label::Repeated {
                return fault(at, format!("field `{}` is there twice", field.name));
            }
            self.depth += 1;
            match self.field(field, wire, at, end) {
                Ok(elements) => seen |= if elements > 0 { bit } else { 0 },
                Err(fault) => return self.within(fault, message, field, start, at),
            }
            self.depth -= 1;
        }
        let missing = message.required & !seen;
        if missing != 0 {
            let field = &message.fields[missing.trailing_zeros() as usize];
            let what = match field.ty {
                _ if field.label == Label::Present => format!("the field `{}` is missing", field.name),
                Type::Bool => "the last field is missing: the file is cut off".to_owned(),
                _ => format!("the field `{}` is missing or empty", field.name),
            };
            return fault(if matches!(field.ty, Type::Bool) { end } else { start }, what);
        }
        if message.is_choice && !seen.is_power_of_two() {
            let set = seen.count_ones();
            let what = format!("a `{}` has exactly one field, this one has {set}", message.name);
            return fault(start, what);
        }
        Ok(())
    }

    /// What is wrong in a field that begins at the byte `at`, with the field's place in its message, which begins at `start`. How many
    /// of a repeated one came before is counted only here, so that sound bytes pay nothing for it.
    #[cold]
    fn within(
        &self,
        mut fault: Box<Fault>,
        message: &'static Message,
        field: &'static Field,
        start: usize,
        at: usize,
    ) -> Result<(), Box<Fault>> {
        let index = (field.label == Label::Repeated).then(|| {
            let mut earlier = Scanner { bytes: self.bytes, at: start, depth: 0, open: Vec::new(), policy: self.policy };
            earlier.count(message, field, at).unwrap_or_default()
        });
        fault.path.push((field.name, index));
        Err(fault)
    }

    /// How many elements of a field there are up to that byte.
    fn count(&mut self, message: &'static Message, counted: &Field, end: usize) -> Result<u32, Box<Fault>> {
        let mut count = 0_u32;
        while self.at < end {
            let at = self.at;
            let key = self.varint(end)?;
            match message.field(key >> 3) {
                Some((_, field)) => {
                    let elements = self.field(field, key & 7, at, end)?;
                    count = count.saturating_add(if std::ptr::eq(field, counted) { elements } else { 0 });
                }
                None => self.pass_over(key & 7, at, end)?,
            }
        }
        Ok(count)
    }

    /// The content of a field; how many elements it gave.
    fn field(&mut self, field: &'static Field, wire: u64, at: usize, end: usize) -> Result<u32, Box<Fault>> {
        let wanted = match field.ty {
            Type::Bool
            | Type::Int32
            | Type::Int64
            | Type::Sint32
            | Type::Sint64
            | Type::Uint32
            | Type::Uint64
            | Type::Enum(_) => VARINT,
            Type::Float => FIXED32,
            Type::Double => FIXED64,
            Type::String | Type::Bytes | Type::Message(_) => COUNTED,
        };
        let packed = field.label == Label::Repeated && wanted != COUNTED && wire == COUNTED;
        if wire != wanted && !packed {
            return fault(at, format!("field `{}` is not of the wire type {wire}", field.name));
        }
        if wire != COUNTED {
            let number = self.number(field, end)?;
            return Ok(u32::from(number != 0 || field.label != Label::Required));
        }
        let end = self.length(end)?;
        let start = self.at;
        let length = end - start;
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
                // Most are short, and in ASCII.
                let text = &self.bytes[start..end];
                if !text.iter().all(u8::is_ascii)
                    && let Err(error) = std::str::from_utf8(text)
                {
                    return fault(start + error.valid_up_to(), "a text that is not UTF-8".to_owned());
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

    /// A length that lies within the message; where it ends.
    fn length(&mut self, end: usize) -> Result<usize, Box<Fault>> {
        let at = self.at;
        let length = self.varint(end)?;
        let rest = end - self.at;
        if let Some(length) = usize::try_from(length).ok().filter(|length| *length <= rest) {
            return Ok(self.at + length);
        }
        let what = format!("a length of {length} where {rest} bytes are left: the file is cut off, or damaged");
        fault(at, what)
    }

    /// Passes over a field that the table does not have.
    fn pass_over(&mut self, wire: u64, at: usize, end: usize) -> Result<(), Box<Fault>> {
        let width = match wire {
            VARINT => {
                self.varint(end)?;
                0
            }
            COUNTED => {
                self.at = self.length(end)?;
                0
            }
            FIXED64 => 8,
            FIXED32 => 4,
            other => return fault(at, format!("there is no field of the wire type {other} here")),
        };
        if end - self.at < width {
            return fault(self.at, "a number is cut off".to_owned());
        }
        self.at += width;
        Ok(())
    }

    fn nested(&mut self, message: &'static Message, end: usize) -> Result<(), Box<Fault>> {
        if self.depth > MAX_DEPTH {
            let what = format!("messages are more than {MAX_DEPTH} deep within each other");
            return fault(self.at, what);
        }
        let Some(most) = message.most_nested else { return self.message(message, end) };
        let around = self.open.iter().rev().take_while(|open| open.most_nested <= message.most_nested);
        if around.filter(|open| std::ptr::eq(**open, message)).count() >= usize::from(most) {
            let what = format!("{}s are more than {most} deep within each other", message.name.to_lowercase());
            return fault(self.at, what);
        }
        self.open.push(message);
        self.message(message, end)?;
        self.open.pop();
        Ok(())
    }

    /// A whole number, or 0 for a float.
    fn number(&mut self, field: &Field, end: usize) -> Result<u64, Box<Fault>> {
        let at = self.at;
        let width = match field.ty {
            Type::Float => 4,
            Type::Double => 8,
            _ => {
                let value = self.varint(end)?;
                let is_held = match field.ty {
                    // Protobuf writes a negative one with the sign in all 64 bits.
                    Type::Int32 => i32::try_from(value.cast_signed()).is_ok(),
                    Type::Bool => value <= 1,
                    Type::Sint32 | Type::Uint32 => value <= u32::MAX.into(),
                    Type::Enum(max) => value <= max,
                    _ => true,
                };
                return if is_held { Ok(value) } else { fault(at, format!("{value} is no value of the field")) };
            }
        };
        if end - at < width {
            return fault(at, "a number is cut off".to_owned());
        }
        self.at += width;
        Ok(0)
    }

    #[inline]
    fn varint(&mut self, end: usize) -> Result<u64, Box<Fault>> {
        // Most are of one byte.
        match self.bytes[..end].get(self.at) {
            Some(byte) if *byte < 0x80 => {
                self.at += 1;
                Ok(u64::from(*byte))
            }
            _ => self.long_varint(end),
        }
    }

    fn long_varint(&mut self, end: usize) -> Result<u64, Box<Fault>> {
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
        fault(at, what.to_owned())
    }
}
