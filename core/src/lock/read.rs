//! From a TOML tree to a [`Lock`], refusing whatever is not understood.

use std::borrow::Cow;
use std::fmt;

use semver::Version;

use super::common::common_since;
use super::marks::{self, Stated, read_aliases, read_deprecated, read_marks, read_side};
use super::moved::read_moved;
use super::saved::{data_version, read_release_versions, read_saved, read_upgrades};
use super::toml::{self, Data, Line, Node, Table};
use super::types::{OPERAND_KEYS, read_operand};
use super::value::read_value;
use super::values::{StatedValues, read_newer, read_values};
use super::{
    Approved, FORMAT, LOCK_FILE, Lock, OpEntry, POSITIONAL, Release, Row, RowKey, Side, Since, Stamp, is_guarded_item,
};
use crate::condition::Condition;
use crate::day::is_day;
use crate::did_you_mean;
use crate::model::{
    ArgDef, AttrDef, AttrType, COMMON, Kind, Map, OpDef, Part, SavedKind, Set, check_item_name, check_owner_name,
    is_bidi_control, is_unguarded_name, visible,
};

/// Why a lock cannot be used, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockError {
    /// The line at fault.
    pub line: Line,
    /// What is wrong there.
    pub kind: LockErrorKind,
}

/// What is wrong with a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockErrorKind {
    /// The text is not TOML.
    Syntax(String),
    /// The lock is of a format that this version does not know.
    NewerFormat(String),
    /// The lock is that of another package.
    OtherPackage {
        /// The name in the lock.
        found: String,
        /// The name of the package beside which it lies.
        expected: String,
    },
    /// Something in it has no meaning.
    Meaning(String),
}

impl LockError {
    /// Whether git's markers of a merge conflict are in the file.
    pub fn is_conflict(&self) -> bool {
        matches!(&self.kind, LockErrorKind::Syntax(reason) if reason.contains("merge conflict"))
    }

    /// The command that helps.
    pub fn remedy(&self) -> String {
        self.remedy_in(LOCK_FILE)
    }

    /// The same, for a shell in which the file has that name.
    pub fn remedy_in(&self, file: &str) -> String {
        match &self.kind {
            LockErrorKind::NewerFormat(_) => {
                "upgrade `oplock` and `cargo-oplock` to the version that wrote it".to_owned()
            }
            LockErrorKind::OtherPackage { found, .. } => {
                format!(
                    "if the package was renamed, let the lock follow: `cargo oplock rename {found}`; else it needs a lock of its own: \
                     remove this one and run `cargo oplock init`"
                )
            }
            _ if self.is_conflict() => {
                "`cargo oplock resolve` merges it item by item; then run `cargo oplock update`".to_owned()
            }
            _ => format!("the lock is generated: restore it (`git checkout {file}`), then run `cargo oplock update`"),
        }
    }
}

/// `ops.lock:41: …`, in one line.
impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{LOCK_FILE}:{}: {}", self.line, self.kind)
    }
}

/// What is wrong, without where.
impl fmt::Display for LockErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockErrorKind::Syntax(reason) | LockErrorKind::Meaning(reason) => f.write_str(reason),
            LockErrorKind::NewerFormat(found) => {
                write!(f, "the lock has format {found}; this version of oplock reads up to format {FORMAT}")
            }
            LockErrorKind::OtherPackage { found, expected } => {
                write!(f, "this is the lock of package `{found}`, and it lies in package `{expected}`")
            }
        }
    }
}

impl std::error::Error for LockError {}

type Result<T> = std::result::Result<T, LockError>;

pub(super) fn meaning<T>(line: Line, reason: impl Into<String>) -> Result<T> {
    Err(LockError { line, kind: LockErrorKind::Meaning(reason.into()) })
}

