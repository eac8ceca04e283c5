//! Sealing a release: what was promised by the branch is now promised by a version.

use std::fmt;

use semver::Version;

use super::seal_data::{TooEarly, check_window, need_of_data, seal_data, versions_of};
use super::{Context, Overrun, row_findings};
use crate::compare::Options;
use crate::lock::{Lock, OpEntry, Release, RowKey, Since};
use crate::model::Kind;
use crate::report;
use crate::version::{Bump, target};

/// The least bump that the changes since the last release need, and the change that needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeastBump {
    /// The bump.
    pub bump: Bump,
    /// What asks for it; `None` where nothing changed that the lock remembers.
    pub because: Option<String>,
}

/// Why a release cannot be sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SealError {
    /// The version is sealed, and nothing changed since.
    AlreadySealed {
        /// The version.
        version: Version,
    },
    /// The version is not above the last release, and something changed.
    NotAbove(Box<NotAbove>),
    /// The version announces less than the changes need.
    TooLow(Box<TooLow>),
    /// A higher version was planned.
    BelowPlan {
        /// The package's version.
        version: Version,
        /// The planned one.
        next: Version,
    },
    /// An earlier release was never sealed.
    Overrun(Box<Overrun>),
    /// `min_producer` rises too early.
    TooEarly(Box<TooEarly>),
}

/// [`SealError::NotAbove`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAbove {
    /// The package's version.
    pub version: Version,
    /// The last release.
    pub last: Version,
    /// The lowest legal version.
    pub lowest: Version,
    /// What changed.
    pub because: Option<String>,
}

/// [`SealError::TooLow`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLow {
    /// The package's version.
    pub version: Version,
    /// The lowest legal version.
    pub lowest: Version,
    /// What is needed.
    pub bump: Bump,
    /// The change that needs it.
    pub because: Option<String>,
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = |because: &Option<String>| because.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
        match self {
            SealError::AlreadySealed { version } => write!(f, "{version} is sealed, and nothing changed since"),
            SealError::NotAbove(error) => write!(
                f,
                "the package is at {}, and {} is released\n  help: the lowest legal version is {}{}",
                error.version,
                error.last,
                error.lowest,
                why(&error.because)
            ),
            SealError::TooLow(error) => write!(
                f,
                "{} is too low: the changes since the last release need a {} version{}\n  \
                 help: the lowest legal version is {}",
                error.version,
                error.bump,
                why(&error.because),
                error.lowest
            ),
            SealError::BelowPlan { version, next } => write!(
                f,
                "{next} is planned, and the package is at {version}\n  \
                 help: set the package's version to {next}, or give the plan up: `cargo oplock plan none`"
            ),
            SealError::Overrun(overrun) => f.write_str(&report::overrun(overrun)),
            SealError::TooEarly(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SealError {}

/// The least bump of all that the lock holds beyond the last release. An approved break needs a minor version.
pub fn least_bump(lock: &Lock, options: Options) -> LeastBump {
    let mut least = LeastBump { bump: Bump::Patch, because: None };
    let mut need = |bump: Bump, because: &dyn Fn() -> String| {
        if least.because.is_none() || bump > least.bump {
            least = LeastBump { bump: bump.max(least.bump), because: Some(because()) };
        }
    };
    for (key, row) in lock.pending() {
        let findings = row_findings(lock, key, row, options);
        if let Some(worst) = findings.iter().max_by_key(|finding| finding.bump) {
            let bump = if row.approved.is_some() { worst.bump.min(Bump::Minor) } else { worst.bump };
            need(bump, &|| worst.message());
        }
    }
    for (name, entry) in &lock.ops {
        let is_common = entry.def.is_common();
        if entry.stamp.since == Some(Since::Unreleased) && !is_common {
            need(Bump::Minor, &|| format!("operator `{name}` is added"));
        } else if let Some((kind, item)) = unreleased_items(entry).next() {
            let owner = if is_common { "all operators".to_owned() } else { format!("`{name}`") };
            need(Bump::Minor, &|| format!("{kind} `{item}` of {owner} is added"));
        }
    }
    need_of_data(lock, &mut need);
    least
}

fn unreleased_items(entry: &OpEntry) -> impl Iterator<Item = &(Kind, String)> {
    entry.items.iter().filter(|(_, stamp)| stamp.since == Some(Since::Unreleased)).map(|(item, _)| item)
}

/// The lock after the release of the package's version on that day, `YYYY-MM-DD`. A pre-release is listed and leaves
/// its entries `unreleased`.
///
/// The caller has seen to it that lock and source agree.
///
/// # Errors
///
/// When the version is not above the last release, announces less than the changes need, is below the planned one, an
/// earlier release was never sealed, or `min_producer` rises too early.
pub fn seal(lock: &Lock, context: &Context, date: &str) -> Result<Lock, SealError> {
    let version = Version { build: semver::BuildMetadata::EMPTY, ..context.version.clone() };
    let own = target(&version);
    let is_known = lock.releases.contains_key(&version);
    if let Err(overrun) = context.check_overrun(lock) {
        return Err(SealError::Overrun(Box::new(overrun)));
    }
    let LeastBump { bump, because } = least_bump(lock, context.options);
    if let Some(last) = lock.last_release() {
        let lowest = bump.apply(last);
        match Bump::between(last, &version) {
            None if is_known && because.is_none() => return Err(SealError::AlreadySealed { version }),
            None => {
                let last = last.clone();
                return Err(SealError::NotAbove(Box::new(NotAbove { version, last, lowest, because })));
            }
            Some(announced) if announced < bump => {
                return Err(SealError::TooLow(Box::new(TooLow { version, lowest, bump, because })));
            }
            Some(_) => {}
        }
    }
    // A pre-release is above the earlier ones of the same version.
    if let Some(last) = lock.releases.keys().rfind(|other| **other >= version && target(other) == own) {
        if is_known && because.is_none() {
            return Err(SealError::AlreadySealed { version });
        }
        let lowest = target(last);
        return Err(SealError::NotAbove(Box::new(NotAbove { version, last: last.clone(), lowest, because })));
    }
    if let Some(next) = lock.next.as_ref().filter(|next| own < target(next)) {
        return Err(SealError::BelowPlan { version, next: next.clone() });
    }
    let mut new = lock.clone();
    let mut release = Release::new(date);
    if !version.pre.is_empty() {
        release.versions = versions_of(&new);
        release.digest = Some(new.digest(&version));
        new.releases.insert(version, release);
        return Ok(new);
    }
    if let Err(error) = check_window(lock, context, date) {
        return Err(SealError::TooEarly(Box::new(error)));
    }
    (new.version, new.next) = (None, None);
    new.releases.insert(version.clone(), release);
    seal_data(&mut new, &version);
    for entry in new.ops.values_mut() {
        let stamps = std::iter::once(&mut entry.stamp).chain(entry.items.values_mut());
        for stamp in stamps.filter(|stamp| stamp.since == Some(Since::Unreleased)) {
            stamp.since = Some(Since::Release(version.clone()));
        }
    }
    new.ledger = std::mem::take(&mut new.ledger)
        .into_iter()
        .map(|(key, mut row)| {
            if key.release.is_some() {
                return (key, row);
            }
            row.accepted_for = None;
            (RowKey { release: Some(version.clone()), ..key }, row)
        })
        .collect();
    let digest = Some(new.digest(&version));
    if let Some(release) = new.releases.get_mut(&version) {
        release.digest = digest;
    }
    Ok(new)
}
