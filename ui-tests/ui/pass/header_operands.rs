use oplock::{Bind, Op, Part, op};

#[op(
    "tract_core_gather",
    inputs(input, indices, mask(dispensable), "F1-Score"(dispensable, extra)),
    outputs(output, extra(duplicable, dispensable, name = "Extra Outputs")),
)]
#[derive(Debug, Clone, Hash, PartialEq)]
pub struct Gather {
    #[attr]
    pub axis: usize,
}

// A constructor of one's own.
impl Gather {
    pub fn new(axis: usize) -> Self {
        Gather { axis }
    }
}

#[op("renamed", inputs(first_input, "second_input"), rename_all = "PascalCase", new, unlocked)]
pub struct Renamed {
    #[attr(default = 1)]
    pub some_axis: i64,
}

oplock::lock!();

fn main() {
    let inputs: Vec<_> = Gather::def().inputs.iter().map(|arg| arg.name.as_ref()).collect();
    assert_eq!(inputs, ["input", "indices", "mask", "F1-Score"]);
    assert_eq!(Gather::def().inputs[3].part, Part::Extra);
    assert_eq!(Gather::def().outputs[1].name, "Extra Outputs");

    // The operands are whoever's builds the graph.
    let mut node = Gather::new(2).into_node().unwrap();
    assert!(node.inputs.is_empty());
    for input in ["input", "indices"] {
        node.inputs.insert(input.into(), vec![format!("{input}_var")]);
    }
    node.outputs.insert("output".into(), vec!["y".into()]);
    assert_eq!(node.bind::<Gather>().unwrap(), Gather { axis: 2 });

    assert_eq!(Renamed::def().inputs[0].name, "FirstInput");
    assert_eq!(Renamed::def().inputs[1].name, "second_input");
    assert_eq!(Renamed::def().attrs[0].name, "SomeAxis");
    assert_eq!(Renamed::new().with_some_axis(3).some_axis, 3);
}