impl Lock {
    /// Reads a lock, which must be that of `package` where one is named.
    ///
    /// # Errors
    ///
    /// When the text is not TOML, has unknown or repeated keys, is of a newer format or of another
    /// package, or says something that cannot be.
    pub fn parse(text: &str, package: Option<&str>) -> Result<Lock> {
        let root = toml::parse(text)
            .map_err(|error| LockError { line: error.line, kind: LockErrorKind::Syntax(error.reason) })?;
        check_format(&root)?;
        check_direction(text)?;
        let root = Fields::new(&root, 1, "the lock");
        let known = [
            "format", "package", "formerly", "version", "next", "operands", "release", "saved", "op", "ledger",
            "upgrade", "moved",
        ];
        root.only(&known)?;
        let mut lock = Lock::new(root.string("package")?);
        if let Some(expected) = package.filter(|p| *p != lock.package) {
            let kind = LockErrorKind::OtherPackage { found: lock.package, expected: expected.to_owned() };
            return Err(LockError { line: root.line_of("package"), kind });
        }
        lock.formerly = read_formerly(&root, &lock.package)?;
        lock.version = root.optional("version", version)?;
        lock.next = root.optional("next", version)?;
        lock.positional = root.optional("operands", positional)?.is_some();
        let stated = read_parts(&root, &mut lock)?;
        read_upgrades(&root, &mut lock)?;
        stated.check(&lock)?;
        lock.moved = read_moved(&root)?;
        Ok(lock)
    }
}

/// The names that a package had before.
pub(super) fn read_formerly(root: &Fields<'_>, package: &str) -> Result<Set<String>> {
    let mut formerly = Set::new();
    let Some(node) = root.table.get("formerly") else { return Ok(formerly) };
    let wrong = || meaning(node.line, "`formerly` must be a list of the names that the package had before");
    let Data::Array(names) = &node.data else { return wrong() };
    for name in names {
        match &name.data {
            Data::String(name) if name == package => {
                return meaning(node.line, format!("`formerly` names the package itself, `{name}`"));
            }
            Data::String(name) => drop(formerly.insert(name.clone())),
            _ => return wrong(),
        }
    }
    Ok(formerly)
}

/// Releases, data versions, operators and the ledger, and what of the marks the ledger must still be asked.
fn read_parts(root: &Fields<'_>, lock: &mut Lock) -> Result<AllStated> {
    if let Some(releases) = root.table("release")? {
        for (name, node) in releases.table.iter() {
            let version = parse_version(name, node.line)?;
            let fields = Fields::of(node, "a release")?;
            fields.only(&["date", SavedKind::Graph.key(), SavedKind::Checkpoint.key(), "digest", "behind"])?;
            let date = fields.string("date")?;
            if !is_day(&date) {
                return meaning(fields.line_of("date"), format!("{date:?} is not a day; write YYYY-MM-DD"));
            }
            let mut release = Release::new(date);
            release.versions = read_release_versions(&fields)?;
            release.digest = fields.optional("digest", digest)?;
            release.behind = fields.optional("behind", parse_version)?;
            lock.releases.insert(version, release);
        }
        for (name, node) in releases.table.iter() {
            let release = lock.releases.get(&parse_version(name, node.line)?);
            let Some(behind) = release.and_then(|release| release.behind.as_ref()) else { continue };
            let stands_by_day = lock.releases.get(behind).is_some_and(|known| known.behind.is_none());
            if !stands_by_day || !behind.pre.is_empty() {
                let what = format!("{name} stands behind {behind}, which is no release that stands by its day");
                return meaning(node.line, what);
            }
        }
    }
    lock.saved = read_saved(root, &lock.releases)?;
    let (ops, stated) = read_ops(root, &lock.releases)?;
    lock.ops = ops;
    if let Some(ledger) = root.table("ledger")? {
        for (name, node) in ledger.table.iter() {
            read_rows(lock, name, node)?;
        }
    }
    Ok(stated)
}

/// The same of a lock without upgrade functions.
pub(super) fn read_body(root: &Fields<'_>, lock: &mut Lock) -> Result<()> {
    read_parts(root, lock)?.check(lock)
}

/// A lock is reviewed by reading it, so nothing in it may read otherwise than it is; what is written escapes such characters.
fn check_direction(text: &str) -> Result<()> {
    if text.is_ascii() {
        return Ok(());
    }
    let Some((at, c)) = text.char_indices().find(|(_, c)| is_bidi_control(*c)) else { return Ok(()) };
    let line = text[..at].matches('\n').count() + 1;
    let reason =
        format!("U+{:04X} turns the direction of writing, so that the line reads otherwise than it is", u32::from(c));
    meaning(Line::try_from(line).unwrap_or(Line::MAX), reason)
}

