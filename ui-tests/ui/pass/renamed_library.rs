// Where the library has another name, a facade's: `lock!` finds it by itself, an `unlocked` operator is told.
mod facade {
    pub mod nn {
        pub use ::oplock::*;
    }
}

facade::nn::lock!();

#[facade::nn::op("relu")]
pub struct Relu {
    #[input]
    pub x: facade::nn::Var,
}

#[facade::nn::op("gelu", unlocked, crate = crate::facade::nn)]
pub struct Gelu {
    #[input]
    pub x: facade::nn::Var,
}

#[facade::nn::op("silu", unlocked, crate = "crate::facade::nn")]
pub struct Silu;

mod shadowed {
    // Nothing that the expansion names is the author's.
    #![allow(dead_code, non_camel_case_types)]
    struct Option;
    struct Result;
    struct Some;
    struct None;
    struct Ok;
    struct Vec;
    struct String;
    struct Default;
    struct rt;
    struct Ops;
    mod core {}
    mod std {}

    #[oplock::op("shadowed")]
    pub struct Shadowed {
        #[input(dispensable)]
        pub x: ::std::option::Option<::oplock::Var>,
        #[input(duplicable)]
        pub xs: ::std::vec::Vec<::oplock::Var>,
        #[attr]
        pub maybe: ::std::option::Option<f32>,
        #[attr(default = [1])]
        pub list: ::std::vec::Vec<i32>,
        #[skip]
        pub skipped: u8,
    }
}

fn main() {
    let names: Vec<_> = oplock::Registry::global().unwrap().iter().map(|entry| entry.def.name.as_ref()).collect();
    assert_eq!(names, ["gelu", "relu", "shadowed", "silu"]);
}
