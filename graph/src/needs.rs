//! Which release and data version a reader must have for what a graph uses, and what decides it.

use oplock_core::lock::{OpEntry, Row, RowKey, Side};
use oplock_core::{ArgDef, AttrDef, Kind, OpDef, Part, Value, is_unguarded_name};
use oplock_registry::Node;

use crate::faults::{Fault, Faults};
use crate::history::{Line, Needs, added_default, attr_of, default_changed};
use crate::program::Package;
use crate::report::Place;

/// What decides who reads a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The operator, or the item as `op.item`.
    pub because: String,
    /// The first node that has it.
    pub at: Place,
}

/// What a reader of the nodes of one package must have.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackageNeeds {
    /// The release, by its place in the line.
    pub(crate) release: Option<(usize, Cause)>,
    /// The data version.
    pub(crate) version: Option<(u32, Cause)>,
    /// Why nothing is promised.
    pub(crate) unpromised: Option<String>,
}

/// An attribute of an operator.
pub(crate) struct AttrNeeds<'p> {
    pub(crate) def: &'p AttrDef,
    since: Needs,
    /// The default with which it was last added; an attribute that has it needs no reader that knows it.
    added: Option<&'p Value>,
    /// Whether it is younger than its operator.
    is_younger: bool,
    /// Whether its default is always written.
    pub(crate) is_explicit: bool,
    is_guarded: bool,
    /// What its values were before some were added: whoever uses another needs that release.
    values: Vec<(Needs, &'p AttrDef)>,
}

struct ArgNeeds<'p> {
    name: &'p str,
    since: Needs,
    is_guarded: bool,
    is_extra: bool,
    /// What it was before a requirement was relaxed.
    relaxed: Vec<(Needs, &'p ArgDef)>,
}

/// What an operator and its items need.
pub(crate) struct OpNeeds<'p> {
    pub(crate) package: &'p Package,
    pub(crate) def: &'p OpDef,
    /// Why nothing is promised of any use of it.
    unpromised: Option<String>,
    since: Vec<Needs>,
    inputs: Vec<ArgNeeds<'p>>,
    outputs: Vec<ArgNeeds<'p>>,
    /// Sorted by name.
    pub(crate) attrs: Vec<AttrNeeds<'p>>,
    /// The greatest data version that a break of it took, and what broke.
    version: Option<(u32, String)>,
}

