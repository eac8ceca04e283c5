//! A [`Graph`] as messages and back: what the messages mean, and what of them is refused, for protobuf and JSON alike.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use oplock_registry::{Kind, Map, Node, Scalar, Value};
use semver::Version;

use super::messages::{self, FORMAT, Kind as ValueKind, MAGIC, ScalarKind};
use super::{MAX_LISTS, compound};
use crate::{Block, Export, Graph, OldestReader, ReadError, Release, Stamp, Unpromised, WriteError};

/// A place in a graph; put together only where something is wrong there.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    Whole,
    Field(&'a Place<'a>, &'static str),
    Index(&'a Place<'a>, usize),
    Name(&'a Place<'a>, &'a str),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Whole => Ok(()),
            Place::Field(Place::Whole, name) => f.write_str(name),
            Place::Index(parent, index) => write!(f, "{parent}[{index}]"),
            Place::Name(parent, "") => write!(f, "{parent}.\"\""),
            Place::Field(parent, name) => write!(f, "{parent}.{name}"),
            // A name may be anything, also what a terminal would obey.
            Place::Name(parent, name) => write!(f, "{parent}.{}", name.escape_debug()),
        }
    }
}

impl Place<'_> {
    pub(super) fn unreadable(&self, what: impl fmt::Display) -> ReadError {
        ReadError::Content { path: self.to_string(), what: what.to_string() }
    }

    pub(super) fn unwritable(&self, what: impl fmt::Display) -> WriteError {
        WriteError::Content { path: self.to_string(), what: what.to_string() }
    }
}

const NO_NAME: &str = "the name is empty";

// Writing.

pub(crate) fn to_messages(graph: &Graph) -> Result<messages::Graph, WriteError> {
    let whole = Place::Whole;
    let blocks = Place::Field(&whole, "blocks");
    let blocks = graph.blocks.iter().enumerate().map(|(i, block)| from_block(block, Place::Index(&blocks, i)));
    let packages = from_stamps(&graph.stamps)?;
    let owners = named(&graph.owners, Place::Field(&whole, "owners"), |op, package, _| {
        Ok(messages::Owner { op, package: package.clone() })
    })?;
    let added = named(&graph.added, Place::Field(&whole, "added"), |op, attrs, place| {
        Ok(messages::Added { op, attrs: from_attrs(attrs, place)? })
    })?;
    let extra = named(&graph.extra, Place::Field(&whole, "extra"), |op, items, place| {
        let mut operands = messages::Operands::default();
        for (kind, name) in items {
            if name.is_empty() {
                return Err(place.unwritable(NO_NAME));
            }
            match kind {
                Kind::Input => operands.inputs.push(name.clone()),
                Kind::Output => operands.outputs.push(name.clone()),
                Kind::Attr => {
                    return Err(place.unwritable("an Extra attribute stands among the `extra` ones of its node"));
                }
            }
        }
        Ok(messages::Extra { op, operands: Some(operands) })
    })?;
    let export = match graph.export {
        None => messages::Export::None,
        Some(Export::Float) => messages::Export::Float,
        Some(Export::Quantised) => messages::Export::Quantised,
    };
    Ok(messages::Graph {
        magic: MAGIC.to_owned(),
        format: FORMAT,
        blocks: blocks.collect::<Result<_, _>>()?,
        packages,
        owners,
        added,
        extra,
        export: export as i32,
        end: true,
    })
}

/// The records of packages.
pub(crate) fn from_stamps(stamps: &BTreeMap<String, Stamp>) -> Result<Vec<messages::Package>, WriteError> {
    named(stamps, Place::Field(&Place::Whole, "packages"), |name, stamp, _| {
        Ok(messages::Package { name, stamp: Some(from_stamp(stamp)?) })
    })
}

