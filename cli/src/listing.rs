//! Operators as a person or a program reads them: signatures without anything compared.

use std::fmt::Write as _;

use clap_cargo::style::{HEADER, LITERAL};
use oplock_core::lock::{OpEntry, OpMark, Since};
use oplock_core::{ArgDef, AttrDef, Deprecated, ElementType, Kind, Lock, OpDef, Part, Scalar, Str, TypeVar, Value};
use serde_json::{Map, Value as Json, json};

use crate::definitions::Definitions;

/// The data versions of a lock, a kind of data a block; nothing of one that is at version 1.
pub(crate) fn data(lock: &Lock) -> String {
    let mut text = String::new();
    for (kind, saved) in &lock.saved {
        let versions = &saved.versions;
        let _ = write!(text, "{HEADER}saved {kind}{HEADER:#}  version {}", versions.producer());
        let _ = write!(text, "  min_producer {}  min_consumer {}", versions.min_producer, versions.min_consumer);
        for version in &versions.bad_consumers {
            let _ = write!(text, "  bad consumer {version}");
        }
        text.push('\n');
        for (version, brought) in &versions.history {
            let since = saved.since.get(version).and_then(|stamp| stamp.since.as_ref());
            let since = since.map(|since| format!("  {since}")).unwrap_or_default();
            let _ = writeln!(text, "  {LITERAL}{version:<6}{LITERAL:#}  {brought}{since}");
        }
        text.push('\n');
    }
    text
}

/// The same, a JSON object a line.
pub(crate) fn json_data(lock: &Lock) -> String {
    let mut text = String::new();
    for (kind, saved) in &lock.saved {
        let versions = &saved.versions;
        let history = versions.history.iter().map(|(version, brought)| {
            let stamp = saved.since.get(version).and_then(|stamp| stamp.since.as_ref());
            json!({ "version": version, "text": brought, "since": since(stamp) })
        });
        let line = json!({
            "data": kind.key(),
            "version": versions.producer(),
            "min_producer": versions.min_producer,
            "min_consumer": versions.min_consumer,
            "bad_consumers": versions.bad_consumers.iter().collect::<Vec<_>>(),
            "history": history.collect::<Vec<_>>(),
        });
        let _ = writeln!(text, "{line}");
    }
    text
}

