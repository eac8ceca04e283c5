use oplock::{Var, op};

oplock::lock!();

pub struct Pads(pub Vec<i64>);

impl oplock::AttrValue for Pads {
    const TYPE: oplock::AttrType = oplock::AttrType::list(oplock::ScalarType::I64);

    fn to_value(&self) -> Result<oplock::Value, oplock::ValueError> {
        self.0.to_value()
    }

    fn from_value(value: &oplock::Value) -> Result<Self, oplock::ValueError> {
        Vec::from_value(value).map(Pads)
    }
}

#[op("pad")]
pub struct Pad {
    #[input]
    pub x: Var,
    #[output]
    pub out: Var,
    #[attr(as = "[i64]")]
    pub pads: Pads,
}

fn main() {}
