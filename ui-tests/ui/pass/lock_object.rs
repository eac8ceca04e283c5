// A program gets the crate's own object of each operator back from its node, also of one that no lock has yet.
use oplock::{BuildError, Node, Registry, Value, Var, op};

mod kernels {
    pub trait TypedOp: std::fmt::Debug {
        fn flops(&self) -> u64;
    }
}
use kernels::TypedOp;

oplock::lock! { object = dyn TypedOp + Send; }

#[op("relu")]
#[derive(Debug)]
pub struct Relu {
    #[input]
    pub x: Var,
    #[attr(default = 0.0)]
    pub limit: f32,
}

impl TypedOp for Relu {
    fn flops(&self) -> u64 {
        if self.limit > 0.0 { 2 } else { 1 }
    }
}

#[op("neg")]
#[derive(Debug)]
pub struct Neg {
    #[input]
    pub x: Var,
}

impl TypedOp for Neg {
    fn flops(&self) -> u64 {
        3
    }
}

#[op("probe", unlocked)]
pub struct Probe;

fn main() {
    let registry = Registry::global().unwrap();
    let mut relu = Node::new("relu");
    relu.inputs.insert("x".into(), vec!["a".into()]);
    relu.attrs.insert("limit".into(), Value::F32(6.0));
    let neg = Node { op: "neg".into(), attrs: Default::default(), ..relu.clone() };
    let ops: Vec<Box<dyn TypedOp + Send>> = [&relu, &neg].map(|node| registry.build(node).unwrap()).into();
    assert_eq!(ops.iter().map(|op| op.flops()).collect::<Vec<_>>(), [2, 3]);

    let error = |node: &Node| registry.build::<dyn TypedOp + Send>(node).unwrap_err();
    assert_eq!(error(&Node::new("rely")).to_string(), "this program has no operator `rely`; did you mean `relu`?");
    assert!(matches!(error(&Node::new("relu")), BuildError::Node(_)));
    let text = error(&Node::new("probe")).to_string();
    assert!(text.starts_with("nothing says into what object operator `probe` of "), "{text}");
    let text = registry.build::<dyn TypedOp>(&relu).unwrap_err().to_string();
    assert!(text.contains("TypedOp + core::marker::Send`, and `dyn ") && text.ends_with("TypedOp` was asked for"), "{text}");
}
