// `aten::add.Tensor` beside `aten_add_Tensor`, and names that are keywords of Rust.
use oplock::{Registry, op};

macro_rules! ops {
    ($($ident:ident $name:literal),* $(,)?) => {$(
        #[op($name)]
        pub struct $ident;
    )*};
}

ops! {
    A "aten::add.Tensor", B "aten_add_Tensor", C "aten::add_Tensor", D "aten__add_Tensor", E "aten.add.Tensor",
    F "while", G "if", H "self", I "Self", J "crate", K "fn", L "true", M "aten:add>Tensor", N "_hidden", O "ops", P "rt",
}

oplock::lock!();

fn main() {
    let registry = Registry::global().unwrap();
    assert_eq!(registry.len(), 16);
    // What the lock has is in the crate's table, the others arrive by themselves.
    let locked: Vec<_> = ops().iter().map(|def| def.name.as_ref()).collect();
    assert_eq!(locked, ["aten::add.Tensor", "aten_add_Tensor", "self", "while"]);
    assert_eq!(registry.nearest("aten::add.Tensr"), Some("aten::add.Tensor"));
}
