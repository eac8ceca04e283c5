//! The steps of a history: two branches, and the releases that were made on them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use oplock_core::approvals::Approval;
use oplock_core::judge::{judge_set, parted, seal, withdraw};
use oplock_core::lock::{OpEntry, Release, Since, absorb, merge};
use oplock_core::{Kind, Lock, OpDef};
use semver::Version;

use super::branch::{Branch, bumped};
use super::common::{self, op_named};
use super::faults::Fault;
use super::model::{Past, Source, broken, names, promised, stamps, step_of};

pub(crate) const OPS: [&str; 3] = ["f", "g", "h"];
pub(crate) const ITEMS: [&str; 18] = [
    "input.X = {}",
    "input.X = { dispensable = true }",
    "input.X = { duplicable = true }",
    "input.X = { dispensable = true, quant = true }",
    "input.X = { dispensable = true, extra = true }",
    "input.Y = { dispensable = true }",
    "output.X = {}",
    "output.X = { dispensable = true }",
    "output.X = { intermediate = true, extra = true }",
    "attr.X = { type = \"i32\" }",
    "attr.X = { type = \"i32\", default = 0 }",
    "attr.X = { type = \"i32\", default = 1 }",
    "attr.X = { type = \"i64\", default = 0 }",
    "attr.X = { type = \"i32\", default = 0, extra = true }",
    "attr.m = { type = \"string\", default = \"a\", values = [\"a\"] }",
    "attr.m = { type = \"string\", default = \"a\", values = [\"a\", \"b\"] }",
    "attr.m = { type = \"string\", default = \"a\", values = [\"a\", \"c\"] }",
    "input._h = {}",
];
pub(crate) const CONDITIONS: [Option<&str>; 4] = [None, Some("unix"), Some("windows"), Some("any(unix, windows)")];

/// What a step does, with how often of a hundred and some.
pub(crate) const KINDS: [(&str, u32); 25] = [
    ("set an item", 14),
    ("remove an item", 7),
    ("set a condition", 3),
    ("mark experimental", 2),
    ("un-mark experimental", 2),
    ("delete an operator", 3),
    ("declare an operator", 2),
    ("restore an operator", 4),
    ("rename an operator", 2),
    ("rename an item", 2),
    ("update", 18),
    ("set the version", 12),
    ("plan", 3),
    ("withdraw", 5),
    ("seal", 8),
    ("set the version, update and seal", 8),
    ("seal, whatever a base says", 1),
    ("approve", 5),
    ("un-approve", 2),
    ("regenerate", 1),
    ("edit the lock by hand", 9),
    ("take the lock of the last release", 3),
    ("branch", 4),
    ("merge", 6),
    ("rebase", 3),
];

/// One step; the numbers choose among what there is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) kind: usize,
    pub(crate) on_branch: bool,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

pub(crate) struct World {
    pub(crate) main: Branch,
    /// The other branch, and the state in which both were one.
    pub(crate) other: Option<(Branch, Branch)>,
    pub(crate) past: Vec<Past>,
    pub(crate) seen: BTreeSet<&'static str>,
}

pub(crate) fn items() -> &'static [OpDef] {
    static PARSED: OnceLock<Vec<OpDef>> = OnceLock::new();
    PARSED.get_or_init(|| ITEMS.iter().map(|item| op_named("f", item)).collect())
}

pub(crate) fn pick<T>(list: &[T], dice: u32) -> Option<&T> {
    if list.is_empty() { None } else { list.get(dice as usize % list.len()) }
}

impl World {
    pub(crate) fn begin(dice: u32, fault: Fault) -> Self {
        let version = if dice.is_multiple_of(4) { "0.3.0" } else { "1.0.0" };
        let mut source = common_source().clone();
        source.retain(|name, _| name != "h");
        let main = Branch {
            source,
            context: common::context(version),
            lock: Lock::new("p"),
            tips: BTreeSet::new(),
            is_clean: true,
            trail: Vec::new(),
            fault,
        };
        let mut world = World { main, other: None, past: Vec::new(), seen: BTreeSet::new() };
        world.main.lock = world.main.updated().unwrap_or_else(|| panic!("a first lock"));
        world.seal(false, false);
        world
    }

    pub(crate) fn branch(&mut self, on_branch: bool) -> &mut Branch {
        match &mut self.other {
            Some((other, _)) if on_branch => other,
            _ => &mut self.main,
        }
    }