/// The format comes first: a newer one explains every other fault.
fn check_format(root: &Table) -> Result<()> {
    match root.get("format") {
        Some(Node { data: Data::Integer(text), line }) => match text.parse::<u32>() {
            Ok(1..=FORMAT) => Ok(()),
            Ok(0) => meaning(*line, "`format` cannot be 0"),
            Err(_) if text.starts_with('-') => meaning(*line, format!("`format` cannot be {text}")),
            _ => Err(LockError { line: *line, kind: LockErrorKind::NewerFormat(text.clone()) }),
        },
        Some(node) => meaning(node.line, format!("`format` must be an integer, not {}", node.data.describe())),
        None => meaning(1, "the lock does not say its `format`"),
    }
}

/// The operators of a document's `[op]`, and what their lines say of their marks, which the ledger must know.
pub(crate) fn read_ops(
    root: &Fields<'_>,
    releases: &Map<Version, Release>,
) -> Result<(Map<String, OpEntry>, AllStated)> {
    let mut stated = AllStated::default();
    let Some(ops) = root.table("op")? else { return Ok((Map::new(), stated)) };
    let read = |(name, node): (&str, _)| Ok((name.to_owned(), read_op(name, node, releases, &mut stated)?));
    let ops = ops.table.iter().map(read).collect::<Result<_>>()?;
    Ok((ops, stated))
}

/// What lines say that the ledger must know, too.
#[derive(Default)]
pub(crate) struct AllStated {
    marks: Vec<Stated>,
    values: Vec<StatedValues>,
}

impl AllStated {
    fn check(&self, lock: &Lock) -> Result<()> {
        self.marks.iter().try_for_each(|stated| stated.check(lock))?;
        self.values.iter().try_for_each(|stated| stated.check(lock))
    }
}

fn read_op(name: &str, node: &Node, releases: &Map<Version, Release>, stated: &mut AllStated) -> Result<OpEntry> {
    if let Err(error) = check_owner_name(name) {
        return meaning(node.line, error.to_string());
    }
    let is_common = name == COMMON;
    let what = if is_common { "what all operators have in common".to_owned() } else { format!("operator `{name}`") };
    let fields = Fields::of(node, &what)?;
    if is_common {
        fields.only(&[Kind::Attr.key()])?;
    }
    let own = ["since", "unreleased", "unguarded", "experimental", "cfg", "input", "output", "attr"];
    fields.only(&[own.as_slice(), &marks::KEYS].concat())?;
    let mut def = OpDef::new(name.to_owned());
    def.experimental = fields.flag("experimental")?;
    def.cfg = fields.optional("cfg", condition)?.map(Cow::Owned);
    read_marks(name, &mut def, &fields, releases, &mut stated.marks)?;
    let since = if is_common { Some(common_since(releases.keys())) } else { fields.since(releases)? };
    let line = fields.first_line(&["since", "unreleased", "experimental", "unguarded"]);
    if def.is_guarded() != since.is_some() {
        return if since.is_some() {
            meaning(line, format!("{what} is outside the guarantee, so it has no `since` and no `unreleased`"))
        } else {
            meaning(line, format!("{what} has neither `since` nor `unreleased`"))
        };
    }
    if fields.flag("unguarded")? != (is_unguarded_name(name) && !def.experimental) {
        return meaning(line, format!("{what}: `unguarded` marks names that begin with `_`, and only those"));
    }
    let mut items = Map::new();
    for kind in [Kind::Input, Kind::Output, Kind::Attr] {
        let Some(table) = fields.table(kind.key())? else { continue };
        for (item, node) in table.table.iter() {
            if let Err(error) = check_item_name(item) {
                return meaning(node.line, error.to_string());
            }
            let owner = if is_common { "all operators".to_owned() } else { format!("`{name}`") };
            let what = format!("{kind} `{item}` of {owner}");
            let fields = Fields::of(node, &what)?;
            let part = fields.part()?;
            match kind {
                Kind::Input => def.inputs.to_mut().push(read_arg(item, &fields)?),
                Kind::Output => def.outputs.to_mut().push(read_arg(item, &fields)?),
                Kind::Attr => {
                    let attr = read_attr(item, &fields, true)?;
                    if !attr.values.is_empty() {
                        let names: Vec<_> = attr.values.iter().map(AsRef::as_ref).collect();
                        let newer = read_newer(&fields, &names, releases)?;
                        let (op, attr, line) = (name.to_owned(), item.to_owned(), node.line);
                        stated.values.push(StatedValues { op, attr, newer, line });
                    }
                    def.attrs.to_mut().push(attr);
                }
            }
            let own = fields.since(releases)?;
            let promised = def.is_guarded() && is_guarded_item(item, part);
            if own.is_some() && !promised {
                return meaning(
                    node.line,
                    format!("{what} carries no promise, so it has no `since` and no `unreleased`"),
                );
            }
            if is_common && promised && own.is_none() {
                return meaning(node.line, format!("{what} has neither `since` nor `unreleased`"));
            }
            let since = if promised { own.or_else(|| since.clone()) } else { None };
            items.insert((kind, item.to_owned()), Stamp { since, line: node.line });
        }
    }
    if let Some((kind, item, alias, other)) = def.ambiguous_alias() {
        let line = items.get(&(kind, item.to_owned())).map_or(line, |stamp| stamp.line);
        return meaning(
            line,
            format!("{kind} `{item}` of `{name}` has the alias `{alias}`, which stands for `{other}`"),
        );
    }
    Ok(OpEntry { def: def.sorted(), stamp: Stamp { since, line }, items })
}

