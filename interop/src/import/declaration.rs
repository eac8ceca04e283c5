//! An operator's declaration: documentation, `#[op]`, the struct and its fields.

use std::fmt::Write as _;

use oplock_core::model::visible;
use oplock_core::{
    ArgDef, AttrDef, AttrType, ELEMENT_TYPES, ElementType, Kind, OpDef, Part, ScalarType, TypeVar, Value,
};

use super::attribute::attribute;
use super::literal::literal;
use super::names::{fields, group, ident};
use super::{Options, Source};

/// Appends the declaration, and to `uses` what it takes from `oplock`.
pub(super) fn declare(out: &mut String, uses: &mut Vec<&'static str>, def: &OpDef, ty: &str, options: &Options) {
    let fields = fields(def);
    let rename = renames(def, &fields);
    let _ = writeln!(out, "/// {}", summary(def, options.source));
    let mut header = vec![format!("{:?}", def.name)];
    if rename == Rename::Pascal {
        header.push("rename_all = \"PascalCase\"".to_owned());
    }
    header_options(def, &mut header);
    attribute(out, "", "op", &header);
    if !options.derives.is_empty() {
        let _ = writeln!(out, "#[derive({})]", options.derives.join(", "));
    }
    if fields.is_empty() {
        let _ = writeln!(out, "pub struct {ty};");
        return;
    }
    let _ = writeln!(out, "pub struct {ty} {{");
    let mut names = fields.iter();
    for (kind, args) in [(Kind::Input, &def.inputs), (Kind::Output, &def.outputs)] {
        for (arg, field) in args.iter().zip(names.by_ref()) {
            let _ = writeln!(out, "    /// {}", arg_docs(kind, arg));
            attribute(out, "    ", kind.key(), &arg_options(arg, field, rename));
            let ty = match (arg.dispensable, arg.duplicable) {
                (_, true) => "Vec<Var>",
                (true, false) => "Option<Var>",
                (false, false) => "Var",
            };
            uses.push("Var");
            let _ = writeln!(out, "    pub {}: {ty},", ident(field));
        }
    }
    for (attr, field) in def.attrs.iter().zip(names) {
        out.push_str(&attr_field("    ", "pub ", attr, field, rename, uses));
    }
    out.push_str("}\n");
}

/// The attributes that all operators have, as the fields of `common { … }`, and to `uses` what they take from `oplock`.
pub(super) fn common(out: &mut String, uses: &mut Vec<&'static str>, indent: &str, common: &OpDef) {
    for (attr, field) in common.attrs.iter().zip(fields(common)) {
        out.push_str(&attr_field(indent, "", attr, &field, Rename::None, uses));
    }
}

fn attr_field(
    indent: &str,
    visibility: &str,
    attr: &AttrDef,
    field: &str,
    rename: Rename,
    uses: &mut Vec<&'static str>,
) -> String {
    let mut text = format!("{indent}/// {}\n", attr_docs(attr));
    attribute(&mut text, indent, "attr", &attr_options(attr, field, rename));
    text + &format!("{indent}{visibility}{}: {},\n", ident(field), field_type(attr.ty, uses))
}

/// How saved names follow from fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rename {
    None,
    Pascal,
}

impl Rename {
    fn apply(self, field: &str) -> String {
        match self {
            Rename::None => field.to_owned(),
            Rename::Pascal => field.split('_').fold(String::new(), |name, word| {
                let mut letters = word.chars();
                name + &letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default() + letters.as_str()
            }),
        }
    }
}

/// One rule where it gives all names; else those that differ are said.
fn renames(def: &OpDef, fields: &[String]) -> Rename {
    let is = |rename: Rename| def.item_names().zip(fields).all(|((_, name), field)| rename.apply(field) == name);
    if fields.len() > 1 && !is(Rename::None) && is(Rename::Pascal) { Rename::Pascal } else { Rename::None }
}

fn summary(def: &OpDef, source: Source) -> String {
    let whose = source.framework();
    let name = group(&def.name, source);
    match def.name.strip_prefix(name).and_then(|rest| rest.strip_prefix(".v")) {
        Some(version) => format!("{whose}'s `{name}` of version {version}."),
        None => format!("{whose}'s `{name}`."),
    }
}

fn header_options(def: &OpDef, options: &mut Vec<String>) {
    if !def.types.is_empty() {
        let set = |var: &TypeVar| {
            let types: Vec<_> = var.allowed.iter().map(|ty| type_name(ty)).collect();
            let types = if types.is_empty() { String::new() } else { format!(" = [{}]", types.join(", ")) };
            format!("{}{types}", name(&var.name))
        };
        options.push(format!("types({})", def.types.iter().map(set).collect::<Vec<_>>().join(", ")));
    }
    options.extend(def.flags.each().into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag.to_owned()));
    if def.experimental {
        options.push("experimental".to_owned());
    }
    options.extend(history(&def.aliases, def.deprecated.as_ref()));
}

fn history<'a>(
    aliases: &'a [oplock_core::Str],
    deprecated: Option<&'a oplock_core::Deprecated>,
) -> impl Iterator<Item = String> {
    let aliases = aliases.iter().map(|alias| format!("alias({alias:?})"));
    aliases.chain(deprecated.map(|deprecated| {
        let oplock_core::Deprecated { version, note } = deprecated;
        format!("deprecated(version = {version}, note = {note:?})")
    }))
}

