//! Writes definitions as protobuf text: from their binary form, by the tables of `schema`.

use std::fmt::Write as _;

use prost::encoding::{WireType, decode_varint};
use prost::{DecodeError, Message};

use super::super::super::{proto, types};
use super::super::schema::{FieldType, MessageDef, OP_LIST};

/// The text of a list of definitions, in the layout in which protobuf writes it.
pub fn write(list: &proto::OpList) -> String {
    let mut text = String::new();
    // What prost encodes, it decodes.
    let _ = message(&OP_LIST, &list.encode_to_vec(), &mut text, 0);
    text
}

fn message(def: &MessageDef, mut bytes: &[u8], text: &mut String, depth: usize) -> Result<(), DecodeError> {
    while !bytes.is_empty() {
        let key = decode_varint(&mut bytes)?;
        let Some(field) = u32::try_from(key >> 3).ok().and_then(|number| def.field(number)) else { return Ok(()) };
        let is_delimited = key & 7 == WireType::LengthDelimited as u64;
        if !is_delimited {
            scalar(field.name, field.ty, &mut bytes, text, depth)?;
            continue;
        }
        let length = usize::try_from(decode_varint(&mut bytes)?).unwrap_or(usize::MAX);
        let Some((mut content, rest)) = bytes.split_at_checked(length) else { return Ok(()) };
        bytes = rest;
        match field.ty {
            FieldType::Message(inner) => {
                let _ = writeln!(text, "{:1$}{2} {{", "", 2 * depth, field.name);
                message(inner, content, text, depth + 1)?;
                let _ = writeln!(text, "{:1$}}}", "", 2 * depth);
            }
            FieldType::Text | FieldType::Bytes => {
                let _ = writeln!(text, "{:1$}{2}: \"{3}\"", "", 2 * depth, field.name, escaped(content));
            }
            // The messages have none.
            FieldType::Unread(_) => {}
            ty => {
                while !content.is_empty() {
                    scalar(field.name, ty, &mut content, text, depth)?;
                }
            }
        }
    }
    Ok(())
}

#[expect(
    clippy::cast_possible_wrap,
    clippy::cast_possible_truncation,
    reason = "a varint holds a number's two's complement"
)]
fn scalar(name: &str, ty: FieldType, bytes: &mut &[u8], text: &mut String, depth: usize) -> Result<(), DecodeError> {
    let value = match ty {
        FieldType::Float => {
            fixed(bytes).map_or_else(String::new, |le| float(f32::from_le_bytes(le).into(), &f32::from_le_bytes(le)))
        }
        FieldType::Double => {
            fixed(bytes).map_or_else(String::new, |le| float(f64::from_le_bytes(le), &f64::from_le_bytes(le)))
        }
        FieldType::Bool => (decode_varint(bytes)? != 0).to_string(),
        FieldType::Uint32 | FieldType::Uint64 => decode_varint(bytes)?.to_string(),
        FieldType::Element => {
            let number = decode_varint(bytes)? as i32;
            types::name_of_number(number).unwrap_or_else(|| number.to_string())
        }
        _ => (decode_varint(bytes)? as i64).to_string(),
    };
    let _ = writeln!(text, "{:1$}{name}: {value}", "", 2 * depth);
    Ok(())
}

fn fixed<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*taken)
}

/// A number as C prints it with `%g`, with the fewest digits that read back as the same.
fn float(wide: f64, shortest: &dyn std::fmt::LowerExp) -> String {
    if wide.is_nan() {
        return "nan".to_owned();
    }
    if wide.is_infinite() {
        return if wide > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let text = format!("{shortest:e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |mantissa| ("-", mantissa));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let most = i32::try_from(digits.len()).unwrap_or(i32::MAX).max(6);
    if !(-4..most).contains(&exponent) {
        let point = if digits.len() > 1 { "." } else { "" };
        let way = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{}{point}{}e{way}{:02}", &digits[..1], &digits[1..], exponent.abs());
    }
    let Ok(whole) = usize::try_from(exponent + 1) else {
        return format!("{sign}0.{:0>1$}", digits, digits.len() + exponent.unsigned_abs() as usize - 1);
    };
    if whole == 0 {
        return format!("{sign}0.{digits}");
    }
    if digits.len() <= whole {
        return format!("{sign}{digits:0<whole$}");
    }
    format!("{sign}{}.{}", &digits[..whole], &digits[whole..])
}

/// As a string of the text format: what is not printable ASCII by its number.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b'"' | b'\'' | b'\\' => text.extend(['\\', char::from(*byte)]),
            0x20..=0x7e => text.push(char::from(*byte)),
            byte => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_fewest_digits() {
        for (x, expected) in [
            (0.0_f32, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-6.0, "-6"),
            (4000.0, "4000"),
            (100_000.0, "100000"),
            (1e6, "1e+06"),
            (0.0001, "0.0001"),
            (1e-5, "1e-05"),
            (0.2, "0.2"),
            (1.33, "1.33"),
            (12.5, "12.5"),
            (0.05, "0.05"),
            (1.234_567e-6, "1.234567e-06"),
            (f32::INFINITY, "inf"),
            (f32::NEG_INFINITY, "-inf"),
            (f32::NAN, "nan"),
        ] {
            assert_eq!(float(x.into(), &x), expected);
            let back: f32 = expected.parse().unwrap();
            assert!(back.to_bits() == x.to_bits() || x.is_nan(), "{expected}");
        }
        assert_eq!(float(0.1, &0.1_f64), "0.1");
    }

    #[test]
    fn text_that_is_not_printable_is_written_by_its_bytes() {
        assert_eq!(escaped("a\"\\\n\u{e4}\0".as_bytes()), "a\\\"\\\\\\n\\303\\244\\000");
    }
}
