//! Random edits of neighbouring lines on two branches: git joins them as both meant, or it conflicts; and what
//! conflicts is mended by `cargo oplock resolve`, called as git calls a merge driver.

#[allow(dead_code, reason = "not every test binary uses all of it")]
mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use common::run_in;
use oplock_core::approvals::Approvals;
use oplock_core::judge::{seal, updated};
use oplock_core::lock::{OpEntry, Release, Since, merge};
use oplock_core::{ArgDef, AttrDef, AttrType, Context, Lock, OpDef, Options, ScalarType, Value};
use semver::Version;
use tempfile::TempDir;

const MERGES: usize = 500;

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % sides as u64).expect("a small number")
    }
}

type Ops = BTreeMap<String, OpDef>;

fn attr(name: &str, default: i32) -> AttrDef {
    let mut attr = AttrDef::new(name.to_owned(), AttrType::of(ScalarType::I32));
    attr.default = Some(Value::I32(default));
    attr
}

fn op(name: &str, attrs: &[&str]) -> OpDef {
    let mut def = OpDef::new(name.to_owned());
    def.inputs.to_mut().push(ArgDef::new("x"));
    for name in attrs {
        def.attrs.to_mut().push(attr(name, 0));
    }
    def.sorted()
}

fn context() -> Context {
    // A major version is on the way, so that breaks take rows of the ledger.
    let (version, options) = (Version::new(2, 0, 0), Options::default());
    Context { version, options, features: None, approvals: Approvals::default() }
}

/// What a branch makes of a lock: one to three edits of the source, an update, and perhaps a release.
fn branch(base: &Lock, ops: &Ops, may_seal: bool, dice: &mut Dice) -> Lock {
    let mut ops = ops.clone();
    for _ in 0..=dice.roll(3) {
        let names: Vec<_> = ops.keys().cloned().collect();
        let name = names[dice.roll(names.len())].clone();
        let def = ops.get_mut(&name).expect("it is one of them");
        match dice.roll(6) {
            0 => ops.extend(["a1", "b1", "c1"].get(dice.roll(3)).map(|name| ((*name).to_owned(), op(name, &["p"])))),
            1 if names.len() > 1 => drop(ops.remove(&name)),
            2 if !def.attrs.is_empty() => {
                let i = dice.roll(def.attrs.len());
                def.attrs.to_mut().remove(i);
            }
            3 if !def.attrs.is_empty() => {
                let i = dice.roll(def.attrs.len());
                def.attrs.to_mut()[i].default = Some(Value::I32(i32::try_from(dice.roll(3)).expect("small")));
            }
            _ => {
                let new = ["q", "r", "s"][dice.roll(3)];
                if def.attr(new).is_none() {
                    def.attrs.to_mut().push(attr(new, i32::try_from(dice.roll(2)).expect("small")));
                    *def = def.clone().sorted();
                }
            }
        }
    }
    let context = context();
    let mut lock = updated(base, &context, &ops, &|_| false);
    context.note_version(&mut lock);
    if may_seal && dice.roll(3) == 0 {
        lock = seal(&lock, &context, "2026-05-05").expect("2.0.0 is major");
    }
    Lock::parse(&lock.to_string(), None).unwrap_or_else(|error| panic!("{error}\n{lock}"))
}

/// The base: three operators that are released, of which some items are not.
fn base(dice: &mut Dice) -> (Lock, Ops) {
    let ops: Ops = ["a", "b", "c"].map(|name| (name.to_owned(), op(name, &["m", "p", "t"]))).into();
    let mut lock = Lock::new("x");
    lock.releases.insert(Version::new(1, 0, 0), Release::new("2026-01-01"));
    let since = Since::Release(Version::new(1, 0, 0));
    lock.ops = ops.iter().map(|(name, def)| (name.clone(), OpEntry::new(def.clone(), &since))).collect();
    let mut now = ops;
    for def in now.values_mut().filter(|_| dice.roll(2) == 0) {
        def.attrs.to_mut().push(attr("n", 0));
        *def = def.clone().sorted();
    }
    let context = context();
    let mut lock = updated(&lock, &context, &now, &|_| false);
    context.note_version(&mut lock);
    (lock, now)
}

fn git_merge(folder: &Path) -> (bool, String) {
    let mut command = Command::new("git");
    command.args(["merge-file", "-p", "--diff3", "ours", "base", "theirs"]).current_dir(folder);
    let output = command.output().expect("git runs");
    (output.status.success(), String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn no_merge_says_what_neither_side_meant() {
    let root = TempDir::new().expect("a folder");
    let folder = root.path();
    let mut dice = Dice(7);
    let (mut clean, mut conflicts, mut twice) = (0, 0, 0);
    while clean + conflicts < MERGES {
        let (base, ops) = base(&mut dice);
        // Now and then both seal the same version on the same day, and only one of them can be published.
        let (sealing, both) = (dice.roll(2), dice.roll(4) == 0);
        let [ours, theirs] = [0, 1].map(|side| branch(&base, &ops, both || side == sealing, &mut dice));
        twice += usize::from(!ours.releases.is_empty() && ours.releases.len() + theirs.releases.len() == 4);
        if ours == base || theirs == base || ours == theirs {
            continue;
        }
        for (name, lock) in [("base", &base), ("ours", &ours), ("theirs", &theirs)] {
            fs::write(folder.join(name), lock.to_string()).expect("a file");
        }
        let meant = merge(&base, &ours, &theirs);
        let all = || {
            format!(
                "-- base\n{base}\n-- ours\n{ours}\n-- theirs\n{theirs}\n-- meant\n{}\n{:?}",
                meant.lock, meant.choices
            )
        };
        let (is_clean, text) = git_merge(folder);
        if is_clean {
            clean += 1;
            // What no lock may say is refused by the next command and by the compiler.
            if let Ok(joined) = Lock::parse(&text, None) {
                assert!(joined == meant.lock && meant.choices.is_empty(), "joined by git:\n{text}\n{}", all());
            }
            continue;
        }
        conflicts += 1;
        assert!(Lock::parse(&text, None).is_err(), "markers are refused:\n{text}");
        let run = run_in(folder, &["resolve", "--driver", "base", "ours", "theirs"]);
        assert_eq!(run.code, Some(0), "{}\n{}", run.stderr, all());
        let mended = fs::read_to_string(folder.join("ours")).expect("a file");
        assert_eq!(mended, meant.lock.to_string());
        assert_eq!(run.stderr.lines().count(), meant.choices.len(), "each choice is told: {}", run.stderr);
    }
    assert!(clean > MERGES / 20 && conflicts > MERGES / 20, "{clean} clean, {conflicts} conflicts");
    assert!(twice > MERGES / 50, "{twice} sealed twice");
}
