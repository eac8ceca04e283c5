//! What a deleted operator becomes, as its author says it.

use std::collections::BTreeMap;

use oplock_core::{AttrDef, AttrType, Kind, OpDef, Part, ScalarType, Value};
use oplock_graph::Upgrade;

use crate::meaning::{Plain, Use};
use crate::transform::{Constant, ItemOf, Side, add_constant, code, constant, is_required, name};

#[derive(Clone, Debug)]
pub(crate) struct Target {
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

impl Target {
    /// What a deleted operator becomes: another one that asks for no more than an `X` and an `Out`, or the one that never changes.
    pub(crate) fn of(op: &str, new: Side<'_>) -> Target {
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

    pub(crate) fn run(&self, upgrade: &mut Upgrade<'_>) {
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

    pub(crate) fn carry(
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
