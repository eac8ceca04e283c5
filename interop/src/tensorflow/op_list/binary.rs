//! `OpList` as protobuf binary.
//!
//! `prost` decodes it. Before, the bytes are walked by the tables of `schema`, which finds what `prost` passes over without
//! a word (unknown fields), and where in the file something is wrong.

use oplock_core::Kind;
use prost::Message;
use prost::encoding::WireType;

use super::super::proto;
use super::error::{OpListError, Place, Result};
use super::places::Tracker;
use super::schema::{ARG_DEF, ATTR_DEF, Field, FieldType, MessageDef, OP_DEF, OP_LIST};

/// As deep as messages may nest; prost's own limit is the same.
pub(super) const MAX_DEPTH: usize = 100;

/// Reads a list of definitions.
pub(super) fn read(bytes: &[u8]) -> Result<(proto::OpList, Tracker)> {
    let mut walk = Walk { tracker: Tracker::default() };
    walk.message(&OP_LIST, Part { bytes, start: 0 }, 0)?;
    let list = proto::OpList::decode(bytes)
        .map_err(|error| walk.tracker.error(Place::Byte(0), format!("this is not an `OpList`: {error}")))?;
    Ok((list, walk.tracker))
}

/// Bytes, and where in the file they begin.
#[derive(Clone, Copy)]
struct Part<'a> {
    bytes: &'a [u8],
    start: usize,
}

impl<'a> Part<'a> {
    fn place(&self) -> Place {
        Place::Byte(self.start)
    }

