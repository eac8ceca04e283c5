//! The identifiers that stand for saved names: idiomatic, no keywords, and each once.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::{Kind, OpDef};

use super::Source;
use crate::select::without_version;

/// What an operator is called in Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpNames {
    /// The struct: `Conv2dTranspose`.
    pub ty: String,
    /// The module, where each has its own file: `conv2d_transpose`. The versions of one ONNX operator share it.
    pub module: String,
}

/// Names for all operators of a file. They depend on the whole of it, so that one is called the same whichever are chosen.
pub(super) fn names<'a>(ops: impl Iterator<Item = &'a str>, source: Source) -> BTreeMap<String, OpNames> {
    let (mut types, mut modules) = (BTreeSet::new(), BTreeMap::<String, String>::new());
    // What has the name by itself keeps it, whatever was numbered into it.
    let ops: Vec<_> = ops.collect();
    let natural: BTreeSet<String> = ops.iter().map(|op| type_name(op, source)).collect();
    let natural_modules: BTreeSet<String> = ops.iter().map(|op| module_name(op, source)).collect();
    let mut taken_modules = BTreeSet::new();
    let mut all = BTreeMap::new();
    for op in ops {
        let ty = unique(type_name(op, source), "", &mut types, &natural);
        let group = group(op, source);
        let module = modules
            .entry(group.to_owned())
            .or_insert_with(|| unique(module_name(op, source), "_", &mut taken_modules, &natural_modules));
        all.insert(op.to_owned(), OpNames { ty, module: module.clone() });
    }
    all
}

/// The name itself, or with the first number that makes it another than all others.
fn unique(name: String, joint: &str, taken: &mut BTreeSet<String>, natural: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|n| format!("{name}{joint}{n}")).filter(|name| !natural.contains(name));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or(name);
    taken.insert(free.clone());
    free
}

/// What the operators of one module have in common: in ONNX the name without its version.
pub(super) fn group(op: &str, source: Source) -> &str {
    if source == Source::Onnx { without_version(op) } else { op }
}

/// `conv2d_transpose` → `Conv2dTranspose`, `ai.onnx.ml.Scaler.v1` → `MlScalerV1`.
fn type_name(op: &str, source: Source) -> String {
    let op = short(op, source);
    let mut name = if op.starts_with('_') { "Internal".to_owned() } else { String::new() };
    for part in op.split(|c: char| !c.is_ascii_alphanumeric()) {
        let mut letters = part.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert_str(0, "Op");
    }
    if is_in_use(&name) { name + "Op" } else { name }
}

fn module_name(op: &str, source: Source) -> String {
    let name = words(short(group(op, source), source));
    let name = if op.starts_with('_') { format!("internal_{name}") } else { name };
    let is_no_file = matches!(name.as_str(), "aux" | "con" | "nul" | "prn" | "mod" | "main" | "lib");
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("op_{name}")
    } else if is_keyword(&name) || is_no_file {
        name + "_op"
    } else {
        name
    }
}

/// ONNX's own domains begin alike.
fn short(op: &str, source: Source) -> &str {
    if source == Source::Onnx { op.strip_prefix("ai.onnx.").unwrap_or(op) } else { op }
}

/// Names that a module of operators needs for something else: those of `oplock` that it imports, and of Rust's prelude.
fn is_in_use(name: &str) -> bool {
    const OPLOCK: [&str; 15] = [
        "Block",
        "Complex128",
        "DType",
        "Func",
        "Node",
        "Op",
        "Operand",
        "Registry",
        "Scalar",
        "Shape",
        "SparseTensor",
        "Tensor",
        "TypeProto",
        "Value",
        "Var",
    ];
    const RUST: [&str; 27] = [
        "AsMut",
        "AsRef",
        "Box",
        "Clone",
        "Copy",
        "Default",
        "DoubleEndedIterator",
        "Drop",
        "Eq",
        "Err",
        "ExactSizeIterator",
        "Extend",
        "Fn",
        "FnMut",
        "FnOnce",
        "From",
        "FromIterator",
        "Into",
        "IntoIterator",
        "Iterator",
        "None",
        "Ok",
        "Option",
        "Ord",
        "PartialEq",
        "PartialOrd",
        "Result",
    ];
    const MORE: [&str; 12] = [
        "Self", "Send", "Sized", "Some", "String", "Sync", "ToOwned", "ToString", "TryFrom", "TryInto", "Unpin", "Vec",
    ];
    OPLOCK.contains(&name) || RUST.contains(&name) || MORE.contains(&name)
}

