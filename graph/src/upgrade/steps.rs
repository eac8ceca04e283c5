//! What a package's lock and its functions ask of nodes saved before each data version.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::lock::{Row, RowKey, Side, Since};
use oplock_core::upgrade::{Step, came_with, derived, widen};
use oplock_core::{AttrType, COMMON, Kind, Value};

use super::edit::UpgradeFn;
use crate::faults::{Fault, Faults};
use crate::history::{Line, attr_of, is_attr};
use crate::program::Package;

/// A step that the ledger gives by itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Derived {
    /// An absent attribute gets the default of its time.
    Fill { attr: String, value: Value },
    /// A value is written in a wider type.
    Widen { attr: String, to: AttrType },
    /// An attribute that is gone stood at the default that it had last: stated or not, it was not used.
    Drop { attr: String, value: Value },
    /// An item has another name now.
    Rename(Rename),
    /// The operator has.
    RenameOp {
        to: String,
        /// The defaults that the old operator had, by its names.
        fill: Vec<(String, Value)>,
        /// Its items that have other names now.
        items: Vec<Rename>,
    },
}

/// Another name of an item.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rename {
    pub(super) kind: Kind,
    pub(super) from: String,
    pub(super) to: String,
    /// What an absent attribute meant.
    pub(super) default: Option<Value>,
    /// The type of the attribute that it is now.
    pub(super) ty: Option<AttrType>,
}

/// A function, and what its nodes have by default before it sees them.
pub(super) struct Function<'p> {
    /// That of all operators, then the operator's own.
    pub(super) run: Vec<&'p UpgradeFn>,
    pub(super) fill: Vec<(String, Value)>,
}

/// What one data version asks of the nodes of one operator.
#[derive(Default)]
pub(super) struct OpSteps<'p> {
    pub(super) derived: Vec<Derived>,
    pub(super) function: Option<Function<'p>>,
}

/// What each data version of a package asks of the nodes of each operator.
pub(super) struct Steps<'p> {
    pub(super) versions: BTreeMap<u32, BTreeMap<String, OpSteps<'p>>>,
    /// The greatest version that has a step, by operator.
    greatest: BTreeMap<String, u32>,
}

impl<'p> Steps<'p> {
    /// The steps of what is above a data version.
    pub(super) fn of(package: &'p Package, above: u32, faults: Faults) -> Self {
        let mut versions: BTreeMap<u32, BTreeMap<String, OpSteps<'p>>> = BTreeMap::new();
        let line = Line::of(&package.lock);
        for (key, row) in &package.lock.ledger {
            let Some(version) = row.version.filter(|version| *version > above) else { continue };
            let steps = of_row(package, &line, key, row, faults);
            if !steps.is_empty() {
                versions.entry(version).or_default().entry(key.op.clone()).or_default().derived.extend(steps);
            }
        }
        let functions = functions(package, above).into_iter().filter(|_| faults.keeps(Fault::Functions));
        for ((op, version), run) in functions {
            let (op, version) = (&op, &version);
            let fill = if faults.keeps(Fault::FunctionsSeeDefaults) {
                defaults_before(package, &line, op, *version)
            } else {
                Vec::new()
            };
            let steps = versions.entry(*version).or_default().entry(op.clone()).or_default();
            // What gets its name only now has its value from what it was.
            let is_new = |name: &str| {
                let is_it = |step: &Derived| matches!(step, Derived::Rename(rename) if rename.to == name);
                steps.derived.iter().any(is_it)
            };
            let fill = fill.into_iter().filter(|(name, _)| !is_new(name)).collect();
            steps.function = Some(Function { run, fill });
        }
        let mut greatest = BTreeMap::new();
        for (version, ops) in &versions {
            greatest.extend(ops.keys().map(|op| (op.clone(), *version)));
        }
        Steps { versions, greatest }
    }

    /// Whether a node of the operator that was saved at a data version has steps before it.
    pub(super) fn concern(&self, op: &str, level: u32) -> bool {
        self.greatest.get(op).is_some_and(|version| *version > level)
    }
}

