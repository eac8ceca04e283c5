//! The nodes among which a witness is sought, the smallest first.

use oplock_core::{
    ArgDef, AttrDef, AttrType, Complex128, Finding, Func, Kind, OpDef, Part, Scalar, ScalarType, Shape, SparseTensor,
    Str, Tensor, TensorData, Value,
};
use oplock_registry::{Map, Node};

use super::change::may_lack;
use crate::Export;
use crate::load::plan::is_required;

/// The longest list that is tried.
const LONGEST: u32 = 64;

/// Nodes by a definition that use, or leave out, what a finding is about. `other` is the definition of who will read them.
pub(super) fn of(def: &OpDef, finding: &Finding, other: Option<&OpDef>, export: Option<Export>) -> Vec<Node> {
    let base = smallest(def);
    let Some((kind, name)) = &finding.item else { return vec![base] };
    let mut nodes = Vec::new();
    // What a name stands for now may be what another item was, and the other way round.
    let is_it = |own: &str, aliases: &[Str]| {
        let is_alias = |alias: &Str| alias == name;
        own == name || aliases.iter().any(is_alias) || finding.from.as_deref() == Some(own)
    };
    for arg in def.args(*kind).iter().filter(|arg| is_it(&arg.name, &arg.aliases)) {
        let least = usize::from(is_required(arg, export) && export.is_none());
        let most =
            if arg.duplicable { usize::try_from(arg.least()).unwrap_or(2).clamp(2, LONGEST as usize) } else { 1 };
        nodes.extend((least..=most).map(|count| {
            let mut node = base.clone();
            connect(args_of(&mut node, *kind), *kind, arg, count);
            count_of(&mut node, def, arg, count);
            node
        }));
    }
    for attr in def.attrs.iter().filter(|attr| *kind == Kind::Attr && is_it(&attr.name, &attr.aliases)) {
        let mut without = base.clone();
        without.attrs.remove(attr.name.as_ref());
        nodes.extend(may_lack(attr).then_some(without));
        let other = other.and_then(|other| other.attr(&attr.name));
        for value in values(attr, other) {
            let mut node = base.clone();
            node.attrs_of_mut(attr.part).insert(attr.name.to_string(), value);
            nodes.push(node);
        }
    }
    if nodes.is_empty() {
        nodes.push(base);
    }
    nodes
}

fn args_of(node: &mut Node, kind: Kind) -> &mut Map<String, Vec<String>> {
    if kind == Kind::Input { &mut node.inputs } else { &mut node.outputs }
}

/// Connects an operand to so many variables.
fn connect(args: &mut Map<String, Vec<String>>, kind: Kind, arg: &ArgDef, count: usize) {
    let letter = if kind == Kind::Input { 'x' } else { 'y' };
    let variables: Vec<_> = (0..count).map(|i| format!("{letter}{}_{}", i, arg.name)).collect();
    if variables.is_empty() {
        args.remove(arg.name.as_ref());
    } else {
        args.insert(arg.name.to_string(), variables);
    }
}

/// The node with nothing but what must be there.
fn smallest(def: &OpDef) -> Node {
    let mut node = Node::new(def.name.as_ref());
    for attr in def.attrs.iter().filter(|attr| attr.default.is_none() && attr.part != Part::Extra) {
        if let Some(value) = values(attr, None).into_iter().next() {
            node.attrs.insert(attr.name.to_string(), value);
        }
    }
    for kind in [Kind::Input, Kind::Output] {
        for arg in def.args(kind).iter().filter(|arg| is_required(arg, None)) {
            let count = usize::try_from(arg.least()).unwrap_or(1).min(LONGEST as usize);
            connect(args_of(&mut node, kind), kind, arg, count);
            count_of(&mut node, def, arg, count);
        }
    }
    node
}

/// Lets the attribute that counts the variables of an operand say how many there are.
fn count_of(node: &mut Node, def: &OpDef, arg: &ArgDef, count: usize) {
    let Some(attr) = arg.count.as_ref().and_then(|name| def.attr(name)) else { return };
    let number = match attr.ty.scalar {
        ScalarType::I32 => i32::try_from(count).ok().map(Value::I32),
        ScalarType::I64 | ScalarType::Size => i64::try_from(count).ok().map(Value::I64),
        ScalarType::U32 => u32::try_from(count).ok().map(Value::U32),
        ScalarType::U64 => u64::try_from(count).ok().map(Value::U64),
        _ => None,
    };
    node.attrs.extend(number.map(|number| (attr.name.to_string(), number)));
}

