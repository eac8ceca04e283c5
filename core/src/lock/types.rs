//! What a lock says of element types: an operator's type variables, the types of its operands, and its flags.
//!
//! A variable is one line with all types for which it may stand. Those that came later than the variable say so behind it:
//! `conv.types.T = { allowed = ["bf16", "f32"], newer = { bf16 = "1.4.0" } }`. As with aliases the ledger knows that, too.

use std::borrow::Cow;
use std::fmt;

use semver::Version;

use super::marks::{OpMark, OwnedMark, Stated};
use super::read::{Fields, LockError, meaning};
use super::toml::{Data, Node};
use super::values::{read_newer, write_newer};
use super::write::{Fields as Table, Key, Quoted, Strings};
use super::{OpEntry, Release, Since};
use crate::model::{ArgDef, ElementType, Flags, List, Map, OpDef, Str, TypeVar, is_element_type};
use crate::order::sort_by_name;

type Result<T> = std::result::Result<T, LockError>;

/// The flags of an operator's lines, or of a side of a ledger row.
pub(super) fn read_flags(fields: &Fields<'_>) -> Result<Flags> {
    let mut flags = Flags::default();
    for name in Flags::NAMES {
        let set = fields.flag(name)?;
        flags.get_mut(name).into_iter().for_each(|flag| *flag = set);
    }
    Ok(flags)
}

