//! Writes the JSON form: an operator a line, a key only where it says something.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use prost::Message;

use super::super::super::proto::attr_value::{ListValue, Value};
use super::super::super::proto::{
    ArgDef, AttrDef, AttrValue, NameAttrList, OpDef, OpList, TensorProto, TensorShapeProto,
};
use super::super::super::{tensor, types};
use crate::paddle::python_float;

/// Adds to a text, which cannot fail.
macro_rules! put {
    ($text:expr, $($arg:tt)*) => {{
        let _ = write!($text, $($arg)*);
    }};
}

/// The text of a list of definitions. `unstated` has the lengths of tensors whose elements are not known, by the index of the
/// operator and of its attribute.
pub fn write(list: &OpList, source: Option<&str>, unstated: &BTreeMap<(usize, usize), u64>) -> String {
    let mut text = String::from("{");
    if let Some(source) = source {
        put!(text, "\"source\":{},", Quoted(source));
    }
    text.push_str("\"ops\":[");
    for (i, op) in list.op.iter().enumerate() {
        text.push_str(if i == 0 { "\n" } else { ",\n" });
        write_op(&mut text, op, |attr| unstated.get(&(i, attr)).copied());
    }
    text.push_str("\n]}\n");
    text
}

fn write_op(text: &mut String, op: &OpDef, unstated: impl Fn(usize) -> Option<u64>) {
    put!(text, "{{\"name\":{}", Quoted(&op.name));
    for (key, args) in [("input_arg", &op.input_arg), ("output_arg", &op.output_arg)] {
        put!(text, ",\"{key}\":[");
        separated(text, args, write_arg);
        text.push(']');
    }
    text.push_str(",\"attr\":[");
    for (i, attr) in op.attr.iter().enumerate() {
        text.push_str(if i == 0 { "" } else { "," });
        write_attr(text, attr, unstated(i));
    }
    text.push(']');
    if let Some(deprecation) = &op.deprecation {
        put!(text, ",\"deprecation\":{{\"version\":{}", deprecation.version);
        write_text(text, "explanation", &deprecation.explanation);
        text.push('}');
    }
    for (key, flag) in [
        ("is_commutative", op.is_commutative),
        ("is_aggregate", op.is_aggregate),
        ("is_stateful", op.is_stateful),
        ("allows_uninitialized_input", op.allows_uninitialized_input),
        ("is_distributed_communication", op.is_distributed_communication),
    ] {
        if flag {
            put!(text, ",\"{key}\":true");
        }
    }
    write_text(text, "summary", &op.summary);
    write_text(text, "description", &op.description);
    text.push('}');
}

