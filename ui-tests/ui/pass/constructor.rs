// `new` takes what is required in the order of the fields; the rest has setters.
use oplock::{Var, op};

#[op("slice", unlocked)]
pub struct Slice {
    #[attr]
    pub axes: Vec<i32>,
    #[input]
    pub input: Var,
    #[input(dispensable)]
    pub ends: Option<Var>,
    #[input(dispensable, duplicable)]
    pub list: Vec<Var>,
    #[attr(default = [0])]
    pub starts: Vec<i32>,
    #[output(intermediate)]
    pub out: Var,
}

#[op("own", new = false, unlocked)]
pub struct Own {
    #[input]
    pub x: Var,
}

impl Own {
    fn new() -> Self {
        Own { x: "x".into() }
    }
}

#[op("header", inputs(x), new, unlocked)]
pub struct Header {
    #[attr]
    pub r#type: i32,
    #[attr(default = 2)]
    pub r#as: i32,
}

mod inner {
    #[oplock::op("private", unlocked)]
    pub(super) struct Private {
        #[attr]
        axis: i32,
    }

    impl Private {
        pub(super) fn axis(&self) -> i32 {
            self.axis
        }
    }
}

fn main() {
    let slice = Slice::new(vec![1], "x".into(), "y".into()).with_ends(Some("e".into())).with_list(vec!["l".into()]);
    assert_eq!((slice.axes, slice.starts, slice.input.0.as_str()), (vec![1], vec![0], "x"));
    assert_eq!(slice.ends, Some("e".into()));
    assert_eq!(Own::new().x.0, "x");
    let header = Header::new(1).with_as(3);
    assert_eq!((header.r#type, header.r#as), (1, 3));
    assert_eq!(inner::Private::new(4).axis(), 4);
}
