//! Taking back, on purpose, what no release carries yet.

use std::fmt;

use crate::lock::{Lock, RowKey, Side, Since};
use crate::model::Kind;
use crate::suggest::did_you_mean;

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
    /// Items of several kinds have the name.
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
                write!(f, "the lock has nothing named `{path}`{hint} (an operator, or OPERATOR.ITEM)")
            }
            WithdrawError::Ambiguous { paths } => write!(f, "several items have that name: say {}", paths.join(" or ")),
            WithdrawError::Released { path, release } => write!(
                f,
                "`{path}` is promised since release {release}, so it cannot be withdrawn: only a major version may break it (`cargo oplock plan major`)"
            ),
            WithdrawError::Unpromised { path } => {
                write!(f, "`{path}` carries no promise: change it as you like, and run `cargo oplock update`")
            }
        }
    }
}

impl std::error::Error for WithdrawError {}

/// The lock without an operator (`slice`), an item (`slice.starts`, or `slice.attr.starts`) or an unsealed change
/// of a released item.
///
/// # Errors
///
/// When the lock has no such thing, or a release carries it.
pub fn withdraw(lock: &Lock, path: &str) -> Result<Lock, WithdrawError> {
    if let Some(entry) = lock.ops.get(path) {
        let path = path.to_owned();
        return match &entry.stamp.since {
            Some(Since::Unreleased) => {
                let mut new = lock.clone();
                new.ops.remove(&path);
                new.ledger.retain(|key, _| key.release.is_some() || key.op != path);
                Ok(new)
            }
            Some(Since::Release(release)) => match pending_row(lock, &path, None) {
                Some(from) => Ok(restored(lock, &path, None, &from)),
                None => Err(WithdrawError::Released { path, release: release.to_string() }),
            },
            None => Err(WithdrawError::Unpromised { path }),
        };
    }
    let found = find(lock, path);
    match found.as_slice() {
        [] => Err(unknown(lock, path)),
        [(op, item)] => withdraw_item(lock, path, op, item),
        several => {
            let paths = several.iter().map(|(op, (kind, item))| format!("`{op}.{}.{item}`", kind.key())).collect();
            Err(WithdrawError::Ambiguous { paths })
        }
    }
}

/// Every item that the argument can mean; names of operators and items may themselves have dots.
fn find(lock: &Lock, path: &str) -> Vec<(String, (Kind, String))> {
    let mut found = Vec::new();
    for (op, entry) in &lock.ops {
        let Some(rest) = path.strip_prefix(op.as_str()).and_then(|rest| rest.strip_prefix('.')) else { continue };
        let exact = entry.items.keys().filter(|(kind, item)| {
            rest.strip_prefix(kind.key()).and_then(|r| r.strip_prefix('.')) == Some(item.as_str())
        });
        let plain = entry.items.keys().filter(|(_, item)| item == rest);
        let exact: Vec<_> = exact.collect();
        let items = if exact.is_empty() { plain.collect() } else { exact };
        found.extend(items.into_iter().map(|item| (op.clone(), item.clone())));
    }
    found
}

fn withdraw_item(lock: &Lock, path: &str, op: &str, item: &(Kind, String)) -> Result<Lock, WithdrawError> {
    let path = path.to_owned();
    let since = lock.ops.get(op).and_then(|entry| entry.item_since(item.0, &item.1));
    match since {
        None => Err(WithdrawError::Unpromised { path }),
        Some(Since::Unreleased) => Ok(restored(lock, op, Some(item), &Side::Absent)),
        Some(Since::Release(release)) => match pending_row(lock, op, Some(item)) {
            Some(from) => Ok(restored(lock, op, Some(item), &from)),
            None => Err(WithdrawError::Released { path, release: release.to_string() }),
        },
    }
}

fn pending_row(lock: &Lock, op: &str, item: Option<&(Kind, String)>) -> Option<Side> {
    let key = RowKey { op: op.to_owned(), release: None, item: item.cloned() };
    lock.ledger.get(&key).map(|row| row.from.clone())
}

fn restored(lock: &Lock, op: &str, item: Option<&(Kind, String)>, side: &Side) -> Lock {
    let mut new = lock.clone();
    if let Some(entry) = new.ops.get_mut(op) {
        entry.set_side(item, side);
    }
    new.ledger.remove(&RowKey { op: op.to_owned(), release: None, item: item.cloned() });
    new
}

fn unknown(lock: &Lock, path: &str) -> WithdrawError {
    let mut known: Vec<_> = lock.ops.keys().cloned().collect();
    if let Some((op, entry)) = lock.ops.iter().find(|(op, _)| path.starts_with(&format!("{op}."))) {
        known.extend(entry.items.keys().map(|(_, item)| format!("{op}.{item}")));
    }
    let hint = did_you_mean(path, known.iter().map(String::as_str));
    WithdrawError::Unknown { path: path.to_owned(), hint }
}
