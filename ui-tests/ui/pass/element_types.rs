//! What a declaration says of element types, numbers and behaviour is in its definition.

use oplock::{Bind, BindError, DType, ElementType, Flags, Node, Op, TypeVar, Value, op};

#[op("conv", unlocked, types(T = [f16, f32], U, "my type" = ["seq(f32)"],), stateful, communication)]
pub struct Conv {
    #[input(of = T)]
    pub x: oplock::Var,
    #[input(of = T, dispensable)]
    pub bias: Option<oplock::Var>,
    #[input(of = U, duplicable, heterogeneous, min = 2)]
    pub rest: Vec<oplock::Var>,
    #[input(of = "my type", by_ref)]
    pub own: oplock::Var,
    #[output(of = "map(i64, f32)")]
    pub map: oplock::Var,
    #[output(of = bool)]
    pub mask: oplock::Var,
    #[output]
    pub untyped: oplock::Var,
}

#[op("concat", unlocked, inputs(values(duplicable, of = N * T), axis(of = Tidx)), outputs(out(of = T)), commutative, aggregate, uninitialized)]
#[derive(Debug)]
pub struct Concat {
    #[attr(name = "N", min = 2)]
    pub n: i64,
    #[attr(name = "T")]
    pub t: DType,
    #[attr(name = "Tidx", default = "i32")]
    pub tidx: DType,
}

#[op("print", unlocked)]
pub struct Print {
    #[input(of = T, duplicable, dispensable)]
    pub data: Vec<oplock::Var>,
    #[output(of = "num outs" * _, duplicable)]
    pub out: Vec<oplock::Var>,
    #[attr(name = "T", default = [])]
    pub t: Vec<DType>,
    #[attr(name = "num outs")]
    pub num_outs: u32,
}

fn main() {
    let fixed = |name: &'static str| Some(ElementType::Fixed(name.into()));
    let var = |name: &'static str| Some(ElementType::Var(name.into()));
    let conv = Conv::def();
    assert_eq!(conv.flags, Flags { stateful: true, communication: true, ..Flags::default() });
    let sets = [("T", vec!["f16", "f32"]), ("U", vec![]), ("my type", vec!["seq(f32)"])];
    let set = |(name, types): (&'static str, Vec<&'static str>)| TypeVar {
        name: name.into(),
        allowed: types.into_iter().map(Into::into).collect(),
    };
    assert_eq!(*conv.types, sets.map(set));
    let types: Vec<_> = conv.inputs.iter().chain(conv.outputs.iter()).map(|arg| arg.ty.clone()).collect();
    let expected =
        [var("T"), var("T"), var("U"), var("my type"), fixed("map(i64, f32)"), fixed("bool"), None];
    assert_eq!(types, expected);
    assert_eq!((conv.inputs[2].min, conv.inputs[2].heterogeneous, conv.inputs[3].by_ref), (Some(2), true, true));

    let concat = Concat::def();
    assert_eq!((&concat.inputs[0].ty, concat.inputs[0].count.as_deref()), (&var("T"), Some("N")));
    assert_eq!((&concat.inputs[1].ty, &concat.outputs[0].ty), (&var("Tidx"), &var("T")));
    assert!(concat.types.is_empty() && concat.flags.commutative && concat.flags.aggregate && concat.flags.uninitialized);

    // A node that has another number of variables is not one of the operator.
    let mut node = Concat { n: 2, t: DType("f32".into()), tidx: DType("i32".into()) }.into_node().unwrap();
    let variables = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    node.inputs.insert("values".into(), variables(&["a", "b"]));
    node.inputs.insert("axis".into(), variables(&["i"]));
    node.outputs.insert("out".into(), variables(&["y"]));
    assert_eq!(node.bind::<Concat>().unwrap().n, 2);
    node.inputs.insert("values".into(), variables(&["a"]));
    let error = node.bind::<Concat>().unwrap_err();
    assert!(matches!(error, BindError::Number { found: 1, .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "the number of variables of input `values` of `concat` is 2, as attribute `N` says, the node has 1"
    );

    // Nor is one whose attribute is below its minimum, and none can be made.
    node.attrs.insert("N".into(), Value::I64(1));
    let error = node.bind::<Concat>().unwrap_err().to_string();
    assert_eq!(error, "attribute `N` of `concat`: expected a value of type `i64`, found 1, and at least 2 is allowed");
    let small = Concat { n: 1, t: DType("f32".into()), tidx: DType("i32".into()) };
    assert_eq!(small.into_node().unwrap_err().to_string(), error);

    let print = |data: &[&str], types: &[&'static str]| {
        let mut node = Node::new("print");
        node.inputs.insert("data".into(), variables(data));
        node.outputs.insert("out".into(), variables(&["y"]));
        node.attrs.insert("num outs".into(), Value::U32(1));
        let types = types.iter().map(|ty| Value::DType((*ty).into())).collect();
        node.attrs.insert("T".into(), Value::list(types));
        node.bind::<Print>().map(|print| print.data.len())
    };
    assert_eq!(print(&["a"], &["f32"]), Ok(1));
    let error = print(&["a"], &["f32", "i64"]).unwrap_err().to_string();
    assert!(error.ends_with("is 2, as attribute `T` has types, the node has 1"), "{error}");

    let print = Print::def();
    assert_eq!((&print.inputs[0].ty, &print.outputs[0].ty), (&var("T"), &None));
    assert_eq!(print.outputs[0].count.as_deref(), Some("num outs"));
}