/// What any item's line may say.
const ITEM_KEYS: [&str; 4] = ["alias", "deprecated", "since", "unreleased"];

fn read_arg(name: &str, fields: &Fields<'_>) -> Result<ArgDef> {
    let marks = ["duplicable", "dispensable", "intermediate", "quant", "extra"];
    fields.only(&[marks.as_slice(), &OPERAND_KEYS, &ITEM_KEYS].concat())?;
    let mut arg = ArgDef {
        dispensable: fields.flag("dispensable")?,
        duplicable: fields.flag("duplicable")?,
        intermediate: fields.flag("intermediate")?,
        part: fields.part()?,
        aliases: read_aliases(fields)?,
        deprecated: read_deprecated(fields)?,
        ..ArgDef::new(name.to_owned())
    };
    read_operand(&mut arg, fields)?;
    Ok(arg)
}

/// An attribute's line, or its side of a row of the ledger.
fn read_attr(name: &str, fields: &Fields<'_>, is_line: bool) -> Result<AttrDef> {
    let own = ["type", "default", "min", "values", "generated", "quant", "extra"];
    let newer: &[&str] = if is_line && fields.table.get("values").is_some() { &["newer"] } else { &[] };
    fields.only(&[own.as_slice(), &ITEM_KEYS, newer].concat())?;
    let text = fields.string("type")?;
    let ty: AttrType = match text.parse() {
        Ok(ty) => ty,
        Err(error) => return meaning(fields.line_of("type"), format!("{}: {error}", fields.what)),
    };
    let mut attr = AttrDef::new(name.to_owned(), ty);
    if let Some(node) = fields.table.get("default") {
        match read_value(&node.data, ty) {
            Ok(default) => attr.default = Some(default),
            Err(reason) => return meaning(node.line, format!("{}: {reason}", fields.what)),
        }
    }
    if let Some(node) = fields.table.get("min") {
        let Data::Integer(digits) = &node.data else {
            return meaning(
                node.line,
                format!("{}: `min` must be an integer, not {}", fields.what, node.data.describe()),
            );
        };
        attr.min = digits.parse().ok();
        let checked = match attr.min {
            None => Err(format!("{digits} does not fit `i64`")),
            Some(_) => attr.check_min(),
        };
        if let Err(reason) = checked {
            return meaning(node.line, format!("{}: `min`: {reason}", fields.what));
        }
    }
    read_values(&mut attr, fields)?;
    attr.generated = fields.flag("generated")?;
    attr.part = fields.part()?;
    attr.aliases = read_aliases(fields)?;
    attr.deprecated = read_deprecated(fields)?;
    Ok(attr)
}

