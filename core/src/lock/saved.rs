//! The lines of data versions and upgrade functions.

use std::fmt::{self, Write as _};

use semver::Version;

use super::read::{Fields, LockError, meaning};
use super::write::{Key, Quoted};
use super::{Bound, Lock, Release, Saved, Since, Stamp};
use crate::model::{DataVersions, Map, SavedKind, check_owner_name};

type Result<T> = std::result::Result<T, LockError>;

/// The data version of each kind of data on a release's line.
pub(super) fn read_release_versions(fields: &Fields<'_>) -> Result<Map<SavedKind, u32>> {
    let mut versions = Map::new();
    for kind in SavedKind::ALL {
        let version = data_version(fields, kind.key())?;
        versions.extend(version.filter(|version| *version != 1).map(|version| (kind, version)));
    }
    Ok(versions)
}

/// `, graph = 4, checkpoint = 2`, without what is at version 1.
pub(super) fn write_release_versions(release: &Release) -> String {
    release.versions.iter().filter(|(_, version)| **version != 1).fold(String::new(), |mut text, (kind, version)| {
        let _ = write!(text, ", {kind} = {version}");
        text
    })
}

/// `[saved]`.
pub(crate) fn read_saved(root: &Fields<'_>, releases: &Map<Version, Release>) -> Result<Map<SavedKind, Saved>> {
    let Some(kinds) = root.table("saved")? else { return Ok(Map::new()) };
    kinds.only(&SavedKind::ALL.map(SavedKind::key))?;
    let mut all = Map::new();
    for kind in SavedKind::ALL {
        let Some(fields) = kinds.table(kind.key())? else { continue };
        all.insert(kind, read_kind(kind, &fields, releases)?);
    }
    Ok(all)
}

fn read_kind(kind: SavedKind, fields: &Fields<'_>, releases: &Map<Version, Release>) -> Result<Saved> {
    let what = format!("[saved] of {kind}s");
    let fields = Fields::new(fields.table, fields.line, &what);
    fields.only(&["min_producer", "min_consumer", "bad_consumer", "version"])?;
    let mut history = Map::new();
    let mut since = Map::new();
    for (version, node) in fields.table("version")?.iter().flat_map(|table| table.table.iter()) {
        let what = format!("{what}: version {version}");
        let version = parse_data_version(version, node.line, &what)?;
        let fields = Fields::of(node, &what)?;
        fields.only(&["text", "since", "unreleased"])?;
        let Some(stamp) = fields.since(releases)? else {
            return meaning(node.line, format!("{what} has neither `since` nor `unreleased`"));
        };
        history.insert(version, fields.string("text")?);
        since.insert(version, Stamp { since: Some(stamp), line: node.line });
    }
    if history.is_empty() {
        // Everything else may be said of version 1, which needs no line.
        history = DataVersions::default().history;
    }
    let mut bad_since = Map::new();
    for (version, node) in fields.table("bad_consumer")?.iter().flat_map(|table| table.table.iter()) {
        let what = format!("{what}: bad consumer {version}");
        let version = parse_data_version(version, node.line, &what)?;
        let fields = Fields::of(node, &what)?;
        fields.only(&["since", "unreleased"])?;
        bad_since.insert(version, Stamp { since: fields.since(releases)?, line: node.line });
    }
    let (min_producer, producer_bound) = read_bound(&fields, "min_producer")?;
    let (min_consumer, consumer_bound) = read_bound(&fields, "min_consumer")?;
    let versions =
        DataVersions { min_producer, min_consumer, bad_consumers: bad_since.keys().copied().collect(), history };
    let newest = versions.producer();
    for (name, value) in [("min_producer", min_producer), ("min_consumer", min_consumer)] {
        if value > newest {
            let line = fields.line_of(name);
            return meaning(line, format!("{what}: `{name}` is {value}, above the newest version {newest}"));
        }
    }
    Ok(Saved {
        versions,
        since,
        bad_since,
        min_producer: producer_bound,
        min_consumer: consumer_bound,
        line: fields.line,
    })
}

/// `4`, or `{ value = 8, was = 4, unreleased = true }` while no release carries the change.
fn read_bound(fields: &Fields<'_>, key: &str) -> Result<(u32, Bound)> {
    let line = fields.line_of(key);
    if !fields.is_table(key) {
        let value = data_version(fields, key)?.unwrap_or(1);
        return Ok((value, Bound { was: None, line }));
    }
    let Some(table) = fields.table(key)? else { return Ok((1, Bound { was: None, line })) };
    table.only(&["value", "was", "unreleased"])?;
    match (data_version(&table, "value")?, data_version(&table, "was")?, table.flag("unreleased")?) {
        (Some(value), Some(was), true) if was < value => Ok((value, Bound { was: Some(was), line })),
        _ => meaning(
            line,
            format!(
                "{}: `{key}` that is not released says its `value`, a lower one that it `was`, and `unreleased`",
                fields.what
            ),
        ),
    }
}

