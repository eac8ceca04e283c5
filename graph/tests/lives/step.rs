//! What can happen to a package: changes of its source, and releases.

use std::fmt;
use std::sync::OnceLock;

use oplock_core::{ArgDef, AttrDef, Kind, Lock, OpDef, Part};

/// Names of operators that change.
pub(crate) const OPS: [&str; 4] = ["f", "g", "h", "f2"];

/// The items that they can have, as a lock says them.
const ITEMS: [&str; 37] = [
    "input.X = {}",
    "input.X = { dispensable = true }",
    "input.X = { duplicable = true }",
    "input.Y = { dispensable = true }",
    "input.Y = { duplicable = true, dispensable = true }",
    "input.Y = { dispensable = true, extra = true }",
    "input.Y = { dispensable = true, quant = true }",
    "input.Y = {}",
    "output.Out = {}",
    "output.Out = { dispensable = true }",
    "output.Z = { dispensable = true }",
    "output.Z = {}",
    "output.Z = { intermediate = true }",
    "output.Z = { dispensable = true, extra = true }",
    "attr.a = { type = \"i32\" }",
    "attr.a = { type = \"i32\", default = 0 }",
    "attr.a = { type = \"i32\", default = 1 }",
    "attr.a = { type = \"i32\", default = 0, extra = true }",
    "attr.a = { type = \"i32\", default = 1, quant = true }",
    "attr.a = { type = \"i64\", default = 0 }",
    "attr.a = { type = \"i64\" }",
    "attr.a = { type = \"f64\", default = 1.0 }",
    "attr.a = { type = \"string\", default = \"u\" }",
    "attr.b = { type = \"f32\", default = 0.1 }",
    "attr.b = { type = \"f64\", default = 0.1 }",
    "attr.b = { type = \"f64?\" }",
    "attr.b = { type = \"f32\", default = 0.1, extra = true }",
    "attr.l = { type = \"[i32]\", default = [] }",
    "attr.l = { type = \"[i64]\", default = [1] }",
    "attr.m = { type = \"string\", default = \"u\", values = [\"u\"] }",
    "attr.m = { type = \"string\", default = \"u\", values = [\"u\", \"v\"] }",
    "attr.m = { type = \"string\", default = \"v\", values = [\"v\", \"w\"] }",
    "attr.m = { type = \"string\", default = \"u\" }",
    "attr.k = { type = \"i64\", default = 0 }",
    "attr.k = { type = \"i64\", default = 2 }",
    "attr.k = { type = \"i64\", default = 2, generated = true }",
    "attr.k = { type = \"i64\", default = 0, extra = true }",
];

/// The attributes that all operators can have, as a lock says them.
const COMMON_ITEMS: [&str; 7] = [
    "attr.s = { type = \"i32\", default = 0 }",
    "attr.s = { type = \"i32\", default = 1 }",
    "attr.s = { type = \"i64\", default = 0 }",
    "attr.s = { type = \"i32\", default = 0, extra = true }",
    "attr.s = { type = \"string\", default = \"u\" }",
    "attr.q = { type = \"i64\", default = 2, generated = true }",
    "attr.q = { type = \"i64\", default = 0 }",
];

/// Other names for items.
pub(crate) const RENAMES: [(Kind, &str, &str); 7] = [
    (Kind::Input, "X", "X2"),
    (Kind::Input, "X2", "Y"),
    (Kind::Output, "Out", "Out2"),
    (Kind::Attr, "a", "a2"),
    (Kind::Attr, "a2", "a"),
    (Kind::Attr, "m", "b"),
    (Kind::Attr, "k", "a"),
];

/// The signatures with which they begin.
pub(crate) const BEGINNINGS: [&[usize]; 4] = [&[0, 8], &[1, 8, 15, 33], &[0, 8, 14], &[0, 3, 8, 30, 33]];