/// The ledger's rows of one operator: `OP.RELEASE.KIND.ITEM` and `OP.RELEASE.op`.
fn read_rows(lock: &mut Lock, op: &str, node: &Node) -> Result<()> {
    if let Err(error) = check_owner_name(op) {
        return meaning(node.line, error.to_string());
    }
    let what = format!("the ledger of `{op}`");
    for (release, node) in Fields::of(node, &what)?.table.iter() {
        let version = match release {
            "unreleased" => None,
            text => Some(parse_version(text, node.line)?),
        };
        if let Some(version) = version.as_ref().filter(|v| !lock.releases.contains_key(v)) {
            return meaning(node.line, format!("{what} names release {version}, which [release] does not list"));
        }
        let fields = Fields::of(node, &what)?;
        let known: &[&str] = if op == COMMON { &["attr"] } else { &["op", "input", "output", "attr"] };
        fields.only(known)?;
        if let Some(node) = fields.table.get("op") {
            let key = RowKey { op: op.to_owned(), release: version.clone(), item: None };
            read_row(lock, key, node)?;
        }
        for kind in [Kind::Input, Kind::Output, Kind::Attr] {
            let Some(items) = fields.table(kind.key())? else { continue };
            for (item, node) in items.table.iter() {
                if let Err(error) = check_item_name(item) {
                    return meaning(node.line, error.to_string());
                }
                let item = Some((kind, item.to_owned()));
                read_row(lock, RowKey { op: op.to_owned(), release: version.clone(), item }, node)?;
            }
        }
    }
    Ok(())
}

fn read_row(lock: &mut Lock, key: RowKey, node: &Node) -> Result<()> {
    let what = format!("the ledger of `{}`", key.op);
    let fields = Fields::of(node, &what)?;
    fields.only(&["rule", "version", "from", "to", "for", "by", "reason"])?;
    let side = |name: &str| -> Result<Side> {
        let Some(fields) = fields.table(name)? else { return Ok(Side::Absent) };
        let since = fields.since(&lock.releases)?;
        Ok(match &key.item {
            None => Side::Op(read_side(&fields, condition)?, since),
            Some((Kind::Attr, item)) => Side::Attr(read_attr(item, &fields, false)?, since),
            Some((_, item)) => Side::Arg(read_arg(item, &fields)?, since),
        })
    };
    let text = |key: &str| fields.optional(key, |text, _| Ok(text.to_owned()));
    let approved = match (text("by")?, text("reason")?) {
        (Some(by), Some(reason)) => Some(Approved { by, reason }),
        (None, None) => None,
        _ => return meaning(node.line, format!("{what} has a row with `by` or `reason` alone: an approval has both")),
    };
    let row = Row {
        rule: fields.string("rule")?,
        from: side("from")?,
        to: side("to")?,
        accepted_for: fields.optional("for", version)?,
        approved,
        version: data_version(&fields, "version")?,
        line: node.line,
    };
    if key.release.is_none() {
        let now = lock.ops.get(&key.op).map_or(Side::Absent, |entry| entry.row_side(key.item.as_ref()));
        if row.to != now {
            let reason = format!("{what} says `to = {}`, and the lock holds `{now}`: one was edited by hand", row.to);
            return meaning(node.line, reason);
        }
        if row.from.clone().without_since() == row.to {
            return meaning(node.line, format!("{what} has a row in which nothing changes"));
        }
        let is_named =
            !is_unguarded_name(&key.op) && key.item.as_ref().is_none_or(|(_, item)| !is_unguarded_name(item));
        if is_named && row.from.is_guarded() && !matches!(row.from.since(), Some(Since::Release(_))) {
            return meaning(node.line, format!("{what} has a row whose `from` does not say `since` which release"));
        }
    }
    lock.ledger.insert(key, row);
    Ok(())
}

fn parse_version(text: &str, line: Line) -> Result<Version> {
    Version::parse(text).or_else(|error| meaning(line, format!("{text:?} is not a version: {error}")))
}

pub(super) fn version(text: &str, line: Line) -> Result<Version> {
    parse_version(text, line)
}

fn positional(text: &str, line: Line) -> Result<()> {
    if text == POSITIONAL {
        Ok(())
    } else {
        meaning(line, format!("`operands` is {POSITIONAL:?} or left out, not {text:?}"))
    }
}

fn digest(text: &str, line: Line) -> Result<String> {
    let is_digest = text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if is_digest { Ok(text.to_owned()) } else { meaning(line, format!("{text:?} is no digest of a release")) }
}

/// A condition in canonical text.
fn condition(text: &str, line: Line) -> Result<String> {
    match Condition::parse(text) {
        Ok(condition) => Ok(condition.to_string()),
        Err(error) => meaning(line, format!("{text:?} is not a condition: {error}")),
    }
}

