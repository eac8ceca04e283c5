//! What an operator says of itself beside its items: its lines, and since when each is.
//!
//! The lines of aliases, of the deprecation and of revisions say since when they are, so that sealing on one branch and
//! taking back on another conflict. The lock does not hold that twice: the ledger knows it, and a line that says something
//! else was edited by hand.

use std::borrow::Cow;
use std::fmt;

use semver::Version;

use super::read::{Fields, LockError, meaning};
use super::saved::{data_version, parse_data_version};
use super::toml::{Data, Line};
use super::types::{read_flags, read_type_vars, read_types, write_flags, write_type_vars, write_types};
use super::write::{Fields as Table, Key, Quoted};
use super::{Lock, OpEntry, Release, Side, Since};
use crate::model::{Deprecated, Flags, List, Map, OpDef, Revision, Str, TypeVar, check_op_name};
use crate::order::{sort_by_name, sort_few};

type Result<T> = std::result::Result<T, LockError>;

/// What an operator says of itself beside its name and its items.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpMarks {
    /// Outside the guarantee.
    pub experimental: bool,
    /// The condition under which it exists.
    pub cfg: Option<Str>,
    /// Names under which it was saved before.
    pub aliases: List<Str>,
    /// Since which data version graphs must not use it.
    pub deprecated: Option<Deprecated>,
    /// Every change of its behaviour.
    pub revisions: List<Revision>,
    /// The package that owned it before.
    pub moved_from: Option<Str>,
    /// Names that stand for the element type of several operands.
    pub types: List<TypeVar>,
    /// What it promises of its behaviour.
    pub flags: Flags,
}

/// A mark of an operator that has a line of its own which says since when it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpMark<'a> {
    /// That it was saved under another name.
    Alias(&'a str),
    /// That graphs of that data version or a later one must not use it.
    Deprecated(u32),
    /// That its behaviour changed at that data version.
    Revision(u32),
    /// That it has a type variable of that name.
    Types(&'a str),
    /// That the type variable may stand for that type.
    Type(&'a str, &'a str),
}

impl OpMarks {
    /// The marks of an operator whose lists are sorted.
    pub fn of(def: &OpDef) -> Self {
        OpMarks {
            experimental: def.experimental,
            cfg: def.cfg.clone(),
            aliases: def.aliases.clone(),
            deprecated: def.deprecated.clone(),
            revisions: def.revisions.clone(),
            moved_from: def.moved_from.clone(),
            types: def.types.clone(),
            flags: def.flags,
        }
    }

    /// Puts these marks in the place of an operator's own.
    pub fn put(&self, def: &mut OpDef) {
        let OpMarks { experimental, cfg, aliases, deprecated, revisions, moved_from, types, flags } = self.clone();
        (def.types, def.flags) = (types, flags);
        (def.experimental, def.cfg, def.aliases) = (experimental, cfg, aliases);
        (def.deprecated, def.revisions, def.moved_from) = (deprecated, revisions, moved_from);
    }

    /// Whether these marks have that one.
    pub fn has(&self, mark: OpMark<'_>) -> bool {
        match mark {
            OpMark::Alias(name) => self.aliases.iter().any(|alias| alias == name),
            OpMark::Deprecated(version) => self.deprecated.as_ref().is_some_and(|d| d.version == version),
            OpMark::Revision(version) => self.revisions.iter().any(|revision| revision.version == version),
            OpMark::Types(name) => self.types.iter().any(|var| var.name == name),
            OpMark::Type(name, ty) => self.types.iter().any(|var| {
                // One that may stand for any type may stand for this one.
                var.name == name && (var.allowed.is_empty() || var.allowed.iter().any(|allowed| allowed == ty))
            }),
        }
    }
}

impl Lock {
    /// Since when an operator of the lock has a mark; `None` where nothing is promised of it, or it has no such mark.
    ///
    /// The ledger tells: the first change that gave it the mark after the last one that took it away.
    pub fn mark_since(&self, op: &str, mark: OpMark<'_>) -> Option<Since> {
        let entry = self.ops.get(op)?;
        let own = entry.stamp.since.clone()?;
        let has = |side: &Side| matches!(side, Side::Op(marks, _) if marks.has(mark));
        if !has(&entry.side(None)) {
            return None;
        }
        let own_rows = || self.rows_of(op).filter(|(key, _)| key.item.is_none());
        // What no release has sealed is the newest, and sorts first.
        let sealed = own_rows().filter(|(key, _)| key.release.is_some());
        let pending = own_rows().filter(|(key, _)| key.release.is_none());
        let mut since = None;
        for (key, row) in sealed.chain(pending) {
            if has(&row.from) && since.is_none() {
                since = row.from.since().cloned();
            }
            if !has(&row.to) {
                since = None;
            } else if !has(&row.from) {
                since = since.or_else(|| Some(key.release.clone().map_or(Since::Unreleased, Since::Release)));
            }
        }
        Some(since.unwrap_or(own))
    }
}

/// What a line says of a mark: since when it is, and where it says so.
pub(crate) struct Stated {
    pub(super) op: String,
    pub(super) mark: OwnedMark,
    pub(super) since: Option<Since>,
    pub(super) line: Line,
}

pub(super) enum OwnedMark {
    Alias(String),
    Deprecated(u32),
    Revision(u32),
    Types(String),
    Type(String, String),
}

impl OwnedMark {
    fn as_ref(&self) -> OpMark<'_> {
        match self {
            OwnedMark::Alias(name) => OpMark::Alias(name),
            OwnedMark::Deprecated(version) => OpMark::Deprecated(*version),
            OwnedMark::Revision(version) => OpMark::Revision(*version),
            OwnedMark::Types(name) => OpMark::Types(name),
            OwnedMark::Type(name, ty) => OpMark::Type(name, ty),
        }
    }
}