/// Operators that never change: a constant, a node with a sub-graph, and what a deleted operator can become.
const FIXED: &str = r#"
c.output.Out = {}
c.attr.k = { type = "i64" }
c.unreleased = true
t.input.X = { duplicable = true, dispensable = true }
t.output.Out = { duplicable = true, dispensable = true }
t.attr.k = { type = "i64", default = 0 }
t.unreleased = true
w.input.X = { duplicable = true, dispensable = true }
w.output.Out = {}
w.attr.body = { type = "block" }
w.unreleased = true
"#;

/// An item as a signature has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Arg(Kind, ArgDef),
    Attr(AttrDef),
}

impl Item {
    pub(crate) fn is_extra(&self) -> bool {
        match self {
            Item::Arg(_, arg) => arg.part == Part::Extra,
            Item::Attr(attr) => attr.part == Part::Extra,
        }
    }

    pub(crate) fn key(&self) -> (Kind, &str) {
        match self {
            Item::Arg(kind, arg) => (*kind, &arg.name),
            Item::Attr(attr) => (Kind::Attr, &attr.name),
        }
    }
}

fn parsed(lines: &str) -> Vec<OpDef> {
    let lines = lines.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n");
    let text = format!("format = 1\npackage = \"p\"\n[op]\n{lines}\n");
    let lock = Lock::parse(&text, None).unwrap_or_else(|error| panic!("{error}\n{text}"));
    lock.ops.into_values().map(|entry| entry.def).collect()
}

/// Every item of [`ITEMS`].
pub(crate) fn items() -> &'static [Item] {
    static PARSED: OnceLock<Vec<Item>> = OnceLock::new();
    PARSED.get_or_init(|| ITEMS.iter().map(item).collect())
}

/// Every item of [`COMMON_ITEMS`].
pub(crate) fn common_items() -> &'static [Item] {
    static PARSED: OnceLock<Vec<Item>> = OnceLock::new();
    PARSED.get_or_init(|| COMMON_ITEMS.iter().map(item).collect())
}

/// Every item of an operator.
pub(crate) fn items_of(def: &OpDef) -> impl Iterator<Item = Item> + '_ {
    let args = |kind| def.args(kind).iter().map(move |arg| Item::Arg(kind, arg.clone()));
    args(Kind::Input).chain(args(Kind::Output)).chain(def.attrs.iter().map(|attr| Item::Attr(attr.clone())))
}

fn item(line: &&str) -> Item {
    let def = parsed(&format!("f.{line}\nf.unreleased = true")).remove(0);
    items_of(&def).next().unwrap_or_else(|| panic!("{line}"))
}

/// An operator of that name, with one of the [`BEGINNINGS`].
pub(crate) fn beginning(op: usize, which: usize) -> OpDef {
    let lines: Vec<_> = BEGINNINGS[which].iter().map(|item| format!("f.{}\n", ITEMS[*item])).collect();
    OpDef { name: OPS[op].into(), ..parsed(&format!("{}f.unreleased = true", lines.concat())).remove(0) }
}

/// The operators that never change.
pub(crate) fn fixed() -> &'static [OpDef] {
    static PARSED: OnceLock<Vec<OpDef>> = OnceLock::new();
    PARSED.get_or_init(|| parsed(FIXED))
}

