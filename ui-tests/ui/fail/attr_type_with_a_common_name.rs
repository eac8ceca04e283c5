// Names such as `DType` are those of other crates' types as well.

use oplock::{AttrType, AttrValue, ScalarType, Value, ValueError, op};

#[derive(Clone, Copy)]
pub enum DType {
    F32,
    F16,
}

impl AttrValue for DType {
    const TYPE: AttrType = AttrType::of(ScalarType::I64);

    fn to_value(&self) -> Result<Value, ValueError> {
        Ok(Value::I64(*self as i64))
    }

    fn from_value(value: &Value) -> Result<Self, ValueError> {
        i64::from_value(value).map(|x| if x == 0 { DType::F32 } else { DType::F16 })
    }
}

pub struct Scalar(f64);

#[op("cast", unlocked)]
pub struct Cast {
    #[attr]
    pub to: DType,
    #[attr]
    pub others: Option<Vec<DType>>,
}

#[op("fill", unlocked)]
pub struct Fill {
    #[attr(default = 0.0)]
    pub value: Scalar,
}

fn main() {
    let _ = Scalar(0.0).0;
}