impl Stated {
    /// Holds what the line says against the ledger.
    pub(super) fn check(&self, lock: &Lock) -> Result<()> {
        let known = lock.mark_since(&self.op, self.mark.as_ref());
        let own = lock.ops.get(&self.op).and_then(|entry| entry.stamp.since.clone());
        let said = self.since.clone().or(own);
        if said == known {
            return Ok(());
        }
        let what = match &self.mark {
            OwnedMark::Alias(name) => format!("the alias `{name}`"),
            OwnedMark::Deprecated(_) => "the deprecation".to_owned(),
            OwnedMark::Revision(version) => format!("revision {version}"),
            OwnedMark::Types(name) => format!("the type variable `{name}`"),
            OwnedMark::Type(name, ty) => format!("`{ty}` of the type variable `{name}`"),
        };
        let show = |since: Option<Since>| since.map_or("no promise".to_owned(), |since| since.to_string());
        let (said, known) = (show(said), show(known));
        let op = &self.op;
        meaning(self.line, format!("{what} of `{op}` says {said}, and the ledger says {known}: one was edited by hand"))
    }
}

/// The names of the lines that this module reads.
pub(super) const KEYS: [&str; 10] = [
    "moved_from",
    "alias",
    "deprecated",
    "revised",
    "types",
    "stateful",
    "commutative",
    "aggregate",
    "communication",
    "uninitialized",
];

/// Reads the lines of one operator.
pub(super) fn read_marks(
    name: &str,
    def: &mut OpDef,
    fields: &Fields<'_>,
    releases: &Map<Version, Release>,
    stated: &mut Vec<Stated>,
) -> Result<()> {
    let what = fields.what;
    let mut state = |fields: &Fields<'_>, mark| -> Result<()> {
        stated.push(Stated { op: name.to_owned(), mark, since: fields.since(releases)?, line: fields.line });
        Ok(())
    };
    def.moved_from = fields.optional("moved_from", |text, _| Ok(Cow::Owned(text.to_owned())))?;
    def.flags = read_flags(fields)?;
    if let Some(aliases) = fields.table("alias")? {
        for (alias, node) in aliases.table.iter() {
            if let Err(error) = check_op_name(alias) {
                return meaning(node.line, error.to_string());
            }
            if alias == name {
                return meaning(node.line, format!("{what} has its own name as an alias"));
            }
            let fields = Fields::of(node, what)?;
            fields.only(&["since", "unreleased"])?;
            state(&fields, OwnedMark::Alias(alias.to_owned()))?;
            def.aliases.to_mut().push(Cow::Owned(alias.to_owned()));
        }
    }
    if let Some(fields) = fields.table("deprecated")? {
        fields.only(&["version", "note", "since", "unreleased"])?;
        let deprecated = read_version_and_note(&fields)?;
        state(&fields, OwnedMark::Deprecated(deprecated.version))?;
        def.deprecated = Some(deprecated);
    }
    if let Some(revisions) = fields.table("revised")? {
        for (version, node) in revisions.table.iter() {
            let fields = Fields::of(node, what)?;
            fields.only(&["note", "since", "unreleased"])?;
            let version = parse_data_version(version, node.line, what)?;
            state(&fields, OwnedMark::Revision(version))?;
            def.revisions.to_mut().push(Revision { version, note: Cow::Owned(fields.string("note")?) });
        }
    }
    read_type_vars(name, def, fields, releases, stated)
}

