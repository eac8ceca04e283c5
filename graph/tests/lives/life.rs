//! A life: steps, and the releases that come of them.

use std::collections::BTreeMap;

use crate::dice::Dice;
use crate::identity::{Numbers, State};
use crate::meaning::{Meaning, OF_ANOTHER};
use crate::package::{Line, Release};
use crate::rules::Without;
use crate::step::{BEGINNINGS, Change, OPS, RENAMES, Step, What, beginning, common_items, items};

/// What became of a package.
pub(crate) struct Life {
    pub(crate) releases: Vec<Release>,
    pub(crate) trunk: Vec<State>,
    /// Beginning with those of the trunk until they part.
    pub(crate) branch: Vec<State>,
    /// The last state that both have.
    pub(crate) fork: usize,
    /// Which of the steps did something.
    pub(crate) done: Vec<usize>,
    /// How often the trunk took the maintenance line over.
    pub(crate) absorbed: usize,
    pub(crate) without: Without,
}

impl Life {
    pub(crate) fn of(steps: &[Step], without: Without) -> Life {
        let mut numbers = Numbers::default();
        let (mut trunk, mut branch) = (Line::new(), None);
        let (mut releases, mut done): (Vec<Release>, _) = (Vec::new(), Vec::new());
        let mut strangers = None;
        let mut absorbed = 0;
        for (index, step) in steps.iter().enumerate() {
            let line = if step.on_branch { branch.as_mut() } else { Some(&mut trunk) };
            let Some(line) = line else { continue };
            let is_done = match step.what {
                What::Change(change) => line.change(change, without),
                What::Release(days) => {
                    let release = line.release(days, &mut numbers, without);
                    let is_done = release.is_some();
                    releases.extend(release);
                    is_done
                }
                What::Relax => line.relax(),
                What::Fork if branch.is_none() => {
                    branch = trunk.fork();
                    branch.is_some()
                }
                What::Fork => false,
                What::Absorb => {
                    let release = branch.as_ref().and_then(|branch| trunk.absorb(branch, &mut numbers, without));
                    let is_done = release.is_some();
                    releases.extend(release);
                    is_done
                }
                What::Stranger(op, which) => {
                    strangers.get_or_insert(beginning(op, which));
                    true
                }
            };
            if is_done {
                absorbed += usize::from(step.what == What::Absorb);
                done.push(index);
            }
        }
        if let Some(def) = &strangers {
            for release in &mut releases {
                release.meet_stranger(def);
            }
        }
        let fork = trunk.fork.unwrap_or(usize::MAX);
        let branch = branch.map(|line| line.states).unwrap_or_default();
        Life { releases, trunk: trunk.states, branch, fork, done, absorbed, without }
    }

    /// What an operator or item of that number is called when it first is.
    pub(crate) fn name(&self, number: u32) -> String {
        if number == OF_ANOTHER {
            return "an operator of another package".to_owned();
        }
        for release in &self.releases {
            for (op, names) in &self.state(release).names.ops {
                if names.behaviour == number {
                    return format!("`{op}` as {} has it", release.version);
                }
                if let Some(((_, name), _)) = names.items.iter().find(|(_, other)| **other == number) {
                    return format!("`{op}.{name}`");
                }
            }
        }
        number.to_string()
    }

    pub(crate) fn state(&self, release: &Release) -> &State {
        if release.is_branch { &self.branch[release.state] } else { &self.trunk[release.state] }
    }

    /// The last state of the line of `reader` and `writer` that both come from: as of it they understand each other.
    pub(crate) fn common(&self, writer: &Release, reader: &Release) -> usize {
        let common = writer.state.min(reader.state);
        if writer.is_branch == reader.is_branch { common } else { common.min(self.fork) }
    }

    /// What a graph of `writer` means to the newest release of the line of `reader`.
    pub(crate) fn carried(&self, mut meaning: Meaning, of: &Release, to_branch: bool) -> Meaning {
        let mut from = of.state;
        if of.is_branch != to_branch && from > self.fork {
            let (known, neutral) = (&self.trunk[self.fork].known, &self.state(of).neutral);
            meaning.project(|number| known.contains(&number), neutral);
            from = self.fork;
        }
        let states = if to_branch { &self.branch } else { &self.trunk };
        for state in &states[from + 1..] {
            meaning.carry(&state.carry);
        }
        meaning.numbered()
    }

