//! A release line: what its source says, and what core lets it do.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::approvals::{Approval, Approvals};
use oplock_core::declare::{check_attr_absent, check_operand_absent};
use oplock_core::judge::{Source, judge_source, seal};
use oplock_core::lock::{Merged, OpEntry, Since, absorb, expand_common};
use oplock_core::{
    Bump, COMMON, Context, DataVersions, Deprecated, Judged, Kind, Lock, OpDef, Options, Remedy, Revision, SavedKind,
    Str, Verdict,
};
use oplock_graph::{Package, Program, UpgradeFn};
use semver::Version;

use crate::identity::{Numbers, State, follow};
use crate::rules::{Rule, Without};
use crate::small::signature;
use crate::step::{BEGINNINGS, Change, Item, OPS, RENAMES, common_items, fixed, items, items_of};
use crate::transform::{Side, Transform};

/// A release, for the engine.
pub(crate) struct Release {
    pub(crate) version: Version,
    pub(crate) is_branch: bool,
    /// Its state on its line.
    pub(crate) state: usize,
    pub(crate) data: DataVersions,
    /// The day on which it was sealed, from the first on.
    pub(crate) day: u32,
    pub(crate) program: Program,
}

impl Release {
    /// Links another package, where this one has no operator of that name.
    pub(crate) fn meet_stranger(&mut self, def: &OpDef) {
        let packages = self.program.packages_mut();
        if packages["p"].ops.contains_key(def.name.as_ref()) {
            return;
        }
        let version = Version::new(1, 0, 0);
        let mut lock = Lock::new("q");
        lock.releases.insert(version.clone(), oplock_core::lock::Release::new("2020-01-01"));
        lock.ops.insert(def.name.to_string(), OpEntry::new(def.clone(), &Since::Release(version.clone())));
        packages.insert("q".to_owned(), Package::of_lock(lock, version));
    }
}

/// A line of releases.
#[derive(Clone)]
pub(crate) struct Line {
    is_branch: bool,
    lock: Lock,
    source: Source,
    /// What the last release was.
    sealed: Source,
    /// That of the next release.
    version: Version,
    approvals: Approvals,
    options: Options,
    functions: BTreeMap<(String, u32), UpgradeFn>,
    pub(crate) states: Vec<State>,
    day: u32,
    /// The number of the state with which the other line begins.
    pub(crate) fork: Option<usize>,
}

impl Line {
    pub(crate) fn new() -> Self {
        let ops: BTreeMap<_, _> = fixed().iter().map(|def| (def.name.to_string(), def.clone())).collect();
        Line {
            is_branch: false,
            lock: Lock::new("p"),
            source: ops.into(),
            sealed: Source::default(),
            version: Version::new(1, 0, 0),
            approvals: Approvals::default(),
            options: Options::default(),
            functions: BTreeMap::new(),
            states: Vec::new(),
            day: 0,
            fork: None,
        }
    }

    /// Begins a maintenance line at the last release; this line goes on with a major version.
    pub(crate) fn fork(&mut self) -> Option<Line> {
        let last = self.lock.last_release()?.clone();
        let fork = Some(self.states.len() - 1);
        let version = Bump::Minor.apply(&last);
        let source = self.sealed.clone();
        let branch = Line { is_branch: true, source, version, fork, approvals: Approvals::default(), ..self.clone() };
        self.fork = fork;
        self.version = Bump::Major.apply(&last);
        Some(branch)
    }

    /// Makes a change, and whatever core asks for with it; `false` where it is not allowed, or is none.
    pub(crate) fn change(&mut self, change: Change, without: Without) -> bool {
        let mut source = self.source.clone();
        self.edit(&mut source, change) && source != self.source && self.have(source, without)
    }