/// The marks of an operator as a side of a ledger row has them.
pub(super) fn read_side(fields: &Fields<'_>, condition: impl Fn(&str, Line) -> Result<String>) -> Result<OpMarks> {
    fields.only(&[["experimental", "cfg", "since", "unreleased"].as_slice(), &KEYS].concat())?;
    let mut marks = OpMarks {
        experimental: fields.flag("experimental")?,
        cfg: fields.optional("cfg", condition)?.map(Cow::Owned),
        aliases: read_aliases(fields)?,
        deprecated: read_deprecated(fields)?,
        revisions: Cow::Borrowed(&[]),
        moved_from: fields.optional("moved_from", |text, _| Ok(Cow::Owned(text.to_owned())))?,
        types: read_types(fields)?,
        flags: read_flags(fields)?,
    };
    if let Some(revisions) = fields.table("revised")? {
        for (version, node) in revisions.table.iter() {
            let Data::String(note) = &node.data else {
                return meaning(node.line, format!("{}: `revised` says each version with its note", fields.what));
            };
            let version = parse_data_version(version, node.line, fields.what)?;
            marks.revisions.to_mut().push(Revision { version, note: Cow::Owned(note.clone()) });
        }
    }
    sort_few(marks.revisions.to_mut(), |revision| revision.version);
    Ok(marks)
}

/// `alias = ["x", "y"]` of an item, or of a side of a ledger row.
pub(super) fn read_aliases(fields: &Fields<'_>) -> Result<List<Str>> {
    let Some(node) = fields.table.get("alias") else { return Ok(Cow::Borrowed(&[])) };
    let strings = match &node.data {
        Data::Array(items) => items.iter().map(|item| match &item.data {
            Data::String(text) if !text.is_empty() && !text.contains(char::is_control) => Some(text.clone()),
            _ => None,
        }),
        _ => return meaning(node.line, format!("{}: `alias` must be an array of names", fields.what)),
    };
    let Some(mut names) = strings.collect::<Option<Vec<_>>>() else {
        return meaning(node.line, format!("{}: `alias` must be an array of names", fields.what));
    };
    sort_by_name(&mut names, |name| name);
    if let Some([twice, ..]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return meaning(node.line, format!("{}: the alias `{}` is there twice", fields.what, twice));
    }
    Ok(names.into_iter().map(Cow::Owned).collect::<Vec<_>>().into())
}

/// `deprecated = { version = 8, note = "…" }` of an item, or of a side of a ledger row.
pub(super) fn read_deprecated(fields: &Fields<'_>) -> Result<Option<Deprecated>> {
    let Some(fields) = fields.table("deprecated")? else { return Ok(None) };
    fields.only(&["version", "note"])?;
    read_version_and_note(&fields).map(Some)
}

fn read_version_and_note(fields: &Fields<'_>) -> Result<Deprecated> {
    let Some(version) = data_version(fields, "version")? else {
        return meaning(fields.line, format!("{} does not say its data `version`", fields.what));
    };
    Ok(Deprecated { version, note: Cow::Owned(fields.string("note")?) })
}

/// The lines of one operator.
pub(super) fn write_marks(
    f: &mut dyn fmt::Write,
    name: &str,
    entry: &OpEntry,
    since: &dyn Fn(OpMark<'_>) -> Option<Since>,
) -> fmt::Result {
    let op = Key(name);
    let def = &entry.def;
    let stamp = |table: &mut Table, mark| table.since_beside(since(mark).as_ref(), entry.stamp.since.as_ref());
    if let Some(package) = &def.moved_from {
        writeln!(f, "{op}.moved_from = {}", Quoted(package))?;
    }
    write_flags(def.flags, |name| writeln!(f, "{op}.{name} = true"))?;
    for alias in def.aliases.iter() {
        let mut table = Table::default();
        stamp(&mut table, OpMark::Alias(alias));
        writeln!(f, "{op}.alias.{} = {table}", Key(alias))?;
    }
    if let Some(deprecated) = &def.deprecated {
        let mut table = Table::default();
        table.version_and_note(deprecated);
        stamp(&mut table, OpMark::Deprecated(deprecated.version));
        writeln!(f, "{op}.deprecated = {table}")?;
    }
    for Revision { version, note } in def.revisions.iter() {
        let mut table = Table::default();
        table.add("note", Quoted(note));
        stamp(&mut table, OpMark::Revision(*version));
        writeln!(f, "{op}.revised.{version} = {table}")?;
    }
    write_type_vars(f, &op, entry, since)
}

/// The marks in a side of a ledger row.
pub(super) fn write_side(table: &mut Table, marks: &OpMarks) {
    table.flag("experimental", marks.experimental);
    if let Some(cfg) = &marks.cfg {
        table.add("cfg", Quoted(cfg));
    }
    if let Some(package) = &marks.moved_from {
        table.add("moved_from", Quoted(package));
    }
    table.aliases(&marks.aliases);
    table.deprecated(marks.deprecated.as_ref());
    if !marks.revisions.is_empty() {
        let mut revised = Table::default();
        for Revision { version, note } in marks.revisions.iter() {
            revised.add(&version.to_string(), Quoted(note));
        }
        table.add("revised", revised);
    }
    write_types(table, &marks.types);
    let _ = write_flags(marks.flags, |name| {
        table.flag(name, true);
        Ok(())
    });
}
