//! What an author says of older nodes: told to the engine as an upgrade function, and to the model as a change of meanings.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::{AttrDef, AttrType, Kind, OpDef, Part, ScalarType, Value};
use oplock_graph::{Upgrade, UpgradeFn};
use oplock_registry::Node;

use crate::meaning::{Defs, Meaning, Names, OpNames, Plain, Use};
use crate::target::Target;

/// The definitions of a release, and what their names stand for.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) defs: &'a Defs,
    pub(crate) names: &'a Names,
}

/// An item of a node by its name, for the engine, and by its number, for the model.
#[derive(Clone, Debug)]
pub(crate) struct ItemOf {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) number: u32,
}

/// An item of an operator that is called otherwise now: its old name, and its new one.
#[derive(Clone, Debug)]
struct Renamed {
    kind: Kind,
    from: String,
    to: String,
}

#[derive(Clone, Debug)]
enum Edit {
    Drop(ItemOf),
    /// An attribute goes; its value becomes part of another.
    Fold(ItemOf, ItemOf),
    /// For the model, a number is a number.
    Widen(ItemOf, AttrType),
    /// Whatever it was, it is this now.
    Replace(ItemOf, Value),
    /// What is no longer allowed becomes this.
    Allow(ItemOf, Vec<String>, Value),
    /// A constant, where nothing is connected.
    Connect(ItemOf),
    /// A new variable, where nothing is connected.
    Name(ItemOf),
    /// Only the first variable stays.
    Truncate(ItemOf),
    Shift(ItemOf, i64),
    /// Another node of the same kind before it, with outputs of its own; these are the numbers of its outputs.
    Double(BTreeSet<u32>),
}

/// What older nodes of one operator mean now.
#[derive(Clone, Debug)]
pub(crate) struct Transform {
    before: u32,
    after: u32,
    /// What the function of an old name does first, where a revision asks for one: the new name, and those of items.
    renamed: Option<(String, Vec<Renamed>)>,
    edits: Vec<Edit>,
    /// What a deleted operator becomes, from its `X` and `Out`.
    becomes: Option<(Target, Option<u32>, Option<u32>)>,
    constant: Constant,
}

/// The operator that makes constants, in numbers.
#[derive(Clone, Debug)]
pub(crate) struct Constant {
    behaviour: u32,
    k: u32,
    out: u32,
    /// What else it has by default.
    others: Vec<(u32, Plain)>,
}

const CONSTANT: i64 = 9;

/// What one release makes of older nodes: each is carried once, though it becomes a node of another operator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transforms(pub(crate) Vec<Transform>);

fn find(def: &OpDef, kind: Kind, name: &str) -> Option<AttrDef> {
    def.attr(name).filter(|_| kind == Kind::Attr).cloned()
}

/// Whether every value of one type is one of the other.
pub(crate) fn is_wider(from: AttrType, to: AttrType) -> bool {
    use ScalarType::{F32, F64, I32, I64};
    let scalar = from.scalar == to.scalar || matches!((from.scalar, to.scalar), (I32, I64 | F64) | (F32, F64));
    scalar && from.depth == to.depth && (to.optional || !from.optional)
}

pub(crate) fn is_required(arg: &oplock_core::ArgDef) -> bool {
    !arg.dispensable && !arg.intermediate && arg.part != Part::Extra
}

/// A value of a type that no default of these lives is.
fn sample(attr: &AttrDef) -> Value {
    let single = match attr.ty.scalar {
        ScalarType::I32 => Value::I32(7),
        ScalarType::I64 => Value::I64(7),
        ScalarType::F32 => Value::F32(0.5),
        ScalarType::F64 => Value::F64(0.5),
        ScalarType::String => Value::String(attr.values.first().cloned().unwrap_or_else(|| "s".into())),
        other => panic!("{other:?} is no type of these lives"),
    };
    (0..attr.ty.depth).fold(single, |value, _| Value::list(vec![value]))
}