    /// Takes the other line over, with what its last release had, and seals a release; `None` where it has nothing new, where no lock can hold
    /// both, where this line would have to break what the other one promised, or where its next release has begun or is the first since the
    /// other one parted.
    pub(crate) fn absorb(&mut self, other: &Line, numbers: &mut Numbers, without: Without) -> Option<Release> {
        let Merged { lock, choices } = absorb(&self.lock, &other.lock);
        let is_parted = self.fork.is_some_and(|fork| fork + 1 < self.states.len());
        // A line that broke something is taken over with its functions, which this author does not know.
        let has_broken =
            other.lock.ledger.iter().any(|(key, row)| row.version.is_some() && !self.lock.ledger.contains_key(key));
        if has_broken
            || !choices.is_empty()
            || !is_parted
            || self.source != self.sealed
            || lock.releases == self.lock.releases
        {
            return None;
        }
        let mut source = self.source.clone();
        source.positional |= lock.positional;
        let (versions, theirs) = (source.saved.get_or_default(SavedKind::Graph), lock.data_versions(SavedKind::Graph));
        versions.min_producer = versions.min_producer.max(theirs.min_producer);
        versions.min_consumer = versions.min_consumer.max(theirs.min_consumer);
        versions.bad_consumers.extend(theirs.bad_consumers);
        for (version, text) in theirs.history {
            if !versions.history.contains_key(&version) {
                versions.history.insert(version, text);
            }
        }
        for (op, entry) in &lock.ops {
            let is_promised = |item: &(Kind, String)| matches!(entry.side(Some(item)).since(), Some(Since::Release(_)));
            if !source.ops.contains_key(op) && !matches!(entry.stamp.since, Some(Since::Release(_))) {
                continue;
            }
            let of = || OpDef {
                inputs: Vec::new().into(),
                outputs: Vec::new().into(),
                attrs: Vec::new().into(),
                ..entry.def.clone()
            };
            let def = source.ops.entry(op.clone()).or_insert_with(of);
            for item in items_of(&entry.def) {
                let (kind, name) = item.key();
                if !is_promised(&(kind, name.to_owned())) {
                    continue;
                }
                let own = items_of(def).find(|own| own.key() == (kind, name));
                if own.as_ref().is_some_and(Item::is_extra) {
                    return None;
                }
                if own.is_none() {
                    put(def, &item);
                }
            }
        }
        let before = self.clone();
        (self.lock, self.day) = (lock, self.day.max(other.day));
        let release = if self.have(source, without) { self.release(0, numbers, without) } else { None };
        if release.is_none() {
            *self = before;
        }
        release
    }

    /// Gives the package another source, and whatever core asks for with it.
    fn have(&mut self, mut source: Source, without: Without) -> bool {
        if source.positional {
            source.ops.values_mut().for_each(|def| *def = def.clone().unnumbered().numbered());
        }
        // What `#[op]` refuses.
        let may_be_declared = |def: &OpDef| {
            let kinds = [Kind::Input, Kind::Output];
            def.ambiguous_alias().is_none()
                && def.attrs.iter().all(|attr| check_attr_absent(def, attr).is_ok())
                && kinds.iter().all(|kind| def.args(*kind).iter().all(|a| check_operand_absent(def, *kind, a).is_ok()))
        };
        if !source.ops.values().all(may_be_declared) {
            return false;
        }
        // Functions that nothing asks for any more are not written.
        source.upgrades.clone_from(&self.sealed.upgrades);
        let (mut version, mut approvals) = (self.version.clone(), self.approvals.clone());
        for _ in 0..8 {
            let context = self.context(&version, &approvals, without);
            let (judgement, lock) = judge_source(&self.lock, &context, &source, &|_| false);
            let is_obeyed = |judged: &&Judged| is_obeyed(judged, &lock, without);
            let mut refused = judgement.refused().filter(is_obeyed).peekable();
            if refused.peek().is_none() {
                (self.source, self.version, self.approvals) = (source, version, approvals);
                return true;
            }
            for judged in refused {
                let finding = &judged.finding;
                match (&judged.verdict, finding.rule.name) {
                    (Verdict::Refused(Remedy::Major { version: major }), _) if !self.is_branch => {
                        version.clone_from(major);
                    }
                    (Verdict::Refused(Remedy::Major { .. }), _) => {
                        approvals.list.push(Approval::new(finding, "it must be", "somebody", None));
                    }
                    (_, "break_without_version") => drop(self.data_version(&mut source)),
                    (_, "break_not_covered") => {
                        let Some(before) = finding.to.as_ref().and_then(|to| to.parse().ok()) else { return false };
                        // Of an older name nothing new is to be said; what has a new name since the last release, a function of the
                        // old one makes what it is now.
                        let is_alias = |def: &OpDef| def.aliases.iter().any(|alias| *alias == *finding.op);
                        if source.ops.values().any(is_alias) && !self.sealed.ops.contains_key(&finding.op) {
                            return false;
                        }
                        // Nor what all operators do while one of them is renamed.
                        if finding.op == COMMON && source.ops.values().any(|def| self.is_renamed(def)) {
                            return false;
                        }
                        // They do all of it as of the release's last data version, when the ledger has done its part.
                        let last = self.data_version(&mut source);
                        assert!(before <= last, "no break takes what is not declared: {finding:?}");
                        source.upgrades.insert((finding.op.clone(), before));
                        source.upgrades.insert((finding.op.clone(), last));
                    }
                    _ => return false,
                }
            }
        }
        false
    }

