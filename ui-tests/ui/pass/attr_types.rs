// Every type that an attribute may have, with a default where there can be one.
use std::borrow::Cow;

use oplock::{
    AttrType, Bind, Block, Complex128, DType, Func, Op, Scalar, ScalarType, Shape, SparseTensor, Tensor, TensorData,
    TypeProto, Value, Var, op,
};

#[op("types", unlocked)]
#[derive(Clone, Debug, PartialEq)]
pub struct Types {
    #[attr(default = true)]
    pub bool: bool,
    #[attr(default = -2147483648)]
    pub i32: i32,
    #[attr(default = 0x10)]
    pub i64: i64,
    #[attr(default = 1_000u32)]
    pub u32: u32,
    #[attr(default = 18446744073709551615)]
    pub u64: u64,
    #[attr(default = 1e-5)]
    pub f32: f32,
    #[attr(default = -2f32)]
    pub suffixed: f32,
    #[attr(default = f64::NEG_INFINITY)]
    pub f64: f64,
    #[attr(default = 3)]
    pub usize: usize,
    #[attr(default = -3)]
    pub isize: isize,
    #[attr(default = "a \"b\"\n")]
    pub string: String,
    #[attr(default = r"raw\")]
    pub cow: Cow<'static, str>,
    #[attr(default = b"\x00\xff")]
    pub bytes: Vec<u8>,
    #[attr(default = "float32")]
    pub dtype: DType,
    #[attr]
    pub block: Block,
    #[attr(default = "x")]
    pub var: Var,
    #[attr(default = -1.5)]
    pub scalar: Scalar,
    #[attr(default = [1, -2])]
    pub list: Vec<i32>,
    #[attr(default = [])]
    pub empty: Vec<String>,
    #[attr(default = [[1], [], [2, 3]])]
    pub nested: Vec<Vec<i64>>,
    #[attr(default = [1.0, 2.0])]
    pub array: [f32; 2],
    #[attr(default = [[1, 2], [3, 4]])]
    pub matrix: [[u32; 2]; 2],
    #[attr]
    pub optional: Option<f32>,
    #[attr]
    pub optional_list: Option<Vec<i32>>,
    #[attr(default = None)]
    pub said: Option<bool>,
    #[attr(default = i32::MAX)]
    pub max: i32,
    #[attr(default = [f32::INFINITY, -f32::MAX, f32::EPSILON])]
    pub constants: Vec<f32>,
    #[attr(default = (1.0, -0.5))]
    pub complex: Complex128,
    #[attr(default = [(0.0, -0.0), (f64::NAN, f64::INFINITY)])]
    pub complexes: Vec<Complex128>,
    #[attr(default = (2.0, 0.0))]
    pub complex_scalar: Scalar,
    #[attr(default = [1, _, 3])]
    pub shape: Shape,
    #[attr(default = [])]
    pub rank_zero: Shape,
    #[attr(default = _)]
    pub any_shape: Shape,
    #[attr(default = [[_, 2], _, []])]
    pub shapes: Vec<Shape>,
    #[attr(default = "relu")]
    pub func: Func,
    #[attr(default = "seq(f32)")]
    pub type_proto: TypeProto,
    #[attr]
    pub tensor: Option<Tensor>,
    #[attr]
    pub sparse: Option<SparseTensor>,
    #[attr(default = tensor(f32, [1, 1], b"\0\0\x80\x3f"))]
    pub one: Tensor,
    #[attr(default = [tensor("mine", [], b"\x01\xff"), tensor(string, [2], ["a", b"\xff"]),])]
    pub tensors: Vec<Tensor>,
    #[attr(values = ["f32", "f16"], default = "f32")]
    pub limited: DType,
    #[attr(values = ["f32", "f16"], default = ["f16", "f16"])]
    pub limited_list: Vec<DType>,
    #[attr(values = ["sum", "mean"], default = [])]
    pub limited_texts: Vec<String>,
}

fn complex_scalar(re: f64) -> Scalar {
    Scalar::Complex128(Complex128 { re, im: 0.0 })
}

fn main() {
    let types = Types::new(Block(7)).with_scalar(Scalar::I64(-4));
    assert_eq!((types.i64, types.u64, types.usize, types.isize), (16, u64::MAX, 3, -3));
    assert_eq!((types.f32, types.suffixed, types.f64), (0.00001, -2.0, f64::NEG_INFINITY));
    assert_eq!(
        (types.string.as_str(), types.cow.as_ref(), types.bytes.as_slice()),
        ("a \"b\"\n", "raw\\", &[0, 255][..])
    );
    assert_eq!((types.nested.len(), types.array, types.matrix), (3, [1.0, 2.0], [[1, 2], [3, 4]]));
    assert_eq!((types.optional, types.optional_list.clone(), types.said), (None, None, None));
    assert_eq!(types.constants, [f32::INFINITY, f32::MIN, f32::EPSILON]);

    assert_eq!((types.complex, types.complex_scalar), (Complex128 { re: 1.0, im: -0.5 }, complex_scalar(2.0)));
    assert_eq!(types.complexes[0], Complex128 { re: 0.0, im: -0.0 });
    assert_eq!(types.shape, Shape::of([Some(1), None, Some(3)]));
    assert_eq!((types.rank_zero.clone(), types.any_shape.clone()), (Shape::of([]), Shape::default()));
    assert_eq!(types.shapes, [Shape::of([None, Some(2)]), Shape::default(), Shape::of([])]);
    assert_eq!((types.func.clone(), types.type_proto.0.as_ref()), (Func::new("relu"), "seq(f32)"));

    let one = Tensor { ty: "f32".into(), dims: vec![1, 1], data: TensorData::Raw(1_f32.to_le_bytes().to_vec()) };
    assert_eq!(types.one, one);
    let mine = Tensor { ty: "mine".into(), dims: vec![], data: TensorData::Raw(vec![1, 255]) };
    let texts = TensorData::Strings(vec![b"a".to_vec(), vec![255]]);
    assert_eq!(types.tensors, [mine, Tensor { ty: "string".into(), dims: vec![2], data: texts }]);

    let raw = |bytes| Tensor { ty: "f32".into(), dims: vec![1], data: TensorData::Raw(bytes) };
    let error = types.clone().with_tensor(Some(raw(vec![0; 3]))).into_node().unwrap_err().to_string();
    assert!(error.contains("a tensor of 1 elements of type `f32` that has 3 bytes"), "{error}");
    let types = types.with_tensor(Some(raw(vec![0; 4])));
    let mut other = types.clone().into_node().unwrap();
    other.attrs.insert("limited_list".into(), Value::list(vec![Value::DType("f64".into())]));
    let error = other.bind::<Types>().unwrap_err().to_string();
    assert!(error.contains("\"f64\", which is none of"), "{error}");

    let node = types.clone().into_node().unwrap();
    assert_eq!(node.attrs["i32"], Value::I32(i32::MIN));
    assert!(!node.attrs.contains_key("optional"));
    assert_eq!(node.bind::<Types>().unwrap(), types);

    let ty = |name: &str| Types::def().attr(name).unwrap().ty;
    assert_eq!(ty("usize"), AttrType::of(ScalarType::Size));
    assert_eq!(ty("isize"), AttrType::of(ScalarType::I64));
    assert_eq!(ty("bytes").to_string(), "bytes");
    assert_eq!(ty("matrix").to_string(), "[[u32; 2]; 2]");
    assert_eq!(ty("optional_list").to_string(), "[i32]?");
}
