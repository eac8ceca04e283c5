//! Reads the JSON form. Whatever is not understood is refused.

use std::collections::BTreeMap;

use oplock_core::Kind;

use super::super::super::proto::attr_value::{ListValue, Value};
use super::super::super::proto::{
    ArgDef, AttrDef, AttrValue, Dim, NameAttrList, OpDef, OpDeprecation, OpList, TensorProto, TensorShapeProto,
};
use super::super::super::{tensor, types};
use super::super::error::{self, Place};
use super::super::places::Tracker;
use crate::json::{self, Fault, JsonError, Node};

type Result<T> = std::result::Result<T, Fault>;

/// What a file says.
pub(in super::super) struct File {
    pub(in super::super) source: Option<String>,
    pub(in super::super) list: OpList,
    pub(in super::super) tracker: Tracker,
    /// The lengths of tensors whose elements are not stated, by the index of the operator and of its attribute.
    pub(in super::super) unstated: BTreeMap<(usize, usize), u64>,
}

/// Reads a file; the places in its tracker are bytes.
pub(in super::super) fn read(text: &str) -> error::Result<File> {
    let mut reader = Reader { tracker: Tracker::default(), unstated: BTreeMap::new() };
    match json::parse(text).and_then(|node| reader.file(&node)) {
        Ok((source, list)) => Ok(File { source, list, tracker: reader.tracker, unstated: reader.unstated }),
        Err(fault) => {
            let JsonError { line, column, reason } = fault.locate(text);
            Err(reader.tracker.error(Place::Text { line, column }, reason))
        }
    }
}

struct Reader {
    tracker: Tracker,
    unstated: BTreeMap<(usize, usize), u64>,
}

impl Reader {
    fn file(&mut self, node: &Node) -> Result<(Option<String>, OpList)> {
        let file = node.known(["source", "ops"])?;
        let source = file.get("source").map(text).transpose()?;
        let mut op = Vec::new();
        for (i, node) in file.need("ops")?.list()?.iter().enumerate() {
            self.tracker.enter_op(Place::Byte(node.at));
            op.push(self.op(node, i)?);
            self.tracker.leave_op();
        }
        Ok((source, OpList { op }))
    }

    fn op(&mut self, node: &Node, index: usize) -> Result<OpDef> {
        let op = node.known([
            "name",
            "input_arg",
            "output_arg",
            "attr",
            "deprecation",
            "summary",
            "description",
            "is_commutative",
            "is_aggregate",
            "is_stateful",
            "allows_uninitialized_input",
            "is_distributed_communication",
        ]);
        // What is wrong with the keys is said with the operator's name, where it has one.
        self.name(node);
        let op = op?;
        let flag = |key| op.get(key).map_or(Ok(false), Node::flag);
        let text = |key| op.get(key).map_or_else(|| Ok(String::new()), text);
        Ok(OpDef {
            name: text("name")?,
            input_arg: self.items(Kind::Input, op.get("input_arg"), |_, _, arg| read_arg(arg))?,
            output_arg: self.items(Kind::Output, op.get("output_arg"), |_, _, arg| read_arg(arg))?,
            attr: self.items(Kind::Attr, op.get("attr"), |reader, i, attr| reader.attr(attr, (index, i)))?,
            summary: text("summary")?,
            description: text("description")?,
            deprecation: op.get("deprecation").map(read_deprecation).transpose()?,
            is_aggregate: flag("is_aggregate")?,
            is_stateful: flag("is_stateful")?,
            is_commutative: flag("is_commutative")?,
            allows_uninitialized_input: flag("allows_uninitialized_input")?,
            is_distributed_communication: flag("is_distributed_communication")?,
        })
    }

    fn name(&mut self, node: &Node) {
        let members = node.object().unwrap_or_default();
        if let Some(name) = members.iter().find(|(key, _)| key == "name").and_then(|(_, name)| name.text().ok()) {
            self.tracker.name(name);
        }
    }