/// Calls `write` with the name of each flag that is set.
pub(super) fn write_flags(flags: Flags, mut write: impl FnMut(&'static str) -> fmt::Result) -> fmt::Result {
    flags.each().into_iter().filter(|(_, set)| *set).try_for_each(|(name, _)| write(name))
}

/// The lines `OP.types.NAME`.
pub(super) fn read_type_vars(
    op: &str,
    def: &mut OpDef,
    fields: &Fields<'_>,
    releases: &Map<Version, Release>,
    stated: &mut Vec<Stated>,
) -> Result<()> {
    let Some(vars) = fields.table("types")? else { return Ok(()) };
    for (name, node) in vars.table.iter() {
        let what = format!("type variable `{name}` of `{op}`");
        let fields = Fields::of(node, &what)?;
        fields.only(&["allowed", "newer", "since", "unreleased"])?;
        let var = read_var(name, node, fields.table.get("allowed"))?;
        let since = fields.since(releases)?;
        let mut state = |mark, since, line| stated.push(Stated { op: op.to_owned(), mark, since, line });
        state(OwnedMark::Types(name.to_owned()), since.clone(), node.line);
        let names: Vec<_> = var.allowed.iter().map(AsRef::as_ref).collect();
        let newer = read_newer(&fields, &names, releases)?;
        for ty in var.allowed.iter() {
            let (since, line) =
                newer.get(ty.as_ref()).map_or((since.clone(), node.line), |(since, line)| (Some(since.clone()), *line));
            state(OwnedMark::Type(name.to_owned(), ty.to_string()), since, line);
        }
        def.types.to_mut().push(var);
    }
    Ok(())
}

/// `types = { T = ["f16", "f32"] }` of a side of a ledger row.
pub(super) fn read_types(fields: &Fields<'_>) -> Result<List<TypeVar>> {
    let Some(vars) = fields.table("types")? else { return Ok(Cow::Borrowed(&[])) };
    let read = |(name, node): (&str, &Node)| read_var(name, node, Some(node));
    let mut types: Vec<_> = vars.table.iter().map(read).collect::<Result<_>>()?;
    sort_by_name(&mut types, |var| &var.name);
    Ok(Cow::Owned(types))
}

/// A variable and the types for which it may stand; any where none are said.
fn read_var(name: &str, node: &Node, allowed: Option<&Node>) -> Result<TypeVar> {
    if !is_element_type(name) {
        return meaning(node.line, format!("{name:?} is no name of a type variable"));
    }
    let mut types: Vec<Str> = Vec::new();
    let items = match allowed.map(|node| (&node.data, node.line)) {
        None => &[],
        Some((Data::Array(items), _)) => items.as_slice(),
        Some((_, line)) => return meaning(line, format!("type variable `{name}` must have an array of types")),
    };
    for item in items {
        match &item.data {
            Data::String(text) if is_element_type(text) => types.push(Cow::Owned(text.clone())),
            _ => return meaning(item.line, format!("type variable `{name}` has {}", item.data.describe())),
        }
    }
    sort_by_name(&mut types, |ty| ty);
    if let Some([twice, _]) = types.windows(2).find(|pair| pair[0] == pair[1]) {
        return meaning(node.line, format!("type variable `{name}` has `{twice}` twice"));
    }
    Ok(TypeVar { name: Cow::Owned(name.to_owned()), allowed: Cow::Owned(types) })
}

/// The lines of an operator's type variables.
pub(super) fn write_type_vars(
    f: &mut dyn fmt::Write,
    op: &Key<'_>,
    entry: &OpEntry,
    since: &dyn Fn(OpMark<'_>) -> Option<Since>,
) -> fmt::Result {
    for TypeVar { name, allowed } in entry.def.types.iter() {
        let own = since(OpMark::Types(name));
        let mut table = Table::default();
        if !allowed.is_empty() {
            let types: Vec<_> = allowed.iter().map(AsRef::as_ref).collect();
            table.add("allowed", Strings(&types));
        }
        let newer = allowed.iter().filter_map(|ty| {
            let since = since(OpMark::Type(name, ty)).filter(|since| Some(since) != own.as_ref())?;
            Some((ty.as_ref(), since))
        });
        write_newer(&mut table, newer);
        table.since_beside(own.as_ref(), entry.stamp.since.as_ref());
        writeln!(f, "{op}.types.{} = {table}", Key(name))?;
    }
    Ok(())
}

/// The type variables in a side of a ledger row.
pub(super) fn write_types(table: &mut Table, types: &[TypeVar]) {
    if types.is_empty() {
        return;
    }
    let mut vars = Table::default();
    for TypeVar { name, allowed } in types {
        let types: Vec<_> = allowed.iter().map(AsRef::as_ref).collect();
        vars.add(&Key(name).to_string(), Strings(&types));
    }
    table.add("types", vars);
}

/// What the line of an operand says of types and numbers.
pub(super) const OPERAND_KEYS: [&str; 7] = ["at", "type", "of", "count", "min", "heterogeneous", "by_ref"];

/// Reads it into an operand whose marks were read.
pub(super) fn read_operand(arg: &mut ArgDef, fields: &Fields<'_>) -> Result<()> {
    let text = |key: &str| {
        fields.optional(key, |text, line| {
            if is_element_type(text) {
                return Ok(Cow::Owned(text.to_owned()));
            }
            meaning(line, format!("{}: {text:?} cannot be `{key}`", fields.what))
        })
    };
    arg.ty = match (text("type")?, text("of")?) {
        (None, None) => None,
        (Some(ty), None) => Some(ElementType::Fixed(ty)),
        (None, Some(var)) => Some(ElementType::Var(var)),
        (Some(_), Some(_)) => {
            return meaning(fields.line_of("of"), format!("{} has a `type`, and is `of` one as well", fields.what));
        }
    };
    arg.count = text("count")?;
    if let Some((digits, line)) = fields.integer("at")? {
        arg.at = digits.parse().ok().filter(|at| *at > 0);
        if arg.at.is_none() {
            return meaning(line, format!("{}: `at` cannot be {digits}: places are counted from 1", fields.what));
        }
    }
    if let Some((digits, line)) = fields.integer("min")? {
        arg.min = digits.parse().ok();
        if arg.min.is_none() {
            return meaning(line, format!("{}: `min` cannot be {digits}", fields.what));
        }
    }
    (arg.heterogeneous, arg.by_ref) = (fields.flag("heterogeneous")?, fields.flag("by_ref")?);
    let key = if arg.min.is_some() { "min" } else { "count" };
    arg.check_number().or_else(|reason| meaning(fields.line_of(key), format!("{}: `{key}`: {reason}", fields.what)))
}

/// Writes it behind an operand's marks.
pub(super) fn write_operand(table: &mut Table, arg: &ArgDef) {
    match &arg.ty {
        None => {}
        Some(ElementType::Fixed(ty)) => table.add("type", Quoted(ty)),
        Some(ElementType::Var(var)) => table.add("of", Quoted(var)),
    }
    if let Some(count) = &arg.count {
        table.add("count", Quoted(count));
    }
    if let Some(min) = arg.min {
        table.add("min", min);
    }
    table.flag("heterogeneous", arg.heterogeneous);
    table.flag("by_ref", arg.by_ref);
}
