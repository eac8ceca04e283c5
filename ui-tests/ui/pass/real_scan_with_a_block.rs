// In the spirit of ONNX's Scan: a body that is a sub-graph, and lists of state variables.
use oplock::{Bind, Block, Op, Var, op};

oplock::lock!();

/// Runs `body` once for each slice of the scanned inputs.
#[op("Scan")]
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// Initial values of the state, then what is scanned.
    #[input(name = "initial_state_and_scan_inputs", duplicable)]
    pub inputs: Vec<Var>,
    #[output(name = "final_state_and_scan_outputs", duplicable)]
    pub outputs: Vec<Var>,
    #[attr]
    pub body: Block,
    #[attr(default = [])]
    pub else_branches: Vec<Block>,
    #[attr]
    pub num_scan_inputs: i64,
    #[attr]
    pub scan_input_axes: Option<Vec<i64>>,
    #[attr(default = [])]
    pub scan_input_directions: Vec<i64>,
    #[attr(default = "")]
    pub condition: Var,
}

fn main() {
    let scan = Scan::new(vec!["h0".into(), "xs".into()], vec!["h".into(), "ys".into()], Block(1), 1)
        .with_scan_input_axes(Some(vec![0, -1]));
    let node = scan.clone().into_node().unwrap();
    assert_eq!(node.bind::<Scan>().unwrap(), scan);
    assert_eq!(Scan::def().attr("else_branches").unwrap().ty.to_string(), "[block]");
    oplock::__private::assert_up_to_date(ops());
}