    /// From now on a relaxed requirement is no break; `false` where that is so already.
    pub(crate) fn relax(&mut self) -> bool {
        !std::mem::replace(&mut self.options.relaxations_are_minor, true)
    }

    fn context(&self, version: &Version, approvals: &Approvals, without: Without) -> Context {
        let (version, approvals) = (version.clone(), approvals.clone());
        let min_producer_window = (without == Without::Core(Rule::Window)).then_some(0);
        let options = Options { min_producer_window, ..self.options };
        Context { version, options, features: None, approvals }
    }

    /// Whether the last release had the operator by another name.
    fn is_renamed(&self, def: &OpDef) -> bool {
        let was = |name: &str| self.sealed.ops.contains_key(name);
        !was(&def.name) && def.aliases.iter().any(|alias| was(alias))
    }

    /// The data version of the next release, above all that a release wrote.
    fn data_version(&self, source: &mut Source) -> u32 {
        let released = self.lock.release_line().iter().map(|(_, r)| r.version_of(SavedKind::Graph)).max().unwrap_or(0);
        let versions = source.saved.get_or_default(SavedKind::Graph);
        if versions.producer() <= released {
            // Who says more than a plain `lock!()` no longer has its version 1.
            versions.history.retain(|_, text| !text.is_empty());
            versions.history.insert(released + 1, format!("what changes after {released}"));
        }
        versions.producer()
    }