fn widened(value: &Value, ty: AttrType) -> Value {
    match (value, ty.scalar) {
        (Value::List(items), _) => {
            let element = ty.element().unwrap_or(ty);
            Value::list(items.iter().map(|item| widened(item, element)).collect())
        }
        (Value::I32(x), ScalarType::I64) => Value::I64((*x).into()),
        (Value::I32(x), ScalarType::F64) => Value::F64((*x).into()),
        (Value::F32(x), ScalarType::F64) => Value::F64((*x).into()),
        _ => value.clone(),
    }
}

/// A number for any value; different for most.
pub(crate) fn code(value: &Plain) -> i64 {
    match value {
        Plain::Absent => 1,
        Plain::Bool(x) => 2 + i64::from(*x),
        #[allow(clippy::cast_possible_truncation)] // any number will do
        Plain::Integer(x) => *x as i64,
        #[allow(clippy::cast_possible_truncation)] // any number will do
        Plain::Number(bits) => (f64::from_bits(*bits) * 16.0) as i64 + 5,
        Plain::Text(text) => text.bytes().fold(11, |sum, byte| sum * 31 % 9973 + i64::from(byte)),
        Plain::Block(block) => i64::from(*block) + 13,
        Plain::List(items) => items.iter().fold(17, |sum, item| (sum * 37 + code(item)) % 9973),
    }
}

/// Small, so that it stays a number that both sides hold exactly however often it is done.
fn folded(into: i64, from: &Plain) -> i64 {
    (into % 9973) * 3 + code(from) % 9973
}

fn number(value: Option<&Plain>) -> i64 {
    match value {
        #[allow(clippy::cast_possible_truncation)] // whole and small
        Some(Plain::Number(bits)) => f64::from_bits(*bits) as i64,
        _ => 0,
    }
}

