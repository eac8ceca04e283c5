//! One random history: its steps from a seed, running it, and finding the smallest that fails as well.

use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::faults::Fault;
use super::world::{ITEMS, KINDS, OPS, Step, World};

/// Numbers that look random, the same for a seed (xorshift64*).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        u32::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).unwrap_or(0)
    }
}

/// The steps of one, what it begins with, and what does not work in it.
pub(crate) struct History {
    pub(crate) seed: u64,
    start: u32,
    steps: Vec<Step>,
    fault: Fault,
}

fn steps(seed: u64) -> Vec<Step> {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let total: u32 = KINDS.iter().map(|(_, weight)| weight).sum();
    let length = 8 + dice.roll() % 40;
    // Some histories have no forged locks, so that they come far.
    let is_honest = dice.roll().is_multiple_of(2);
    let mut kind = || loop {
        let mut at = dice.roll() % total;
        let found = KINDS.iter().position(|(_, weight)| {
            let is_it = at < *weight;
            at = at.wrapping_sub(*weight);
            is_it
        });
        let kind = found.unwrap_or(0);
        if !(is_honest
            && matches!(KINDS[kind].0, "regenerate" | "edit the lock by hand" | "seal, whatever a base says"))
        {
            return kind;
        }
    };
    let kinds: Vec<_> = (0..length).map(|_| kind()).collect();
    let step =
        |kind| Step { kind, on_branch: dice.roll().is_multiple_of(2), a: dice.roll() % 1000, b: dice.roll() % 1000 };
    kinds.into_iter().map(step).collect()
}

impl History {
    pub(crate) fn new(seed: u64, fault: Fault) -> Self {
        History { seed, start: u32::try_from(seed % 1000).unwrap_or(0), steps: steps(seed), fault }
    }

    /// What fails in it, and at which step.
    pub(crate) fn run(&self, seen: &mut BTreeSet<&'static str>) -> Result<(), (usize, String)> {
        let mut at = 0;
        let result = catch_unwind(AssertUnwindSafe(|| {
            let mut world = World::begin(self.start, self.fault);
            for (i, step) in self.steps.iter().enumerate() {
                at = i;
                world.step(step);
                world.check(step)?;
            }
            seen.extend(world.seen);
            Ok(())
        }));
        let panicked = |panic: Box<dyn std::any::Any + Send>| {
            let text = panic.downcast_ref::<String>().cloned();
            Err(text.or(panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default())
        };
        result.unwrap_or_else(panicked).map_err(|message| (at, message))
    }

    fn fails(&self) -> Option<(usize, String)> {
        self.run(&mut BTreeSet::new()).err()
    }

    /// The smallest that still fails: ever smaller runs of steps are left out, then numbers are made small.
    pub(crate) fn shrunk(mut self) -> Self {
        if let Some((at, _)) = self.fails() {
            self.steps.truncate(at + 1);
        }
        loop {
            let before = self.steps.clone();
            let mut size = self.steps.len().max(1);
            while size > 0 {
                let mut at = 0;
                while at + size <= self.steps.len() {
                    let all = self.steps.clone();
                    self.steps.drain(at..at + size);
                    if self.fails().is_none() {
                        self.steps = all;
                        at += 1;
                    }
                }
                size /= 2;
            }
            for at in 0..self.steps.len() {
                let old = self.steps[at];
                let smaller =
                    [Step { on_branch: false, ..old }, Step { a: old.a % 3, ..old }, Step { b: old.b % 20, ..old }];
                for new in smaller {
                    let kept = std::mem::replace(&mut self.steps[at], new);
                    if self.fails().is_none() {
                        self.steps[at] = kept;
                    }
                }
            }
            if self.steps == before {
                return self;
            }
        }
    }
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Step { kind, on_branch, a, b }) in self.steps.iter().enumerate() {
            let place = if *on_branch { "other" } else { "main" };
            let what = match KINDS[*kind].0 {
                "set an item" => ITEMS[*b as usize % ITEMS.len()],
                _ => "",
            };
            let op = OPS[*a as usize % OPS.len()];
            writeln!(f, "{i:>3} {place:<5} {} ({a}, {b}) {op} {what}", KINDS[*kind].0)?;
        }
        self.fails().map_or(Ok(()), |(_, message)| f.write_str(&message))
    }
}
