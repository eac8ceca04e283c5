//! A schema, with all that is part of the signature: what tells which models it takes.

use std::fmt;

use oplock_core::{AttrType, ScalarType, Value};

/// Which schema it is. ONNX's own domain is the empty text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemaKey {
    /// The domain, such as `ai.onnx.ml`; empty for ONNX's own.
    pub domain: String,
    /// The operator.
    pub name: String,
    /// The version of the domain that brought it.
    pub since_version: u32,
}

/// `Conv.v11`, `ai.onnx.ml.Scaler.v1`: the name of the operator that it is here.
impl fmt::Display for SchemaKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.domain.is_empty() {
            write!(f, "{}.", self.domain)?;
        }
        write!(f, "{}.v{}", self.name, self.since_version)
    }
}

impl SchemaKey {
    /// The schema that an operator's name means, if it is one that [`SchemaKey`] prints.
    pub fn of_op_name(name: &str) -> Option<Self> {
        let (path, version) = name.rsplit_once(".v")?;
        let since_version = version.parse().ok().filter(|number: &u32| number.to_string() == version)?;
        let (domain, name) = path.rsplit_once('.').unwrap_or(("", path));
        Some(SchemaKey { domain: domain.to_owned(), name: name.to_owned(), since_version })
    }
}

/// A schema, but for its key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// The operator is no longer to be used from this version on.
    pub deprecated: bool,
    /// ONNX promises nothing of it (`support_level` is `EXPERIMENTAL`).
    pub experimental: bool,
    /// In the order in which a node names them.
    pub inputs: Vec<Operand>,
    /// In the order in which a node names them.
    pub outputs: Vec<Operand>,
    /// Sorted by name.
    pub attributes: Vec<Attribute>,
    /// Sorted by name.
    pub type_constraints: Vec<Constraint>,
}

/// An input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its name, which a node does not state.
    pub name: String,
    /// How often it is there.
    pub occurrence: Occurrence,
    /// Each variable of a variadic operand is of the same type.
    pub homogeneous: bool,
    /// The name of a constraint, or a type.
    pub ty: String,
}

/// How often an operand is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrence {
    /// Once.
    Single,
    /// Once or not at all.
    Optional,
    /// At least as often as that; the last operand only.
    Variadic(u32),
}

/// An attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: AttributeType,
    /// A node must state it.
    pub required: bool,
    /// What it is where a node does not state it; a required one has none.
    pub default: Option<Value>,
}

/// A name that stands for the type of several operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The name.
    pub name: String,
    /// The types for which it may stand, sorted; one that the schema names twice is there twice.
    pub allowed: Vec<String>,
}

/// The type of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeType(pub(super) AttrType);

const TYPES: [(&str, AttributeType); 14] = [
    ("FLOAT", AttributeType(AttrType::of(ScalarType::F32))),
    ("INT", AttributeType(AttrType::of(ScalarType::I64))),
    ("STRING", AttributeType(AttrType::of(ScalarType::String))),
    ("TENSOR", AttributeType(AttrType::of(ScalarType::Tensor))),
    ("GRAPH", AttributeType(AttrType::of(ScalarType::Block))),
    ("SPARSE_TENSOR", AttributeType(AttrType::of(ScalarType::SparseTensor))),
    ("TYPE_PROTO", AttributeType(AttrType::of(ScalarType::TypeProto))),
    ("FLOATS", AttributeType(AttrType::list(ScalarType::F32))),
    ("INTS", AttributeType(AttrType::list(ScalarType::I64))),
    ("STRINGS", AttributeType(AttrType::list(ScalarType::String))),
    ("TENSORS", AttributeType(AttrType::list(ScalarType::Tensor))),
    ("GRAPHS", AttributeType(AttrType::list(ScalarType::Block))),
    ("SPARSE_TENSORS", AttributeType(AttrType::list(ScalarType::SparseTensor))),
    ("TYPE_PROTOS", AttributeType(AttrType::list(ScalarType::TypeProto))),
];

impl AttributeType {
    /// The names of all types.
    pub(super) fn names() -> [&'static str; 14] {
        TYPES.map(|(name, _)| name)
    }

    /// The type of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        TYPES.iter().find(|(known, _)| *known == name).map(|(_, ty)| *ty)
    }

    /// The type as oplock has it.
    pub const fn attr_type(self) -> AttrType {
        self.0
    }

    /// The type that is that of oplock, if ONNX has it.
    pub fn of_attr_type(ty: AttrType) -> Option<Self> {
        TYPES.iter().find(|(_, known)| known.0 == ty).map(|(_, ty)| *ty)
    }
}

/// As ONNX calls it: `INTS`.
impl fmt::Display for AttributeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(TYPES.iter().find(|(_, ty)| ty == self).map_or("", |(name, _)| *name))
    }
}

impl Schema {
    /// The least and the greatest number of names that a node may give for these operands.
    pub(super) fn number(operands: &[Operand]) -> (usize, usize) {
        let mut bounds = (0, operands.len());
        for (at, operand) in operands.iter().enumerate() {
            match operand.occurrence {
                Occurrence::Single => bounds.0 = at + 1,
                Occurrence::Optional => {}
                Occurrence::Variadic(least) => bounds = (at + least as usize, UNBOUNDED),
            }
        }
        bounds
    }
}

/// As many as one likes, as ONNX says it.
pub(super) const UNBOUNDED: usize = 2_147_483_647;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_operators() {
        for (domain, name, since_version, text) in
            [("", "Conv", 11, "Conv.v11"), ("ai.onnx.ml", "Scaler", 1, "ai.onnx.ml.Scaler.v1")]
        {
            let key = SchemaKey { domain: domain.to_owned(), name: name.to_owned(), since_version };
            assert_eq!(key.to_string(), text);
            assert_eq!(SchemaKey::of_op_name(text), Some(key));
        }
        for other in ["Conv", "Conv.11", "Conv.v", "Conv.v011", "Conv.v+1", "Conv.v-1", "Conv.v11x"] {
            assert_eq!(SchemaKey::of_op_name(other), None, "{other}");
        }
    }

    #[test]
    fn types_are_a_bijection() {
        for name in AttributeType::names() {
            let ty = AttributeType::of_name(name).unwrap();
            assert_eq!((ty.to_string().as_str(), AttributeType::of_attr_type(ty.attr_type())), (name, Some(ty)));
        }
        assert_eq!(AttributeType::of_name("INT64"), None);
        assert_eq!(AttributeType::of_attr_type(AttrType::of(ScalarType::I32)), None);
    }
}
