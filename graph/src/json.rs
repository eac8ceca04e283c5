//! A graph as JSON, exact for every value.
//!
//! The fields are those of `graph.proto` but for its `end`. What has a name is an object's field of that name; `items` are the list itself; a value is an object with one field that names
//! its type, `{"f32": 0.1}`. Floats have their shortest text that reads back the same, of their own width; what is no number is `"nan"`,
//! `"inf"` or `"-inf"`. Whole numbers beyond 2^53, which many readers of JSON round, are texts; both are read. Bytes are hexadecimal.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::proto::messages::{self, Header};
use crate::proto::{Limits, check_header, from_messages, to_messages};
use crate::{Graph, ReadError, WriteError};

impl Graph {
    /// The graph as JSON of several lines. Equal graphs give equal texts.
    ///
    /// # Errors
    ///
    /// As [`Graph::to_bytes`].
    pub fn to_json(&self) -> Result<String, WriteError> {
        let messages = to_messages(self)?;
        serde_json::to_string_pretty(&messages)
            .map(|text| text + "\n")
            .map_err(|error| WriteError::Content { path: "JSON".to_owned(), what: error.to_string() })
    }

    /// Reads a graph of JSON, with or without a byte order mark. Nothing is judged but its form.
    ///
    /// # Errors
    ///
    /// [`ReadError`], which names the line and the column, or the place in the graph.
    pub fn from_json(text: &str) -> Result<Graph, ReadError> {
        Graph::from_json_within(text, &Limits::default())
    }

    /// [`Graph::from_json`] within these limits.
    ///
    /// # Errors
    ///
    /// As [`Graph::from_json`], and [`ReadError::TooLarge`].
    pub fn from_json_within(text: &str, limits: &Limits) -> Result<Graph, ReadError> {
        limits.check(text.len())?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        check_header(&serde_json::from_str::<Header>(text).map_err(error)?)?;
        from_messages(serde_json::from_str::<messages::Graph>(text).map_err(error)?)
    }
}

#[allow(clippy::needless_pass_by_value)] // for `map_err`
fn error(error: serde_json::Error) -> ReadError {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    // The place is said in front.
    let what = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text).to_owned();
    ReadError::Json { line, column, what }
}

/// A message that is an object's field.
pub(crate) trait ByName: Sized {
    /// What stands behind the name.
    type Body: for<'de> Deserialize<'de>;

    fn split(&self) -> (&str, impl Serialize + '_);

    fn join(name: String, body: Self::Body) -> Self;
}

macro_rules! by_name {
    ($($message:ident: $name:ident, $body:ident: $type:ty;)*) => {$(
        impl ByName for messages::$message {
            type Body = $type;

            fn split(&self) -> (&str, impl Serialize + '_) {
                (&self.$name, &self.$body)
            }

            fn join($name: String, $body: Self::Body) -> Self {
                messages::$message { $name, $body }
            }
        }
    )*};
}

by_name! {
    Operand: name, vars: Vec<String>;
    Attr: name, value: Option<messages::Value>;
    Package: name, stamp: Option<messages::Stamp>;
    Owner: op, package: String;
    OpDigest: op, digest: String;
    Extra: op, operands: Option<messages::Operands>;
}

impl ByName for messages::Added {
    type Body = Attrs<Vec<messages::Attr>>;

    fn split(&self) -> (&str, impl Serialize + '_) {
        (&self.op, Attrs(self.attrs.as_slice()))
    }

    fn join(op: String, attrs: Self::Body) -> Self {
        messages::Added { op, attrs: attrs.0 }
    }
}

/// Attributes as an object.
pub(crate) struct Attrs<T>(T);

impl Serialize for Attrs<&[messages::Attr]> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        by_name::serialize(self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Attrs<Vec<messages::Attr>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        by_name::deserialize(deserializer).map(Attrs)
    }
}

/// A list of messages as an object.
pub(crate) mod by_name {
    use super::{ByName, Deserializer, Fields, PhantomData, Serializer};

    pub(crate) fn serialize<T: ByName, S: Serializer>(items: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(items.iter().map(ByName::split))
    }

    pub(crate) fn deserialize<'de, T: ByName, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_map(Fields(PhantomData))
    }
}

