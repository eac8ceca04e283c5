//! Taking back, on purpose, what no release carries yet.

use std::collections::BTreeSet;
use std::fmt;

use super::{OPERATOR, undone};
use crate::did_you_mean;
use crate::lock::{Bound, Lock, RowKey, Saved, Side, Since};
use crate::model::{COMMON, DataVersions, Kind, Map, SavedKind};

/// Why something cannot be withdrawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WithdrawError {
    /// The lock has nothing of that name.
    Unknown {
        /// The argument.
        path: String,
        /// ``; did you mean …?``, or nothing.
        hint: String,
    },
    /// Several things have the name: items of several kinds, or an operator and an item of another.
    Ambiguous {
        /// What names each of them alone.
        paths: Vec<String>,
    },
    /// A release carries it.
    Released {
        /// What was to be withdrawn.
        path: String,
        /// The release that carries it.
        release: String,
    },
    /// Its name, or one that it had, stands for another item now.
    Renamed {
        /// What was to be withdrawn.
        path: String,
        /// The name that stands for both.
        alias: String,
        /// What must be withdrawn first.
        first: String,
    },
    /// Nothing promises it, so there is nothing to take back.
    Unpromised {
        /// What was to be withdrawn.
        path: String,
    },
}

impl fmt::Display for WithdrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WithdrawError::Unknown { path, hint } => {
                write!(
                    f,
                    "the lock has nothing named `{path}`{hint} (an operator, OPERATOR.ITEM, *.ATTRIBUTE, saved.graph.VERSION or upgrade.OPERATOR.VERSION)"
                )
            }
            WithdrawError::Ambiguous { paths } => {
                write!(f, "several things have that name: say {}", paths.join(" or "))
            }
            WithdrawError::Released { path, release } => write!(
                f,
                "`{path}` is promised since release {release}, so it cannot be withdrawn: only a major version may break it (`cargo oplock plan major`)"
            ),
            WithdrawError::Renamed { path, alias, first } => write!(
                f,
                "`{path}` cannot be withdrawn alone: `{alias}` would stand for `{first}` too; withdraw that first: \
                 `cargo oplock withdraw {first}`"
            ),
            WithdrawError::Unpromised { path } => {
                write!(f, "`{path}` carries no promise: change it as you like, and run `cargo oplock update`")
            }
        }
    }
}

impl std::error::Error for WithdrawError {}

/// The lock without an operator (`slice`, or `operator.slice`), an item (`slice.starts`, or `slice.attr.starts`; `*.op_role` of all operators) or an
/// unsealed change of something released, which then is again what the last release had; without any operator (`*`), where no
/// release has one; without a data version (`saved.graph.8`), a bad consumer (`saved.graph.bad_consumer.6`), the rise of
/// `min_producer` (`saved.graph.min_producer`) or an upgrade function (`upgrade.pad.9`).
///
/// # Errors
///
/// When the lock has no such thing, or a release carries it.
pub fn withdraw(lock: &Lock, path: &str) -> Result<Lock, WithdrawError> {
    if path == COMMON {
        return withdraw_all(lock);
    }
    let is_op = |path: &str| lock.ops.contains_key(path) || pending_row(lock, path, None).is_some();
    let found = find(lock, path);
    let op = Some(path).filter(|path| is_op(path));
    let op = op.or_else(|| path.strip_prefix(OPERATOR).filter(|op| found.is_empty() && is_op(op)));
    if let Some(op) = op.filter(|_| found.is_empty()) {
        return withdraw_op(lock, op);
    }
    if found.is_empty()
        && let Some(result) = withdraw_data(lock, path)
    {
        return result;
    }
    match found.as_slice() {
        [] => Err(unknown(lock, path)),
        [(of, item)] if op.is_none() => withdraw_item(lock, path, of, item),
        several => {
            let op = op.map(|op| format!("`{OPERATOR}{op}`"));
            let items = several.iter().map(|(op, (kind, item))| format!("`{op}.{}.{item}`", kind.key()));
            Err(WithdrawError::Ambiguous { paths: op.into_iter().chain(items).collect() })
        }
    }
}

/// All operators, with what they have in common: a required attribute of all of them leaves none as it was.
fn withdraw_all(lock: &Lock) -> Result<Lock, WithdrawError> {
    if let Some(release) = lock.releases.keys().next() {
        return Err(WithdrawError::Released { path: COMMON.to_owned(), release: release.to_string() });
    }
    let mut new = lock.clone();
    new.ops = Map::new();
    new.ledger = Map::new();
    Ok(new)
}

