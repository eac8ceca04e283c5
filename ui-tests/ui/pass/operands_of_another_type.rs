// Wires of any type: the operator converts to and from a node where they are `Operand`s.
use oplock::{Bind, Op, Operand, op};

pub struct Tensor;

#[op("eager_relu", unlocked)]
pub struct EagerRelu {
    #[input]
    pub x: Tensor,
    #[input(dispensable)]
    pub mask: Option<Tensor>,
    #[output(duplicable)]
    pub out: Vec<Tensor>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ValueId(u32);

impl Operand for ValueId {
    fn from_variable(name: &str) -> Self {
        ValueId(name.trim_start_matches('%').parse().unwrap_or_default())
    }

    fn variable(&self) -> String {
        format!("%{}", self.0)
    }
}

#[op("relu", unlocked)]
pub struct Relu {
    #[input]
    pub x: ValueId,
    #[input(dispensable)]
    pub mask: Option<ValueId>,
    #[output(duplicable)]
    pub out: Vec<ValueId>,
}

fn main() {
    assert_eq!(EagerRelu::def().inputs.len(), 2);
    let _ = EagerRelu::new(Tensor, vec![Tensor]).with_mask(Some(Tensor));

    let node = Relu::new(ValueId(1), vec![ValueId(2), ValueId(3)]).into_node().unwrap();
    assert_eq!(
        (node.inputs["x"].as_slice(), node.outputs["out"].as_slice()),
        (&["%1".to_owned()][..], &["%2".to_owned(), "%3".to_owned()][..])
    );
    let back: Relu = node.bind().unwrap();
    assert_eq!((back.x, back.mask, back.out.len()), (ValueId(1), None, 2));
}
