//! The network: two convolutions, two poolings, and a score for each of ten classes, rounded to whole numbers.

use std::fmt::Write as _;

use convnet_kernels::{Tensor, Tensors};
use oplock::graph::GraphBuilder;
use oplock::{Bind as _, Var};
use v1_0::{AddBias, AvgPool, Conv2d, MaxPool, Mul, Relu, Round};

use crate::{Model, Result, Runtime};

/// How large images are: batch, channel, height, width.
pub const IMAGE: [usize; 4] = [1, 1, 8, 8];

/// The network as a program of the release 1.0 makes it.
///
/// # Errors
///
/// Never, as its attributes can all be saved.
pub fn of_1_0() -> Result<Model> {
    let mut graph = GraphBuilder::new();
    let image = graph.input("image");
    // Weights are variables that are given from outside too.
    let [filter1, bias1, filter2, bias2, dense, bias3] = NAMES.map(|name| graph.input(name));
    let mut layer = |name: &str| graph.fresh(name);
    let [conv1, biased1, active1, pooled1] = ["conv", "biased", "active", "pooled"].map(&mut layer);
    let [conv2, biased2, active2, pooled2] = ["conv", "biased", "active", "pooled"].map(&mut layer);
    let [scores, shifted, rounded] = ["scores", "shifted", "rounded"].map(&mut layer);
    graph.push(Conv2d::new(image, filter1, conv1.clone()).with_paddings([1, 1]))?;
    graph.push(AddBias::new(conv1, bias1, biased1.clone()))?;
    graph.push(Relu::new(biased1, active1.clone()))?;
    graph.push(MaxPool::new(active1, pooled1.clone(), [2, 2]).with_strides([2, 2]))?;
    graph.push(Conv2d::new(pooled1, filter2, conv2.clone()))?;
    graph.push(AddBias::new(conv2, bias2, biased2.clone()))?;
    graph.push(Relu::new(biased2, active2.clone()))?;
    // Of the padding it says how much there is, and not whether it counts: that is left to the default.
    graph.push(AvgPool::new(active2, pooled2.clone(), [2, 2]).with_strides([2, 2]).with_paddings([1, 1]))?;
    graph.push(Mul::new(pooled2, dense, scores.clone()))?;
    graph.push(AddBias::new(scores, bias3, shifted.clone()))?;
    graph.push(Round::new(shifted, rounded.clone()))?;
    graph.output(&rounded);
    Ok(Model { graph: graph.finish(), weights: weights() })
}

/// The same network as a program of the release 1.1 may make it: its second convolution has gaps.
///
/// # Errors
///
/// As [`of_1_0`].
pub fn with_gaps() -> Result<Model> {
    let mut model = of_1_0()?;
    let nodes = &mut model.graph.blocks[0].nodes;
    let second = nodes.iter().rposition(|node| node.op == "conv2d").ok_or("there are two convolutions")?;
    let conv: v1_1::Conv2d = nodes[second].bind()?;
    nodes[second] = conv.with_dilations([2, 2]).with_paddings([1, 1]).into_node()?;
    let last = nodes.iter().position(|node| node.op == "mul").ok_or("there is a multiplication")?;
    let mul: v1_0::Mul = nodes[last].bind()?;
    let rows = Var::from("rows");
    nodes[last] = v1_1::MatMul::new(rows.clone(), mul.y, mul.out).into_node()?;
    nodes.insert(last, v1_1::Flatten::new(mul.x, rows).into_node()?);
    Ok(model)
}

/// The weights in the order of the layers that use them.
const NAMES: [&str; 6] = ["conv1.filter", "conv1.bias", "conv2.filter", "conv2.bias", "dense", "dense.bias"];

/// Weights that nobody trained: so coarse that sums are exact, and that some scores lie half-way between two whole numbers.
fn weights() -> Tensors {
    let shapes: [&[usize]; 6] = [&[4, 1, 3, 3], &[4], &[8, 4, 3, 3], &[8], &[32, 10], &[10]];
    let mut weights = Tensors::default();
    let mut dice = Dice(1);
    for (name, shape) in NAMES.iter().zip(shapes) {
        weights.set(*name, Tensor::from_shape_fn(shape, |_| dice.throw()));
    }
    weights
}

/// An image that nobody took; another for each number.
pub fn image(number: u32) -> Tensor {
    let mut dice = Dice(u64::from(number) + 100);
    Tensor::from_shape_fn(IMAGE.as_slice(), |_| dice.throw())
}

/// What a network makes of three images, a line each: `image 1: -15 10 …`.
///
/// # Errors
///
/// As [`Runtime::run`].
pub fn scores(runtime: &Runtime, model: &Model) -> Result<String> {
    let mut text = String::new();
    for number in 1..=3 {
        let scores = runtime.run(model, &image(number))?;
        let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "image {number}: {}", scores.join(" "));
    }
    Ok(text)
}

/// Numbers that look random and are the same everywhere: multiples of a half from -1 to 1.
struct Dice(u64);

impl Dice {
    fn throw(&mut self) -> f32 {
        // The constants are Knuth's, of MMIX.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let five = u8::try_from((self.0 >> 33) % 5).unwrap_or_default();
        (f32::from(five) - 2.0) / 2.0
    }
}