fn withdraw_op(lock: &Lock, op: &str) -> Result<Lock, WithdrawError> {
    let path = op.to_owned();
    if lost_its_promise(lock, op) {
        let mut new = lock.clone();
        new.ops.remove(op);
        new.ops.extend(undone(lock, op, |_, _| true).map(|entry| (path, entry)));
        new.ledger.retain(|key, _| key.release.is_some() || key.op != op);
        return Ok(new);
    }
    match lock.ops.get(op).and_then(|entry| entry.stamp.since.as_ref()) {
        // It came back from a time as experimental.
        Some(Since::Unreleased) if pending_row(lock, op, None).is_some_and(|from| *from != Side::Absent) => {
            Ok(restored(lock, op, None, pending_row(lock, op, None).unwrap_or(&Side::Absent)))
        }
        Some(Since::Unreleased) => {
            let mut new = lock.clone();
            new.ops.remove(op);
            new.ledger.retain(|key, _| key.release.is_some() || key.op != op);
            Ok(new)
        }
        Some(Since::Release(release)) => match pending_row(lock, op, None) {
            Some(from) => Ok(restored(lock, op, None, from)),
            None => Err(WithdrawError::Released { path, release: release.to_string() }),
        },
        None => Err(WithdrawError::Unpromised { path }),
    }
}

/// `saved.graph.8`, `saved.graph.bad_consumer.6`, `saved.graph.min_producer`, `upgrade.pad.9`; `None` where it is none of
/// these.
fn withdraw_data(lock: &Lock, path: &str) -> Option<Result<Lock, WithdrawError>> {
    let mut new = lock.clone();
    let since = if let Some(rest) = path.strip_prefix("upgrade.") {
        let (op, version) = rest.rsplit_once('.')?;
        let key = (op.to_owned(), version.parse().ok()?);
        if new.gone_upgrades.remove(&key) {
            return Some(Ok(new)); // that it is gone is what no release carries
        }
        new.upgrades.remove(&key)?.since
    } else {
        let (kind, what) = path.strip_prefix("saved.")?.split_once('.')?;
        let kind = SavedKind::ALL.into_iter().find(|k| k.key() == kind)?;
        let saved = new.saved.get_mut(&kind)?;
        let since = match what {
            "min_producer" => take_back(&mut saved.versions.min_producer, &mut saved.min_producer),
            "min_consumer" => take_back(&mut saved.versions.min_consumer, &mut saved.min_consumer),
            _ if let Some(version) = what.strip_prefix("bad_consumer.") => {
                let version = version.parse().ok()?;
                saved.versions.bad_consumers.remove(&version);
                saved.bad_since.remove(&version)?.since
            }
            _ => {
                let version = what.parse().ok()?;
                saved.versions.history.remove(&version);
                saved.since.remove(&version)?.since
            }
        };
        let newest = saved.versions.producer();
        if saved.versions.history.is_empty() {
            saved.versions.history = DataVersions::default().history;
        }
        for (value, bound) in [
            (&mut saved.versions.min_producer, &mut saved.min_producer),
            (&mut saved.versions.min_consumer, &mut saved.min_consumer),
        ] {
            // What rose to a version that is taken back goes with it.
            if *value > newest {
                *value = bound.was.take().unwrap_or(newest);
            }
        }
        if *saved == Saved::default() {
            new.saved.remove(&kind);
        }
        since
    };
    Some(match since {
        Some(Since::Unreleased) => Ok(new),
        Some(Since::Release(release)) => {
            Err(WithdrawError::Released { path: path.to_owned(), release: release.to_string() })
        }
        None => Err(WithdrawError::Released { path: path.to_owned(), release: last_of(lock) }),
    })
}

fn take_back(value: &mut u32, bound: &mut Bound) -> Option<Since> {
    *value = bound.was.take()?;
    Some(Since::Unreleased)
}

fn last_of(lock: &Lock) -> String {
    lock.last_release().map_or("unknown".to_owned(), ToString::to_string)
}

