// To a node and back, and each way in which a node is no well formed use.
use oplock::{Bind, BindError, Kind, Node, Value, Var, op};

#[op("slice", unlocked)]
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    #[input(name = "Input")]
    pub input: Var,
    #[input(name = "EndsTensor", dispensable)]
    pub ends_tensor: Option<Var>,
    #[input(name = "List", duplicable)]
    pub list: Vec<Var>,
    #[output(name = "Out", dispensable, duplicable)]
    pub out: Vec<Var>,
    #[attr]
    pub axes: Vec<i32>,
    #[attr(default = 5)]
    pub steps: u32,
    #[attr]
    pub limit: Option<f32>,
    #[attr(default = 0)]
    pub size: usize,
    #[attr(default = false, extra)]
    pub use_mkldnn: bool,
}

fn main() {
    let slice = Slice::new("x".into(), vec!["a".into(), "b".into()], vec![0]);
    let node = slice.clone().into_node().unwrap();
    assert_eq!(node.inputs["List"], ["a", "b"]);
    assert!(!node.inputs.contains_key("EndsTensor") && !node.outputs.contains_key("Out"));
    assert_eq!(node.attrs["steps"], Value::U32(5));
    assert_eq!(node.bind::<Slice>().unwrap(), slice);

    // What is Extra is kept apart.
    assert_eq!(node.extra["use_mkldnn"], Value::Bool(false));
    assert!(!node.attrs.contains_key("use_mkldnn"));
    let fast = slice.clone().with_use_mkldnn(true).into_node().unwrap();
    assert!(fast.bind::<Slice>().unwrap().use_mkldnn);

    // What is left out has its default.
    let mut short = node.clone();
    short.attrs.retain(|name, _| name == "axes");
    short.extra.clear();
    assert_eq!(short.bind::<Slice>().unwrap(), slice);

    let fails = |change: &dyn Fn(&mut Node)| {
        let mut bad = node.clone();
        change(&mut bad);
        bad.bind::<Slice>().unwrap_err()
    };
    let error = fails(&|node| node.op = "slise".into());
    assert_eq!(error.to_string(), "the node is of operator `slise`, not `slice`");
    let error = fails(&|node| drop(node.inputs.remove("Input")));
    assert_eq!(error.to_string(), "input `Input` of `slice` takes one variable, the node has 0");
    let error = fails(&|node| drop(node.inputs.insert("List".into(), Vec::new())));
    assert!(matches!(error, BindError::Count { kind: Kind::Input, expected: "at least one", found: 0, .. }));
    let error = fails(&|node| drop(node.inputs.insert("EndsTensor".into(), vec!["a".into(), "b".into()])));
    assert!(matches!(error, BindError::Count { expected: "at most one", found: 2, .. }));
    let error = fails(&|node| drop(node.outputs.insert("Oot".into(), Vec::new())));
    assert_eq!(error.to_string(), "operator `slice` has no output `Oot`");
    let error = fails(&|node| drop(node.attrs.remove("axes")));
    assert_eq!(error.to_string(), "attribute `axes` of `slice` is missing, and it has no default");
    let error = fails(&|node| drop(node.attrs.insert("steps".into(), Value::I64(5))));
    assert_eq!(
        error.to_string(),
        "attribute `steps` of `slice`: expected a value of type `u32`, found a value of type `i64`"
    );
    let error = fails(&|node| drop(node.attrs.insert("size".into(), Value::I64(-1))));
    assert!(matches!(error, BindError::Value { .. }));
    // Of several that are missing the first is told.
    let error = fails(&|node| node.attrs.retain(|name, _| name != "axes" && name != "limit"));
    assert!(matches!(error, BindError::Missing { name, .. } if name == "axes"));
    let error = fails(&|node| drop(node.attrs.insert("axis".into(), Value::I64(5))));
    assert!(matches!(error, BindError::Unknown { kind: Kind::Attr, .. }));

    let error = fails(&|node| drop(node.attrs.insert("use_mkldnn".into(), Value::Bool(true))));
    assert_eq!(
        error.to_string(),
        "attribute `use_mkldnn` of `slice` is Extra, and the node has it among the promised ones (`attrs`)"
    );
    let error = fails(&|node| drop(node.extra.insert("steps".into(), Value::U32(5))));
    assert_eq!(
        error.to_string(),
        "attribute `steps` of `slice` is not Extra, and the node has it among the Extra ones (`extra`)"
    );

    // A number that its saved type cannot hold is refused when it is written.
    let error = Slice { size: usize::MAX, ..slice }.into_node().unwrap_err();
    assert!(error.to_string().contains("too large"), "{error}");
}