    fn edit(&self, source: &mut Source, change: Change) -> bool {
        let deprecated = |line: &Self, source: &mut Source| {
            let version = line.data_version(source);
            Some(Deprecated { version, note: "use another".into() })
        };
        match change {
            Change::AddOp(op, beginning) => {
                let mut def = OpDef::new(OPS[op]);
                for item in BEGINNINGS[beginning] {
                    put(&mut def, &items()[*item]);
                }
                return !source.ops.contains_key(OPS[op]) && source.ops.insert(OPS[op].to_owned(), def).is_none();
            }
            Change::DeleteOp(op) => return source.ops.remove(OPS[op]).is_some(),
            Change::RenameOp(op, to) => {
                // Who gives a name that the last release had to something else says that both are one.
                if source.ops.contains_key(OPS[to]) || self.sealed.ops.contains_key(OPS[to]) {
                    return false;
                }
                let Some(mut def) = source.ops.remove(OPS[op]) else { return false };
                add_alias(&mut def.aliases, &def.name, OPS[to]);
                def.name = OPS[to].into();
                source.ops.insert(OPS[to].to_owned(), def);
            }
            Change::DeprecateOp(op) => {
                let deprecated = deprecated(self, source);
                let Some(def) = source.ops.get_mut(OPS[op]).filter(|def| def.deprecated.is_none()) else {
                    return false;
                };
                def.deprecated = deprecated;
            }
            Change::ReviseOp(op) => {
                let version = self.data_version(source);
                let Some(def) = source.ops.get_mut(OPS[op]) else { return false };
                if def.revisions.iter().any(|revision| revision.version == version) {
                    return false;
                }
                def.revisions.to_mut().push(Revision { version, note: "it does another thing".into() });
            }
            Change::Put(op, item) => {
                let Some(def) = source.ops.get_mut(OPS[op]) else { return false };
                put(def, &items()[item]);
            }
            Change::Remove(op, kind, name) => {
                let Some(def) = source.ops.get_mut(OPS[op]) else { return false };
                return remove(def, kind, name);
            }
            Change::RenameItem(op, rename) => {
                let Some(def) = source.ops.get_mut(OPS[op]) else { return false };
                let (kind, from, to) = RENAMES[rename];
                let was = self.sealed.ops.get(OPS[op]);
                if was.is_some_and(|was| was.item_names().any(|item| item == (kind, to))) {
                    return false;
                }
                return rename_item(def, kind, from, to);
            }
            Change::DeprecateItem(op, kind, name) => {
                let deprecated = deprecated(self, source);
                let Some(def) = source.ops.get_mut(OPS[op]) else { return false };
                let item = match kind {
                    Kind::Input => def.inputs.to_mut().iter_mut().find(|a| a.name == name).map(|a| &mut a.deprecated),
                    Kind::Output => def.outputs.to_mut().iter_mut().find(|a| a.name == name).map(|a| &mut a.deprecated),
                    Kind::Attr => def.attrs.to_mut().iter_mut().find(|a| a.name == name).map(|a| &mut a.deprecated),
                };
                let Some(item) = item.filter(|item| item.is_none()) else { return false };
                *item = deprecated;
            }
            Change::PutCommon(item) => {
                let mut def = source.ops.remove(COMMON).unwrap_or_else(|| OpDef::new(COMMON));
                put(&mut def, &common_items()[item]);
                source.ops.insert(COMMON.to_owned(), def);
            }
            Change::RemoveCommon(name) => {
                let Some(mut def) = source.ops.remove(COMMON) else { return false };
                let is_removed = remove(&mut def, Kind::Attr, name);
                if !def.attrs.is_empty() {
                    source.ops.insert(COMMON.to_owned(), def);
                }
                return is_removed;
            }
            Change::NewDataVersion => {
                let next = self.data_version(source) + 1;
                let versions = source.saved.get_or_default(SavedKind::Graph);
                versions.history.insert(next, format!("what changes after {}", next - 1));
            }
            Change::PromisePlaces => source.positional = true,
            Change::Set(number) => {
                source.ops.remove("f");
                source.ops.extend(signature(number).map(|def| ("f".to_owned(), def)));
            }
            Change::RaiseMinProducer(back) => {
                let line = self.lock.release_line();
                let Some((_, release)) = line.iter().rev().nth(back) else { return false };
                let version = release.version_of(SavedKind::Graph);
                let versions = source.saved.get_or_default(SavedKind::Graph);
                if version <= versions.min_producer {
                    return false;
                }
                versions.min_producer = version;
            }
            Change::RaiseMinConsumer => {
                let version = self.data_version(source);
                source.saved.get_or_default(SavedKind::Graph).min_consumer = version;
            }
            Change::NameBadConsumer => {
                let line = self.lock.release_line();
                let Some((_, release)) = line.last() else { return false };
                let bad = release.version_of(SavedKind::Graph);
                self.data_version(source);
                source.saved.get_or_default(SavedKind::Graph).bad_consumers.insert(bad);
            }
        }
        true
    }

    /// Seals a release, if it may be one.
    pub(crate) fn release(&mut self, days: u32, numbers: &mut Numbers, without: Without) -> Option<Release> {
        let context = self.context(&self.version, &self.approvals, without);
        let (judgement, mut lock) = judge_source(&self.lock, &context, &self.source, &|_| false);
        let mut refused = judgement.refused().filter(|judged| is_obeyed(judged, &lock, without));
        assert!(refused.next().is_none(), "each change was allowed: {judgement:?}");
        lock.ledger.retain(|key, row| key.release.is_some() || !without.is_addition(row));
        let day = self.day + days;
        let date = format!("{}-{:02}-{:02}", 2020 + day / 336, day % 336 / 28 + 1, day % 28 + 1);
        let Ok(lock) = seal(&lock, &context, &date) else {
            // `min_producer` rises too early.
            self.source = self.sealed.clone();
            return None;
        };
        if cfg!(debug_assertions) {
            let text = lock.to_string();
            let read = Lock::parse(&text, Some("p")).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(read == lock, "{text}");
        }
        let new: BTreeSet<_> = self.source.upgrades.difference(&self.sealed.upgrades).cloned().collect();
        let mut defs = self.source.ops.clone();
        expand_common(&mut defs);
        let own: BTreeSet<String> = new.iter().map(|(op, _)| op.clone()).filter(|op| op != COMMON).collect();
        let has_common = new.iter().any(|(op, _)| op == COMMON);
        let old = self.states.last().map(|state| &state.defs);
        let of_all = old.into_iter().flat_map(|old| old.keys()).filter(|op| has_common && defs.contains_key(*op));
        let of_all: BTreeSet<String> = of_all.filter(|op| !own.contains(*op)).cloned().collect();
        let ops = own.union(&of_all).cloned().collect();
        let mut state = follow(self.states.last(), &defs, &ops, numbers);
        state.producer = self.source.data_versions(SavedKind::Graph).producer();
        if let Some(old) = self.states.last() {
            let sides = [old, &state].map(|state| Side { defs: &state.defs, names: &state.names });
            let transform = |op: &String| Transform::of(op, sides[0], sides[1]);
            for (op, before) in new {
                let function = if before < state.producer {
                    UpgradeFn::new(|_| Ok(()))
                } else if op == COMMON {
                    Transform::of_all(of_all.iter().map(|op| (op.clone(), transform(op))).collect())
                } else {
                    transform(&op).function()
                };
                self.functions.insert((op, before), function);
            }
        }
        self.states.push(state);
        (self.lock, self.sealed, self.day) = (lock, self.source.clone(), day);
        let version = std::mem::replace(&mut self.version, Bump::Minor.apply(&context.version));
        let mut package = Package::new(self.lock.clone(), version.clone());
        package.ops = defs;
        package.upgrades.clone_from(&self.functions);
        let mut program = Program::default();
        program.packages_mut().insert("p".to_owned(), package);
        program.faults = without.faults();
        let (is_branch, state) = (self.is_branch, self.states.len() - 1);
        let versions = self.source.data_versions(SavedKind::Graph);
        Some(Release { version, is_branch, state, data: versions, day, program })
    }
}