    fn items<T>(
        &mut self,
        kind: Kind,
        list: Option<&Node>,
        read: impl Fn(&mut Self, usize, &Node) -> Result<T>,
    ) -> Result<Vec<T>> {
        let Some(list) = list else { return Ok(Vec::new()) };
        let mut items = Vec::new();
        for (i, node) in list.list()?.iter().enumerate() {
            self.tracker.enter_item(kind, Place::Byte(node.at));
            self.name(node);
            items.push(read(self, i, node)?);
            self.tracker.leave_item();
        }
        Ok(items)
    }

    fn attr(&mut self, node: &Node, at: (usize, usize)) -> Result<AttrDef> {
        let attr = node.known(["name", "type", "default_value", "minimum", "allowed_values", "description"])?;
        let mut default_value = None;
        if let Some(node) = attr.get("default_value") {
            let (value, length) = read_value(node)?;
            if let Some(length) = length {
                self.unstated.insert(at, length);
            }
            default_value = Some(value);
        }
        let text = |key| attr.get(key).map_or_else(|| Ok(String::new()), text);
        Ok(AttrDef {
            name: text("name")?,
            r#type: text("type")?,
            default_value,
            description: text("description")?,
            has_minimum: attr.get("minimum").is_some(),
            minimum: attr.get("minimum").map_or(Ok(0), |node| node.number("an integer"))?,
            allowed_values: attr.get("allowed_values").map(read_stated).transpose()?,
        })
    }
}

fn text(node: &Node) -> Result<String> {
    node.text().map(str::to_owned)
}

fn read_deprecation(node: &Node) -> Result<OpDeprecation> {
    let deprecation = node.known(["version", "explanation"])?;
    Ok(OpDeprecation {
        version: deprecation.get("version").map_or(Ok(0), |node| node.number("an integer of 32 bits"))?,
        explanation: deprecation.get("explanation").map_or_else(|| Ok(String::new()), text)?,
    })
}

fn read_arg(node: &Node) -> Result<ArgDef> {
    let arg = node.known(["name", "type", "type_attr", "number_attr", "type_list_attr", "is_ref", "description"])?;
    let text = |key| arg.get(key).map_or_else(|| Ok(String::new()), text);
    Ok(ArgDef {
        name: text("name")?,
        description: text("description")?,
        r#type: arg.get("type").map_or(Ok(types::INVALID), read_element)?,
        type_attr: text("type_attr")?,
        number_attr: text("number_attr")?,
        type_list_attr: text("type_list_attr")?,
        is_ref: arg.get("is_ref").map_or(Ok(false), Node::flag)?,
    })
}

fn read_element(node: &Node) -> Result<i32> {
    let name = node.text()?;
    types::number_of_name(name).ok_or_else(|| node.fault(format!("{name:?} is not a type such as \"DT_FLOAT\"")))
}

/// A value all of which must be stated.
fn read_stated(node: &Node) -> Result<AttrValue> {
    match read_value(node)? {
        (value, None) => Ok(value),
        (_, Some(_)) => Err(node.fault("a tensor has no `content` here")),
    }
}

/// A value; the length of its message where it is a tensor whose elements are not stated.
fn read_value(node: &Node) -> Result<(AttrValue, Option<u64>)> {
    let mut length = None;
    // The keys are held against those that there are.
    node.known(["s", "i", "f", "b", "type", "shape", "tensor", "list", "func"])?;
    let [(key, member)] = node.object()? else {
        return Err(node.fault("a value is of one kind, under the key of that kind"));
    };
    let value = match key.as_str() {
        "s" => Value::S(text(member)?.into_bytes()),
        "i" => Value::I(member.number("an integer")?),
        "f" => Value::F(read_float(member)?),
        "b" => Value::B(member.flag()?),
        "type" => Value::Type(read_element(member)?),
        "shape" => Value::Shape(read_shape(member)?),
        "tensor" => {
            let (tensor, unstated) = read_tensor(member)?;
            length = unstated;
            Value::Tensor(tensor)
        }
        "list" => Value::List(read_list(member)?),
        _ => Value::Func(read_func(member)?),
    };
    Ok((AttrValue { value: Some(value) }, length))
}

