//! What an author says of older nodes: told to the engine as an upgrade function, and to the model as a change of meanings.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::{AttrDef, AttrType, Kind, OpDef, Part, ScalarType, Value};
use oplock_graph::{Upgrade, UpgradeFn};
use oplock_registry::Node;

use crate::meaning::{Defs, Meaning, Names, OpNames, Plain, Use};

/// The definitions of a release, and what their names stand for.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) defs: &'a Defs,
    pub(crate) names: &'a Names,
}

/// An item of a node by its name, for the engine, and by its number, for the model.
#[derive(Clone, Debug)]
struct ItemOf {
    kind: Kind,
    name: String,
    number: u32,
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

#[derive(Clone, Debug)]
struct Target {
    op: String,
    behaviour: u32,
    input: Operand,
    output: Operand,
    attrs: BTreeMap<u32, Plain>,
    /// What takes all values.
    sum: Option<u32>,
}

/// What an operand takes, and its number.
#[derive(Clone, Debug)]
struct Operand {
    item: Option<ItemOf>,
    is_required: bool,
    is_duplicable: bool,
}

/// What older nodes of one operator mean now.
#[derive(Clone, Debug)]
pub(crate) struct Transform {
    before: u32,
    after: u32,
    edits: Vec<Edit>,
    /// What a deleted operator becomes, from its `X` and `Out`.
    becomes: Option<(Target, Option<u32>, Option<u32>)>,
    constant: Constant,
}

/// The operator that makes constants, in numbers.
#[derive(Clone, Debug)]
struct Constant {
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
fn code(value: &Plain) -> i64 {
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
        let mut transform =
            Transform { before: was.behaviour, after: was.behaviour, edits: Vec::new(), becomes: None, constant };
        let Some(def) = new.defs.get(op) else {
            let item = |kind, name: &str| was.items.get(&(kind, name.to_owned())).copied();
            let target = Target::of(op, new);
            transform.becomes = Some((target, item(Kind::Input, "X"), item(Kind::Output, "Out")));
            return transform;
        };
        let Some(before) = old.defs.get(op) else { return transform };
        let is = &new.names.ops[op];
        transform.after = is.behaviour;
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
fn constant(fresh: &mut u32, made: &mut Vec<Use>, of: &Constant) -> String {
    let variable = name(fresh);
    let operands = BTreeMap::from([(of.out, vec![variable.clone()])]);
    let own = (of.k, Plain::integer(CONSTANT.into()));
    let attrs = of.others.iter().cloned().chain([own]).collect();
    made.push(Use { behaviour: of.behaviour, operands, attrs });
    variable
}

/// No name that a graph has, and another for each phase of a carry: two phases never name one variable.
fn name(fresh: &mut u32) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    *fresh += 1;
    format!("new {}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A constant that the engine makes.
fn add_constant(upgrade: &mut Upgrade<'_>) -> String {
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

impl Target {
    /// What a deleted operator becomes: another one that asks for no more than an `X` and an `Out`, or the one that never changes.
    fn of(op: &str, new: Side<'_>) -> Target {
        let asks_little = |def: &&OpDef| {
            let is_fine = |args: &[oplock_core::ArgDef], name| args.iter().all(|a| a.name == name || !is_required(a));
            let takes = |kind, name: &str| def.arg(kind, name).is_some_and(|arg| arg.deprecated.is_none());
            def.is_guarded()
                && def.deprecated.is_none()
                && !["c", "w", "t", op].contains(&def.name.as_ref())
                && (is_fine(&def.inputs, "X") && is_fine(&def.outputs, "Out"))
                && (takes(Kind::Input, "X") && takes(Kind::Output, "Out"))
                && def.attrs.iter().all(|attr| attr.default.is_some() || attr.part == Part::Extra)
        };
        let def = new.defs.values().find(asks_little).unwrap_or(&new.defs["t"]);
        let names = &new.names.ops[def.name.as_ref()];
        let operand = |kind, name: &str| {
            let arg = def.arg(kind, name);
            let number = names.items.get(&(kind, name.to_owned()));
            Operand {
                item: number.map(|number| ItemOf { kind, name: name.to_owned(), number: *number }),
                is_required: arg.is_some_and(is_required),
                is_duplicable: arg.is_some_and(|arg| arg.duplicable),
            }
        };
        let attrs = def.attrs.iter().filter(|attr| attr.part != Part::Extra);
        let is_sum = |attr: &AttrDef| attr.name == "k" && attr.ty == AttrType::of(ScalarType::I64);
        let id = |attr: &AttrDef| names.items[&(Kind::Attr, attr.name.to_string())];
        Target {
            op: def.name.to_string(),
            behaviour: names.behaviour,
            input: operand(Kind::Input, "X"),
            output: operand(Kind::Output, "Out"),
            sum: attrs.clone().find(|attr| is_sum(attr)).map(id),
            attrs: attrs.filter_map(|attr| Some((id(attr), Plain::of(attr.default.as_ref()?)))).collect(),
        }
    }

    fn run(&self, upgrade: &mut Upgrade<'_>) {
        let node = upgrade.node().clone();
        let take = |mut variables: Vec<String>, to: &Operand| {
            if !to.is_duplicable {
                variables.truncate(1);
            }
            variables
        };
        let mut input = take(node.inputs.get("X").cloned().unwrap_or_default(), &self.input);
        let mut output = take(node.outputs.get("Out").cloned().unwrap_or_default(), &self.output);
        node.inputs.keys().for_each(|name| drop(upgrade.remove_input(name)));
        node.outputs.keys().for_each(|name| drop(upgrade.remove_output(name)));
        node.attrs.keys().for_each(|name| drop(upgrade.remove_attr(name)));
        if input.is_empty() && self.input.is_required {
            input.push(add_constant(upgrade));
        }
        if output.is_empty() && self.output.is_required {
            output.push(upgrade.fresh_variable("Out"));
        }
        if !input.is_empty() {
            upgrade.set_input("X", input);
        }
        if !output.is_empty() {
            upgrade.set_output("Out", output);
        }
        if self.sum.is_some() {
            let sum = node.attrs.values().map(|value| code(&Plain::of(value)) % 9973).sum();
            upgrade.set_attr("k", Value::I64(sum));
        }
        upgrade.set_op(&self.op);
    }

    fn carry(
        &self,
        node: &mut Use,
        input: Option<u32>,
        output: Option<u32>,
        fresh: &mut u32,
        made: &mut Vec<Use>,
        ids: &Constant,
    ) {
        let old = std::mem::replace(
            node,
            Use { behaviour: self.behaviour, operands: BTreeMap::new(), attrs: self.attrs.clone() },
        );
        let take = |number: Option<u32>, to: &Operand| {
            let mut variables = number.and_then(|number| old.operands.get(&number).cloned()).unwrap_or_default();
            if !to.is_duplicable {
                variables.truncate(1);
            }
            variables
        };
        let (mut inputs, mut outputs) = (take(input, &self.input), take(output, &self.output));
        if inputs.is_empty() && self.input.is_required {
            inputs.push(constant(fresh, made, ids));
        }
        if outputs.is_empty() && self.output.is_required {
            outputs.push(name(fresh));
        }
        for (item, variables) in [(&self.input.item, inputs), (&self.output.item, outputs)] {
            if let Some(item) = item.as_ref().filter(|_| !variables.is_empty()) {
                node.operands.insert(item.number, variables);
            }
        }
        if let Some(sum) = self.sum {
            let value: i64 = old.attrs.values().map(|value| code(value) % 9973).sum();
            node.attrs.insert(sum, Plain::integer(value.into()));
        }
    }
}