impl Transform {
    /// What an author writes who changes an operator from the one side to the other.
    pub(crate) fn of(op: &str, old: Side<'_>, new: Side<'_>) -> Transform {
        // One that was deleted and comes back as something else: older nodes of that name became others when it was deleted.
        let nothing = OpNames::default();
        let was = old.names.ops.get(op).unwrap_or(&nothing);
        let constants = &new.names.ops["c"];
        let item = |kind, name: &str| constants.items[&(kind, name.to_owned())];
        let def = &new.defs["c"];
        let others = def.attrs.iter().filter(|attr| attr.part != Part::Extra);
        let others = others.filter_map(|attr| Some((item(Kind::Attr, &attr.name), Plain::of(attr.default.as_ref()?))));
        let constant = Constant {
            behaviour: constants.behaviour,
            k: item(Kind::Attr, "k"),
            out: item(Kind::Output, "Out"),
            others: others.collect(),
        };
        let mut transform = Transform {
            before: was.behaviour,
            after: was.behaviour,
            renamed: None,
            edits: Vec::new(),
            becomes: None,
            constant,
        };
        let renamed = new.defs.values().find(|def| is_renamed(op, def, old.defs, new.defs));
        let Some(def) = renamed.or_else(|| new.defs.get(op)) else {
            let item = |kind, name: &str| was.items.get(&(kind, name.to_owned())).copied();
            let target = Target::of(op, new);
            transform.becomes = Some((target, item(Kind::Input, "X"), item(Kind::Output, "Out")));
            return transform;
        };
        let Some(before) = old.defs.get(op) else { return transform };
        let is = &new.names.ops[def.name.as_ref()];
        transform.after = is.behaviour;
        transform.renamed = renamed.map(|def| {
            let items = was.items.iter().filter_map(|((kind, from), number)| {
                let ((_, to), _) = is.items.iter().find(|(_, other)| *other == number)?;
                (from != to).then(|| Renamed { kind: *kind, from: from.clone(), to: to.clone() })
            });
            (def.name.to_string(), items.collect())
        });
        let k = |def: &OpDef, name: &str| def.attr(name).is_some_and(|attr| attr.ty == AttrType::of(ScalarType::I64));
        // Whatever it is called now.
        let into = was.items.get(&(Kind::Attr, "k".to_owned())).filter(|_| k(before, "k")).and_then(|number| {
            let ((_, name), _) = is.items.iter().find(|(_, other)| *other == number)?;
            k(def, name).then(|| ItemOf { kind: Kind::Attr, name: name.clone(), number: *number })
        });
        let edits = &mut transform.edits;
        for ((kind, name), number) in &was.items {
            let gone = ItemOf { kind: *kind, name: name.clone(), number: *number };
            let Some(((_, now), _)) = is.items.iter().find(|(_, other)| *other == number) else {
                edits.push(match &into {
                    Some(into) if *kind == Kind::Attr => Edit::Fold(gone, into.clone()),
                    _ => Edit::Drop(gone),
                });
                continue;
            };
            let item = ItemOf { name: now.clone(), ..gone };
            if let (Some(before), Some(after)) = (find(before, *kind, name), find(def, *kind, now)) {
                let lost = |value: &oplock_core::Str| !after.values.is_empty() && !after.values.contains(value);
                if !is_wider(before.ty, after.ty) {
                    edits.push(Edit::Replace(item, sample(&after)));
                } else if before.ty != after.ty {
                    edits.push(Edit::Widen(item, after.ty));
                } else if before.values.iter().any(lost) || (before.values.is_empty() && !after.values.is_empty()) {
                    let allowed = after.values.iter().map(ToString::to_string).collect();
                    edits.push(Edit::Allow(item, allowed, sample(&after)));
                }
            } else if let (Some(before), Some(after)) = (before.arg(*kind, name), def.arg(*kind, now)) {
                if before.duplicable && !after.duplicable {
                    edits.push(Edit::Truncate(item.clone()));
                }
                if is_required(after) && !is_required(before) {
                    edits.push(if *kind == Kind::Input { Edit::Connect(item) } else { Edit::Name(item) });
                }
            }
        }
        for ((kind, name), number) in is.items.iter().filter(|(_, number)| !was.items.values().any(|n| n == *number)) {
            let item = ItemOf { kind: *kind, name: name.clone(), number: *number };
            match (kind, def.attr(name), def.arg(*kind, name)) {
                (Kind::Attr, Some(attr), _) if attr.default.is_none() => edits.push(Edit::Replace(item, sample(attr))),
                (Kind::Input, _, Some(arg)) if is_required(arg) => edits.push(Edit::Connect(item)),
                (Kind::Output, _, Some(arg)) if is_required(arg) => edits.push(Edit::Name(item)),
                _ => {}
            }
        }
        if def.revisions.len() > before.revisions.len() {
            let outputs = is.items.iter().filter(|((kind, _), _)| *kind == Kind::Output).map(|(_, number)| *number);
            edits.push(into.map_or_else(|| Edit::Double(outputs.collect()), |into| Edit::Shift(into, 100)));
        }
        transform
    }

    /// As the engine is told.
    pub(crate) fn function(self) -> UpgradeFn {
        UpgradeFn::new(move |upgrade| {
            self.run(upgrade);
            Ok(())
        })
    }

    /// The function of all operators that does this to each of them.
    pub(crate) fn of_all(transforms: BTreeMap<String, Transform>) -> UpgradeFn {
        UpgradeFn::new(move |upgrade| {
            if let Some(transform) = transforms.get(&upgrade.node().op) {
                transform.run(upgrade);
            }
            Ok(())
        })
    }

    fn run(&self, upgrade: &mut Upgrade<'_>) {
        if let Some((op, items)) = &self.renamed {
            rename(upgrade, items);
            upgrade.set_op(op);
        }
        for edit in &self.edits {
            edit.run(upgrade);
        }
        if let Some((target, ..)) = &self.becomes {
            target.run(upgrade);
        }
    }