/// A table of which each key is asked for by name, and whose other keys are errors.
pub(crate) struct Fields<'a> {
    pub(super) table: &'a Table,
    pub(super) line: Line,
    pub(super) what: &'a str,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(table: &'a Table, line: Line, what: &'a str) -> Self {
        Fields { table, line, what }
    }

    pub(crate) fn of(node: &'a Node, what: &'a str) -> Result<Self> {
        match &node.data {
            Data::Table(table) => Ok(Fields { table, line: node.line, what }),
            other => meaning(node.line, format!("{what} must be a table, not {}", other.describe())),
        }
    }

    pub(crate) fn only(&self, known: &[&str]) -> Result<()> {
        match self.table.iter().find(|(key, _)| !known.contains(key)) {
            Some((key, node)) => {
                let key = visible(key);
                let hint = did_you_mean(&key, known.iter().copied());
                meaning(node.line, format!("{} has the unknown key `{key}`{hint}", self.what))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn line_of(&self, key: &str) -> Line {
        self.table.get(key).map_or(self.line, |node| node.line)
    }

    fn first_line(&self, keys: &[&str]) -> Line {
        keys.iter().find_map(|key| self.table.get(key)).map_or(self.line, |node| node.line)
    }

    pub(crate) fn flag(&self, key: &str) -> Result<bool> {
        match self.table.get(key) {
            None => Ok(false),
            Some(Node { data: Data::Bool(true), .. }) => Ok(true),
            Some(node) => meaning(
                node.line,
                format!("{}: `{key}` is `true` or left out, not {}", self.what, node.data.describe()),
            ),
        }
    }

    pub(crate) fn optional<T>(&self, key: &str, read: impl Fn(&str, Line) -> Result<T>) -> Result<Option<T>> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Node { data: Data::String(text), line }) => read(text, *line).map(Some),
            Some(node) => meaning(node.line, format!("`{key}` must be a string, not {}", node.data.describe())),
        }
    }

    /// The digits of an integer, and where they stand.
    pub(super) fn integer(&self, key: &str) -> Result<Option<(&'a str, Line)>> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Node { data: Data::Integer(text), line }) => Ok(Some((text, *line))),
            Some(node) => {
                meaning(node.line, format!("{}: `{key}` must be an integer, not {}", self.what, node.data.describe()))
            }
        }
    }

    pub(super) fn is_table(&self, key: &str) -> bool {
        matches!(self.table.get(key), Some(Node { data: Data::Table(_), .. }))
    }

    pub(crate) fn string(&self, key: &str) -> Result<String> {
        match self.optional(key, |text, _| Ok(text.to_owned()))? {
            Some(text) => Ok(text),
            None => meaning(self.line, format!("{} does not say its `{key}`", self.what)),
        }
    }

    pub(crate) fn table(&self, key: &str) -> Result<Option<Fields<'a>>> {
        let Some(node) = self.table.get(key) else { return Ok(None) };
        match &node.data {
            Data::Table(table) => Ok(Some(Fields { table, line: node.line, what: self.what })),
            other => meaning(node.line, format!("{}: `{key}` must be a table, not {}", self.what, other.describe())),
        }
    }

    fn part(&self) -> Result<Part> {
        match (self.flag("quant")?, self.flag("extra")?) {
            (false, false) => Ok(Part::Def),
            (true, false) => Ok(Part::Quant),
            (false, true) => Ok(Part::Extra),
            (true, true) => meaning(self.line, format!("{} is both `quant` and `extra`", self.what)),
        }
    }

    pub(super) fn since(&self, releases: &Map<Version, Release>) -> Result<Option<Since>> {
        let since = self.optional("since", version)?;
        match (self.flag("unreleased")?, since) {
            (false, None) => Ok(None),
            (true, None) => Ok(Some(Since::Unreleased)),
            (false, Some(version)) if releases.contains_key(&version) => Ok(Some(Since::Release(version))),
            (false, Some(version)) => meaning(
                self.line_of("since"),
                format!("{} is promised since {version}, a release that [release] does not list", self.what),
            ),
            (true, Some(_)) => meaning(self.line, format!("{} is both `unreleased` and `since` a release", self.what)),
        }
    }
}
