// In the spirit of ONNX's Resize as burn imports it: enums, optional attributes, many optional inputs.
use oplock::{Bind, DType, Scalar, Value, Var, op};

oplock::lock!();

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResizeMode {
    #[default]
    Nearest,
    Linear,
    Cubic,
}

oplock::attr_enum!(ResizeMode { Nearest = "nearest", Linear = "linear", Cubic = "cubic" });

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AspectPolicy {
    Stretch,
    NotLarger,
    NotSmaller,
}

oplock::attr_enum!(AspectPolicy {
    Stretch = "stretch",
    NotLarger = "not_larger",
    NotSmaller = "not_smaller",
});

#[op("ai.onnx.Resize")]
#[derive(Clone, Debug)]
pub struct Resize {
    #[input(name = "X")]
    pub x: Var,
    #[input(dispensable)]
    pub roi: Option<Var>,
    #[input(dispensable)]
    pub scales: Option<Var>,
    #[input(dispensable)]
    pub sizes: Option<Var>,
    #[output(name = "Y")]
    pub y: Var,
    #[attr(default = false)]
    pub antialias: bool,
    #[attr]
    pub axes: Option<Vec<i64>>,
    #[attr(values = ["half_pixel", "asymmetric"], default = "half_pixel")]
    pub coordinate_transformation_mode: String,
    #[attr(default = -0.75)]
    pub cubic_coeff_a: f32,
    #[attr(default = 0.0)]
    pub extrapolation_value: Scalar,
    #[attr(values = ["stretch", "not_larger", "not_smaller"])]
    pub keep_aspect_ratio_policy: Option<AspectPolicy>,
    #[attr(values = ["nearest", "linear", "cubic"], default = "nearest")]
    pub mode: ResizeMode,
    #[attr]
    pub output_dtype: Option<DType>,
    #[attr(default = 1.0, quant)]
    pub scale_y: f32,
}

fn main() {
    let resize = Resize::new("x".into(), "y".into())
        .with_sizes(Some("s".into()))
        .with_keep_aspect_ratio_policy(Some(AspectPolicy::NotLarger))
        .with_output_dtype(Some(DType("float16".into())))
        .with_mode(ResizeMode::Cubic);
    let node = resize.into_node().unwrap();
    assert_eq!(node.attrs["keep_aspect_ratio_policy"], Value::String("not_larger".into()));
    assert_eq!(node.attrs["extrapolation_value"], Value::Scalar(Scalar::F64(0.0)));
    assert!(!node.attrs.contains_key("axes"));
    let back: Resize = node.bind().unwrap();
    assert_eq!((back.mode, back.cubic_coeff_a, back.axes), (ResizeMode::Cubic, -0.75, None));
    assert_eq!((back.roi, back.sizes), (None, Some("s".into())));
    oplock::__private::assert_up_to_date(ops());
}