/// The field of each item, in the order of [`OpDef::item_names`].
///
/// Of an operand and an attribute that differ only in case the attribute has the name, since it is written so.
pub(super) fn fields(def: &OpDef) -> Vec<String> {
    let items: Vec<_> = def.item_names().collect();
    let wanted: Vec<_> = items.iter().map(|(kind, name)| field_name(*kind, name)).collect();
    let mut taken = BTreeSet::new();
    let mut fields = vec![String::new(); items.len()];
    for turn in [Kind::Attr, Kind::Input, Kind::Output] {
        for (i, (kind, _)) in items.iter().enumerate().filter(|(_, (kind, _))| *kind == turn) {
            let name = &wanted[i];
            let suffix = match kind {
                Kind::Input => "_tensor",
                Kind::Output => "_out",
                Kind::Attr => "_attr",
            };
            let stem = name.trim_end_matches('_');
            let numbers = (2..).map(|n| format!("{stem}_{n}"));
            let candidates = [name.clone(), format!("{stem}{suffix}")].into_iter().chain(numbers);
            // What comes later may have the longer name by itself.
            let is_free =
                |candidate: &String| !taken.contains(candidate) && (candidate == name || !wanted.contains(candidate));
            let field = candidates.into_iter().find(is_free).unwrap_or_default();
            taken.insert(field.clone());
            fields[i] = field;
        }
    }
    fields
}

fn field_name(kind: Kind, name: &str) -> String {
    let field = words(name);
    if field.is_empty() || field.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("{}_{field}", kind.key()).trim_end_matches('_').to_owned();
    }
    // These cannot be raw identifiers.
    if matches!(field.as_str(), "self" | "super" | "crate") { field + "_" } else { field }
}

/// A field as Rust takes it: `r#type`.
pub(super) fn ident(field: &str) -> String {
    if is_keyword(field) { format!("r#{field}") } else { field.to_owned() }
}

/// Words in lower case, joined by `_`: `SizeTensor` → `size_tensor`, `Conv2DBackprop` → `conv2d_backprop`, `F1-Score` → `f1_score`.
fn words(text: &str) -> String {
    // PaddlePaddle's word for "level of detail".
    let text = text.replace("LoD", "Lod");
    let letters: Vec<char> = text.chars().collect();
    let mut words = String::with_capacity(text.len() + 8);
    for (i, c) in letters.iter().copied().enumerate() {
        if !c.is_ascii_alphanumeric() {
            words.push('_');
            continue;
        }
        let before = i.checked_sub(1).map_or('_', |i| letters[i]);
        let is_before_lower = letters.get(i + 1).is_some_and(char::is_ascii_lowercase);
        let begins = c.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || (before.is_ascii_alphanumeric() && is_before_lower));
        if begins {
            words.push('_');
        }
        words.push(c.to_ascii_lowercase());
    }
    let parts: Vec<_> = words.split('_').filter(|part| !part.is_empty()).collect();
    parts.join("_")
}