/// Reads the fields of an object, no two of one name.
struct Fields<T>(PhantomData<T>);

impl<'de, T: ByName> Visitor<'de> for Fields<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<T>, A::Error> {
        let mut items = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            if items.contains_key(&name) {
                return Err(A::Error::custom(format_args!("the name {name:?} is there twice")));
            }
            let body = map.next_value()?;
            items.insert(name, body);
        }
        Ok(items.into_iter().map(|(name, body)| T::join(name, body)).collect())
    }
}

/// What is one of several kinds: an object whose only field names the kind, or `null`.
pub(crate) fn one_kind<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    deserializer.deserialize_any(OneKind(PhantomData))
}

const ONE_KIND: &str = "an object with one field, which names its type: {\"i64\": 1}";

struct OneKind<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneKind<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ONE_KIND)
    }

    fn visit_unit<E>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<T>, A::Error> {
        let value = T::deserialize(MapAccessDeserializer::new(FirstField(&mut map)))?;
        match map.next_key::<IgnoredAny>()? {
            None => Ok(Some(value)),
            Some(_) => Err(A::Error::custom(format_args!("there is a second field, and a value is {ONE_KIND}"))),
        }
    }
}

/// The fields of an object that has one.
struct FirstField<'m, A>(&'m mut A);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for FirstField<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let key = self.0.next_key_seed(seed)?;
        key.map(Some).ok_or_else(|| A::Error::custom(format_args!("there is no field, and a value is {ONE_KIND}")))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.0.next_value_seed(seed)
    }
}

/// A number of which JSON keeps every bit.
pub(crate) trait Exact: Copy {
    /// The type's name.
    const NAME: &'static str;
    /// What is said of a text that is none of its values.
    const TEXTS: &'static str;

    fn write<S: Serializer>(self, serializer: S) -> Result<S::Ok, S::Error>;

    /// The number that a number's text stands for, or a text's content.
    fn read(text: &str, is_text: bool) -> Option<Self>;
}

macro_rules! exact_integer {
    ($($type:ident, $serialize:ident;)*) => {$(
        impl Exact for $type {
            const NAME: &'static str = stringify!($type);
            const TEXTS: &'static str = "a text is one of digits";

            fn write<S: Serializer>(self, serializer: S) -> Result<S::Ok, S::Error> {
                // Beyond it a binary64 number, which many readers take for every number, is not exact.
                const LAST: u64 = (1 << 53) - 1;
                if i128::from(self).unsigned_abs() <= LAST.into() {
                    serializer.$serialize(self)
                } else {
                    serializer.collect_str(&self)
                }
            }

            fn read(text: &str, _: bool) -> Option<Self> {
                text.parse().ok().filter(|_| !text.starts_with('+'))
            }
        }
    )*};
}

exact_integer! {
    i64, serialize_i64;
    u64, serialize_u64;
}

macro_rules! exact_float {
    ($($type:ident, $serialize:ident;)*) => {$(
        impl Exact for $type {
            const NAME: &'static str = stringify!($type);
            const TEXTS: &'static str = "a text is \"nan\", \"inf\" or \"-inf\"";

            fn write<S: Serializer>(self, serializer: S) -> Result<S::Ok, S::Error> {
                if self.is_finite() {
                    return serializer.$serialize(self);
                }
                serializer.serialize_str(if self.is_nan() { "nan" } else if self > 0.0 { "inf" } else { "-inf" })
            }

            fn read(text: &str, is_text: bool) -> Option<Self> {
                match (text, is_text) {
                    ("nan", true) => Some($type::NAN),
                    ("inf", true) => Some($type::INFINITY),
                    ("-inf", true) => Some($type::NEG_INFINITY),
                    (_, true) => None,
                    // Read at its own width: by way of a wider one it could be rounded twice.
                    (number, false) => number.parse().ok().filter(|x: &$type| x.is_finite()),
                }
            }
        }
    )*};
}

exact_float! {
    f32, serialize_f32;
    f64, serialize_f64;
}

struct Exactly<T>(T);

impl<T: Exact> Serialize for Exactly<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