    pub(crate) fn step(&mut self, step: &Step) {
        let Step { a, b, on_branch, .. } = *step;
        let (kind, _) = KINDS[step.kind];
        let op = OPS[a as usize % OPS.len()];
        let past_of = |world: &mut World| world.branch(on_branch).tips.iter().next_back().copied();
        let past = past_of(self);
        let restored = past.and_then(|past| self.past[past].ever.get(op).cloned());
        let released = past.map(|past| self.past[past].lock.clone());
        let has_forged = past.is_some_and(|past| self.past[past].has_forged);
        let has_candidate = self.seen.contains("a pre-release");
        let branch = self.branch(on_branch);
        let before = branch.lock.clone();
        match kind {
            "set an item" => branch.set_item(op, &items()[b as usize % ITEMS.len()]),
            "remove an item" => {
                let items: Vec<_> = branch
                    .source
                    .get(op)
                    .iter()
                    .flat_map(|def| def.item_names())
                    .map(|(k, n)| (k, n.to_owned()))
                    .collect();
                if let Some(item) = pick(&items, b) {
                    branch.remove_item(op, item);
                }
            }
            "set a condition" => branch.change(op, |def| def.cfg = CONDITIONS[b as usize % 4].map(Into::into)),
            "mark experimental" => branch.change(op, |def| def.experimental = true),
            "un-mark experimental" => branch.change(op, |def| def.experimental = false),
            "delete an operator" => drop(branch.source.remove(op)),
            "declare an operator" => branch.change(op, |_| {}),
            "restore an operator" => {
                branch.source.remove(op);
                branch.source.extend(restored.map(|def| (op.to_owned(), def)));
            }
            "rename an operator" => {
                if let Some(def) = branch.source.remove(op) {
                    let name = OPS[b as usize % OPS.len()];
                    branch.source.insert(name.to_owned(), OpDef { name: name.into(), ..def });
                }
            }
            "rename an item" => branch.change(op, |def| {
                let to = ["X", "Y", "_h"][b as usize % 3];
                if def.arg(Kind::Input, to).is_none() {
                    def.inputs.to_mut().iter_mut().take(1).for_each(|arg| arg.name = to.into());
                }
            }),
            "update" => branch.lock = branch.updated().unwrap_or(before.clone()),
            "set the version" => branch.context.version = bumped(&branch.last(), b),
            "plan" => {
                branch.lock.next = (b % 3 > 0)
                    .then(|| bumped(&branch.last(), b / 3))
                    .filter(|next| next.pre.is_empty() && *next > branch.last());
            }
            "withdraw" => {
                let path =
                    format!("{op}{}", ["", ".input.X", ".attr.X", ".attr.m", ".output.X", ".input.Y"][b as usize % 6]);
                branch.lock = withdraw(&branch.lock, &path).unwrap_or(before.clone());
            }
            "seal" => {
                if b % 4 > 0 {
                    branch.lock = branch.updated().unwrap_or(before.clone());
                }
                self.seal(on_branch, false);
            }
            "set the version, update and seal" => {
                branch.context.version = bumped(&branch.last(), b);
                branch.lock = branch.updated().unwrap_or(before.clone());
                self.seal(on_branch, false);
            }
            "seal, whatever a base says" => self.seal(on_branch, true),
            "approve" => {
                let judgement = judge_set(&branch.lock, &branch.context, &branch.source);
                let refused: Vec<_> = judgement.refused().collect();
                let new: Vec<_> = refused.iter().map(|j| Approval::new(&j.finding, "r", "p", None)).collect();
                branch.context.approvals.list.extend(if b % 3 == 0 {
                    pick(&new, a).cloned().into_iter().collect()
                } else {
                    new
                });
            }
            "un-approve" => {
                let list = &mut branch.context.approvals.list;
                if b % 3 == 0 { list.clear() } else { drop(list.pop()) }
            }
            "regenerate" => {
                let mut lock = Lock::new("p");
                let since = if b % 2 == 0 {
                    Since::Unreleased
                } else {
                    let version = if b % 4 == 1 { branch.last() } else { branch.context.version.clone() };
                    lock.releases.insert(version.clone(), Release::new("2026-01-01"));
                    Since::Release(version)
                };
                lock.ops =
                    branch.source.iter().map(|(n, def)| (n.clone(), OpEntry::new(def.clone(), &since))).collect();
                branch.lock = lock;
                branch.is_clean = false;
            }
            "edit the lock by hand" => branch.edit(a, b),
            "take the lock of the last release" => {
                if let Some(lock) = released {
                    // A pre-release that was sealed since is lost with it, and what a forged release did is not foretold.
                    branch.is_clean = branch.tips.len() == 1 && !has_candidate && !has_forged;
                    branch.lock = lock;
                    branch.trail.clear();
                }
            }
            "branch" => self.other = Some((self.main.clone(), self.main.clone())),
            "merge" => self.merge(b, false),
            _ => self.merge(b, true),
        }
        let branch = self.branch(on_branch);
        let is_a_step = !matches!(kind, "take the lock of the last release" | "branch" | "merge" | "rebase");
        if branch.lock != before && is_a_step && branch.is_clean {
            branch.trail.push(before);
        }
    }

