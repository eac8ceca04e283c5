//! The names that are saved, and the identifiers made of them.

use std::fmt::{self, Write as _};

/// Why a text cannot be the name of an operator or item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// The name is empty.
    Empty,
    /// An operator's name has a part that is not `[A-Za-z_][A-Za-z0-9_]*`; `at` is the byte at fault.
    OpCharacter {
        /// The name.
        name: String,
        /// The offset of the first byte at fault.
        at: usize,
    },
    /// An item's name has a control character, or one that turns the direction of writing.
    Control {
        /// The name.
        name: String,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Empty => f.write_str("a saved name cannot be empty"),
            NameError::OpCharacter { name, at } => match name[*at..].chars().next() {
                Some(c) => write!(
                    f,
                    "{c:?} cannot stand at byte {at} of the operator name {name:?}: a name is made of letters, \
                     digits and `_`, not beginning with a digit, in parts joined by `.`, `:` or `>`"
                ),
                None => write!(f, "the operator name {name:?} ends with a separator: a part must follow"),
            },
            NameError::Control { name } => {
                write!(f, "the name {name:?} has a control character, which no saved name may have")
            }
        }
    }
}

impl std::error::Error for NameError {}

/// Checks the name of an operator: `[A-Za-z_][A-Za-z0-9_]*` in parts joined by `.`, `:` and `>`.
///
/// # Errors
///
/// [`NameError::Empty`] and [`NameError::OpCharacter`].
pub fn check_op_name(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    let error = |at| NameError::OpCharacter { name: name.to_owned(), at };
    let mut after_letter = false;
    for (at, byte) in name.bytes().enumerate() {
        after_letter = match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => true,
            b'0'..=b'9' if after_letter => true,
            // `::` and `->`-like separators: several may follow each other, none may begin the name.
            b'.' | b':' | b'>' if at > 0 => false,
            _ => return Err(error(at)),
        };
    }
    if after_letter { Ok(()) } else { Err(error(name.len())) }
}

/// The name under which a lock, a ledger and an upgrade speak of the attributes that all operators of a package have. No
/// operator can have it.
pub const COMMON: &str = "*";

/// Checks what a line of a lock can be about: an operator, or all operators ([`COMMON`]).
///
/// # Errors
///
/// As [`check_op_name`].
pub fn check_owner_name(name: &str) -> Result<(), NameError> {
    if name == COMMON { Ok(()) } else { check_op_name(name) }
}

/// Whether a character is not seen, but changes what is: a control character, or one of those that turn the direction of
/// writing (Unicode's property `Bidi_Control`).
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_control() || is_bidi_control(c)
}

/// Whether a character turns the direction of writing, so that a text reads otherwise than it is.
pub fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with escapes in the place of what is not seen, as a message shows it.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_invisible(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

/// Checks the name of an input, output or attribute: any text without control characters, those that turn the direction of
/// writing included.
///
/// # Errors
///
/// [`NameError::Empty`] and [`NameError::Control`].
pub fn check_item_name(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    if name.chars().any(is_invisible) {
        return Err(NameError::Control { name: name.to_owned() });
    }
    Ok(())
}

/// Whether a name begins with `_` and is therefore outside the guarantee.
pub fn is_unguarded_name(name: &str) -> bool {
    name.starts_with('_')
}

/// The identifier that stands for an operator in generated code: distinct for distinct names.
///
/// Letters and digits stand for themselves, `_` is doubled, any other byte is `_` and two hexadecimal
/// digits. The prefix `op_` keeps Rust's keywords and a leading digit away.
///
/// ```
/// use oplock_model::mangle_op_name;
/// assert_eq!(mangle_op_name("aten::add.Tensor"), "op_aten_3a_3aadd_2eTensor");
/// assert_eq!(mangle_op_name("aten_add_Tensor"), "op_aten__add__Tensor");
/// ```
pub fn mangle_op_name(name: &str) -> String {
    let mut ident = String::with_capacity(name.len() + 8);
    ident.push_str("op_");
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => ident.push(byte.into()),
            b'_' => ident.push_str("__"),
            _ => {
                let _ = write!(ident, "_{byte:02x}");
            }
        }
    }
    ident
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn operator_names() {
        for good in ["slice", "_x", "aten::add.Tensor", "ai.onnx.ml.Scaler", "a>b", "while", "A1.b2"] {
            assert_eq!(check_op_name(good), Ok(()), "{good}");
        }
        for (bad, at) in [("1a", 0), ("a-b", 1), ("a.", 2), (".a", 0), ("a.1", 2), ("a b", 1), ("ä", 0)] {
            assert_eq!(check_op_name(bad), Err(NameError::OpCharacter { name: bad.to_owned(), at }), "{bad}");
        }
        assert_eq!(check_op_name(""), Err(NameError::Empty));
    }

    #[test]
    fn item_names() {
        assert_eq!(check_item_name("F1-Score"), Ok(()));
        assert_eq!(check_item_name("@ALL KERNELS@"), Ok(()));
        assert_eq!(check_item_name("שלום"), Ok(()), "letters that are written from right to left");
        for bad in ["a\nb", "a\u{202e}b", "\u{200f}a", "a\u{2066}", "\u{61c}"] {
            let error = check_item_name(bad).expect_err(bad).to_string();
            assert!(!error.chars().any(is_invisible), "{error:?}");
        }
        assert!(check_item_name("").is_err());
    }

    #[test]
    fn mangling_is_injective_on_all_short_names() {
        let letters = ["a", "_", "2", "e", ".", ":", ">", "x"];
        let mut names = vec![String::new()];
        let mut seen = BTreeMap::new();
        for _ in 0..5 {
            names = names.iter().flat_map(|n| letters.iter().map(move |l| format!("{n}{l}"))).collect();
            for name in &names {
                if let Some(other) = seen.insert(mangle_op_name(name), name.clone()) {
                    panic!("{name} and {other} have one identifier");
                }
            }
        }
    }
}