/// A message for each entry.
fn named<'a, T: 'a, M>(
    map: impl IntoIterator<Item = (&'a String, &'a T)>,
    place: Place<'_>,
    message: impl Fn(String, &T, Place<'_>) -> Result<M, WriteError>,
) -> Result<Vec<M>, WriteError> {
    let one = |(name, item): (&'a String, &'a T)| {
        let place = Place::Name(&place, name);
        if name.is_empty() { Err(place.unwritable(NO_NAME)) } else { message(name.clone(), item, place) }
    };
    map.into_iter().map(one).collect()
}

fn from_block(block: &Block, place: Place<'_>) -> Result<messages::Block, WriteError> {
    let nodes = Place::Field(&place, "nodes");
    let nodes = block.nodes.iter().enumerate().map(|(i, node)| from_node(node, Place::Index(&nodes, i)));
    let nodes = nodes.collect::<Result<_, _>>()?;
    Ok(messages::Block { inputs: block.inputs.clone(), outputs: block.outputs.clone(), nodes })
}

fn from_node(node: &Node, place: Place<'_>) -> Result<messages::Node, WriteError> {
    if node.op.is_empty() {
        return Err(place.unwritable("the node has no operator"));
    }
    let operands = |args: &Map<String, Vec<String>>, field| {
        named(args, Place::Field(&place, field), |name, vars: &Vec<String>, _| {
            Ok(messages::Operand { name, vars: vars.clone() })
        })
    };
    Ok(messages::Node {
        op: node.op.clone(),
        inputs: operands(&node.inputs, "inputs")?,
        outputs: operands(&node.outputs, "outputs")?,
        attrs: from_attrs(&node.attrs, Place::Field(&place, "attrs"))?,
        extra: from_attrs(&node.extra, Place::Field(&place, "extra"))?,
    })
}

fn from_attrs(attrs: &Map<String, Value>, place: Place<'_>) -> Result<Vec<messages::Attr>, WriteError> {
    named(attrs, place, |name, value, place| Ok(messages::Attr { name, value: Some(from_value(value, place, 0)?) }))
}

pub(super) fn from_value(value: &Value, place: Place<'_>, lists: u8) -> Result<messages::Value, WriteError> {
    let kind = match value {
        Value::Absent => ValueKind::Absent(messages::Absent {}),
        Value::Bool(x) => ValueKind::Bool(*x),
        Value::I32(x) => ValueKind::I32(*x),
        Value::I64(x) => ValueKind::I64(*x),
        Value::U32(x) => ValueKind::U32(*x),
        Value::U64(x) => ValueKind::U64(*x),
        Value::F32(x) => ValueKind::F32(one_nan32(*x)),
        Value::F64(x) => ValueKind::F64(one_nan64(*x)),
        Value::String(x) => ValueKind::String(x.to_string()),
        Value::Bytes(x) => ValueKind::Bytes(x.to_vec()),
        Value::DType(x) => ValueKind::Dtype(x.to_string()),
        Value::Block(x) => ValueKind::Block(*x),
        Value::Var(x) => ValueKind::Var(x.to_string()),
        Value::Scalar(x) => ValueKind::Scalar(messages::Scalar { kind: Some(from_scalar(*x, place)?) }),
        Value::List(items) => {
            if lists == MAX_LISTS {
                return Err(place.unwritable(too_deep()));
            }
            if let Some(kind) = of_one_type(items) {
                kind
            } else {
                let items = items.iter().map(|item| from_value(item, place, lists + 1)).collect::<Result<_, _>>()?;
                ValueKind::List(messages::List { items })
            }
        }
        Value::Complex128(x) => ValueKind::Complex128(compound::from_complex(*x)),
        Value::Shape(shape) => ValueKind::Shape(compound::from_shape(shape)),
        Value::Tensor(tensor) => ValueKind::Tensor(compound::from_tensor(tensor, place)?),
        Value::SparseTensor(tensor) => ValueKind::SparseTensor(compound::from_sparse_tensor(tensor, place)?),
        Value::Func(func) => ValueKind::Func(compound::from_func(func, place)?),
        Value::TypeProto(x) => ValueKind::TypeProto(x.to_string()),
        other => return Err(place.unwritable(format_args!("{} cannot be saved", other.describe()))),
    };
    Ok(messages::Value { kind: Some(kind) })
}

fn too_deep() -> String {
    format!("lists are more than {MAX_LISTS} deep within each other, and no attribute has such a type")
}

/// Every `NaN` is the same value, and so the same bytes.
fn one_nan32(x: f32) -> f32 {
    if x.is_nan() { f32::NAN } else { x }
}

pub(super) fn one_nan64(x: f64) -> f64 {
    if x.is_nan() { f64::NAN } else { x }
}

fn from_scalar(scalar: Scalar, place: Place<'_>) -> Result<ScalarKind, WriteError> {
    Ok(match scalar {
        Scalar::Bool(x) => ScalarKind::Bool(x),
        Scalar::I64(x) => ScalarKind::I64(x),
        Scalar::F64(x) => ScalarKind::F64(one_nan64(x)),
        Scalar::Complex128(x) => ScalarKind::Complex128(compound::from_complex(x)),
        other => return Err(place.unwritable(format_args!("a scalar that is {other:?} cannot be saved"))),
    })
}

/// The message of a list that is not empty and whose items are all of one of the types that have such a message.
fn of_one_type(items: &[Value]) -> Option<ValueKind> {
    macro_rules! all {
        ($value:ident => $message:ident, $x:ident, $item:expr) => {{
            let item = |value: &Value| match value {
                Value::$value($x) => Some($item),
                _ => None,
            };
            ValueKind::$message(messages::$message { items: items.iter().map(item).collect::<Option<_>>()? })
        }};
    }
    Some(match items.first()? {
        Value::Bool(_) => all!(Bool => Bools, x, *x),
        Value::I32(_) => all!(I32 => I32s, x, *x),
        Value::I64(_) => all!(I64 => I64s, x, *x),
        Value::U32(_) => all!(U32 => U32s, x, *x),
        Value::U64(_) => all!(U64 => U64s, x, *x),
        Value::F32(_) => all!(F32 => F32s, x, one_nan32(*x)),
        Value::F64(_) => all!(F64 => F64s, x, one_nan64(*x)),
        Value::String(_) => all!(String => Strings, x, x.to_string()),
        _ => return None,
    })
}

fn from_stamp(stamp: &Stamp) -> Result<messages::Stamp, WriteError> {
    let unpromised = stamp.unpromised.as_ref().map(|Unpromised { reason, digests }| {
        let digests = named(digests, Place::Field(&Place::Whole, "digests"), |op, digest, _| {
            Ok(messages::OpDigest { op, digest: digest.clone() })
        });
        digests.map(|digests| messages::Unpromised { reason: reason.clone(), digests })
    });
    Ok(messages::Stamp {
        producer: stamp.producer,
        min_consumer: stamp.min_consumer,
        bad_consumers: stamp.bad_consumers.clone(),
        releases: stamp
            .releases
            .iter()
            .map(|release| messages::Release {
                version: release.version.to_string(),
                data_version: release.data_version,
                digest: release.digest.clone(),
            })
            .collect(),
        oldest_reader: stamp.oldest_reader.as_ref().map(|oldest| messages::OldestReader {
            version: oldest.version.to_string(),
            because: oldest.because.clone(),
        }),
        unpromised: unpromised.transpose()?,
    })
}

// Reading.

pub(crate) fn from_messages(mut graph: messages::Graph) -> Result<Graph, ReadError> {
    let block = |mut block: messages::Block| {
        let nodes = std::mem::take(&mut block.nodes);
        move |place: Place<'_>| to_block(block, nodes.into_iter().map(Ok), place)
    };
    let blocks = std::mem::take(&mut graph.blocks);
    from_parts(graph, blocks.into_iter().map(block))
}

/// A graph of its message, whose blocks are made apart from it.
pub(super) fn from_parts<F>(graph: messages::Graph, parts: impl ExactSizeIterator<Item = F>) -> Result<Graph, ReadError>
where
    F: FnOnce(Place<'_>) -> Result<Block, ReadError>,
{
    let whole = Place::Whole;
    let at = Place::Field(&whole, "blocks");
    let mut blocks = Vec::with_capacity(parts.len());
    for (i, block) in parts.enumerate() {
        blocks.push(block(Place::Index(&at, i))?);
    }
    let stamps = to_stamps(graph.packages)?;
    let owners = graph.owners.into_iter().map(|owner| (owner.op, owner.package));
    let owners = unique(owners, Place::Field(&whole, "owners"), |package, _| Ok(package))?;
    let added = graph.added.into_iter().map(|added| (added.op, added.attrs));
    let added = unique(added, Place::Field(&whole, "added"), to_attrs)?;
    let extra = graph.extra.into_iter().map(|extra| (extra.op, extra.operands));
    let extra = unique(extra, Place::Field(&whole, "extra"), |operands, place| {
        let operands = operands.ok_or_else(|| place.unreadable("there are no operands"))?;
        let inputs = operands.inputs.into_iter().map(|name| (Kind::Input, name));
        let mut items = BTreeSet::new();
        for item in inputs.chain(operands.outputs.into_iter().map(|name| (Kind::Output, name))) {
            if item.1.is_empty() {
                return Err(place.unreadable(NO_NAME));
            }
            if let Some((kind, name)) = items.replace(item) {
                return Err(place.unreadable(format_args!("the {kind} `{name}` is there twice")));
            }
        }
        Ok(items)
    })?;
    let export = match messages::Export::try_from(graph.export) {
        Ok(messages::Export::None) => None,
        Ok(messages::Export::Float) => Some(Export::Float),
        Ok(messages::Export::Quantised) => Some(Export::Quantised),
        Err(error) => return Err(Place::Field(&whole, "export").unreadable(error)),
    };
    Ok(Graph {
        blocks,
        stamps,
        owners: owners.into_iter().collect(),
        added: added.into_iter().collect(),
        extra: extra.into_iter().collect(),
        export,
    })
}

/// The records of packages.
pub(crate) fn to_stamps(packages: Vec<messages::Package>) -> Result<BTreeMap<String, Stamp>, ReadError> {
    let packages = packages.into_iter().map(|package| (package.name, package.stamp));
    let packages = unique(packages, Place::Field(&Place::Whole, "packages"), |stamp, place| {
        to_stamp(stamp.ok_or_else(|| place.unreadable("there is no stamp"))?, place)
    })?;
    Ok(packages.into_iter().collect())
}

/// A map of items with distinct names. Where `items` are those of a list whose messages are as large as what is made of them, its
/// memory becomes that of the map.
pub(super) fn unique<M, T>(
    items: impl Iterator<Item = (String, M)>,
    place: Place<'_>,
    item: impl Fn(M, Place<'_>) -> Result<T, ReadError>,
) -> Result<Map<String, T>, ReadError> {
    let entry = |(name, message): (String, M)| {
        if name.is_empty() {
            return Err(Place::Name(&place, &name).unreadable(NO_NAME));
        }
        let value = item(message, Place::Name(&place, &name))?;
        Ok((name, value))
    };
    Map::from_unique(items.map(entry).collect::<Result<_, _>>()?)
        .map_err(|name| Place::Name(&place, &name).unreadable("the name is there twice"))
}

/// A block of its message, whose nodes come apart from it.
pub(super) fn to_block(
    block: messages::Block,
    messages: impl ExactSizeIterator<Item = Result<messages::Node, ReadError>>,
    place: Place<'_>,
) -> Result<Block, ReadError> {
    let at = Place::Field(&place, "nodes");
    let mut nodes = Vec::with_capacity(messages.len());
    for (i, node) in messages.enumerate() {
        nodes.push(to_node(node?, Place::Index(&at, i))?);
    }
    Ok(Block { inputs: block.inputs, outputs: block.outputs, nodes })
}

fn to_node(node: messages::Node, place: Place<'_>) -> Result<Node, ReadError> {
    if node.op.is_empty() {
        return Err(place.unreadable("the node has no operator"));
    }
    let operands = |operands: Vec<messages::Operand>, field| {
        let operands = operands.into_iter().map(|operand| (operand.name, operand.vars));
        unique(operands, Place::Field(&place, field), |vars, _| Ok(vars))
    };
    Ok(Node {
        inputs: operands(node.inputs, "inputs")?,
        outputs: operands(node.outputs, "outputs")?,
        attrs: to_attrs(node.attrs, Place::Field(&place, "attrs"))?,
        extra: to_attrs(node.extra, Place::Field(&place, "extra"))?,
        op: node.op,
    })
}

fn to_attrs(attrs: Vec<messages::Attr>, place: Place<'_>) -> Result<Map<String, Value>, ReadError> {
    unique(attrs.into_iter().map(|attr| (attr.name, attr.value)), place, |value, place| to_value(value, place, 0))
}

pub(super) fn to_value(value: Option<messages::Value>, place: Place<'_>, lists: u8) -> Result<Value, ReadError> {
    let kind = value.and_then(|value| value.kind).ok_or_else(|| place.unreadable("there is no value"))?;
    Ok(match kind {
        ValueKind::Absent(messages::Absent {}) => Value::Absent,
        ValueKind::Bool(x) => Value::Bool(x),
        ValueKind::I32(x) => Value::I32(x),
        ValueKind::I64(x) => Value::I64(x),
        ValueKind::U32(x) => Value::U32(x),
        ValueKind::U64(x) => Value::U64(x),
        ValueKind::F32(x) => Value::F32(x),
        ValueKind::F64(x) => Value::F64(x),
        ValueKind::String(x) => Value::String(Cow::Owned(x)),
        ValueKind::Bytes(x) => Value::Bytes(Cow::Owned(x)),
        ValueKind::Dtype(x) => Value::DType(Cow::Owned(x)),
        ValueKind::Block(x) => Value::Block(x),
        ValueKind::Var(x) => Value::Var(Cow::Owned(x)),
        ValueKind::Scalar(scalar) => match scalar.kind {
            Some(ScalarKind::Bool(x)) => Value::Scalar(Scalar::Bool(x)),
            Some(ScalarKind::I64(x)) => Value::Scalar(Scalar::I64(x)),
            Some(ScalarKind::F64(x)) => Value::Scalar(Scalar::F64(x)),
            Some(ScalarKind::Complex128(x)) => Value::Scalar(Scalar::Complex128(compound::to_complex(x, place)?)),
            None => return Err(place.unreadable("there is no value in the scalar")),
        },
        ValueKind::Complex128(x) => Value::Complex128(compound::to_complex(x, place)?),
        ValueKind::Shape(shape) => Value::Shape(compound::to_shape(shape)),
        ValueKind::Tensor(tensor) => Value::Tensor(Box::new(compound::to_tensor(tensor, place)?)),
        ValueKind::SparseTensor(tensor) => Value::SparseTensor(Box::new(compound::to_sparse_tensor(tensor, place)?)),
        ValueKind::Func(func) => Value::Func(Box::new(compound::to_func(func, place)?)),
        ValueKind::TypeProto(x) => Value::TypeProto(Cow::Owned(x)),
        list => {
            if lists == MAX_LISTS {
                return Err(place.unreadable(too_deep()));
            }
            Value::list(match list {
                ValueKind::Bools(list) => list.items.into_iter().map(Value::Bool).collect(),
                ValueKind::I32s(list) => list.items.into_iter().map(Value::I32).collect(),
                ValueKind::I64s(list) => list.items.into_iter().map(Value::I64).collect(),
                ValueKind::U32s(list) => list.items.into_iter().map(Value::U32).collect(),
                ValueKind::U64s(list) => list.items.into_iter().map(Value::U64).collect(),
                ValueKind::F32s(list) => list.items.into_iter().map(Value::F32).collect(),
                ValueKind::F64s(list) => list.items.into_iter().map(Value::F64).collect(),
                ValueKind::Strings(list) => list.items.into_iter().map(|x| Value::String(Cow::Owned(x))).collect(),
                ValueKind::List(list) => {
                    let items = list.items.into_iter().map(|item| to_value(Some(item), place, lists + 1));
                    items.collect::<Result<_, _>>()?
                }
                _ => return Err(place.unreadable("there is no value")),
            })
        }
    })
}

fn to_stamp(stamp: messages::Stamp, place: Place<'_>) -> Result<Stamp, ReadError> {
    let version = |text: &str, place: Place<'_>| {
        Version::parse(text).map_err(|error| place.unreadable(format_args!("{text:?} is no version: {error}")))
    };
    let at = Place::Field(&place, "releases");
    let releases = stamp.releases.iter().enumerate().map(|(i, release)| {
        let version = version(&release.version, Place::Index(&at, i))?;
        Ok(Release { version, data_version: release.data_version, digest: release.digest.clone() })
    });
    let releases = releases.collect::<Result<_, _>>()?;
    let oldest_reader = stamp.oldest_reader.map(|oldest| {
        let version = version(&oldest.version, Place::Field(&place, "oldest_reader"))?;
        Ok(OldestReader { version, because: oldest.because })
    });
    let unpromised = stamp.unpromised.map(|unpromised| {
        let digests = unpromised.digests.into_iter().map(|digest| (digest.op, digest.digest));
        let digests = unique(digests, Place::Field(&place, "digests"), |digest, _| Ok(digest))?;
        Ok(Unpromised { reason: unpromised.reason, digests: digests.into_iter().collect() })
    });
    Ok(Stamp {
        producer: stamp.producer,
        min_consumer: stamp.min_consumer,
        bad_consumers: stamp.bad_consumers,
        releases,
        oldest_reader: oldest_reader.transpose()?,
        unpromised: unpromised.transpose()?,
    })
}