    fn carry_node(&self, node: &mut Use, fresh: &mut u32, made: &mut Vec<Use>) {
        node.behaviour = self.after;
        for edit in &self.edits {
            edit.carry(node, fresh, made, &self.constant);
        }
        if let Some((target, input, output)) = &self.becomes {
            target.carry(node, *input, *output, fresh, made, &self.constant);
        }
    }
}

/// Whether an operator of today is one that the release before had by another name.
pub(crate) fn is_renamed(was: &str, def: &OpDef, old: &Defs, new: &Defs) -> bool {
    let is_new = !old.contains_key(def.name.as_ref()) && !new.contains_key(was);
    is_new && old.contains_key(was) && def.aliases.iter().any(|alias| alias == was)
}

/// Gives all of these items their new names at once, since one may have the old name of another.
fn rename(upgrade: &mut Upgrade<'_>, items: &[Renamed]) {
    let mut operands = Vec::new();
    let mut attrs = Vec::new();
    for Renamed { kind, from, to } in items {
        match kind {
            Kind::Input => operands.push((kind, to, upgrade.remove_input(from))),
            Kind::Output => operands.push((kind, to, upgrade.remove_output(from))),
            Kind::Attr => attrs.extend(upgrade.remove_attr(from).map(|value| (to, value))),
        }
    }
    for (kind, to, variables) in operands.into_iter().filter(|(_, _, variables)| !variables.is_empty()) {
        match kind {
            Kind::Input => upgrade.set_input(to, variables),
            _ => upgrade.set_output(to, variables),
        };
    }
    for (to, value) in attrs {
        upgrade.set_attr(to, value);
    }
}

impl Transforms {
    pub(crate) fn carry(&self, meaning: &mut Meaning) {
        let mut fresh = 0;
        for block in &mut meaning.blocks {
            let mut nodes = Vec::with_capacity(block.len());
            for mut node in std::mem::take(block) {
                if let Some(transform) = self.0.iter().find(|transform| transform.before == node.behaviour) {
                    transform.carry_node(&mut node, &mut fresh, &mut nodes);
                }
                nodes.push(node);
            }
            *block = nodes;
        }
    }
}

/// A constant that the model makes.
pub(crate) fn constant(fresh: &mut u32, made: &mut Vec<Use>, of: &Constant) -> String {
    let variable = name(fresh);
    let operands = BTreeMap::from([(of.out, vec![variable.clone()])]);
    let own = (of.k, Plain::integer(CONSTANT.into()));
    let attrs = of.others.iter().cloned().chain([own]).collect();
    made.push(Use { behaviour: of.behaviour, operands, attrs });
    variable
}

