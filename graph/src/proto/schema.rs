//! What a file may hold: the fields of `graph.proto`, as `scan` asks for them. A test holds them equal to `graph.proto`.

/// A message.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) name: &'static str,
    /// Whether exactly one field is set.
    pub(crate) is_choice: bool,
    pub(crate) fields: &'static [Field],
}

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) number: u64,
    pub(crate) name: &'static str,
    pub(crate) ty: Type,
    pub(crate) label: Label,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// At most once.
    Once,
    /// Once; a text is not empty, a boolean not false.
    Required,
    Repeated,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Type {
    Bool,
    Sint32,
    Sint64,
    Uint32,
    Uint64,
    Float,
    Double,
    String,
    Bytes,
    Export,
    Message(&'static Message),
}

use Label::{Once, Repeated, Required};
use Type::{Bool, Bytes, Double, Export, Float, Message as M, Sint32, Sint64, String, Uint32, Uint64};

impl Message {
    /// The field of that number, and its place.
    pub(crate) fn field(&self, number: u64) -> Option<(usize, &'static Field)> {
        // Most fields stand where their number says.
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        match self.fields.get(index) {
            Some(field) if field.number == number => Some((index, field)),
            _ => self.fields.iter().enumerate().find(|(_, field)| field.number == number),
        }
    }
}

const fn field(number: u64, name: &'static str, ty: Type, label: Label) -> Field {
    Field { number, name, ty, label }
}

macro_rules! messages {
    ($($ident:ident $name:literal $choice:literal { $($number:literal $field:literal: $label:ident $ty:expr;)* })*) => {
        $(pub(crate) static $ident: Message = Message {
            name: $name,
            is_choice: $choice,
            fields: &[$(field($number, $field, $ty, $label)),*],
        };)*

        /// Every message.
        #[cfg(test)]
        pub(crate) static ALL: &[&Message] = &[$(&$ident),*];
    };
}

messages! {
    GRAPH "Graph" false {
        1 "magic": Required String;
        2 "format": Once Uint32;
        3 "blocks": Repeated M(&BLOCK);
        4 "packages": Repeated M(&PACKAGE);
        5 "owners": Repeated M(&OWNER);
        6 "added": Repeated M(&ADDED);
        7 "extra": Repeated M(&EXTRA);
        8 "export": Once Export;
        15 "end": Required Bool;
    }
    BLOCK "Block" false {
        1 "inputs": Repeated String;
        2 "outputs": Repeated String;
        3 "nodes": Repeated M(&NODE);
    }
    NODE "Node" false {
        1 "op": Required String;
        2 "inputs": Repeated M(&OPERAND);
        3 "outputs": Repeated M(&OPERAND);
        4 "attrs": Repeated M(&ATTR);
        5 "extra": Repeated M(&ATTR);
    }
    OPERAND "Operand" false {
        1 "name": Required String;
        2 "vars": Repeated String;
    }
    ATTR "Attr" false {
        1 "name": Required String;
        2 "value": Required M(&VALUE);
    }
    VALUE "Value" true {
        1 "bool": Once Bool;
        2 "i32": Once Sint32;
        3 "i64": Once Sint64;
        4 "u32": Once Uint32;
        5 "u64": Once Uint64;
        6 "f32": Once Float;
        7 "f64": Once Double;
        8 "string": Once String;
        9 "bytes": Once Bytes;
        10 "dtype": Once String;
        11 "block": Once Uint32;
        12 "var": Once String;
        13 "scalar": Once M(&SCALAR);
        14 "absent": Once M(&ABSENT);
        15 "bools": Once M(&BOOLS);
        16 "i32s": Once M(&I32S);
        17 "i64s": Once M(&I64S);
        18 "u32s": Once M(&U32S);
        19 "u64s": Once M(&U64S);
        20 "f32s": Once M(&F32S);
        21 "f64s": Once M(&F64S);
        22 "strings": Once M(&STRINGS);
        23 "list": Once M(&LIST);
    }
    SCALAR "Scalar" true {
        1 "bool": Once Bool;
        2 "i64": Once Sint64;
        3 "f64": Once Double;
    }
    ABSENT "Absent" false {}
    BOOLS "Bools" false { 1 "items": Repeated Bool; }
    I32S "I32s" false { 1 "items": Repeated Sint32; }
    I64S "I64s" false { 1 "items": Repeated Sint64; }
    U32S "U32s" false { 1 "items": Repeated Uint32; }
    U64S "U64s" false { 1 "items": Repeated Uint64; }
    F32S "F32s" false { 1 "items": Repeated Float; }
    F64S "F64s" false { 1 "items": Repeated Double; }
    STRINGS "Strings" false { 1 "items": Repeated String; }
    LIST "List" false { 1 "items": Repeated M(&VALUE); }
    PACKAGE "Package" false {
        1 "name": Required String;
        2 "stamp": Required M(&STAMP);
    }
    STAMP "Stamp" false {
        1 "producer": Once Sint64;
        2 "min_consumer": Once Sint64;
        3 "bad_consumers": Repeated Sint64;
        4 "releases": Repeated M(&RELEASE);
        5 "oldest_reader": Once M(&OLDEST_READER);
        6 "unpromised": Once M(&UNPROMISED);
    }
    RELEASE "Release" false {
        1 "version": Required String;
        2 "data_version": Once Sint64;
        3 "digest": Once String;
    }
    OLDEST_READER "OldestReader" false {
        1 "version": Required String;
        2 "because": Once String;
    }
    UNPROMISED "Unpromised" false {
        1 "reason": Once String;
        2 "digests": Repeated M(&OP_DIGEST);
    }
    OP_DIGEST "OpDigest" false {
        1 "op": Required String;
        2 "digest": Once String;
    }
    OWNER "Owner" false {
        1 "op": Required String;
        2 "package": Once String;
    }
    EXTRA "Extra" false {
        1 "op": Required String;
        2 "operands": Required M(&OPERANDS);
    }
    OPERANDS "Operands" false {
        1 "inputs": Repeated String;
        2 "outputs": Repeated String;
    }
    ADDED "Added" false {
        1 "op": Required String;
        2 "attrs": Repeated M(&ATTR);
    }
}
