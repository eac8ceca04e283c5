// Operators that a macro of another module makes, from fragments of every kind.
use oplock::{Bind, Op, Registry, Value};

mod kernels {
    macro_rules! unary {
        ($(#[$meta:meta])* $vis:vis $ident:ident, $name:literal, $attr:ident: $ty:ty = $default:expr; $($more:ident = $value:literal),*) => {
            $(#[$meta])*
            #[oplock::op($name)]
            $vis struct $ident {
                #[input(name = "X")]
                pub x: oplock::Var,
                #[output(name = "Out")]
                pub out: oplock::Var,
                #[attr(default = $default)]
                pub $attr: $ty,
                $(
                    #[attr(default = $value)]
                    pub $more: f32,
                )*
            }
        };
    }

    macro_rules! many {
        ($($name:tt $ident:ident)*) => { $( $crate::kernels::unary!(pub $ident, $name, alpha: f32 = 1.0;); )* };
    }

    pub(crate) use {many, unary};
}

kernels::unary!(
    /// Leaks.
    #[derive(Clone, Debug)]
    pub LeakyRelu, "leaky_relu", alpha: f32 = 0.02; beta = 1.0, gamma = -1.0);
kernels::unary!(pub(crate) Pad, "pad", pads: Vec<i32> = [0, 0];);
kernels::unary!(Clip, "clip", max: Option<f64> = None;);
kernels::many!("relu" Relu "tanh" Tanh);

oplock::lock!();

fn main() {
    assert_eq!(LeakyRelu::def().attrs.len(), 3);
    let node = LeakyRelu::new("x".into(), "y".into()).with_gamma(2.0).into_node().unwrap();
    assert_eq!(node.attrs["alpha"], Value::F32(0.02));
    assert_eq!(Clip::def().attr("max").unwrap().ty.to_string(), "f64?");
    assert_eq!(Registry::global().unwrap().len(), 5);
    let _ = (Relu::new("x".into(), "y".into()), Tanh::def(), Pad::def());
}
