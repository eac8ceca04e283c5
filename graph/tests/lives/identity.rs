//! Which things of a release are those of the release before it, and what is carried from the one to the other.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::{ArgDef, AttrDef, Kind, OpDef, Part, Str, Value};

use crate::meaning::{Carry, Defs, Names, OpNames, Plain};
use crate::transform::{Side, Transform, Transforms, is_renamed};

/// The numbers that are still free.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }
}

/// What a release is, for the model.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) defs: Defs,
    pub(crate) names: Names,
    /// What becomes of meanings since the release before it.
    pub(crate) carry: Vec<Carry>,
    /// Of each attribute that was ever added on this line: what graphs without it mean.
    pub(crate) neutral: BTreeMap<u32, Plain>,
    /// Every number that stood for something on this line.
    pub(crate) known: BTreeSet<u32>,
    /// Every name that stood for something: to take it for something else is more than an addition.
    taken: BTreeSet<(String, Kind, String)>,
    /// The data version of graphs that it writes.
    pub(crate) producer: u32,
    /// The operators of which something else than an addition changed since the release before it.
    pub(crate) changed: BTreeSet<String>,
}

/// What an item is called and was called.
struct ItemDef<'a> {
    kind: Kind,
    name: &'a str,
    aliases: &'a [Str],
    default: Option<&'a Value>,
}

fn promised(def: &OpDef) -> Vec<ItemDef<'_>> {
    let of = |kind, arg: &'_ ArgDef| arg.part != Part::Extra && kind != Kind::Attr;
    let mut items = Vec::new();
    for kind in [Kind::Input, Kind::Output] {
        for arg in def.args(kind).iter().filter(|arg| of(kind, arg)) {
            items.push(ItemDef { kind, name: &arg.name, aliases: &arg.aliases, default: None });
        }
    }
    for attr in def.attrs.iter().filter(|attr| attr.part != Part::Extra) {
        let AttrDef { name, aliases, default, .. } = attr;
        items.push(ItemDef { kind: Kind::Attr, name, aliases, default: default.as_ref() });
    }
    items
}

