//! The definitions on both sides of one change, with no other change between them.

use oplock_core::{ArgDef, AttrDef, Deprecated, Finding, Kind, List, OpDef, Part, Str, Value};

/// The definition without what says since when it is not to be used or does something else, but where that is what changed.
pub(super) fn plain(def: &OpDef, finding: &Finding) -> OpDef {
    let mut plain = OpDef { revisions: List::default(), cfg: None, ..def.clone() };
    let is_it = |item: Option<(Kind, &str)>| {
        let of = finding.item.as_ref().map(|(kind, name)| (*kind, name.as_str()));
        finding.rule.name == "deprecation_advanced" && of == item
    };
    if !is_it(None) {
        plain.deprecated = None;
    }
    for (kind, args) in [(Kind::Input, &mut plain.inputs), (Kind::Output, &mut plain.outputs)] {
        for arg in args.to_mut().iter_mut().filter(|arg| !is_it(Some((kind, &arg.name)))) {
            arg.deprecated = None;
        }
    }
    for attr in plain.attrs.to_mut().iter_mut().filter(|attr| !is_it(Some((Kind::Attr, &attr.name)))) {
        attr.deprecated = None;
    }
    plain
}

/// The old definition with the one change of the new one that the finding tells.
pub(super) fn only(old: &OpDef, new: &OpDef, finding: &Finding) -> OpDef {
    let mut def = plain(old, finding);
    let new = plain(new, finding);
    match (&finding.item, finding.field) {
        (None, Some("alias")) => def.aliases = new.aliases,
        (None, Some("deprecated")) => def.deprecated = new.deprecated,
        (None, Some("moved_from")) => def.moved_from = new.moved_from,
        (None, Some("experimental")) => def.experimental = new.experimental,
        (None, Some(_)) => {}
        (None, None) => def = new,
        (Some((Kind::Attr, name)), field) => {
            let names = |attr: &AttrDef| (attr.name.clone(), attr.aliases.clone());
            replace(def.attrs.to_mut(), &new.attrs, name, names, |old, new| merge_attr(old, new, field));
        }
        (Some((kind, name)), field) => {
            let args = if *kind == Kind::Input { &mut def.inputs } else { &mut def.outputs };
            let names = |arg: &ArgDef| (arg.name.clone(), arg.aliases.clone());
            replace(args.to_mut(), new.args(*kind), name, names, |old, new| merge_arg(old, new, field));
            if field == Some("count")
                && let Some(attr) = new.arg(*kind, name).and_then(|arg| new.attr(arg.count.as_ref()?))
                && def.attr(&attr.name).is_none()
            {
                def.attrs.to_mut().push(attr.clone()); // what counts comes with what it counts
            }
        }
    }
    if finding.rule.name == "op_condition_narrowed" {
        def.cfg = finding.to.clone().map(Str::from);
    }
    def
}

/// Makes of the items of that name, or of that alias, what they are now; `merge` is `None` where the whole of an item is other.
fn replace<T: Clone>(
    items: &mut Vec<T>,
    news: &[T],
    name: &str,
    names: impl Fn(&T) -> (Str, List<Str>),
    merge: impl Fn(&T, &T) -> Option<T>,
) {
    let is_named = |item: &T| {
        let (own, aliases) = names(item);
        own == name || aliases.iter().any(|alias| alias == name)
    };
    let new: Vec<_> = news.iter().filter(|item| is_named(item)).collect();
    for new in &new {
        let Some(old) = items.iter_mut().find(|item| names(item).0 == names(new).0) else { continue };
        if let Some(merged) = merge(old, new) {
            *old = merged;
            return;
        }
    }
    let taken: Vec<_> = new.iter().map(|item| names(item).0).collect();
    items.retain(|item| names(item).0 != name && !taken.contains(&names(item).0));
    items.extend(new.into_iter().cloned());
}

fn merge_arg(old: &ArgDef, new: &ArgDef, field: Option<&'static str>) -> Option<ArgDef> {
    let old = old.clone();
    Some(match field? {
        "dispensable" => ArgDef { dispensable: new.dispensable, ..old },
        "duplicable" => ArgDef { duplicable: new.duplicable, ..old },
        "intermediate" => ArgDef { intermediate: new.intermediate, ..old },
        "quant" | "extra" => ArgDef { part: new.part, ..old },
        "alias" => ArgDef { aliases: new.aliases.clone(), ..old },
        "deprecated" => ArgDef { deprecated: new.deprecated.clone(), ..old },
        "of" => ArgDef { ty: new.ty.clone(), ..old },
        "count" => ArgDef { count: new.count.clone(), ..old },
        "min" => ArgDef { min: new.min, ..old },
        "heterogeneous" => ArgDef { heterogeneous: new.heterogeneous, ..old },
        "by_ref" => ArgDef { by_ref: new.by_ref, ..old },
        _ => return None,
    })
}

fn merge_attr(old: &AttrDef, new: &AttrDef, field: Option<&'static str>) -> Option<AttrDef> {
    let old = old.clone();
    Some(match field? {
        "default" => AttrDef { default: new.default.clone(), ..old },
        // A default that is no longer allowed has to change too.
        "min" => with_default_of(new, AttrDef { min: new.min, ..old }),
        "values" => with_default_of(new, AttrDef { values: new.values.clone(), ..old }),
        "generated" => AttrDef { generated: new.generated, ..old },
        "quant" | "extra" => AttrDef { part: new.part, ..old },
        "alias" => AttrDef { aliases: new.aliases.clone(), ..old },
        "deprecated" => AttrDef { deprecated: new.deprecated.clone(), ..old },
        // What is of the type changes with it.
        "type" => AttrDef { part: old.part, generated: old.generated, ..new.clone() },
        _ => return None,
    })
}

/// The attribute with the default of the new one where it does not allow its own.
fn with_default_of(new: &AttrDef, attr: AttrDef) -> AttrDef {
    let is_allowed = |value: &Value| attr.outside(value).is_none() && attr.is_enough(value);
    if attr.default.as_ref().is_none_or(is_allowed) { attr } else { AttrDef { default: new.default.clone(), ..attr } }
}

/// The definition in which what the finding is about has the name that was its alias.
pub(super) fn under_alias(def: &OpDef, finding: &Finding, alias: &str) -> OpDef {
    let (mut def, alias) = (def.clone(), Str::from(alias.to_owned()));
    match &finding.item {
        None => (def.name, def.aliases) = (alias, List::default()),
        Some((Kind::Attr, name)) => {
            if let Some(attr) = def.attrs.to_mut().iter_mut().find(|attr| attr.name == *name) {
                (attr.name, attr.aliases) = (alias, List::default());
            }
        }
        Some((kind, name)) => {
            let args = if *kind == Kind::Input { &mut def.inputs } else { &mut def.outputs };
            if let Some(arg) = args.to_mut().iter_mut().find(|arg| arg.name == *name) {
                (arg.name, arg.aliases) = (alias, List::default());
            }
        }
    }
    def
}

/// Since which data version what the finding is about is not to be used.
pub(super) fn deprecation(def: &OpDef, finding: &Finding) -> Option<u32> {
    let deprecated: Option<&Deprecated> = match &finding.item {
        None => def.deprecated.as_ref(),
        Some((Kind::Attr, name)) => def.attr(name)?.deprecated.as_ref(),
        Some((kind, name)) => def.arg(*kind, name)?.deprecated.as_ref(),
    };
    deprecated.map(|deprecated| deprecated.version)
}

/// Whether a graph may lack an attribute.
pub(super) fn may_lack(attr: &AttrDef) -> bool {
    attr.default.is_some() || attr.part == Part::Extra
}