    /// The other branch into the main one, or the other one on top of the main one.
    pub(crate) fn merge(&mut self, dice: u32, is_rebase: bool) {
        let Some((other, base)) = &mut self.other else { return };
        let main = &self.main;
        let mut merged = main.clone();
        let (ours, theirs) = if dice.is_multiple_of(2) { (main, &*other) } else { (&*other, main) };
        let joined = match merge(&base.lock, &ours.lock, &theirs.lock) {
            _ if dice % 5 == 4 => absorb(&main.lock, &other.lock),
            merged => merged,
        };
        // Two lines that promise one thing differently are not joined.
        if !parted(&main.lock, &other.lock, &joined.lock, main.context.options).is_empty() {
            self.seen.insert("lines that promise one thing differently");
            if !matches!(main.fault, Fault::Parted) {
                return;
            }
        }
        merged.lock = joined.lock;
        // One version that was sealed twice is reported, and whoever published the other has lost it.
        merged.is_clean &= !joined.choices.iter().any(|choice| choice.path.starts_with("release "));
        for op in OPS {
            if other.source.get(op) != base.source.get(op) {
                merged.source.remove(op);
                merged.source.extend(other.source.get(op).map(|def| (op.to_owned(), def.clone())));
            }
        }
        merged.context.version = main.context.version.clone().max(other.context.version.clone());
        for approval in &other.context.approvals.list {
            if !merged.context.approvals.list.contains(approval) {
                merged.context.approvals.list.push(approval.clone());
            }
        }
        merged.tips.extend(&other.tips);
        let tips = merged.tips.clone();
        merged.tips.retain(|tip| !tips.iter().any(|other| self.past[*other].before.contains(tip)));
        merged.is_clean &= other.is_clean;
        merged.trail = vec![main.lock.clone(), other.lock.clone()];
        if is_rebase {
            *base = main.clone();
            *other = merged;
        } else {
            *base = other.clone();
            self.main = merged;
        }
    }

    /// A release, published if nothing speaks against it; `is_forced` looks at no base, and publishes nothing.
    pub(crate) fn seal(&mut self, on_branch: bool, is_forced: bool) {
        let past = std::mem::take(&mut self.past);
        let branch = self.branch(on_branch);
        let version = branch.context.version.clone();
        if is_forced {
            if let Ok(lock) = seal(&branch.lock, &branch.context, "2026-01-01") {
                branch.lock = lock;
                branch.is_clean = false;
            }
            self.past = past;
            return;
        }
        let Some(lock) = branch.release(&past, &branch.lock) else {
            self.past = past;
            return;
        };
        branch.lock = lock.clone();
        if !version.pre.is_empty() {
            self.past = past;
            self.seen.insert("a pre-release");
            return;
        }
        let tips = std::mem::replace(&mut branch.tips, BTreeSet::from([past.len()]));
        let ops = promised(&branch.source);
        let (mut ever, mut ever_items, mut before) = (Source::new(), BTreeMap::new(), tips.clone());
        for tip in &tips {
            ever.extend(past[*tip].ever.clone());
            ever_items.extend(past[*tip].ever_items.clone());
            before.extend(&past[*tip].before);
        }
        ever.extend(ops.clone());
        for (name, def) in &ops {
            ever_items.extend(names(def).into_iter().map(|item| ((name.clone(), item), def.clone())));
        }
        let major = tips.iter().any(|tip| step_of(&past[*tip].version, &version) == 3);
        let is_break = tips.iter().any(|tip| !broken(&past[*tip], &branch.source).is_empty());
        let several = tips.len() > 1;
        let before_it = tips.first().map(|tip| &past[*tip]);
        let since = if branch.is_clean && !several {
            stamps(before_it, &ops, &version)
        } else {
            // What lines that were merged, or a hand, made of it is not foretold.
            let of_lock = stamps(None, &ops, &version).into_keys().filter_map(|key| {
                let entry = lock.ops.get(&key.0)?;
                match entry.side(key.1.as_ref()).since() {
                    Some(Since::Release(version)) => Some((key, version.clone())),
                    _ => None,
                }
            });
            of_lock.collect()
        };
        let is_clean = branch.is_clean;
        let is_made =
            |release: &Version| *release == version || before.iter().any(|tip| past[*tip].version == *release);
        let has_forged = lock.releases.keys().any(|release| release.pre.is_empty() && !is_made(release));
        self.past = past;
        self.past.push(Past { version, ops, ever, ever_items, since, lock, before, has_forged });
        self.seen.extend((self.past.len() > 2).then_some("several releases"));
        self.seen.extend((major && is_break).then_some("a break by a major release"));
        self.seen.extend((!major && is_break).then_some("an approved break"));
        self.seen.extend(several.then_some("a release after parallel ones"));
        self.seen.extend((!is_clean).then_some("a release of an edited lock"));
    }
}

pub(crate) fn common_source() -> &'static Source {
    static SOURCE: OnceLock<Source> = OnceLock::new();
    SOURCE.get_or_init(|| {
        common::set(&[
            ("f", "input.X = {}; attr.m = { type = \"string\", default = \"a\", values = [\"a\"] }"),
            ("g", "attr.X = { type = \"i32\", default = 0 }"),
        ])
    })
}