/// The release after another; `functions` are the operators of which the author says what older nodes mean.
pub(crate) fn follow(old: Option<&State>, defs: &Defs, functions: &BTreeSet<String>, numbers: &mut Numbers) -> State {
    let none = State {
        defs: Defs::new(),
        names: Names::default(),
        carry: Vec::new(),
        neutral: BTreeMap::new(),
        known: BTreeSet::new(),
        taken: BTreeSet::new(),
        producer: 1,
        changed: BTreeSet::new(),
    };
    let old = old.unwrap_or(&none);
    let mut new = State { defs: defs.clone(), carry: Vec::new(), changed: BTreeSet::new(), ..old.clone() };
    new.names = Names::default();
    let mut steps = Vec::new();
    for (name, def) in defs {
        let renamed = || {
            let gone = |alias: &&Str| is_renamed(alias, def, &old.defs, defs);
            def.aliases.iter().find(gone).map(|alias| (alias.to_string(), &old.defs[alias.as_ref()]))
        };
        let before = old.defs.get_key_value(name).map(|(name, def)| (name.clone(), def)).or_else(renamed);
        let Some((was, before)) = before else {
            let behaviour = numbers.next();
            let items = promised(def).into_iter().map(|item| {
                let number = numbers.next();
                new.neutral.extend(item.default.map(|default| (number, Plain::of(default))));
                ((item.kind, item.name.to_owned()), number)
            });
            new.names.ops.insert(name.clone(), OpNames { behaviour, items: items.collect() });
            continue;
        };
        let names = &old.names.ops[&was];
        let is_revised = def.revisions.len() > before.revisions.len();
        let behaviour = if is_revised { numbers.next() } else { names.behaviour };
        let mut items = BTreeMap::new();
        for item in promised(def) {
            let key = (item.kind, item.name.to_owned());
            let has = |def: &OpDef, name: &str| promised(def).iter().any(|i| (i.kind, i.name) == (item.kind, name));
            let is_old = |alias: &&Str| has(before, alias) && !has(def, alias) && !has(before, item.name);
            let number = names.items.get(&key).or_else(|| {
                let alias = item.aliases.iter().find(is_old)?;
                names.items.get(&(item.kind, alias.to_string()))
            });
            let number = number.copied().unwrap_or_else(|| {
                let number = numbers.next();
                if let Some(default) = item.default.map(Plain::of) {
                    new.neutral.insert(number, default.clone());
                    steps.push(Carry::Add { behaviour: names.behaviour, item: number, default });
                }
                number
            });
            items.insert(key, number);
        }
        for item in promised(before).iter().filter(|_| !functions.contains(&was)) {
            let number = names.items[&(item.kind, item.name.to_owned())];
            if let Some(default) = item.default.filter(|_| !items.values().any(|other| *other == number)) {
                steps.push(Carry::Settle { behaviour: names.behaviour, item: number, default: Plain::of(default) });
            }
        }
        let is_taken = |(kind, item): &(Kind, String)| {
            !names.items.contains_key(&(*kind, item.clone()))
                && old.taken.contains(&(name.clone(), *kind, item.clone()))
        };
        if was != *name || !only_adds(before, def) || items.keys().any(is_taken) {
            new.changed.extend([was, name.clone()]);
        }
        new.names.ops.insert(name.clone(), OpNames { behaviour, items });
    }
    new.changed.extend(old.defs.keys().filter(|name| !defs.contains_key(*name)).cloned());
    let sides = (Side { defs: &old.defs, names: &old.names }, Side { defs, names: &new.names });
    let transforms: Vec<_> = functions.iter().map(|op| Transform::of(op, sides.0, sides.1)).collect();
    if !transforms.is_empty() {
        steps.push(Carry::Call(Transforms(transforms)));
    }
    new.carry = steps;
    for (op, names) in &new.names.ops {
        new.taken.extend(names.items.keys().map(|(kind, item)| (op.clone(), *kind, item.clone())));
    }
    let numbers = new.names.ops.values().flat_map(|op| op.items.values().chain([&op.behaviour]));
    new.known.extend(numbers);
    new
}

/// Whether all that happened to an operator is that something was added or is deprecated.
fn only_adds(old: &OpDef, new: &OpDef) -> bool {
    let arg = |old: &ArgDef, new: &ArgDef| {
        *old == ArgDef { aliases: old.aliases.clone(), deprecated: old.deprecated.clone(), ..new.clone() }
    };
    let attr = |old: &AttrDef, new: &AttrDef| {
        let (aliases, deprecated, values) = (old.aliases.clone(), old.deprecated.clone(), old.values.clone());
        let keeps_values = new.values.is_empty() || old.values.iter().all(|value| new.values.contains(value));
        *old == AttrDef { aliases, deprecated, values, ..new.clone() }
            && keeps_values
            && (new.values.is_empty() || !old.values.is_empty())
    };
    let args = |kind| {
        let mut args = old.args(kind).iter().filter(|arg| arg.part != Part::Extra);
        args.all(|before| new.arg(kind, &before.name).is_some_and(|after| arg(before, after)))
    };
    let is_optional = |kind, name: &str| match kind {
        Kind::Attr => new.attr(name).is_some_and(|attr| attr.default.is_some()),
        _ => new.arg(kind, name).is_some_and(|arg| arg.dispensable),
    };
    let had = promised(old);
    let is_new = |item: &ItemDef<'_>| !had.iter().any(|i| (i.kind, i.name) == (item.kind, item.name));
    args(Kind::Input)
        && args(Kind::Output)
        && old
            .attrs
            .iter()
            .filter(|attr| attr.part != Part::Extra)
            .all(|before| new.attr(&before.name).is_some_and(|after| attr(before, after)))
        && old.revisions == new.revisions
        && promised(new).iter().filter(|item| is_new(item)).all(|item| is_optional(item.kind, item.name))
}
