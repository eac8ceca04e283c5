// Attributes that all operators have, as the lock has them.

use oplock::{Op, Var, op};

oplock::lock! {
    ops = table;
    common {
        /// Whether the operator is of the forward or the backward pass.
        #[attr(default = 0)]
        op_role: i32,
        #[attr(name = "op_callstack", default = [], extra)]
        stack: Vec<String>,
        #[attr(values = ["cpu", "gpu"], default = "cpu", alias("place"))]
        device: String,
    }
    saved graph {
        version 1 = "first release";
    }
}

#[op("slice")]
pub struct Slice {
    #[input]
    pub input: Var,
    #[output]
    pub out: Var,
}

fn main() {
    let common = table().common().unwrap();
    let names: Vec<_> = common.attrs.iter().map(|attr| attr.name.as_ref()).collect();
    assert_eq!(names, ["op_role", "op_callstack", "device"]);
    assert!(Slice::def().attrs.is_empty(), "an operator's own definition is what is declared");
    let registry = oplock::Registry::global().unwrap();
    let entry = registry.get("slice").unwrap();
    assert_eq!(entry.signature().attrs.len(), 3);
    let own = oplock::Fingerprint::of([Slice::def()]);
    assert_ne!(registry.fingerprint().ops.get("slice"), own.ops.get("slice"));
    // What a node has of them stays there, and does not keep it from being bound.
    let bind = |attr: &str, extra: bool| {
        let mut node = oplock::Node::new("slice");
        node.inputs.insert("input".into(), vec!["x".into()]);
        node.outputs.insert("out".into(), vec!["y".into()]);
        let attrs = if extra { &mut node.extra } else { &mut node.attrs };
        let value = if extra { oplock::Value::list(vec![]) } else { oplock::Value::I32(1) };
        attrs.insert(attr.into(), value);
        node.bind::<Slice>().map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(bind("op_role", false), Ok(()));
    assert_eq!(bind("op_callstack", true), Ok(()));
    assert!(bind("op_callstack", false).unwrap_err().contains("is Extra"));
    assert!(bind("op_roll", false).unwrap_err().contains("has no attribute `op_roll`"));
    assert!(bind("device", false).unwrap_err().contains("attribute `device` of `slice`"));
}