    /// On which line two releases are compared: that of the reader, or of the writer where the reader is of both.
    pub(crate) fn is_on_branch(&self, writer: &Release, reader: &Release) -> bool {
        reader.is_branch || (writer.is_branch && reader.state <= self.fork)
    }
}

/// How a random life looks.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) steps: usize,
    /// Whether all operators have attributes in common, a release has several data versions, and another package has operators.
    pub(crate) is_wide: bool,
    /// Whether a relaxed requirement is no break, and the places of operands may be promised.
    pub(crate) is_relaxed: bool,
    /// Whether the trunk takes the maintenance line over.
    pub(crate) is_joined: bool,
}

/// Random steps.
pub(crate) fn random(dice: &mut Dice, shape: Shape) -> Vec<Step> {
    let mut steps = Vec::new();
    let step = |on_branch, what| Step { on_branch, what };
    if shape.is_relaxed {
        steps.push(step(false, What::Relax));
    }
    for op in 0..=dice.below(2) {
        steps.push(step(false, What::Change(Change::AddOp(op, dice.below(BEGINNINGS.len())))));
    }
    let mut is_forked = false;
    if shape.is_wide && dice.once_in(4) {
        steps.push(step(false, What::Stranger(dice.below(2), dice.below(BEGINNINGS.len()))));
    }
    steps.push(step(false, What::Release(0)));
    for _ in 0..shape.steps {
        let on_branch = is_forked && dice.once_in(3);
        if shape.is_wide && dice.once_in(5) {
            let change = match dice.below(8) {
                0..4 => Change::PutCommon(dice.below(common_items().len())),
                4 => Change::RemoveCommon(["s", "q"][dice.below(2)]),
                _ => Change::NewDataVersion,
            };
            steps.push(step(on_branch, What::Change(change)));
        }
        if shape.is_relaxed && dice.once_in(12) {
            steps.push(step(on_branch, What::Change(Change::PromisePlaces)));
        }
        if shape.is_joined && is_forked && dice.once_in(8) {
            // Of both lines nothing is on the way.
            let release = |on_branch| step(on_branch, What::Release(10));
            steps.extend([release(true), release(false), step(false, What::Absorb)]);
        }
        steps.push(step(
            on_branch,
            match dice.below(100) {
                0..24 => What::Release([0, 10, 300][dice.below(3)]),
                24..28 if !is_forked => {
                    is_forked = true;
                    What::Fork
                }
                _ => What::Change(random_change(dice)),
            },
        ));
    }
    steps.push(step(false, What::Release(300)));
    if is_forked {
        steps.push(step(true, What::Release(0)));
    }
    steps
}

fn random_change(dice: &mut Dice) -> Change {
    // The first operators are those on which most happens.
    let op = dice.below(3).min(dice.below(4));
    let item = |dice: &mut Dice| {
        let (kind, name) = items()[dice.below(items().len())].key();
        let renamed = RENAMES.iter().find(|(k, from, _)| (*k, *from) == (kind, name)).filter(|_| dice.once_in(4));
        let names: BTreeMap<&str, &'static str> = NAMES.iter().map(|name| (*name, *name)).collect();
        (kind, renamed.map_or(names[name], |(_, _, to)| *to))
    };
    match dice.below(100) {
        0..5 => Change::AddOp(op, dice.below(BEGINNINGS.len())),
        5..9 => Change::DeleteOp(op),
        9..12 => Change::RenameOp(op, dice.below(OPS.len())),
        12..16 => Change::DeprecateOp(op),
        16..21 => Change::ReviseOp(op),
        21..65 => Change::Put(op, dice.below(items().len())),
        65..75 => {
            let (kind, name) = item(dice);
            Change::Remove(op, kind, name)
        }
        75..82 => Change::RenameItem(op, dice.below(RENAMES.len())),
        82..89 => {
            let (kind, name) = item(dice);
            Change::DeprecateItem(op, kind, name)
        }
        89..96 => Change::RaiseMinProducer(dice.below(3)),
        96..98 => Change::RaiseMinConsumer,
        _ => Change::NameBadConsumer,
    }
}

const NAMES: [&str; 9] = ["X", "Y", "Out", "Z", "a", "b", "k", "l", "m"];
