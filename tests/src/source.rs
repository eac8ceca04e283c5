//! Small sources that many tests begin with.

/// The crate root of a package with two operators, in which every kind of item occurs.
pub const OPS: &str = r#"//! Operators for vision models.

use oplock::{Var, op};

oplock::lock!();

/// Extracts a slice of `Input` along `axes`.
#[op("slice")]
pub struct Slice {
    /// Tensor to slice.
    #[input(name = "Input")]
    pub input: Var,
    /// Overrides `ends`.
    #[input(name = "EndsTensor", dispensable)]
    pub ends_tensor: Option<Var>,
    /// The slice.
    #[output(name = "Out")]
    pub out: Var,
    /// The axes to slice along.
    #[attr]
    pub axes: Vec<i32>,
    /// Where each slice begins.
    #[attr(default = [])]
    pub starts: Vec<i32>,
    /// Which library computes it.
    #[attr(default = false, extra)]
    pub use_mkldnn: bool,
}

/// Adds.
#[op("add")]
pub struct Add {
    /// One summand.
    #[input(name = "X")]
    pub x: Var,
    /// The other.
    #[input(name = "Y")]
    pub y: Var,
    /// The sum.
    #[output(name = "Out")]
    pub out: Var,
}
"#;

/// One more operator.
pub const NEG: &str = r#"
/// Negates.
#[op("neg")]
pub struct Neg {
    /// Any tensor.
    #[input(name = "X")]
    pub x: Var,
    /// Its negative.
    #[output(name = "Out")]
    pub out: Var,
}
"#;

/// A crate root that declares one operator of that name, and what else is said.
pub fn one_op(name: &str, more: &str) -> String {
    format!(
        "//! One operator.\n\nuse oplock::{{Var, op}};\n\noplock::lock!();\n\n/// The operator.\n#[op(\"{name}\")]\n\
         pub struct TheOp {{\n    /// The operand.\n    #[input(name = \"X\")]\n    pub x: Var,\n}}\n{more}"
    )
}

/// The manifest of a package of its own workspace that depends on `oplock`; `more` follows the dependency.
pub fn manifest(name: &str, version: &str, more: &str) -> String {
    format!("{}{more}\n\n[workspace]\n", member_manifest(name, version))
}

/// The manifest of a member of a workspace.
pub fn member_manifest(name: &str, version: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\ndescription = \"A test\"\nlicense = \"MIT\"\n\
         repository = \"https://example.com\"\n\n[dependencies]\noplock = {}\n",
        oplock_dependency()
    )
}

/// How a manifest names the `oplock` of this workspace.
pub fn oplock_dependency() -> String {
    let path = crate::workspace().join("runtime");
    format!("{{ path = {:?}, version = \"0.1.0\" }}", path.to_string_lossy())
}
