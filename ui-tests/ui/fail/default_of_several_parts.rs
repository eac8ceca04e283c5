// Defaults of shapes, complex numbers, functions and tensors that are none.
use oplock::{Complex128, Func, Scalar, Shape, SparseTensor, Tensor, TypeProto, op};

#[op("f", unlocked)]
pub struct F {
    #[attr(default = [1, -1])]
    pub negative_size: Shape,
    #[attr(default = [1, 2.0])]
    pub float_size: Shape,
    #[attr(default = [1, [2]])]
    pub nested_size: Shape,
    #[attr(default = 3)]
    pub size_alone: Shape,
    #[attr(default = [1, 99999999999999999999])]
    pub huge_size: Shape,
    #[attr(default = 1.0)]
    pub real: Complex128,
    #[attr(default = (1, 2.0))]
    pub integer_part: Complex128,
    #[attr(default = (1.0, 2.0, 3.0))]
    pub three_parts: Complex128,
    #[attr(default = (1.0,))]
    pub one_part: Scalar,
    #[attr(default = (1.0, 2.0))]
    pub pair: f64,
    #[attr(default = _)]
    pub unknown: i32,
    #[attr(default = [1, _])]
    pub unknown_element: Vec<i32>,
    #[attr(default = 1)]
    pub func: Func,
    #[attr(default = b"f32")]
    pub type_proto: TypeProto,
    #[attr(default = [1.0])]
    pub tensor: Tensor,
    #[attr(default = 1.0)]
    pub tensor_of_one: Tensor,
    #[attr(default = tensor(f32, [2], b"\0\0\0\0"))]
    pub too_few_elements: Tensor,
    #[attr(default = tensor(f23, [0], b""))]
    pub no_type: Tensor,
    #[attr(default = tensor(f32, [_], b""))]
    pub no_size: Tensor,
    #[attr(default = tensor(f32, [1], [1.0]))]
    pub no_bytes: Tensor,
    #[attr(default = tensor(f32, [1]))]
    pub no_elements: Tensor,
    #[attr(default = tensor(f32, [0], b""))]
    pub no_tensor: Vec<f32>,
    #[attr(default = 1)]
    pub sparse: SparseTensor,
    #[attr(default = [[[[1]]]])]
    pub deep: Vec<Vec<Shape>>,
}

fn main() {}
