// In the spirit of tract's operators: no wires in the struct, derives and `new` of its own, plain Rust types.
use std::fmt::Debug;

use oplock::{AttrType, AttrValue, Bind, Registry, ScalarType, Value, ValueError, op};

oplock::lock!();

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DatumType {
    F32,
    I64,
    QI8(i32),
}

/// Saved as text such as `qi8(3)`: no list of values could say it.
impl AttrValue for DatumType {
    const TYPE: AttrType = AttrType::of(ScalarType::String);

    fn to_value(&self) -> Result<Value, ValueError> {
        let text = match self {
            DatumType::F32 => "f32".to_owned(),
            DatumType::I64 => "i64".to_owned(),
            DatumType::QI8(zero) => format!("qi8({zero})"),
        };
        Ok(Value::String(text.into()))
    }

    fn from_value(value: &Value) -> Result<Self, ValueError> {
        let text = String::from_value(value)?;
        let zero = || text.strip_prefix("qi8(")?.strip_suffix(')')?.parse().ok();
        match text.as_str() {
            "f32" => Ok(DatumType::F32),
            "i64" => Ok(DatumType::I64),
            _ => zero().map(DatumType::QI8).ok_or(ValueError { expected: Self::TYPE, found: format!("{text:?}") }),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reducer {
    ArgMax,
    Sum,
    MeanOfSquares,
}

oplock::attr_enum!(Reducer { ArgMax = "argmax", Sum = "sum", MeanOfSquares = "mean_of_squares" });

pub trait TypedOp: Debug {
    fn name(&self) -> String;
}

#[op("tract_core_reduce", inputs(input), outputs(output))]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduce {
    #[attr]
    pub axes: Vec<usize>,
    #[attr(values = ["argmax", "sum", "mean_of_squares"])]
    pub reducer: Reducer,
    #[attr(name = "datum_type", as = "string")]
    pub output_type: Option<DatumType>,
}

impl Reduce {
    pub fn new(axes: impl Into<Vec<usize>>, reducer: Reducer) -> Reduce {
        Reduce { axes: axes.into(), reducer, output_type: None }
    }
}

impl TypedOp for Reduce {
    fn name(&self) -> String {
        format!("Reduce<{:?}>", self.reducer)
    }
}

fn main() {
    let reduce = Reduce { output_type: Some(DatumType::QI8(-3)), ..Reduce::new([1, 2], Reducer::MeanOfSquares) };
    let mut node = reduce.clone().into_node().unwrap();
    assert_eq!(node.attrs["datum_type"], Value::String("qi8(-3)".into()));
    node.inputs.insert("input".into(), vec!["x".into()]);
    node.outputs.insert("output".into(), vec!["y".into()]);
    let back: Reduce = node.bind().unwrap();
    assert_eq!(back, reduce);
    let boxed: Box<dyn TypedOp> = Box::new(back);
    assert_eq!(boxed.name(), "Reduce<MeanOfSquares>");
    assert_eq!(Registry::global().unwrap().get("tract_core_reduce").unwrap().def.attrs.len(), 3);
    oplock::__private::assert_up_to_date(ops());
}