    fn take(&mut self, length: usize) -> Option<Part<'a>> {
        let (taken, rest) = self.bytes.split_at_checked(length)?;
        let part = Part { bytes: taken, start: self.start };
        *self = Part { bytes: rest, start: self.start + length };
        Some(part)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for i in 0..10 {
            let byte = self.take(1)?.bytes[0];
            let bits = u64::from(byte & 0x7f);
            if i == 9 && bits > 1 {
                return None;
            }
            value |= bits << (7 * i);
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

struct Walk {
    tracker: Tracker,
}

impl Walk {
    fn cut(&self, place: Place, what: &str) -> OpListError {
        self.tracker.error(place, format!("the file is damaged or cut off: {what}"))
    }

    fn message(&mut self, def: &'static MessageDef, mut part: Part<'_>, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(self.tracker.error(part.place(), format!("messages nest more than {MAX_DEPTH} deep")));
        }
        while !part.bytes.is_empty() {
            let place = part.place();
            let key = part.varint().and_then(|key| u32::try_from(key).ok());
            let key = key.ok_or_else(|| self.cut(place, "no field begins here"))?;
            let (number, wire_type) = (key >> 3, WireType::try_from(u64::from(key & 7)));
            let wire_type = wire_type.map_err(|_| self.cut(place, "a field is of no kind that protobuf has"))?;
            if number == 0 {
                return Err(self.cut(place, "a field has the number 0"));
            }
            match def.field(number) {
                // All that a list has is operators.
                None if depth == 0 => {
                    let reason = format!("`{}` has no field {number}: this is no list of definitions", def.name);
                    return Err(self.tracker.error(place, reason));
                }
                None => {
                    self.tracker.unread(place, format!("field {number} of `{}`, which is not known,", def.name));
                    self.skip(&mut part, wire_type, number, depth)?;
                }
                Some(field) => self.field(field, wire_type, &mut part, place, depth)?,
            }
        }
        Ok(())
    }

    fn field(
        &mut self,
        field: &'static Field,
        wire_type: WireType,
        part: &mut Part<'_>,
        place: Place,
        depth: usize,
    ) -> Result<()> {
        if let FieldType::Unread(_) = field.ty {
            self.tracker.unread(place, format!("`{}`", field.name));
            self.skip(part, wire_type, field.number, depth)?;
            return Ok(());
        }
        let is_packed = field.many && field.ty.is_packable() && wire_type == WireType::LengthDelimited;
        if wire_type != field.ty.wire_type() && !is_packed {
            return Err(self.tracker.error(place, format!("`{}` is not of the kind that it must be", field.name)));
        }
        let Some(content) = self.skip(part, wire_type, field.number, depth)? else { return Ok(()) };
        match field.ty {
            FieldType::Message(inner) => self.inner(inner, field, content, place, depth),
            FieldType::Text => {
                let Ok(text) = str::from_utf8(content.bytes) else {
                    return Err(self.tracker.error(place, format!("`{}` is not UTF-8", field.name)));
                };
                if field.name == "name" && depth <= 2 {
                    self.tracker.name(text);
                }
                Ok(())
            }
            ty if is_packed => self.run(ty, content, field),
            _ => Ok(()),
        }
    }

    /// Many values as one run of bytes.
    fn run(&self, ty: FieldType, mut content: Part<'_>, field: &Field) -> Result<()> {
        while !content.bytes.is_empty() {
            let place = content.place();
            let taken = match ty.wire_type() {
                WireType::ThirtyTwoBit => content.take(4).is_some(),
                WireType::SixtyFourBit => content.take(8).is_some(),
                _ => content.varint().is_some(),
            };
            if !taken {
                return Err(self.cut(place, &format!("`{}` ends inside a value", field.name)));
            }
        }
        Ok(())
    }

    fn inner(
        &mut self,
        def: &'static MessageDef,
        field: &Field,
        content: Part<'_>,
        place: Place,
        depth: usize,
    ) -> Result<()> {
        if std::ptr::eq(def, &raw const OP_DEF) {
            self.tracker.enter_op(place);
            self.message(def, content, depth + 1)?;
            self.tracker.leave_op();
            return Ok(());
        }
        let kind = kind_of(def, field);
        if let Some(kind) = kind {
            self.tracker.enter_item(kind, place);
        }
        self.message(def, content, depth + 1)?;
        if kind.is_some() {
            self.tracker.leave_item();
        }
        Ok(())
    }

    /// Passes over a field's content; which is given where it has a length.
    fn skip<'a>(
        &self,
        part: &mut Part<'a>,
        wire_type: WireType,
        number: u32,
        depth: usize,
    ) -> Result<Option<Part<'a>>> {
        let place = part.place();
        let ended = || self.cut(place, "it ends inside a field");
        match wire_type {
            WireType::Varint => {
                part.varint().ok_or_else(ended)?;
            }
            WireType::ThirtyTwoBit => {
                part.take(4).ok_or_else(ended)?;
            }
            WireType::SixtyFourBit => {
                part.take(8).ok_or_else(ended)?;
            }
            WireType::LengthDelimited => {
                let length = part.varint().ok_or_else(ended)?;
                let taken = usize::try_from(length).ok().and_then(|length| part.take(length));
                return taken.map(Some).ok_or_else(ended);
            }
            WireType::StartGroup => self.group(part, number, depth)?,
            WireType::EndGroup => return Err(self.cut(place, "a group ends that did not begin")),
        }
        Ok(None)
    }

    fn group(&self, part: &mut Part<'_>, number: u32, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(self.tracker.error(part.place(), format!("messages nest more than {MAX_DEPTH} deep")));
        }
        loop {
            let place = part.place();
            let key = part.varint().and_then(|key| u32::try_from(key).ok());
            let key = key.ok_or_else(|| self.cut(place, "it ends inside a group"))?;
            let wire_type = WireType::try_from(u64::from(key & 7));
            match wire_type.map_err(|_| self.cut(place, "a field is of no kind that protobuf has"))? {
                WireType::EndGroup if key >> 3 == number => return Ok(()),
                wire_type => {
                    self.skip(part, wire_type, key >> 3, depth + 1)?;
                }
            }
        }
    }
}

/// What an operator's field of that message is.
pub(super) fn kind_of(def: &MessageDef, field: &Field) -> Option<Kind> {
    if std::ptr::eq(def, &raw const ATTR_DEF) {
        return Some(Kind::Attr);
    }
    let is_arg = std::ptr::eq(def, &raw const ARG_DEF);
    is_arg.then_some(if field.name == "input_arg" { Kind::Input } else { Kind::Output })
}

/// The bytes of a list of definitions.
pub(super) fn write(list: &proto::OpList) -> Vec<u8> {
    list.encode_to_vec()
}