fn read_list(node: &Node) -> Result<ListValue> {
    let list = node.known(["s", "i", "f", "b", "type", "shape", "tensor", "func"])?;
    let tensor = |node: &Node| match read_tensor(node)? {
        (tensor, None) => Ok(tensor),
        _ => Err(node.fault("a tensor has no `content` here")),
    };
    Ok(ListValue {
        s: each(list.get("s"), |node| text(node).map(String::into_bytes))?,
        i: each(list.get("i"), |node| node.number("an integer"))?,
        f: each(list.get("f"), read_float)?,
        b: each(list.get("b"), Node::flag)?,
        r#type: each(list.get("type"), read_element)?,
        shape: each(list.get("shape"), read_shape)?,
        tensor: each(list.get("tensor"), tensor)?,
        func: each(list.get("func"), read_func)?,
    })
}

fn each<T>(list: Option<&Node>, read: impl Fn(&Node) -> Result<T>) -> Result<Vec<T>> {
    list.map_or_else(|| Ok(Vec::new()), |list| list.list()?.iter().map(read).collect())
}

/// What is no number of JSON is a string.
fn read_float(node: &Node) -> Result<f32> {
    let fault = |reason: String| Err(node.fault(reason));
    match node.text() {
        Ok("inf") => Ok(f32::INFINITY),
        Ok("-inf") => Ok(f32::NEG_INFINITY),
        Ok("nan") => Ok(f32::NAN),
        Ok(other) => fault(format!("{other:?} is no number: \"inf\", \"-inf\" and \"nan\" are")),
        Err(_) => match node.number::<f32>("a number")? {
            x if x.is_finite() => Ok(x),
            _ => fault(format!("{} does not fit in 32 bits", node.describe())),
        },
    }
}

fn read_shape(node: &Node) -> Result<TensorShapeProto> {
    let shape = node.known(["dims", "unknown_rank"])?;
    let dim = |node: &Node| Ok(Dim { size: node.number("an integer")? });
    let dims = shape.get("dims").map_or(Ok(&[][..]), Node::list)?;
    Ok(TensorShapeProto {
        dim: dims.iter().map(dim).collect::<Result<_>>()?,
        unknown_rank: shape.get("unknown_rank").map_or(Ok(false), Node::flag)?,
    })
}

fn read_tensor(node: &Node) -> Result<(TensorProto, Option<u64>)> {
    let members = node.known(["dtype", "shape", "bytes", "content"])?;
    let dtype = read_element(members.need("dtype")?)?;
    let shape = read_shape(members.need("shape")?)?;
    let Some(content) = members.get("content") else {
        let length = members.need("bytes")?.number("a length")?;
        return Ok((TensorProto { dtype, tensor_shape: Some(shape), ..TensorProto::default() }, Some(length)));
    };
    let Some(bytes) = tensor::from_hex(content.text()?) else {
        return Err(content.fault("`content` must be the elements' bytes in hexadecimal digits"));
    };
    let tensor = tensor::message(dtype, shape, &bytes).map_err(|reason| node.fault(reason))?;
    Ok((tensor, None))
}

fn read_func(node: &Node) -> Result<NameAttrList> {
    let func = node.known(["name", "attr"])?;
    let attrs = func.get("attr").map_or(Ok(&[][..]), Node::object)?;
    let attr = attrs.iter().map(|(name, value)| Ok((name.clone(), read_stated(value)?)));
    Ok(NameAttrList { name: text(func.need("name")?)?, attr: attr.collect::<Result<_>>()? })
}
