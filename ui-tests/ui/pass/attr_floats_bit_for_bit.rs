use oplock::{Bind, Node, Op, Value, op};

#[op("floats")]
#[derive(Debug)]
pub struct Floats {
    #[attr(default = 0.00001)]
    pub epsilon: f32,
    #[attr(default = f32::NAN)]
    pub nan: f32,
    #[attr(default = -0.0)]
    pub negative_zero: f64,
    #[attr(default = 0.1)]
    pub tenth: f64,
}

oplock::lock!();

fn main() {
    // C7: the lock says 1e-5, nan and -0.0, and nothing is stale.
    assert_eq!(ops().iter().count(), 1);
    let floats: Floats = Node::new("floats").bind().unwrap();
    assert!(floats.nan.is_nan() && floats.negative_zero.is_sign_negative());
    assert_eq!(Floats::def().attr("nan").unwrap().default, Some(Value::F32(-f32::NAN)));
    let node = floats.into_node().unwrap();
    assert_eq!(node.attrs["negative_zero"], Value::F64(-0.0));
    assert_ne!(node.attrs["negative_zero"], Value::F64(0.0));
}