/// Every item that the argument can mean; names of operators and items may themselves have dots.
fn find(lock: &Lock, path: &str) -> Vec<(String, (Kind, String))> {
    let mut found = Vec::new();
    // What all operators have may be gone but for the rows that say so.
    let no_common = (COMMON.to_owned(), lock.no_common());
    let gone = Some((&no_common.0, &no_common.1)).filter(|_| lock.common().is_none());
    for (op, entry) in lock.ops.iter().chain(gone) {
        let Some(rest) = path.strip_prefix(op.as_str()).and_then(|rest| rest.strip_prefix('.')) else { continue };
        let changed: Vec<_> = lock.pending_of(op).filter_map(|(key, _)| key.item.as_ref()).collect();
        let exact = |(kind, item): &(Kind, String)| {
            rest.strip_prefix(kind.key()).and_then(|r| r.strip_prefix('.')) == Some(item.as_str())
        };
        let plain = |item: &(Kind, String)| item.1 == rest;
        // What is there goes before what only a row remembers.
        let present = || entry.items.keys().collect::<BTreeSet<_>>();
        let all = || present().into_iter().chain(changed.iter().copied()).collect::<BTreeSet<_>>();
        let meant = [(all(), true), (present(), false), (all(), false)].into_iter().find_map(|(items, is_exact)| {
            let meant: Vec<_> = items.into_iter().filter(|i| if is_exact { exact(i) } else { plain(i) }).collect();
            (!meant.is_empty()).then_some(meant)
        });
        found.extend(meant.into_iter().flatten().map(|item| (op.clone(), item.clone())));
    }
    found
}

fn withdraw_item(lock: &Lock, path: &str, op: &str, item: &(Kind, String)) -> Result<Lock, WithdrawError> {
    let path = path.to_owned();
    if lost_its_promise(lock, op) {
        return Err(unknown(lock, &path));
    }
    if let Some(from) = pending_row(lock, op, Some(item)) {
        return restored_item(lock, op, item, from);
    }
    match lock.ops.get(op).and_then(|entry| entry.item_since(item.0, &item.1)) {
        None => Err(WithdrawError::Unpromised { path }),
        Some(Since::Unreleased) => restored_item(lock, op, item, &Side::Absent),
        Some(Since::Release(release)) => Err(WithdrawError::Released { path, release: release.to_string() }),
    }
}

/// A name that came back may be what another item has as an alias since.
fn restored_item(lock: &Lock, op: &str, item: &(Kind, String), from: &Side) -> Result<Lock, WithdrawError> {
    let new = restored(lock, op, Some(item), from);
    let Some((kind, owner, alias, other)) = new.ops.get(op).and_then(|entry| entry.def.ambiguous_alias()) else {
        return Ok(new);
    };
    let path = |name: &str| format!("{op}.{}.{name}", kind.key());
    // The one of both that is not being withdrawn is in the way.
    let first = if item.1 == owner { path(other) } else { path(owner) };
    Err(WithdrawError::Renamed { path: path(&item.1), alias: alias.to_owned(), first })
}

/// Whether an unsealed change took back all that was promised of the operator: it can only be had back whole.
fn lost_its_promise(lock: &Lock, op: &str) -> bool {
    pending_row(lock, op, None).is_some() && lock.ops.get(op).is_none_or(|entry| !entry.def.is_guarded())
}

fn pending_row<'a>(lock: &'a Lock, op: &str, item: Option<&(Kind, String)>) -> Option<&'a Side> {
    let key = RowKey { op: op.to_owned(), release: None, item: item.cloned() };
    lock.ledger.get(&key).map(|row| &row.from)
}

fn restored(lock: &Lock, op: &str, item: Option<&(Kind, String)>, side: &Side) -> Lock {
    let mut new = lock.clone();
    if op == COMMON && lock.common().is_none() {
        new.ops.insert(op.to_owned(), lock.no_common());
    }
    if let Some(entry) = new.ops.get_mut(op) {
        entry.set_side(item, side);
    }
    new.ledger.remove(&RowKey { op: op.to_owned(), release: None, item: item.cloned() });
    new.settle_common();
    new
}

fn unknown(lock: &Lock, path: &str) -> WithdrawError {
    let mut known: Vec<_> = super::remembered_ops(lock).into_iter().map(str::to_owned).collect();
    if let Some((op, entry)) = lock.ops.iter().find(|(op, _)| path.starts_with(&format!("{op}."))) {
        known.extend(entry.items.keys().map(|(_, item)| format!("{op}.{item}")));
    }
    let hint = did_you_mean(path, known.iter().map(String::as_str));
    WithdrawError::Unknown { path: path.to_owned(), hint }
}