/// A listing of each signature, an item a line.
pub(crate) fn human(definitions: &Definitions) -> String {
    let mut text = String::new();
    for (i, (name, op)) in definitions.ops.iter().enumerate() {
        let entry = entry(definitions, name);
        text.push_str(if i == 0 { "" } else { "\n" });
        let _ = write!(text, "{HEADER}{name}{HEADER:#}");
        if op.is_common() {
            text.push_str("  of all operators");
        }
        let marks = [
            op.experimental.then(|| "experimental".to_owned()),
            op.cfg.as_ref().map(|cfg| format!("cfg({cfg})")),
            entry.filter(|_| !op.is_common()).and_then(|entry| entry.stamp.since.as_ref()).map(ToString::to_string),
        ];
        let flags = op.flags.each().into_iter().filter(|(_, set)| *set).map(|(name, _)| name.to_owned());
        let revised = op.revisions.iter().map(|revision| format!("revised in {}", revision.version));
        let moved = op.moved_from.iter().map(|package| format!("from {package}"));
        let past = past(&op.aliases, op.deprecated.as_ref()).into_iter().chain(revised).chain(moved).chain(flags);
        for mark in marks.into_iter().flatten().chain(past) {
            let _ = write!(text, "  {mark}");
        }
        text.push('\n');
        let names = op.item_names().map(|(_, item)| item).chain(op.types.iter().map(|var| var.name.as_ref()));
        let width = names.map(|name| name.chars().count()).max().unwrap_or_default();
        for TypeVar { name: var, allowed } in op.types.iter() {
            let (types, name) =
                (if allowed.is_empty() { "any".to_owned() } else { allowed.join(", ") }, var.to_string());
            let _ = writeln!(text, "  {LITERAL}type  {LITERAL:#}  {name:width$}  {types}");
        }
        for (kind, item) in op.item_names() {
            let since = entry.and_then(|entry| {
                entry.item_since(kind, item).filter(|s| op.is_common() || entry.stamp.since.as_ref() != Some(s))
            });
            let words = words(op, kind, item, since);
            let line = format!("  {LITERAL}{:6}{LITERAL:#}  {item:width$}  {}", kind.key(), words.join("  "));
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

fn words(op: &OpDef, kind: Kind, item: &str, since: Option<&Since>) -> Vec<String> {
    let mut words = Vec::new();
    let mut flag = |name: &str, set: bool| {
        if set {
            words.push(name.to_owned());
        }
    };
    let part = if let Some(arg) = op.arg(kind, item) {
        flag("dispensable", arg.dispensable);
        flag("duplicable", arg.duplicable);
        flag("intermediate", arg.intermediate);
        flag(&of(arg).unwrap_or_default(), of(arg).is_some());
        flag(&format!("at least {}", arg.least()), arg.min.is_some());
        flag("heterogeneous", arg.heterogeneous);
        flag("by_ref", arg.by_ref);
        arg.part
    } else if let Some(attr) = op.attr(item).filter(|_| kind == Kind::Attr) {
        flag(&typed(attr), true);
        flag(&format!("at least {}", attr.min.unwrap_or_default()), attr.min.is_some());
        flag(&format!("one of {}", allowed(attr)), !attr.values.is_empty());
        flag("generated", attr.generated);
        attr.part
    } else {
        Part::Def
    };
    flag("quant", part == Part::Quant);
    flag("extra", part == Part::Extra);
    words.extend(match (op.arg(kind, item), op.attr(item)) {
        (Some(arg), _) => past(&arg.aliases, arg.deprecated.as_ref()),
        (None, Some(attr)) if kind == Kind::Attr => past(&attr.aliases, attr.deprecated.as_ref()),
        _ => Vec::new(),
    });
    words.extend(since.map(ToString::to_string));
    words
}

/// `alias axis`, `deprecated from 8`
fn past(aliases: &[Str], deprecated: Option<&Deprecated>) -> Vec<String> {
    let aliases = aliases.iter().map(|alias| format!("alias {alias}"));
    aliases.chain(deprecated.map(|deprecated| format!("deprecated from {}", deprecated.version))).collect()
}

/// `f32`, `of T`, `N * f32`, `N * of T`: the element type of an operand, and what says how many variables it has.
fn of(arg: &ArgDef) -> Option<String> {
    let ty = arg.ty.as_ref().map(|ty| match ty {
        ElementType::Fixed(ty) => ty.to_string(),
        ElementType::Var(var) => format!("of {var}"),
    });
    match (&arg.count, ty) {
        (None, ty) => ty,
        (Some(count), ty) => Some(format!("{count} * {}", ty.as_deref().unwrap_or("_"))),
    }
}

/// `[i32] = []`
fn typed(attr: &AttrDef) -> String {
    match &attr.default {
        None | Some(Value::Absent) => attr.ty.to_string(),
        Some(default) => format!("{} = {default}", attr.ty),
    }
}

fn allowed(attr: &AttrDef) -> String {
    let values: Vec<_> = attr.values.iter().map(|value| Value::String(value.clone()).to_string()).collect();
    values.join(", ")
}

/// A line an operator: `slice(Input, EndsTensor?) -> (Out) { axes: [i32], starts: [i32] = [] }`. `?` may be absent,
/// `+` is one or more, `*` none or more.
pub(crate) fn short(definitions: &Definitions) -> String {
    let mut text = String::new();
    for (name, op) in &definitions.ops {
        let args = |args: &[ArgDef]| args.iter().map(short_arg).collect::<Vec<_>>().join(", ");
        if op.is_common() {
            text.push_str(name);
        } else {
            let _ = write!(text, "{name}({}) -> ({})", args(&op.inputs), args(&op.outputs));
        }
        if !op.attrs.is_empty() {
            let attrs: Vec<_> =
                op.attrs.iter().map(|attr| format!("{}{}: {}", prefix(attr.part), attr.name, typed(attr))).collect();
            let _ = write!(text, " {{ {} }}", attrs.join(", "));
        }
        for TypeVar { name, allowed } in op.types.iter() {
            let types = if allowed.is_empty() { "any".to_owned() } else { format!("[{}]", allowed.join(", ")) };
            let _ = write!(text, " {name} = {types}");
        }
        for (flag, _) in op.flags.each().into_iter().filter(|(_, set)| *set) {
            let _ = write!(text, " {flag}");
        }
        if op.experimental {
            text.push_str(" experimental");
        }
        if let Some(cfg) = &op.cfg {
            let _ = write!(text, " cfg({cfg})");
        }
        text.push('\n');
    }
    text
}

fn short_arg(arg: &ArgDef) -> String {
    let count = match (arg.dispensable, arg.duplicable) {
        (false, false) => "",
        (true, false) => "?",
        (false, true) => "+",
        (true, true) => "*",
    };
    let intermediate = if arg.intermediate { "intermediate " } else { "" };
    let ty = of(arg).map(|ty| format!(": {}", ty.replace("of ", ""))).unwrap_or_default();
    format!("{intermediate}{}{}{count}{ty}", prefix(arg.part), arg.name)
}

const fn prefix(part: Part) -> &'static str {
    match part {
        Part::Def => "",
        Part::Quant => "quant ",
        Part::Extra => "extra ",
    }
}

/// One JSON object a line, an operator each, with all that is known of it.
pub(crate) fn json(definitions: &Definitions) -> String {
    let mut text = String::new();
    for (name, op) in &definitions.ops {
        let entry = entry(definitions, name);
        let since = |kind, item: &str| since(entry.and_then(|entry| entry.item_since(kind, item)));
        let args = |kind| op.args(kind).iter().map(|arg| json_arg(arg, &since(kind, &arg.name))).collect::<Vec<_>>();
        let attrs: Vec<_> = op.attrs.iter().map(|attr| json_attr(attr, since(Kind::Attr, &attr.name))).collect();
        let mut line = json!({
            "op": name,
            "since": self::since(entry.and_then(|entry| entry.stamp.since.as_ref())),
            "experimental": op.experimental,
            "cfg": op.cfg,
            "inputs": args(Kind::Input),
            "outputs": args(Kind::Output),
            "attrs": attrs,
        });
        insert_past(&mut line, &op.aliases, op.deprecated.as_ref());
        if !op.revisions.is_empty() {
            line["revised"] = op.revisions.iter().map(|it| json!({ "version": it.version, "note": it.note })).collect();
        }
        if let Some(package) = &op.moved_from {
            line["moved_from"] = json!(package);
        }
        if !op.types.is_empty() {
            let var = |var| json_type_var(definitions, name, var);
            line["types"] = op.types.iter().map(var).collect();
        }
        let flags: Vec<_> = op.flags.each().into_iter().filter(|(_, set)| *set).map(|(name, _)| name).collect();
        if !flags.is_empty() {
            line["flags"] = json!(flags);
        }
        let _ = writeln!(text, "{line}");
    }
    text
}

/// What is there only where it is said.
fn insert_past(object: &mut Json, aliases: &[Str], deprecated: Option<&Deprecated>) {
    if !aliases.is_empty() {
        object["aliases"] = json!(aliases);
    }
    if let Some(Deprecated { version, note }) = deprecated {
        object["deprecated"] = json!({ "version": version, "note": note });
    }
}

fn json_arg(arg: &ArgDef, since: &Json) -> Json {
    let mut object = json!({
        "name": arg.name, "dispensable": arg.dispensable, "duplicable": arg.duplicable,
        "intermediate": arg.intermediate, "part": part(arg.part), "since": since,
    });
    match &arg.ty {
        None => {}
        Some(ElementType::Fixed(ty)) => object["type"] = json!(ty),
        Some(ElementType::Var(var)) => object["of"] = json!(var),
    }
    if let Some(count) = &arg.count {
        object["count"] = json!(count);
    }
    if let Some(min) = arg.min {
        object["min"] = json!(min);
    }
    for (name, _) in [("heterogeneous", arg.heterogeneous), ("by_ref", arg.by_ref)].into_iter().filter(|(_, set)| *set)
    {
        object[name] = json!(true);
    }
    insert_past(&mut object, &arg.aliases, arg.deprecated.as_ref());
    object
}

/// A type variable with each of its types, and since when they are: `allowed` is empty where it may stand for any.
fn json_type_var(definitions: &Definitions, op: &str, var: &TypeVar) -> Json {
    let mark_since =
        |mark: OpMark<'_>| since(definitions.lock.as_ref().and_then(|lock| lock.mark_since(op, mark)).as_ref());
    let ty = |ty: &Str| json!({ "type": ty, "since": mark_since(OpMark::Type(&var.name, ty)) });
    let allowed: Vec<_> = var.allowed.iter().map(ty).collect();
    json!({ "name": var.name, "since": mark_since(OpMark::Types(&var.name)), "allowed": allowed })
}

/// `default` is missing where there is none, and null where absent is the default.
fn json_attr(attr: &AttrDef, since: Json) -> Json {
    let mut object = Map::new();
    object.insert("name".to_owned(), json!(attr.name));
    object.insert("type".to_owned(), json!(attr.ty.to_string()));
    if let Some(default) = &attr.default {
        object.insert("default".to_owned(), json_value(default));
    }
    if let Some(min) = attr.min {
        object.insert("min".to_owned(), json!(min));
    }
    object.insert("values".to_owned(), json!(attr.values));
    object.insert("generated".to_owned(), json!(attr.generated));
    object.insert("part".to_owned(), json!(part(attr.part)));
    object.insert("since".to_owned(), since);
    let mut object = Json::Object(object);
    insert_past(&mut object, &attr.aliases, attr.deprecated.as_ref());
    object
}

const fn part(part: Part) -> &'static str {
    match part {
        Part::Def => "def",
        Part::Quant => "quant",
        Part::Extra => "extra",
    }
}

fn since(since: Option<&Since>) -> Json {
    match since {
        None => Json::Null,
        Some(Since::Unreleased) => json!("unreleased"),
        Some(Since::Release(version)) => json!(version.to_string()),
    }
}

/// JSON has no word for what is not finite, so that is text, as bytes are.
fn json_value(value: &Value) -> Json {
    match value {
        Value::Absent => Json::Null,
        Value::Bool(x) | Value::Scalar(Scalar::Bool(x)) => json!(x),
        Value::I32(x) => json!(x),
        Value::I64(x) | Value::Scalar(Scalar::I64(x)) => json!(x),
        Value::U32(x) | Value::Block(x) => json!(x),
        Value::U64(x) => json!(x),
        // The shortest text of an f32 is that of a shorter f64, which then is the number to write.
        Value::F32(x) if x.is_finite() => json!(x.to_string().parse::<f64>().unwrap_or(f64::from(*x))),
        Value::F64(x) | Value::Scalar(Scalar::F64(x)) if x.is_finite() => json!(x),
        Value::String(text) | Value::DType(text) | Value::Var(text) | Value::TypeProto(text) => json!(text),
        Value::Complex128(x) | Value::Scalar(Scalar::Complex128(x)) => {
            json!({ "re": json_value(&Value::F64(x.re)), "im": json_value(&Value::F64(x.im)) })
        }
        Value::List(items) => items.iter().map(json_value).collect(),
        other => json!(other.to_string().trim_matches('"')),
    }
}

fn entry<'a>(definitions: &'a Definitions, op: &str) -> Option<&'a OpEntry> {
    definitions.lock.as_ref().and_then(|lock| lock.ops.get(op))
}
