//! Each mistake in what is said of element types and numbers is told where it stands.

use oplock::{DType, Var, op};

#[op("names", unlocked, types(T = [], T = [f32], U = [f32, f32], N, f16, "" = [f32], V = [float]), stateful, stateful)]
struct Names {
    #[input(of = T)]
    x: Var,
    #[input(of = t)]
    y: Var,
    #[input(of = N)]
    z: Var,
    #[input(of = "a\nb")]
    b: Var,
    #[attr(name = "N")]
    n: i64,
}

#[op("counts", unlocked, types(T))]
struct Counts {
    #[input(of = N * T)]
    single: Var,
    #[input(of = M * T, duplicable)]
    unknown: Vec<Var>,
    #[input(of = D * f32, duplicable)]
    no_integer: Vec<Var>,
    #[input(of = N * T, min = 2, duplicable)]
    twice: Vec<Var>,
    #[input(of = N * L, duplicable)]
    list_and_count: Vec<Var>,
    #[input(of = L)]
    one_of_a_list: Var,
    #[input(of = X * E, duplicable)]
    exported: Vec<Var>,
    #[attr(name = "N")]
    n: i64,
    #[attr(name = "D")]
    d: DType,
    #[attr(name = "L")]
    l: Vec<DType>,
    #[attr(name = "X", default = 1, extra)]
    x: i64,
    #[attr(name = "E", default = "f32", extra)]
    e: DType,
    #[input(of = E, quant, dispensable)]
    left_by_a_float_export: Option<Var>,
}

#[op("numbers", unlocked)]
struct Numbers {
    #[input(min = 2)]
    single: Var,
    #[input(min = 0, duplicable)]
    none: Vec<Var>,
    #[input(min = 2, duplicable, dispensable)]
    maybe: Vec<Var>,
    #[input(min = -1, duplicable)]
    negative: Vec<Var>,
    #[input(heterogeneous)]
    alone: Var,
    #[input(heterogeneous, duplicable, of = f32)]
    fixed: Vec<Var>,
    #[input(heterogeneous, duplicable)]
    untyped: Vec<Var>,
}

#[op("syntax", unlocked, types, types())]
struct Syntax {
    #[input(of)]
    x: Var,
    #[input(of = 3)]
    y: Var,
    #[input(of = f32, of = f32)]
    z: Var,
    #[attr(of = f32)]
    a: i64,
    #[attr(heterogeneous)]
    b: i64,
}

fn main() {}