impl<'de, T: Exact> Deserialize<'de> for Exactly<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let text = raw.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let number = T::read(text.unwrap_or(raw), text.is_some());
        let texts = if text.is_some() { format!(": {}", T::TEXTS) } else { String::new() };
        number
            .map(Exactly)
            .ok_or_else(|| D::Error::custom(format_args!("{} is no value of type `{}`{texts}", short(raw), T::NAME)))
    }
}

/// The beginning of a text.
fn short(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_owned() } else { text.chars().take(40).chain(['…']).collect() }
}

/// A number.
pub(crate) mod exact {
    use super::{Deserialize, Deserializer, Exact, Exactly, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref)] // as `serde` calls it
    pub(crate) fn serialize<T: Exact, S: Serializer>(number: &T, serializer: S) -> Result<S::Ok, S::Error> {
        number.write(serializer)
    }

    pub(crate) fn deserialize<'de, T: Exact, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        Exactly::deserialize(deserializer).map(|number| number.0)
    }
}

/// A list of numbers.
pub(crate) mod exacts {
    use super::{Deserialize, Deserializer, Exact, Exactly, Serializer};

    pub(crate) fn serialize<T: Exact, S: Serializer>(numbers: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(numbers.iter().map(|number| Exactly(*number)))
    }

    pub(crate) fn deserialize<'de, T: Exact, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        let numbers = Vec::<Exactly<T>>::deserialize(deserializer)?;
        Ok(numbers.into_iter().map(|number| number.0).collect())
    }
}

/// A number that may not be there.
pub(crate) mod maybe_exact {
    use super::{Deserialize, Deserializer, Exact, Exactly, Serializer};

    #[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)] // as `serde` calls it
    pub(crate) fn serialize<T: Exact, S: Serializer>(number: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        match number {
            Some(number) => number.write(serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, T: Exact, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        Option::<Exactly<T>>::deserialize(deserializer).map(|number| number.map(|number| number.0))
    }
}

/// Bytes as hexadecimal digits.
struct Hex<T>(T);

impl<T: AsRef<[u8]>> Serialize for Hex<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
        let bytes = self.0.as_ref().iter();
        let digits = bytes.flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| DIGITS[usize::from(digit)]);
        serializer.serialize_str(&digits.collect::<String>())
    }
}

impl<'de> Deserialize<'de> for Hex<Vec<u8>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digit = |digit: u8| char::from(digit).to_digit(16);
        let byte = |pair: &[u8]| match pair {
            [high, low] => u8::try_from(digit(*high)? << 4 | digit(*low)?).ok(),
            _ => None,
        };
        let bytes = text.as_bytes().chunks(2).map(byte).collect::<Option<_>>();
        bytes.map(Hex).ok_or_else(|| {
            D::Error::custom(format_args!("{:?} is not made of pairs of hexadecimal digits", short(&text)))
        })
    }
}

/// Bytes.
pub(crate) mod hex {
    use super::{Deserialize, Deserializer, Hex, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        Hex(bytes).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        Hex::deserialize(deserializer).map(|bytes| bytes.0)
    }
}

/// A list of bytes.
pub(crate) mod hexes {
    use super::{Deserialize, Deserializer, Hex, Serializer};

    pub(crate) fn serialize<S: Serializer>(items: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(items.iter().map(Hex))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<u8>>, D::Error> {
        let items = Vec::<Hex<Vec<u8>>>::deserialize(deserializer)?;
        Ok(items.into_iter().map(|bytes| bytes.0).collect())
    }
}

/// For what kind of model a graph was exported.
pub(crate) mod export {
    use super::{Deserialize, Deserializer, Serializer, messages::Export};
    use serde::de::Error as _;

    const WORDS: [(&str, Export); 2] = [("float", Export::Float), ("quantised", Export::Quantised)];

    #[allow(clippy::trivially_copy_pass_by_ref)] // as `serde` calls it
    pub(crate) fn serialize<S: Serializer>(export: &i32, serializer: S) -> Result<S::Ok, S::Error> {
        let word = WORDS.iter().find(|(_, kind)| *kind as i32 == *export);
        serializer.serialize_str(word.map_or("none", |(word, _)| word))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
        let text = String::deserialize(deserializer)?;
        let word = WORDS.iter().find(|(word, _)| *word == text);
        word.map(|(_, kind)| *kind as i32).ok_or_else(|| D::Error::unknown_variant(&text, &["float", "quantised"]))
    }
}