impl<'p> OpNeeds<'p> {
    pub(crate) fn new(package: &'p Package, def: &'p OpDef, line: &Line<'p>, faults: Faults) -> Self {
        let lock = &package.lock;
        let name = def.name.as_ref();
        let entry = lock.ops.get(name);
        let rows = line.rows(lock, name);
        let mut since = vec![line.needs(entry.and_then(|entry| entry.stamp.since.as_ref()))];
        // A graph that has it does not load in older builds that lacked the condition, or where it was deprecated.
        let is_widened = |(_, row): &&(&RowKey, &Row)| match (&row.from, &row.to) {
            (Side::Op(from, _), Side::Op(to, _)) => {
                // Nor in builds that merge, delay or refuse what a flag now keeps them from.
                let [before, after] = [from.flags, to.flags];
                let is_kept_apart = (after.stateful && !before.stateful)
                    || (after.communication && !before.communication)
                    || (after.uninitialized && !before.uninitialized);
                row.version.is_none() && (from.cfg != to.cfg || from.deprecated.is_some() || is_kept_apart)
            }
            _ => false,
        };
        since.extend(rows.iter().filter(is_widened).map(|(key, _)| line.release(key.release.as_ref())));
        let args = |kind: Kind| {
            let arg = |arg: &'p ArgDef| ArgNeeds {
                name: &arg.name,
                since: line.needs(entry.and_then(|entry| entry.item_since(kind, &arg.name))),
                is_guarded: !is_unguarded_name(&arg.name),
                is_extra: arg.part == Part::Extra,
                relaxed: relaxations(&rows, line, kind, &arg.name)
                    .filter_map(|(needs, side)| match side {
                        Side::Arg(def, _) => Some((needs, def)),
                        _ => None,
                    })
                    .collect(),
            };
            def.args(kind).iter().map(arg).collect::<Vec<_>>()
        };
        let attr = |attr: &'p AttrDef| {
            let since = line.needs(entry.and_then(|entry| entry.item_since(Kind::Attr, &attr.name)));
            let relaxed = relaxations(&rows, line, Kind::Attr, &attr.name);
            AttrNeeds {
                def: attr,
                since,
                added: entry.and_then(|entry| added_default(&rows, entry, &attr.name)),
                is_younger: matches!(since, Needs::Release(_))
                    && Some(&since) > Some(&line.needs(entry.and_then(|e| e.stamp.since.as_ref()))),
                is_explicit: default_changed(&rows, &attr.name, attr.default.as_ref()),
                is_guarded: !is_unguarded_name(&attr.name),
                values: relaxed.filter_map(|(needs, side)| attr_of(side).map(|def| (needs, def))).collect(),
            }
        };
        let mut attrs: Vec<_> = def.attrs.iter().map(attr).collect();
        attrs.sort_by(|a, b| a.def.name.cmp(&b.def.name));
        OpNeeds {
            package,
            def,
            unpromised: unpromised(entry, def),
            since,
            inputs: args(Kind::Input),
            outputs: args(Kind::Output),
            attrs,
            version: version(&rows, faults),
        }
    }

    /// Adds what a node needs to what its package does. All defaults are filled in.
    pub(crate) fn add(&self, node: &Node, at: Place, faults: Faults, needs: &mut PackageNeeds) {
        let name = &self.def.name;
        if let Some(reason) = &self.unpromised {
            needs.unpromised.get_or_insert_with(|| reason.clone());
        }
        if let Some((version, because)) = &self.version
            && needs.version.as_ref().is_none_or(|(most, _)| version > most)
        {
            needs.version = Some((*version, Cause { because: because.clone(), at }));
        }
        let mut need = |what: Needs, because: &dyn Fn() -> String| match what {
            Needs::Nothing => {}
            Needs::Release(place) => {
                if needs.release.as_ref().is_none_or(|(most, _)| place > *most) {
                    needs.release = Some((place, Cause { because: because(), at }));
                }
            }
            Needs::Unreleased => {
                needs.unpromised.get_or_insert_with(|| format!("no release of it has `{}` yet", because()));
            }
        };
        if faults.keeps(Fault::OpsNeedTheirRelease) {
            self.since.iter().for_each(|since| need(*since, &|| name.to_string()));
        }
        if !faults.keeps(Fault::ItemsNeedTheirRelease) {
            return;
        }
        let relaxations_count = faults.keeps(Fault::RelaxationsNeedTheirRelease);
        for (kind, args) in [(Kind::Input, &self.inputs), (Kind::Output, &self.outputs)] {
            let connected = node.args(kind);
            for arg in args {
                let count = connected.get(arg.name).map_or(0, Vec::len);
                let path = || format!("{name}.{}", arg.name);
                if count > 0 {
                    need(arg.since, &path);
                }
                for (since, was) in arg.relaxed.iter().filter(|_| relaxations_count) {
                    let value = |attr: &str| node.attrs.get(attr);
                    let fitted = if count == 0 {
                        !crate::load::plan::is_required(was, None)
                    } else {
                        was.duplicable || count == 1
                    } && self.def.wrong_number(was, count, value).is_none();
                    if !fitted || (count > 0 && was.deprecated.is_some()) {
                        need(*since, &path);
                    }
                }
            }
        }
        for attr in &self.attrs {
            let path = || format!("{name}.{}", attr.def.name);
            let value = node.attrs.get(attr.def.name.as_ref());
            if attr.def.part != Part::Extra && value.is_some() && value != attr.added {
                need(attr.since, &path);
            }
            for (since, was) in attr.values.iter().filter(|_| relaxations_count) {
                // A default that was given later is always written, so only the values may be new.
                let fits = |value: &Value| value.fits(was.ty) && was.is_enough(value) && was.outside(value).is_none();
                let was_deprecated = was.deprecated.is_some() && value != was.default.as_ref();
                if value.is_some_and(|value| !fits(value) || was_deprecated) {
                    need(*since, &path);
                }
            }
        }
        if needs.unpromised.is_none() {
            needs.unpromised = self.unguarded(node);
        }
    }

    /// Why nothing is promised of a node, where it uses an item outside the guarantee.
    fn unguarded(&self, node: &Node) -> Option<String> {
        let path = |name: &str| format!("it uses `{}.{name}`, which is outside the guarantee", self.def.name);
        for (kind, args) in [(Kind::Input, &self.inputs), (Kind::Output, &self.outputs)] {
            let mut unguarded = args.iter().filter(|arg| !arg.is_guarded && !arg.is_extra);
            if let Some(arg) =
                unguarded.find(|arg| node.args(kind).get(arg.name).is_some_and(|found| !found.is_empty()))
            {
                return Some(path(arg.name));
            }
        }
        let is_used = |attr: &&AttrNeeds<'_>| {
            let value = node.attrs.get(attr.def.name.as_ref());
            !attr.is_guarded && attr.def.part != Part::Extra && value.is_some() && value != attr.def.default.as_ref()
        };
        self.attrs.iter().find(is_used).map(|attr| path(&attr.def.name))
    }

    /// The attribute, if a graph that states it carries the default with which it was added.
    pub(crate) fn added(&self, name: &str) -> Option<&'p Value> {
        let index = self.attrs.binary_search_by(|attr| attr.def.name.as_ref().cmp(name)).ok()?;
        let attr = &self.attrs[index];
        attr.added.filter(|_| attr.is_younger)
    }
}

