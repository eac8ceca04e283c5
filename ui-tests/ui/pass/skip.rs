use oplock::{Bind, Op, Var, op};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    steps: Vec<u8>,
}

#[op("conv", unlocked)]
#[derive(Debug)]
pub struct Conv {
    #[input]
    pub x: Var,
    #[skip]
    pub plan: Plan,
    #[output]
    pub y: Var,
    #[skip]
    cache: Option<Box<dyn std::any::Any>>,
}

fn main() {
    let mut conv = Conv::new("x".into(), "y".into());
    assert!(conv.cache.is_none());
    conv.plan.steps.push(1);
    let node = conv.into_node().unwrap();
    assert_eq!(Conv::def().item_names().count(), 2);
    assert_eq!(node.bind::<Conv>().unwrap().plan, Plan::default());
}
