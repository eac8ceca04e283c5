//! An operator's signature as its declaration's expansion holds it: literals and nothing else.
//!
//! Nothing in a table has a destructor, and nothing is called to make one, so it costs the compiler little: half of what the
//! same [`OpDef`] as a constant costs. The [`OpDef`] is made of it when it is first asked for, and kept.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use oplock_core::{ArgDef, AttrDef, AttrType, OpDef, Part, Scalar, ScalarType, Value};

/// Bits of a marker set, shared with the macro.
const DISPENSABLE: u8 = 1;
const DUPLICABLE: u8 = 2;
const INTERMEDIATE: u8 = 4;
const GENERATED: u8 = 8;
const QUANT: u8 = 16;
const EXTRA: u8 = 32;

/// The signature of an operator.
#[derive(Debug)]
pub struct OpTable {
    /// The saved name.
    pub name: &'static str,
    /// Each input's name and marks.
    pub inputs: &'static [(&'static str, u8)],
    /// Each output's name and marks.
    pub outputs: &'static [(&'static str, u8)],
    /// The attributes.
    pub attrs: &'static [Attr],
    /// Outside the guarantee.
    pub experimental: bool,
    /// The condition, or an empty text.
    pub cfg: &'static str,
}

/// The name, type, default, values and marks of an attribute; the type is that of the macro's `type_code`.
pub type Attr = (&'static str, u8, Lit, &'static [&'static str], u8);

/// A default.
#[derive(Clone, Copy, Debug)]
pub enum Lit {
    /// There is none.
    No,
    /// The default is no value, of an optional type.
    Absent,
    /// See [`Value::Bool`]; and so on.
    Bool(bool),
    /// An integer.
    I32(i32),
    /// An integer.
    I64(i64),
    /// An integer.
    U32(u32),
    /// An integer.
    U64(u64),
    /// A float.
    F32(f32),
    /// A float.
    F64(f64),
    /// Text.
    Str(&'static str),
    /// Bytes.
    Bytes(&'static [u8]),
    /// The name of an element type.
    DType(&'static str),
    /// The name of a variable.
    Var(&'static str),
    /// A scalar.
    Scalar(Scalar),
    /// A list.
    List(&'static [Lit]),
}

impl Lit {
    /// The value; `None` for [`Lit::No`].
    pub fn value(self) -> Option<Value> {
        Some(match self {
            Lit::No => return None,
            Lit::Absent => Value::Absent,
            Lit::Bool(x) => Value::Bool(x),
            Lit::I32(x) => Value::I32(x),
            Lit::I64(x) => Value::I64(x),
            Lit::U32(x) => Value::U32(x),
            Lit::U64(x) => Value::U64(x),
            Lit::F32(x) => Value::F32(x),
            Lit::F64(x) => Value::F64(x),
            Lit::Str(x) => Value::String(Cow::Borrowed(x)),
            Lit::Bytes(x) => Value::Bytes(Cow::Borrowed(x)),
            Lit::DType(x) => Value::DType(Cow::Borrowed(x)),
            Lit::Var(x) => Value::Var(Cow::Borrowed(x)),
            Lit::Scalar(x) => Value::Scalar(x),
            Lit::List(items) => Value::list(items.iter().filter_map(|item| item.value()).collect()),
        })
    }
}

impl OpTable {
    /// The signature, made once and kept for as long as the program runs.
    pub fn def(&'static self) -> &'static OpDef {
        static DEFS: RwLock<BTreeMap<usize, &'static OpDef>> = RwLock::new(BTreeMap::new());
        // One table is one address; two of one address are one table.
        let key = std::ptr::from_ref(self).addr();
        if let Some(def) = DEFS.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return def;
        }
        let mut defs = DEFS.write().unwrap_or_else(PoisonError::into_inner);
        defs.entry(key).or_insert_with(|| Box::leak(Box::new(self.make())))
    }

    fn make(&self) -> OpDef {
        OpDef {
            name: Cow::Borrowed(self.name),
            inputs: self.inputs.iter().map(arg).collect(),
            outputs: self.outputs.iter().map(arg).collect(),
            attrs: self.attrs.iter().map(attr).collect(),
            experimental: self.experimental,
            cfg: (!self.cfg.is_empty()).then_some(Cow::Borrowed(self.cfg)),
            ..OpDef::new(self.name)
        }
    }
}

fn part(marks: u8) -> Part {
    if marks & EXTRA != 0 {
        Part::Extra
    } else if marks & QUANT != 0 {
        Part::Quant
    } else {
        Part::Def
    }
}

fn arg(&(name, marks): &(&'static str, u8)) -> ArgDef {
    ArgDef {
        name: Cow::Borrowed(name),
        dispensable: marks & DISPENSABLE != 0,
        duplicable: marks & DUPLICABLE != 0,
        intermediate: marks & INTERMEDIATE != 0,
        part: part(marks),
        ..ArgDef::new(name)
    }
}

fn attr(&(name, ty, default, values, marks): &Attr) -> AttrDef {
    AttrDef {
        name: Cow::Borrowed(name),
        ty: attr_type(ty),
        default: default.value(),
        values: values.iter().map(|value| Cow::Borrowed(*value)).collect(),
        generated: marks & GENERATED != 0,
        part: part(marks),
        ..AttrDef::new(name, attr_type(ty))
    }
}

/// The type of the macro's `type_code`.
pub(crate) const fn attr_type(code: u8) -> AttrType {
    AttrType { scalar: ScalarType::ALL[(code & 15) as usize], depth: (code >> 4) & 3, optional: code & 64 != 0 }
}
