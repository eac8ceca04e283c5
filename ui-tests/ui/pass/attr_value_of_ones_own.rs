use oplock::{AttrType, AttrValue, Bind, BindError, Node, Op, ScalarType, Value, ValueError, op};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pads(Vec<(usize, usize)>);

impl AttrValue for Pads {
    const TYPE: AttrType = AttrType::list(ScalarType::I64);

    fn to_value(&self) -> Result<Value, ValueError> {
        self.0.iter().flat_map(|(low, high)| [*low, *high]).collect::<Vec<usize>>().to_value()
    }

    fn from_value(value: &Value) -> Result<Self, ValueError> {
        let flat = Vec::<usize>::from_value(value)?;
        Ok(Pads(flat.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()))
    }
}

#[op("pad", unlocked)]
#[derive(Debug)]
pub struct Pad {
    #[attr(as = "[i64]")]
    pub pads: Pads,
    #[attr(as = "[i64]", default = [1, 2])]
    pub inner: Pads,
    #[attr(as = "[[i64]]", default = [[1, 2], []])]
    pub many: Vec<Pads>,
    #[attr(as = "[i64]")]
    pub maybe: Option<Pads>,
}

fn main() {
    assert_eq!(Pad::def().attr("maybe").unwrap().ty.to_string(), "[i64]?");
    let pad = Pad::new(Pads(vec![(3, 4)]));
    assert_eq!(pad.inner, Pads(vec![(1, 2)]));
    assert_eq!(pad.many, [Pads(vec![(1, 2)]), Pads(vec![])]);
    let mut node = pad.with_maybe(Some(Pads(vec![]))).into_node().unwrap();
    assert_eq!(node.bind::<Pad>().unwrap().maybe, Some(Pads(vec![])));
    node.attrs.insert("pads".into(), Value::list(vec![Value::I64(-1), Value::I64(0)]));
    assert!(matches!(node.bind::<Pad>(), Err(BindError::Value { name, .. }) if name == "pads"));
    assert!(matches!(Node::new("pad").bind::<Pad>(), Err(BindError::Missing { .. })));
}