/// Whether an author does as a finding asks; `lock` is what an update would write.
fn is_obeyed(judged: &Judged, lock: &Lock, without: Without) -> bool {
    let finding = &judged.finding;
    // Nothing is asked for what is taken for an addition.
    let mut rows = lock.pending_of(&finding.op).filter(|(key, _)| key.item == finding.item);
    without.obeys(finding.rule.name) && !rows.any(|(_, row)| without.is_addition(row))
}

fn put(def: &mut OpDef, item: &Item) {
    match item {
        Item::Arg(kind, arg) => {
            let args = if *kind == Kind::Input { def.inputs.to_mut() } else { def.outputs.to_mut() };
            match args.iter_mut().find(|other| other.name == arg.name) {
                Some(old) => {
                    let (aliases, deprecated) = (old.aliases.clone(), old.deprecated.clone());
                    *old = oplock_core::ArgDef { aliases, deprecated, ..arg.clone() };
                }
                None => args.push(arg.clone()),
            }
        }
        Item::Attr(attr) => {
            let attrs = def.attrs.to_mut();
            match attrs.iter_mut().find(|other| other.name == attr.name) {
                Some(old) => {
                    let (aliases, deprecated) = (old.aliases.clone(), old.deprecated.clone());
                    *old = oplock_core::AttrDef { aliases, deprecated, ..attr.clone() };
                }
                None => attrs.push(attr.clone()),
            }
        }
    }
}

fn remove(def: &mut OpDef, kind: Kind, name: &str) -> bool {
    let before = def.item_names().count();
    match kind {
        Kind::Input => def.inputs.to_mut().retain(|arg| arg.name != name),
        Kind::Output => def.outputs.to_mut().retain(|arg| arg.name != name),
        Kind::Attr => def.attrs.to_mut().retain(|attr| attr.name != name),
    }
    def.item_names().count() < before
}

/// The old name is one of the other names from now on, and the new one no longer.
fn add_alias(aliases: &mut std::borrow::Cow<'static, [Str]>, old: &str, new: &str) {
    aliases.to_mut().retain(|alias| alias != new && alias != old);
    aliases.to_mut().push(old.to_owned().into());
}

fn rename_item(def: &mut OpDef, kind: Kind, from: &str, to: &'static str) -> bool {
    if def.item_names().any(|(k, name)| (k, name) == (kind, to)) {
        return false;
    }
    let args = match kind {
        Kind::Input => Some(def.inputs.to_mut()),
        Kind::Output => Some(def.outputs.to_mut()),
        Kind::Attr => None,
    };
    let item = if let Some(args) = args {
        args.iter_mut().find(|arg| arg.name == from).map(|arg| (&mut arg.name, &mut arg.aliases))
    } else {
        let attr = def.attrs.to_mut().iter_mut().find(|attr| attr.name == from);
        attr.map(|attr| (&mut attr.name, &mut attr.aliases))
    };
    let Some((name, aliases)) = item else { return false };
    add_alias(aliases, from, to);
    *name = to.into();
    true
}