/// Rust's keywords of edition 2024, those that are only reserved included.
fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 51] = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
        "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
        "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super",
        "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ];
    KEYWORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use oplock_core::{ArgDef, AttrDef, AttrType, ScalarType};

    use super::*;

    #[test]
    fn words_in_lower_case() {
        for (name, expected) in [
            ("SizeTensor", "size_tensor"),
            ("F1-Score", "f1_score"),
            ("X@GRAD", "x_grad"),
            ("Conv2D", "conv2d"),
            ("Conv2DBackpropInput", "conv2d_backprop_input"),
            ("conv2d_transpose", "conv2d_transpose"),
            ("Beta1Pow", "beta1_pow"),
            ("post_nms_topN", "post_nms_top_n"),
            ("UPLO", "uplo"),
            ("LoDTensor", "lod_tensor"),
            ("HTTPServer", "http_server"),
            ("@ALL_KERNELS@", "all_kernels"),
            ("__x", "x"),
            ("T", "t"),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
    }

    #[test]
    fn structs_and_modules() {
        for (op, source, ty, module) in [
            ("conv2d_transpose", Source::Paddle, "Conv2dTranspose", "conv2d_transpose"),
            ("while", Source::Paddle, "While", "while_op"),
            ("option", Source::Paddle, "OptionOp", "option"),
            ("_FusedConv2D", Source::TensorFlow, "InternalFusedConv2D", "internal_fused_conv2d"),
            ("Namespace>Op", Source::TensorFlow, "NamespaceOp", "namespace_op"),
            ("Const", Source::TensorFlow, "Const", "const_op"),
            ("Add.v14", Source::Onnx, "AddV14", "add"),
            ("ai.onnx.ml.Scaler.v1", Source::Onnx, "MlScalerV1", "ml_scaler"),
        ] {
            let names = names([op].into_iter(), source);
            assert_eq!(names[op], OpNames { ty: ty.to_owned(), module: module.to_owned() }, "{op}");
        }
    }

    #[test]
    fn names_that_meet_are_numbered() {
        let ops = ["Slice", "slice", "slice2", "_slice", "__slice", "internal_slice"];
        let names = names(ops.into_iter(), Source::Paddle);
        let types: Vec<_> = ops.iter().map(|op| names[*op].ty.as_str()).collect();
        assert_eq!(types, ["Slice", "Slice3", "Slice2", "InternalSlice", "InternalSlice2", "InternalSlice3"]);
        let modules: BTreeSet<_> = ops.iter().map(|op| names[*op].module.as_str()).collect();
        assert_eq!(modules.len(), ops.len());
    }

    #[test]
    fn versions_share_a_module_and_nothing_else_does() {
        let names = names(["Add.v1", "Add.v14", "add", "Add.vx"].into_iter(), Source::Onnx);
        assert_eq!(names["Add.v1"].module, names["Add.v14"].module);
        assert_ne!(names["Add.v1"].module, names["add"].module);
        assert_ne!(names["Add.v1"].module, names["Add.vx"].module);
    }

    #[test]
    fn fields_of_one_operator_are_distinct() {
        let attr = |name: &'static str| AttrDef::new(name, AttrType::of(ScalarType::I32));
        let def = OpDef {
            inputs: vec![ArgDef::new("Shape"), ArgDef::new("type"), ArgDef::new("X"), ArgDef::new("0")].into(),
            outputs: vec![ArgDef::new("X"), ArgDef::new("self"), ArgDef::new("@")].into(),
            attrs: vec![attr("shape"), attr("SHAPE"), attr("x_out"), attr("loop")].into(),
            ..OpDef::new("o")
        };
        let fields = fields(&def);
        let expected =
            ["shape_tensor", "type", "x", "input_0", "x_2", "self_", "output", "shape", "shape_attr", "x_out", "loop"];
        assert_eq!(fields, expected);
        assert_eq!((ident("type"), ident("x")), ("r#type".to_owned(), "x".to_owned()));
    }

    #[test]
    fn a_field_that_ends_in_an_underscore_gets_no_second_one() {
        let def = OpDef {
            inputs: vec![ArgDef::new("Self"), ArgDef::new("self"), ArgDef::new("SELF")].into(),
            attrs: vec![
                AttrDef::new("Super", AttrType::of(ScalarType::I32)),
                AttrDef::new("super", AttrType::of(ScalarType::I32)),
            ]
            .into(),
            ..OpDef::new("o")
        };
        assert_eq!(fields(&def), ["self_", "self_tensor", "self_2", "super_", "super_attr"]);
    }
}
