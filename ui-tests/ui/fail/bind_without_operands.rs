// Wires of a type that is no `Operand`: an operator, but nothing that becomes a node.

use oplock::op;

pub struct Tensor;

#[op("relu", unlocked)]
pub struct Relu {
    #[input]
    pub x: Tensor,
    #[output(duplicable)]
    pub out: Vec<Tensor>,
}

fn main() {
    let op = Relu::new(Tensor, Vec::new());
    let _ = oplock::Bind::into_node(op);
}