/// The functions of each operator and data version.
fn functions(package: &Package, above: u32) -> BTreeMap<(String, u32), Vec<&UpgradeFn>> {
    let mut functions: BTreeMap<_, Vec<_>> = BTreeMap::new();
    // Its name sorts before those of operators.
    for ((op, version), run) in package.upgrades.iter().filter(|((_, version), _)| *version > above) {
        if op != COMMON {
            functions.entry((op.clone(), *version)).or_default().push(run);
            continue;
        }
        let lock = &package.lock;
        let names = package.ops.keys().chain(lock.ops.keys()).chain(lock.ledger.keys().map(|key| &key.op));
        for op in names.filter(|op| *op != COMMON).collect::<BTreeSet<_>>() {
            functions.entry((op.clone(), *version)).or_default().push(run);
        }
    }
    functions
}

fn of_row(package: &Package, line: &Line<'_>, key: &RowKey, row: &Row, faults: Faults) -> Vec<Derived> {
    let aliased = match (&key.item, &row.to) {
        (None, Side::Absent) => renamed_op(package, line, key, row),
        (Some((kind, name)), Side::Absent) => renamed_item(package, line, key, row, *kind, name).map(Derived::Rename),
        _ => None,
    };
    if let Some(step) = aliased.filter(|_| faults.keeps(Fault::Aliases)) {
        return vec![step];
    }
    if let Some((Kind::Attr, name)) = key.item.as_ref().filter(|_| !row.to.is_guarded() && row.rule != "op_deleted") {
        // Without a function it was deprecated, so a graph has it only where its default changed before. (A function
        // says itself what becomes of a default.)
        let has_function = row.version.is_some_and(|version| package.has_function(key, version));
        let default = attr_of(&row.from).and_then(|def| def.default.clone()).filter(|_| !has_function);
        return default.map(|value| Derived::Drop { attr: name.clone(), value }).into_iter().collect();
    }
    let steps = derived(&package.lock, key, row).unwrap_or_default();
    let kept = steps.into_iter().filter_map(|step| match step {
        Step::Fill { attr, value } => {
            faults.keeps(Fault::DefaultsOfTheWritersTime).then_some(Derived::Fill { attr, value })
        }
        Step::Widen { attr, to } => faults.keeps(Fault::Widening).then_some(Derived::Widen { attr, to }),
    });
    kept.collect()
}

/// What took an operator's place when it was deleted, if a function does not say so.
fn renamed_op(package: &Package, line: &Line<'_>, key: &RowKey, row: &Row) -> Option<Derived> {
    let old = key.op.as_str();
    let version = row.version?;
    if package.upgrades.contains_key(&(old.to_owned(), version)) {
        return None;
    }
    // What took its place may be gone as well by now, and was renamed after it, or gave its name to another operator.
    let when = line.release(key.release.as_ref());
    let is_read_as = |side: &Side| matches!(side, Side::Op(marks, _) if marks.aliases.iter().any(|alias| alias == old));
    let later = package.lock.ledger.iter().filter_map(|(later, row)| {
        let at = line.release(later.release.as_ref());
        (at > when && is_read_as(&row.from) && !is_read_as(&row.to)).then_some((at, later.op.as_str()))
    });
    let then = later.min().map(|(_, op)| op);
    let today = || package.alias(old).map(|def| &*def.name);
    let to = then.or_else(today).filter(|to| came_with(&package.lock, key, old, to, None))?;
    let mut fill = Vec::new();
    let mut items = Vec::new();
    for (item, was) in package.lock.rows_of(old).filter(|(item, _)| item.release == key.release) {
        let Some((kind, name)) = &item.item else { continue };
        if let Some(default) = attr_of(&was.from).and_then(|def| def.default.clone()) {
            fill.push((name.clone(), default));
        }
        // What was renamed in a later release is renamed by that one's own step.
        let rename = item_of(package, line, to, key, *kind, name, None);
        items
            .extend(rename.filter(|rename| came_with(&package.lock, key, name, to, Some(&(*kind, rename.to.clone())))));
    }
    Some(Derived::RenameOp { to: to.to_owned(), fill, items })
}