fn write_arg(text: &mut String, arg: &ArgDef) {
    put!(text, "{{\"name\":{}", Quoted(&arg.name));
    if arg.r#type != types::INVALID {
        put!(text, ",\"type\":{}", Element(arg.r#type));
    }
    write_text(text, "type_attr", &arg.type_attr);
    write_text(text, "number_attr", &arg.number_attr);
    write_text(text, "type_list_attr", &arg.type_list_attr);
    if arg.is_ref {
        text.push_str(",\"is_ref\":true");
    }
    write_text(text, "description", &arg.description);
    text.push('}');
}

fn write_attr(text: &mut String, attr: &AttrDef, unstated: Option<u64>) {
    put!(text, "{{\"name\":{},\"type\":{}", Quoted(&attr.name), Quoted(&attr.r#type));
    if let Some(default) = &attr.default_value {
        text.push_str(",\"default_value\":");
        write_value(text, default, unstated);
    }
    if attr.has_minimum {
        put!(text, ",\"minimum\":{}", attr.minimum);
    }
    if let Some(allowed) = &attr.allowed_values {
        text.push_str(",\"allowed_values\":");
        write_value(text, allowed, None);
    }
    write_text(text, "description", &attr.description);
    text.push('}');
}

/// A key, unless there is no text.
fn write_text(text: &mut String, key: &str, value: &str) {
    if !value.is_empty() {
        put!(text, ",\"{key}\":{}", Quoted(value));
    }
}

fn write_value(text: &mut String, value: &AttrValue, unstated: Option<u64>) {
    text.push('{');
    match &value.value {
        None => {}
        Some(Value::S(bytes)) => put!(text, "\"s\":{}", Quoted(&String::from_utf8_lossy(bytes))),
        Some(Value::I(x)) => put!(text, "\"i\":{x}"),
        Some(Value::F(x)) => put!(text, "\"f\":{}", Float(*x)),
        Some(Value::B(x)) => put!(text, "\"b\":{x}"),
        Some(Value::Type(x)) => put!(text, "\"type\":{}", Element(*x)),
        Some(Value::Shape(shape)) => {
            text.push_str("\"shape\":");
            write_shape(text, shape);
        }
        Some(Value::Tensor(tensor)) => {
            text.push_str("\"tensor\":");
            write_tensor(text, tensor, unstated);
        }
        Some(Value::Placeholder(name)) => put!(text, "\"placeholder\":{}", Quoted(name)),
        Some(Value::Func(func)) => {
            text.push_str("\"func\":");
            write_func(text, func);
        }
        Some(Value::List(list)) => {
            text.push_str("\"list\":");
            write_list(text, list);
        }
    }
    text.push('}');
}

fn write_list(text: &mut String, list: &ListValue) {
    text.push('{');
    write_items(text, "s", &list.s, |text, x| put!(text, "{}", Quoted(&String::from_utf8_lossy(x))));
    write_items(text, "i", &list.i, |text, x| put!(text, "{x}"));
    write_items(text, "f", &list.f, |text, x| put!(text, "{}", Float(*x)));
    write_items(text, "b", &list.b, |text, x| put!(text, "{x}"));
    write_items(text, "type", &list.r#type, |text, x| put!(text, "{}", Element(*x)));
    write_items(text, "shape", &list.shape, write_shape);
    write_items(text, "tensor", &list.tensor, |text, tensor| write_tensor(text, tensor, None));
    write_items(text, "func", &list.func, write_func);
    text.push('}');
}

fn write_items<T>(text: &mut String, key: &str, items: &[T], write_item: impl Fn(&mut String, &T)) {
    if items.is_empty() {
        return;
    }
    put!(text, "{}\"{key}\":[", if text.ends_with('{') { "" } else { "," });
    separated(text, items, write_item);
    text.push(']');
}

fn separated<T>(text: &mut String, items: &[T], write_item: impl Fn(&mut String, &T)) {
    for (i, item) in items.iter().enumerate() {
        text.push_str(if i == 0 { "" } else { "," });
        write_item(text, item);
    }
}

fn write_shape(text: &mut String, shape: &TensorShapeProto) {
    if shape.unknown_rank {
        text.push_str("{\"unknown_rank\":true}");
        return;
    }
    text.push_str("{\"dims\":[");
    separated(text, &shape.dim, |text, dim| put!(text, "{}", dim.size));
    text.push_str("]}");
}

fn write_tensor(text: &mut String, tensor: &TensorProto, unstated: Option<u64>) {
    put!(text, "{{\"dtype\":{},\"shape\":", Element(tensor.dtype));
    write_shape(text, &tensor.tensor_shape.clone().unwrap_or_default());
    match (unstated, tensor::content(tensor)) {
        (Some(length), _) => put!(text, ",\"bytes\":{length}"),
        (None, Ok(content)) => {
            // The length is that of the message of just these elements, however they were stored.
            let shape = tensor.tensor_shape.clone().unwrap_or_default();
            let length = tensor::message(tensor.dtype, shape, &content).map_or(0, |message| message.encoded_len());
            put!(text, ",\"bytes\":{length},\"content\":\"{}\"", tensor::to_hex(&content));
        }
        (None, Err(_)) => put!(text, ",\"bytes\":{}", tensor.encoded_len()),
    }
    text.push('}');
}

fn write_func(text: &mut String, func: &NameAttrList) {
    put!(text, "{{\"name\":{}", Quoted(&func.name));
    if !func.attr.is_empty() {
        text.push_str(",\"attr\":{");
        for (i, (name, value)) in func.attr.iter().enumerate() {
            put!(text, "{}{}:", if i == 0 { "" } else { "," }, Quoted(name));
            write_value(text, value, None);
        }
        text.push('}');
    }
    text.push('}');
}

/// A JSON string.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", serde_json::Value::from(self.0))
    }
}

/// A number as Python prints it; JSON has no infinity, so that is a string.
struct Float(f32);

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            x if x.is_nan() => f.write_str("\"nan\""),
            f32::INFINITY => f.write_str("\"inf\""),
            f32::NEG_INFINITY => f.write_str("\"-inf\""),
            x => f.write_str(&python_float(x.into())),
        }
    }
}

/// The name of an element type, quoted.
struct Element(i32);

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match types::name_of_number(self.0) {
            Some(name) => write!(f, "\"{name}\""),
            None => write!(f, "\"DT_{}\"", self.0),
        }
    }
}