/// Values that an attribute may have, simple ones first, and those at the bounds that the reader has.
fn values(attr: &AttrDef, other: Option<&AttrDef>) -> Vec<Value> {
    let bounds = [attr.least(), other.and_then(AttrDef::least)];
    let of_bounds = bounds.into_iter().flatten().flat_map(|bound| [bound.saturating_sub(1), bound]);
    let numbers: Vec<i64> = of_bounds.collect();
    let is_list = attr.ty.depth > 0;
    let scalars = scalars(attr, other, if is_list { &[] } else { &numbers });
    let mut values = if is_list { lists(attr.ty, &scalars, &numbers) } else { scalars };
    if attr.ty.optional {
        values.push(Value::Absent);
    }
    values.retain(|value| attr.is_enough(value));
    values
}

fn lists(ty: AttrType, scalars: &[Value], bounds: &[i64]) -> Vec<Value> {
    let Some(element) = ty.element() else { return scalars.to_vec() };
    let elements = lists(element, scalars, &[]);
    let lengths: Vec<u32> = match ty.length() {
        Some(length) => vec![length],
        None => [1, 0, 2].into_iter().chain(bounds.iter().filter_map(|bound| u32::try_from(*bound).ok())).collect(),
    };
    let lengths = lengths.into_iter().filter(|length| ty.length().is_some() || *length <= LONGEST);
    let list = |element: &Value, length: u32| Value::list(vec![element.clone(); length as usize]);
    lengths.flat_map(|length| elements.iter().map(move |element| list(element, length)).collect::<Vec<_>>()).collect()
}

fn scalars(attr: &AttrDef, other: Option<&AttrDef>, bounds: &[i64]) -> Vec<Value> {
    let integers = || [0, 1, -1].into_iter().chain(bounds.iter().copied());
    let i32s = || integers().filter_map(|x| i32::try_from(x).ok());
    let u32s = || integers().filter_map(|x| u32::try_from(x).ok());
    let texts = |some: [&str; 2]| -> Vec<Str> {
        if !attr.values.is_empty() {
            return attr.values.to_vec();
        }
        // One that is longer than all that the reader allows is none of them.
        let longest = other.and_then(|other| other.values.iter().max_by_key(|value| value.len()));
        let some = some.map(|text| Str::from(text.to_owned()));
        some.into_iter().chain(longest.map(|value| format!("{value}_").into())).collect()
    };
    match attr.ty.scalar {
        ScalarType::Bool => vec![Value::Bool(false), Value::Bool(true)],
        ScalarType::I32 => i32s().chain([i32::MAX]).map(Value::I32).collect(),
        ScalarType::I64 => integers().chain([i64::MAX]).map(Value::I64).collect(),
        ScalarType::Size => integers().chain([i64::MAX]).filter(|x| *x >= 0).map(Value::I64).collect(),
        ScalarType::U32 => u32s().chain([u32::MAX]).map(Value::U32).collect(),
        ScalarType::U64 => integers().filter_map(|x| u64::try_from(x).ok()).chain([u64::MAX]).map(Value::U64).collect(),
        ScalarType::F32 => [0.0, 1.0, 0.5].map(Value::F32).into(),
        ScalarType::F64 => [0.0, 1.0, 0.1].map(Value::F64).into(),
        ScalarType::String => texts(["a", "b"]).into_iter().map(Value::String).collect(),
        ScalarType::DType => texts(["float32", "float64"]).into_iter().map(Value::DType).collect(),
        ScalarType::Var => vec![Value::Var("v".into())],
        ScalarType::Bytes => vec![Value::Bytes(vec![0].into()), Value::Bytes(vec![1].into())],
        ScalarType::Block => vec![Value::Block(1)],
        ScalarType::Scalar => {
            [Scalar::I64(0), Scalar::I64(1), Scalar::F64(0.5), Scalar::Bool(true)].map(Value::Scalar).into()
        }
        ScalarType::Complex128 => {
            [(0.0, 0.0), (1.0, -0.5)].map(|(re, im)| Value::Complex128(Complex128 { re, im })).into()
        }
        ScalarType::Shape => [Shape::default(), Shape::of([Some(1), None])].map(Value::Shape).into(),
        ScalarType::Func => ["f", "g"].map(|name| Value::Func(Box::new(Func::new(name)))).into(),
        ScalarType::TypeProto => ["f32", "seq(f32)"].map(|text| Value::TypeProto(text.into())).into(),
        ScalarType::Tensor => [0, 1].map(|x| Value::Tensor(Box::new(tensor(x)))).into(),
        ScalarType::SparseTensor => {
            let sparse = |x| SparseTensor { dims: vec![1], indices: tensor(0), values: tensor(x) };
            [0, 1].map(|x| Value::SparseTensor(Box::new(sparse(x)))).into()
        }
        _ => Vec::new(),
    }
}

/// A tensor of one element.
fn tensor(x: u8) -> Tensor {
    Tensor { ty: "i8".into(), dims: vec![1], data: TensorData::Raw(vec![x]) }
}