/// A change of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Change {
    /// An operator with one of the [`BEGINNINGS`], where there is none of that name.
    AddOp(usize, usize),
    DeleteOp(usize),
    /// To another of the names.
    RenameOp(usize, usize),
    DeprecateOp(usize),
    ReviseOp(usize),
    /// One of the [`items`] is added, or takes the place of what has its name.
    Put(usize, usize),
    Remove(usize, Kind, &'static str),
    /// By one of the [`RENAMES`].
    RenameItem(usize, usize),
    DeprecateItem(usize, Kind, &'static str),
    /// One of the [`common_items`] is added to all operators, or takes the place of what has its name.
    PutCommon(usize),
    RemoveCommon(&'static str),
    /// Breaks from now on take another data version, in the same release.
    NewDataVersion,
    /// The places of operands are promised from now on.
    PromisePlaces,
    /// The first operator is one of the small ones, or none.
    Set(usize),
    /// The data that is read begins at what the last release but so many wrote.
    RaiseMinProducer(usize),
    /// Readers below a new data version are kept away from all that is written.
    RaiseMinConsumer,
    /// The data version of the last release is known to misread what is written from now on.
    NameBadConsumer,
}

/// What happens on a release line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum What {
    Change(Change),
    /// A release, so many days after the last.
    Release(u32),
    /// A maintenance line begins at the last release.
    Fork,
    /// The package says that a relaxed requirement is no break.
    Relax,
    /// The trunk takes the maintenance line over, and makes a release.
    Absorb,
    /// Where the package has no operator of that name, programs have one of another package.
    Stranger(usize, usize),
}

/// One step of a life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    /// Whether it is of the maintenance line.
    pub(crate) on_branch: bool,
    pub(crate) what: What,
}

pub(crate) const fn change(change: Change) -> Step {
    Step { on_branch: false, what: What::Change(change) }
}

pub(crate) const fn release(days: u32) -> Step {
    Step { on_branch: false, what: What::Release(days) }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let op = |index: &usize| OPS[*index];
        match self {
            Change::AddOp(name, beginning) => {
                let items: Vec<_> = BEGINNINGS[*beginning].iter().map(|item| ITEMS[*item]).collect();
                write!(f, "add operator `{}` with {}", op(name), items.join(", "))
            }
            Change::DeleteOp(name) => write!(f, "delete `{}`", op(name)),
            Change::RenameOp(name, to) => write!(f, "rename `{}` to `{}`", op(name), op(to)),
            Change::DeprecateOp(name) => write!(f, "deprecate `{}`", op(name)),
            Change::ReviseOp(name) => write!(f, "revise `{}`", op(name)),
            Change::Put(name, item) => write!(f, "`{}` has {}", op(name), ITEMS[*item]),
            Change::Remove(name, kind, item) => write!(f, "delete {kind} `{item}` of `{}`", op(name)),
            Change::RenameItem(name, rename) => {
                let (kind, from, to) = RENAMES[*rename];
                write!(f, "rename {kind} `{from}` of `{}` to `{to}`", op(name))
            }
            Change::DeprecateItem(name, kind, item) => write!(f, "deprecate {kind} `{item}` of `{}`", op(name)),
            Change::PutCommon(item) => write!(f, "all operators have {}", COMMON_ITEMS[*item]),
            Change::RemoveCommon(item) => write!(f, "delete attribute `{item}` of all operators"),
            Change::NewDataVersion => f.write_str("declare another data version for what breaks from now on"),
            Change::PromisePlaces => f.write_str("promise the places of operands"),
            Change::Set(number) => write!(f, "`f` has the small signature {number}"),
            Change::RaiseMinProducer(0) => f.write_str("raise `min_producer` to what the last release writes"),
            Change::RaiseMinProducer(back) => {
                write!(f, "raise `min_producer` to what was written {back} releases before the last")
            }
            Change::RaiseMinConsumer => f.write_str("raise `min_consumer` to a new data version"),
            Change::NameBadConsumer => f.write_str("name the last release's data version a bad consumer"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.on_branch {
            f.write_str("on the maintenance line: ")?;
        }
        match &self.what {
            What::Change(change) => change.fmt(f),
            What::Release(0) => f.write_str("release"),
            What::Release(days) => write!(f, "release, {days} days later"),
            What::Fork => f.write_str("begin the maintenance line"),
            What::Absorb => f.write_str("absorb the maintenance line, and release"),
            What::Relax => f.write_str("say `relaxations = \"minor\"`"),
            What::Stranger(op, _) => write!(f, "another package, `q`, has an operator `{}` of its own", OPS[*op]),
        }
    }
}