/// What an item was before each change that is no break.
fn relaxations<'p, 'r>(
    rows: &'r [(&'p RowKey, &'p Row)],
    line: &'r Line<'p>,
    kind: Kind,
    name: &'r str,
) -> impl Iterator<Item = (Needs, &'p Side)> + use<'p, 'r> {
    let is_of = move |key: &RowKey| key.item.as_ref().is_some_and(|(k, n)| *k == kind && n == name);
    let is_relaxation = |row: &Row| row.version.is_none() && row.from.is_guarded() && row.to.is_guarded();
    rows.iter()
        .filter(move |(key, row)| is_of(key) && is_relaxation(row))
        .map(|(key, row)| (line.release(key.release.as_ref()), &row.from))
}

fn unpromised(entry: Option<&OpEntry>, def: &OpDef) -> Option<String> {
    let name = &def.name;
    if !def.is_guarded() {
        return Some(format!("it uses `{name}`, which is outside the guarantee"));
    }
    match entry {
        None => Some(format!("the lock of its writer did not have `{name}`")),
        Some(entry) if entry.stamp.since.is_none() => Some(format!("the lock of its writer did not promise `{name}`")),
        Some(_) => None,
    }
}

/// The greatest data version that a break of an operator took, and what it was of.
fn version(rows: &[(&RowKey, &Row)], faults: Faults) -> Option<(u32, String)> {
    breaks(rows, faults).max_by_key(|(version, _)| *version)
}

/// The data versions that breaks of an operator took, and what each was of. A revision of what was released is one of them.
pub(crate) fn breaks(rows: &[(&RowKey, &Row)], faults: Faults) -> impl Iterator<Item = (u32, String)> {
    let path = |key: &RowKey| match &key.item {
        None => key.op.clone(),
        Some((_, item)) => format!("{}.{item}", key.op),
    };
    let breaks = rows.iter().filter(move |_| faults.keeps(Fault::BreaksRaiseMinConsumer));
    breaks.filter_map(move |(key, row)| row.version.map(|version| (version, path(key))))
}
