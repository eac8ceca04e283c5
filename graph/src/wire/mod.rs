//! Protobuf before anything is made of it: tables of what messages hold, and a walk through bytes by such a table.
//!
//! Whoever reads a format of protobuf describes it by [`table!`](crate::wire_table), and scans the bytes (`scan`) before `prost` decodes them.

mod scan;

use thiserror::Error;

#[doc(hidden)]
pub use scan::MAX_FIELDS;
pub use scan::scan;
pub(crate) use scan::split;

/// What is wrong with bytes, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at byte {at}{}: {what}", place(path))]
pub struct Damage {
    /// The byte at fault, from 0.
    pub at: usize,
    /// Through which fields the place was reached, e.g. `blocks[0].nodes[12].attrs[1]`; empty for the whole.
    pub path: String,
    /// What is wrong.
    pub what: String,
}

fn place(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(", in {path}") }
}

/// What is made of fields that the table does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// They are refused: the format is ours, and nothing of it may be lost.
    Own,
    /// They are passed over, as protobuf says: the format is another's, who may have added to it since.
    Foreign,
}

/// A message.
#[derive(Debug)]
pub struct Message {
    /// Its name.
    pub name: &'static str,
    /// Whether exactly one field is set.
    pub is_choice: bool,
    /// Its fields.
    pub fields: &'static [Field],
    /// Which of its fields must be there: a bit for each, in their order.
    pub required: u32,
    /// How many of it may be within each other, counted afresh within a message that has a greater bound; `None` where the table
    /// bounds it, or the depth of all messages does.
    pub most_nested: Option<u8>,
}

/// A field of a message.
#[derive(Debug)]
pub struct Field {
    /// Its number.
    pub number: u64,
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub ty: Type,
    /// How often it may be there.
    pub label: Label,
}

/// How often a field may be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// At most once.
    Once,
    /// Once, whatever its value.
    Present,
    /// Once; a text is not empty, a boolean not false.
    Required,
    /// Any number of times.
    Repeated,
}

/// The type of a field.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are protobuf's own")]
pub enum Type {
    Bool,
    Int32,
    Int64,
    Sint32,
    Sint64,
    Uint32,
    Uint64,
    Float,
    Double,
    String,
    Bytes,
    /// One of the numbers up to this.
    Enum(u64),
    Message(&'static Message),
}

impl Message {
    /// Which of the fields with these labels must be there.
    #[doc(hidden)]
    pub const fn required(fields: &[Label]) -> u32 {
        assert!(fields.len() <= MAX_FIELDS, "a message of more fields than are counted");
        let (mut required, mut at) = (0, 0);
        while at < fields.len() {
            if matches!(fields[at], Label::Required | Label::Present) {
                required |= 1 << at;
            }
            at += 1;
        }
        required
    }

    /// The number of the field of that name.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        self.fields.iter().find(|field| field.name == name).map(|field| field.number)
    }

    /// The field of that number, and its place.
    #[inline]
    pub fn field(&self, number: u64) -> Option<(usize, &'static Field)> {
        // Most fields stand where their number says.
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        match self.fields.get(index) {
            Some(field) if field.number == number => Some((index, field)),
            _ => self.fields.iter().enumerate().find(|(_, field)| field.number == number),
        }
    }
}

/// Tables of messages: `IDENT "Name" is-choice { number "field": Label Type; … }`.
#[doc(hidden)]
#[macro_export]
macro_rules! wire_table {
    ($($vis:vis $ident:ident $name:literal $choice:literal $(nested $most:literal)? { $($number:literal $field:literal: $label:ident $ty:expr;)* })*) => {
        $(
            #[doc = concat!("The message `", $name, "`.")]
            $vis static $ident: $crate::wire::Message = $crate::wire::Message {
                name: $name,
                is_choice: $choice,
                fields: &[$({
                    use $crate::wire::Type::*;
                    $crate::wire::Field { number: $number, name: $field, ty: $ty, label: $crate::wire::Label::$label }
                }),*],
                required: $crate::wire::Message::required(&[$($crate::wire::Label::$label),*]),
                most_nested: $crate::wire_table!(@most $($most)?),
            };
        )*

        /// Every message.
        #[cfg(test)]
        #[allow(dead_code, reason = "what a test holds against other descriptions")]
        pub(crate) static ALL: &[&$crate::wire::Message] = &[$(&$ident),*];
    };
    (@most $most:literal) => { Some($most) };
    (@most) => { None };
}