/// No name that a graph has, and another for each phase of a carry: two phases never name one variable.
pub(crate) fn name(fresh: &mut u32) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    *fresh += 1;
    format!("new {}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A constant that the engine makes.
pub(crate) fn add_constant(upgrade: &mut Upgrade<'_>) -> String {
    let mut node = Node::new("c");
    node.attrs.insert("k".to_owned(), Value::I64(CONSTANT));
    upgrade.add_constant(node, "Out")
}

impl Edit {
    fn run(&self, upgrade: &mut Upgrade<'_>) {
        match self {
            Edit::Drop(ItemOf { kind, name, .. }) => match kind {
                Kind::Input => drop(upgrade.remove_input(name)),
                Kind::Output => drop(upgrade.remove_output(name)),
                Kind::Attr => drop(upgrade.remove_attr(name)),
            },
            Edit::Fold(from, into) => {
                let value = upgrade.remove_attr(&from.name).map_or(Plain::Absent, |value| Plain::of(&value));
                let old = number(upgrade.attr(&into.name).map(Plain::of).as_ref());
                upgrade.set_attr(&into.name, Value::I64(folded(old, &value)));
            }
            Edit::Widen(item, ty) => {
                if let Some(value) = upgrade.attr(&item.name).map(|value| widened(value, *ty)) {
                    upgrade.set_attr(&item.name, value);
                }
            }
            Edit::Replace(item, value) => drop(upgrade.set_attr(&item.name, value.clone())),
            Edit::Allow(item, allowed, instead) => {
                let is_lost = |value: &Value| match value {
                    Value::String(text) => !allowed.iter().any(|value| value == text),
                    _ => false,
                };
                if upgrade.attr(&item.name).is_some_and(is_lost) {
                    upgrade.set_attr(&item.name, instead.clone());
                }
            }
            Edit::Connect(item) => {
                if upgrade.input(&item.name).is_empty() {
                    let variable = add_constant(upgrade);
                    upgrade.set_input(&item.name, vec![variable]);
                }
            }
            Edit::Name(item) => {
                if upgrade.output(&item.name).is_empty() {
                    let variable = upgrade.fresh_variable(&item.name);
                    upgrade.set_output(&item.name, vec![variable]);
                }
            }
            Edit::Truncate(ItemOf { kind, name, .. }) => {
                let variables = if *kind == Kind::Input { upgrade.input(name) } else { upgrade.output(name) };
                if let [first, _, ..] = variables {
                    let first = vec![first.clone()];
                    match kind {
                        Kind::Input => upgrade.set_input(name, first),
                        _ => upgrade.set_output(name, first),
                    };
                }
            }
            Edit::Shift(item, by) => {
                let old = number(upgrade.attr(&item.name).map(Plain::of).as_ref());
                upgrade.set_attr(&item.name, Value::I64(old + by));
            }
            Edit::Double(_) => {
                let mut node = upgrade.node().clone();
                node.extra.clear();
                for variable in node.outputs.values_mut().flatten() {
                    *variable = upgrade.fresh_variable("double");
                }
                upgrade.insert_before(node);
            }
        }
    }

    fn carry(&self, node: &mut Use, fresh: &mut u32, made: &mut Vec<Use>, ids: &Constant) {
        let is_empty = |node: &Use, item: &ItemOf| node.operands.get(&item.number).is_none_or(Vec::is_empty);
        match self {
            Edit::Drop(item) => {
                node.operands.remove(&item.number);
                node.attrs.remove(&item.number);
            }
            Edit::Fold(from, into) => {
                let value = node.attrs.remove(&from.number).unwrap_or(Plain::Absent);
                let old = number(node.attrs.get(&into.number));
                node.attrs.insert(into.number, Plain::integer(folded(old, &value).into()));
            }
            Edit::Widen(..) => {}
            Edit::Replace(item, value) => drop(node.attrs.insert(item.number, Plain::of(value))),
            Edit::Allow(item, allowed, instead) => {
                let is_lost = |value: &Plain| matches!(value, Plain::Text(text) if !allowed.contains(text));
                if node.attrs.get(&item.number).is_some_and(is_lost) {
                    node.attrs.insert(item.number, Plain::of(instead));
                }
            }
            Edit::Connect(item) => {
                if is_empty(node, item) {
                    node.operands.insert(item.number, vec![constant(fresh, made, ids)]);
                }
            }
            Edit::Name(item) => {
                if is_empty(node, item) {
                    node.operands.insert(item.number, vec![name(fresh)]);
                }
            }
            Edit::Truncate(item) => {
                if let Some(variables) = node.operands.get_mut(&item.number) {
                    variables.truncate(1);
                }
            }
            Edit::Shift(item, by) => {
                let old = number(node.attrs.get(&item.number));
                node.attrs.insert(item.number, Plain::integer((old + by).into()));
            }
            Edit::Double(outputs) => {
                let mut other = node.clone();
                for (_, variables) in other.operands.iter_mut().filter(|(number, _)| outputs.contains(number)) {
                    for variable in variables {
                        *variable = name(fresh);
                    }
                }
                made.push(other);
            }
        }
    }
}