/// What took the place of an item.
fn renamed_item(package: &Package, line: &Line<'_>, key: &RowKey, row: &Row, kind: Kind, name: &str) -> Option<Rename> {
    row.version?;
    let default = attr_of(&row.from).and_then(|def| def.default.clone());
    let rename = item_of(package, line, &key.op, key, kind, name, default)?;
    let item = (kind, rename.to.clone());
    came_with(&package.lock, key, name, &key.op, Some(&item)).then_some(rename)
}

/// The item of `op` that took the place of another one that the row of `key` deleted.
fn item_of(
    package: &Package,
    line: &Line<'_>,
    op: &str,
    key: &RowKey,
    kind: Kind,
    name: &str,
    default: Option<Value>,
) -> Option<Rename> {
    let rename = |to: &str, ty| Rename { kind, from: name.to_owned(), to: to.to_owned(), default, ty };
    let when = line.release(key.release.as_ref());
    let has = |aliases: &[oplock_core::Str]| aliases.iter().any(|alias| alias == name);
    let later = package.lock.rows_of(op).filter_map(|(later, row)| {
        let (k, item) = later.item.as_ref()?;
        let (aliases, ty) = match &row.from {
            Side::Arg(def, _) => (&def.aliases, None),
            Side::Attr(def, _) => (&def.aliases, Some(def.ty)),
            Side::Absent | Side::Op(..) => return None,
        };
        let at = line.release(later.release.as_ref());
        (row.version.is_some() && *k == kind && at > when && has(aliases)).then_some((at, item.as_str(), ty))
    });
    if let Some((_, item, ty)) = later.min_by_key(|(at, item, _)| (*at, *item)) {
        return Some(rename(item, ty));
    }
    let def = package.ops.get(op)?;
    let item = def.item_of_alias(kind, name)?;
    // An operand has no type.
    let ty = if kind == Kind::Attr { def.attr(item).map(|attr| attr.ty) } else { None };
    Some(rename(item, ty))
}

/// The defaults that the attributes of an operator had before a data version.
pub(crate) fn defaults_before(package: &Package, line: &Line<'_>, op: &str, version: u32) -> Vec<(String, Value)> {
    let lock = &package.lock;
    let entry = lock.ops.get(op);
    let rows = line.rows(lock, op);
    let today = entry.iter().flat_map(|entry| entry.def.attrs.iter().map(|attr| attr.name.as_ref()));
    let of_rows = rows.iter().filter_map(|(key, _)| match &key.item {
        Some((Kind::Attr, name)) => Some(name.as_str()),
        _ => None,
    });
    let names: BTreeSet<&str> = today.chain(of_rows).collect();
    let is_before = |since: Option<&Since>| match since {
        Some(Since::Release(release)) => line.reached(release).is_some_and(|of| of < version),
        _ => false,
    };
    let mut defaults = Vec::new();
    for name in names {
        let mut own = rows.iter().filter(|(key, _)| is_attr(key, name));
        let after = own.find(|(key, row)| match row.version {
            Some(of) => of >= version,
            None => key.release.as_ref().and_then(|release| line.reached(release)).is_none_or(|of| of >= version),
        });
        let default = match after {
            Some((_, row)) if is_before(row.from.since()) => attr_of(&row.from).and_then(|def| def.default.as_ref()),
            Some(_) => None,
            None => entry
                .filter(|entry| is_before(entry.item_since(Kind::Attr, name)))
                .and_then(|entry| entry.def.attr(name))
                .and_then(|def| def.default.as_ref()),
        };
        defaults.extend(default.map(|value| (name.to_owned(), value.clone())));
    }
    defaults
}

/// A value in the type that its attribute has now; as it is where that type does not hold it.
pub(super) fn widened(value: &Value, ty: Option<AttrType>) -> Value {
    ty.and_then(|ty| widen(value, ty)).unwrap_or_else(|| value.clone())
}