pub(super) fn data_version(fields: &Fields<'_>, key: &str) -> Result<Option<u32>> {
    match fields.integer(key)? {
        None => Ok(None),
        Some((text, line)) => parse_data_version(text, line, &format!("{}: `{key}`", fields.what)).map(Some),
    }
}

pub(super) fn parse_data_version(text: &str, line: super::Line, what: &str) -> Result<u32> {
    match text.parse::<u32>() {
        Ok(version) if version > 0 && version.to_string() == text => Ok(version),
        _ => meaning(line, format!("{what}: a data version is a whole number from 1 to {}, not `{text}`", u32::MAX)),
    }
}

/// `[upgrade]`: `OP.VERSION`.
pub(crate) fn read_upgrades(root: &Fields<'_>, lock: &mut Lock) -> Result<()> {
    for (op, node) in root.table("upgrade")?.iter().flat_map(|table| table.table.iter()) {
        if let Err(error) = check_owner_name(op) {
            return meaning(node.line, error.to_string());
        }
        let what = format!("the upgrade functions of `{op}`");
        for (version, node) in Fields::of(node, &what)?.table.iter() {
            let version = parse_data_version(version, node.line, &what)?;
            let fields = Fields::of(node, &what)?;
            fields.only(&["since", "unreleased", "gone"])?;
            let Some(since) = fields.since(&lock.releases)? else {
                return meaning(node.line, format!("{what}: {version} has neither `since` nor `unreleased`"));
            };
            let key = (op.to_owned(), version);
            if fields.flag("gone")? {
                if since == Since::Unreleased {
                    return meaning(node.line, format!("{what}: {version} is both `unreleased` and `gone`"));
                }
                lock.gone_upgrades.insert(key.clone());
            }
            lock.upgrades.insert(key, Stamp { since: Some(since), line: node.line });
        }
    }
    Ok(())
}

/// `[saved]` and its lines, and nothing where every kind of data is at version 1.
pub(crate) fn write_saved(f: &mut dyn fmt::Write, lock: &Lock, prefix: &str) -> fmt::Result {
    let mut lines = String::new();
    for (kind, saved) in &lock.saved {
        let _ = write_kind(&mut lines, *kind, saved);
    }
    if lines.is_empty() { Ok(()) } else { write!(f, "\n[{prefix}saved]\n{lines}") }
}

fn write_kind(text: &mut String, kind: SavedKind, saved: &Saved) -> fmt::Result {
    let versions = &saved.versions;
    for (name, value, bound) in [
        ("min_producer", versions.min_producer, &saved.min_producer),
        ("min_consumer", versions.min_consumer, &saved.min_consumer),
    ] {
        match bound.was {
            Some(was) => writeln!(text, "{kind}.{name} = {{ value = {value}, was = {was}, unreleased = true }}")?,
            None if value == 1 => {}
            None => writeln!(text, "{kind}.{name} = {value}")?,
        }
    }
    for version in &versions.bad_consumers {
        let since = saved.bad_since.get(version).and_then(|stamp| stamp.since.as_ref());
        match since {
            None => writeln!(text, "{kind}.bad_consumer.{version} = {{}}")?,
            Some(since) => writeln!(text, "{kind}.bad_consumer.{version} = {{ {} }}", SinceField(since))?,
        }
    }
    for (version, line) in &versions.history {
        // Version 1 of a plain `lock!()` is no line.
        if let Some(since) = saved.since.get(version).and_then(|stamp| stamp.since.as_ref()) {
            writeln!(text, "{kind}.version.{version} = {{ text = {}, {} }}", Quoted(line), SinceField(since))?;
        }
    }
    Ok(())
}

/// `[upgrade]` and its lines.
pub(crate) fn write_upgrades(f: &mut dyn fmt::Write, lock: &Lock) -> fmt::Result {
    if !lock.upgrades.is_empty() {
        f.write_str("\n[upgrade]\n")?;
    }
    for (key @ (op, version), stamp) in &lock.upgrades {
        let since = stamp.since.as_ref().unwrap_or(&Since::Unreleased);
        let gone = if lock.gone_upgrades.contains(key) { ", gone = true" } else { "" };
        writeln!(f, "{}.{version} = {{ {}{gone} }}", Key(op), SinceField(since))?;
    }
    Ok(())
}

/// `unreleased = true` or `since = "1.2.0"`.
struct SinceField<'a>(&'a Since);

impl fmt::Display for SinceField<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Since::Unreleased => f.write_str("unreleased = true"),
            Since::Release(version) => write!(f, "since = \"{version}\""),
        }
    }
}
