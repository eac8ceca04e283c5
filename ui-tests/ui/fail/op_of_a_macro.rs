// The error of what a `macro_rules!` passes on stands where its user wrote it.

use oplock::{Var, op};

macro_rules! unary {
    ($name:literal, $ident:ident, $field:ident: $ty:ty = $default:expr) => {
        #[op($name, unlocked)]
        pub struct $ident {
            #[input(name = "X")]
            pub x: Var,
            #[attr(default = $default)]
            pub $field: $ty,
        }
    };
}

unary!("leaky-relu", LeakyRelu, alpha: f32 = 0.1);
unary!("elu", Elu, alpha: f32 = 1);
unary!("selu", Selu, alpha: u8 = 1);

fn main() {}
