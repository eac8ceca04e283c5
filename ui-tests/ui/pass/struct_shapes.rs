// Unit, empty, tuple and private structs; raw identifiers.
use oplock::{Bind, Op, Var, op};

#[op("barrier", unlocked)]
pub struct Barrier;

#[op("empty", unlocked)]
struct Empty {}

#[op("relu", inputs(x), outputs(out), unlocked)]
#[derive(Clone, Copy)]
pub struct Relu;

#[op("scale", unlocked)]
pub(crate) struct Scale(
    #[input(name = "X")] Var,
    #[output(name = "Out")] Var,
    #[attr(name = "scale factor", default = 2.0)] f32,
    #[skip] u8,
);

#[op("for", unlocked)]
struct r#For {
    #[input]
    r#in: Var,
    #[output]
    r#type: Var,
    #[attr(default = 1)]
    r#loop: i64,
}

fn main() {
    assert_eq!(Barrier::new().into_node().unwrap().op, "barrier");
    let _ = Empty::new();
    assert_eq!(Relu::def().inputs.len(), 1);
    let scale = Scale::new("x".into(), "y".into()).with_scale_factor(3.0);
    let node = scale.into_node().unwrap();
    let back: Scale = node.bind().unwrap();
    assert_eq!((back.0.0.as_str(), back.1.0.as_str(), back.2, back.3), ("x", "y", 3.0, 0));
    let node = r#For::new("x".into(), "y".into()).with_loop(2).into_node().unwrap();
    assert_eq!(node.inputs["in"], ["x"]);
    assert_eq!(node.outputs["type"], ["y"]);
    assert_eq!(node.bind::<r#For>().unwrap().r#loop, 2);
}