fn name_option(name: &str, field: &str, rename: Rename) -> Option<String> {
    (rename.apply(field) != name).then(|| format!("name = {name:?}"))
}

fn arg_options(arg: &ArgDef, field: &str, rename: Rename) -> Vec<String> {
    let mut options: Vec<_> = name_option(&arg.name, field, rename).into_iter().collect();
    options.extend(of(arg).map(|of| format!("of = {of}")));
    let mut marks = |marks: &[(&str, bool)]| {
        options.extend(marks.iter().filter(|(_, is_set)| *is_set).map(|(mark, _)| (*mark).to_owned()));
    };
    marks(&[("duplicable", arg.duplicable), ("heterogeneous", arg.heterogeneous)]);
    marks(&[("dispensable", arg.dispensable), ("intermediate", arg.intermediate), ("by_ref", arg.by_ref)]);
    options.extend(arg.min.map(|min| format!("min = {min}")));
    options.extend(part(arg.part));
    options.extend(history(&arg.aliases, arg.deprecated.as_ref()));
    options
}

/// `T`, `N * T` or `N * _`.
fn of(arg: &ArgDef) -> Option<String> {
    let ty = arg.ty.as_ref().map(|ty| match ty {
        ElementType::Fixed(ty) => type_name(ty),
        ElementType::Var(var) => name(var),
    });
    match (&arg.count, ty) {
        (None, ty) => ty,
        (Some(count), ty) => Some(format!("{} * {}", name(count), ty.as_deref().unwrap_or("_"))),
    }
}

/// The name of a type: an identifier where oplock knows it, else a text.
pub(super) fn type_name(ty: &str) -> String {
    if ELEMENT_TYPES.contains(&ty) { ty.to_owned() } else { format!("{ty:?}") }
}

/// A name that stands for a type or number: an identifier where it can be one, else a text.
fn name(name: &str) -> String {
    let is_ident = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_ident && name != "_" { name.to_owned() } else { format!("{name:?}") }
}

fn attr_options(attr: &AttrDef, field: &str, rename: Rename) -> Vec<String> {
    let mut options: Vec<_> = name_option(&attr.name, field, rename).into_iter().collect();
    options.extend(attr.default.as_ref().and_then(literal).map(|default| format!("default = {default}")));
    options.extend(attr.min.map(|min| format!("min = {min}")));
    if !attr.values.is_empty() {
        let values: Vec<_> = attr.values.iter().map(|value| format!("{value:?}")).collect();
        options.push(format!("values = [{}]", values.join(", ")));
    }
    if attr.generated {
        options.push("generated".to_owned());
    }
    options.extend(part(attr.part));
    options.extend(history(&attr.aliases, attr.deprecated.as_ref()));
    options
}

fn part(part: Part) -> Option<String> {
    match part {
        Part::Def => None,
        Part::Quant => Some("quant".to_owned()),
        Part::Extra => Some("extra".to_owned()),
    }
}

fn arg_docs(kind: Kind, arg: &ArgDef) -> String {
    let noun = if kind == Kind::Input { "Input" } else { "Output" };
    let name = visible(&arg.name);
    let mut text = match (arg.dispensable, arg.duplicable) {
        (false, false) => format!("{noun} `{name}`"),
        (true, false) => format!("{noun} `{name}`, which may be absent"),
        (false, true) => format!("{noun}s `{name}`, one or more"),
        (true, true) => format!("{noun}s `{name}`, any number"),
    };
    if arg.intermediate {
        text.push_str("; for the backward pass only");
    }
    text + "."
}

fn attr_docs(attr: &AttrDef) -> String {
    /// A default that is longer is seen in the table of the struct.
    const SHORT: usize = 30;
    let name = visible(&attr.name);
    match (&attr.default, attr.default.as_ref().and_then(literal)) {
        (Some(Value::Absent), _) => format!("Attribute `{name}`, which may be absent."),
        (_, Some(default)) if default.len() <= SHORT => format!("Attribute `{name}`, by default `{default}`."),
        (Some(_), _) => format!("Attribute `{name}`, which has a default."),
        (None, _) => format!("Attribute `{name}`."),
    }
}

/// The type of a field, and to `uses` what it takes from `oplock`.
fn field_type(ty: AttrType, uses: &mut Vec<&'static str>) -> String {
    if ty.optional {
        return format!("Option<{}>", field_type(ty.required(), uses));
    }
    if let Some(element) = ty.element() {
        let element = field_type(element, uses);
        return match ty.length() {
            Some(length) => format!("[{element}; {length}]"),
            None => format!("Vec<{element}>"),
        };
    }
    let own = match ty.scalar {
        ScalarType::String => return "String".to_owned(),
        ScalarType::Bytes => return "Vec<u8>".to_owned(),
        ScalarType::DType => "DType",
        ScalarType::Block => "Block",
        ScalarType::Var => "Var",
        ScalarType::Scalar => "Scalar",
        ScalarType::Complex128 => "Complex128",
        ScalarType::Shape => "Shape",
        ScalarType::Tensor => "Tensor",
        ScalarType::SparseTensor => "SparseTensor",
        ScalarType::Func => "Func",
        ScalarType::TypeProto => "TypeProto",
        other => return other.name().to_owned(),
    };
    uses.push(own);
    own.to_owned()
}
