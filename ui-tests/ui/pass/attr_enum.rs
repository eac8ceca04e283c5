use oplock::{Bind, BindError, Node, Op, Value, op};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    Constant,
    Reflect,
}

oplock::attr_enum!(Mode { Constant = "constant", Reflect = "reflect" });

#[op("pad", unlocked)]
#[derive(Debug)]
pub struct Pad {
    #[attr(values = ["reflect", "constant"], default = "constant")]
    pub mode: Mode,
    #[attr(as = "[string]", values = ["constant", "reflect"], default = ["reflect", "constant"])]
    pub modes: Vec<Mode>,
    #[attr(values = ["constant", "reflect"])]
    pub maybe: Option<Mode>,
    // Text that is checked, without an enum.
    #[attr(values = ["NCHW", "NHWC"], default = "NCHW")]
    pub layout: String,
}

fn main() {
    let pad = Pad::new();
    assert_eq!((pad.mode, pad.maybe), (Mode::Constant, None));
    assert_eq!(Pad::def().attr("mode").unwrap().values.len(), 2);
    let node = pad.with_maybe(Some(Mode::Reflect)).into_node().unwrap();
    assert_eq!(node.attrs["maybe"], Value::String("reflect".into()));
    assert_eq!(node.bind::<Pad>().unwrap().maybe, Some(Mode::Reflect));

    let mut node = Node::new("pad");
    node.attrs.insert("layout".into(), Value::String("HWCN".into()));
    let error = node.bind::<Pad>().unwrap_err();
    assert!(matches!(&error, BindError::Value { .. }));
    assert!(error.to_string().contains("\"HWCN\", which is none of"), "{error}");
    assert_eq!(Pad::new().with_layout("HWCN".into()).into_node().unwrap_err(), error);
}
