//! Messages that keep what their schema does not have.
//!
//! `prost` drops fields that it does not know. A file of another system is written back with them: what a newer release added is not lost.

use std::fmt::Debug;
use std::ops::{Deref, DerefMut};

use oplock_graph::wire;
use prost::DecodeError;
use prost::Message;
use prost::bytes::{Buf, BufMut};
use prost::encoding::{DecodeContext, WireType, check_wire_type, decode_varint, encode_key, encode_varint};

/// A message with the table of its fields.
pub trait Described: Message + Default {
    /// The fields that it has.
    const TABLE: &'static wire::Message;
}

/// A message, and the fields that it does not have as they were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept<M> {
    /// The fields that it has.
    pub message: M,
    /// The others, as protobuf.
    pub unknown: Vec<u8>,
}

impl<M> From<M> for Kept<M> {
    fn from(message: M) -> Self {
        Kept { message, unknown: Vec::new() }
    }
}

impl<M> Deref for Kept<M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.message
    }
}

impl<M> DerefMut for Kept<M> {
    fn deref_mut(&mut self) -> &mut M {
        &mut self.message
    }
}

/// The fields are written in the order of their numbers, as whoever knows all of them writes them.
impl<M: Described + Debug> Message for Kept<M> {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        if self.unknown.is_empty() {
            return self.message.encode_raw(buf);
        }
        let mut known = Vec::with_capacity(self.message.encoded_len());
        self.message.encode_raw(&mut known);
        let mut fields = fields(&known);
        fields.extend(self::fields(&self.unknown));
        fields.sort_by_key(|(number, _)| *number);
        for (_, field) in fields {
            buf.put_slice(field);
        }
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        if M::TABLE.field(tag.into()).is_some() {
            return self.message.merge_field(tag, wire_type, buf, ctx);
        }
        encode_key(tag, wire_type, &mut self.unknown);
        match wire_type {
            WireType::Varint => encode_varint(decode_varint(buf)?, &mut self.unknown),
            WireType::LengthDelimited => {
                let length = decode_varint(buf)?;
                encode_varint(length, &mut self.unknown);
                self.keep(usize::try_from(length).unwrap_or(usize::MAX), buf)?;
            }
            WireType::SixtyFourBit => self.keep(8, buf)?,
            WireType::ThirtyTwoBit => self.keep(4, buf)?,
            // The scan before refuses groups, which no system here has.
            WireType::StartGroup | WireType::EndGroup => check_wire_type(WireType::LengthDelimited, wire_type)?,
        }
        Ok(())
    }

    fn encoded_len(&self) -> usize {
        self.message.encoded_len() + self.unknown.len()
    }

    fn clear(&mut self) {
        self.message.clear();
        self.unknown.clear();
    }
}

/// The fields of a sound message, each with its number. What is not sound, which none is that was read or made here, is left out.
fn fields(bytes: &[u8]) -> Vec<(u64, &[u8])> {
    let mut fields = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let start = rest;
        let Ok(key) = decode_varint(&mut rest) else { break };
        let width = match key & 7 {
            0 => decode_varint(&mut rest).ok().map(|_| 0),
            1 => Some(8),
            2 => decode_varint(&mut rest).ok().and_then(|length| usize::try_from(length).ok()),
            5 => Some(4),
            _ => None,
        };
        let Some(width) = width.filter(|width| *width <= rest.len()) else { break };
        rest = &rest[width..];
        fields.push((key >> 3, &start[..start.len() - rest.len()]));
    }
    fields
}

impl<M> Kept<M> {
    fn keep(&mut self, length: usize, buf: &mut impl Buf) -> Result<(), DecodeError> {
        if buf.remaining() < length {
            // Asking for more than there is gives protobuf's own error.
            return decode_varint(&mut [].as_slice()).map(drop);
        }
        self.unknown.put(buf.take(length));
        Ok(())
    }
}
