//! `graph.proto` says what the code does.

use std::fmt::Debug;

use prost::Message;
use prost_reflect::{Cardinality, DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value};

use super::messages as m;
use super::schema;
use crate::wire::{Label, MAX_FIELDS, Type};

/// What `graph.proto` declares.
fn declared() -> DescriptorPool {
    let files = protox::compile(["graph.proto"], [env!("CARGO_MANIFEST_DIR")]).unwrap();
    DescriptorPool::from_file_descriptor_set(files).unwrap()
}

fn message(pool: &DescriptorPool, name: &str) -> MessageDescriptor {
    let full = format!("oplock.graph.{name}");
    pool.get_message_by_name(&full).unwrap_or_else(|| panic!("graph.proto has no message `{name}`"))
}

/// The table by which bytes are checked has the messages and fields of `graph.proto`, and no others.
#[test]
fn the_table_is_the_proto_file() {
    let pool = declared();
    let mut declared: Vec<_> = pool.all_messages().map(|message| message.name().to_owned()).collect();
    let mut table: Vec<_> = schema::ALL.iter().map(|message| message.name.to_owned()).collect();
    declared.sort();
    table.sort();
    assert_eq!(table, declared);
    for known in schema::ALL {
        let message = message(&pool, known.name);
        assert_eq!(known.is_choice, message.oneofs().any(|oneof| !oneof.is_synthetic()), "oneof of {}", known.name);
        let found: Vec<_> = known.fields.iter().map(|field| (field.number, field.name.to_owned())).collect();
        let expected: Vec<_> = message.fields().map(|field| (field.number().into(), field.name().to_owned())).collect();
        assert_eq!(found, expected, "fields of {}", known.name);
        for (known, field) in known.fields.iter().zip(message.fields()) {
            let name = field.full_name().to_owned();
            assert_eq!(known.label == Label::Repeated, field.cardinality() == Cardinality::Repeated, "{name}");
            let same = match (known.ty, field.kind()) {
                (Type::Bool, Kind::Bool)
                | (Type::Sint32, Kind::Sint32)
                | (Type::Sint64, Kind::Sint64)
                | (Type::Uint32, Kind::Uint32)
                | (Type::Uint64, Kind::Uint64)
                | (Type::Float, Kind::Float)
                | (Type::Double, Kind::Double)
                | (Type::String, Kind::String)
                | (Type::Bytes, Kind::Bytes) => true,
                (Type::Enum(2), Kind::Enum(of)) => of.name() == "Export",
                (Type::Message(known), Kind::Message(of)) => known.name == of.name(),
                _ => false,
            };
            assert!(same, "{name} is {:?} in graph.proto, and {:?} in the table", field.kind(), known.ty);
            // How many fields `scan` counts.
            assert!(message.fields().count() <= MAX_FIELDS);
        }
    }
}

/// A value of a field, and the text by which it shows in the debug output of a message.
fn sample(field: &FieldDescriptor) -> (Value, &'static str) {
    match field.kind() {
        Kind::Bool => (Value::Bool(true), "true"),
        Kind::Sint32 => (Value::I32(-3), "-3"),
        Kind::Sint64 => (Value::I64(-5), "-5"),
        Kind::Uint32 => (Value::U32(7), "7"),
        Kind::Uint64 => (Value::U64(9), "9"),
        Kind::Float => (Value::F32(1.5), "1.5"),
        Kind::Double => (Value::F64(2.5), "2.5"),
        Kind::String => (Value::String("some text".into()), "some text"),
        Kind::Bytes => (Value::Bytes(vec![11].into()), "11"),
        Kind::Enum(_) => (Value::EnumNumber(2), "Quantised"),
        Kind::Message(of) => (Value::Message(DynamicMessage::new(of)), ""),
        other => panic!("{} is of a type that nothing here has: {other:?}", field.full_name()),
    }
}

/// Each field of the message goes through the code's message and keeps its number, its name, its type and its value.
fn same_fields<T: Message + Default + Debug>(pool: &DescriptorPool, name: &str) {
    let of = message(pool, name);
    for field in of.fields() {
        let (value, text) = sample(&field);
        let value = if field.is_list() { Value::List(vec![value.clone(), value]) } else { value };
        let mut dynamic = DynamicMessage::new(of.clone());
        dynamic.set_field(&field, value);
        let bytes = dynamic.encode_to_vec();
        let place = field.full_name();
        let read = T::decode(bytes.as_slice()).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(read.encode_to_vec(), bytes, "{place}");
        let debug = format!("{read:?}");
        assert!(debug.contains(text), "{place} is not of the type of graph.proto: {debug}");
        let said = match field.containing_oneof().filter(|oneof| !oneof.is_synthetic()) {
            // `I32(-3)`
            Some(_) => debug.to_lowercase().contains(&format!("({}(", field.name().replace('_', ""))),
            None => debug.contains(&format!("{}: ", field.name())),
        };
        assert!(said, "{place} has another name in the code: {debug}");
    }
}

#[test]
fn the_messages_are_the_proto_file() {
    let pool = declared();
    let mut checked = 0;
    macro_rules! check {
        ($($message:ident)*) => {$(
            same_fields::<m::$message>(&pool, stringify!($message));
            checked += 1;
        )*};
    }
    check! {
        Graph Block Node Operand Attr Value Scalar Complex Shape Dims Dim Tensor TensorData ByteStrings SparseTensor Func Absent Bools I32s
        I64s U32s U64s F32s F64s Strings List Package Stamp Release
        OldestReader Unpromised OpDigest Owner Added Extra Operands
    }
    assert_eq!(checked, pool.all_messages().count());
    let export = pool.get_enum_by_name("oplock.graph.Export").unwrap();
    let values: Vec<_> = export.values().map(|value| (value.name().to_owned(), value.number())).collect();
    let code = [m::Export::None, m::Export::Float, m::Export::Quantised];
    let code = code.map(|export| (format!("EXPORT_{export:?}").to_uppercase(), export as i32));
    assert_eq!(values, code);
}
