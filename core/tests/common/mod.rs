//! Terse ways to say a signature, a lock and a context, and generators of random ones.
//!
//! A signature is said in the lock's own words, without the operator's name and its stamp:
//! `"input.X = {}; attr.axis = { type = \"i32\" }"`.

// Each test crate uses some of it.
#![allow(dead_code, unreachable_pub)]

pub mod package;
pub mod types_table;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use oplock_core::approvals::Approvals;
use oplock_core::lock::{Approved, Release, Row, RowKey, Side, Since, Stamp};
use oplock_core::{
    ArgDef, AttrDef, AttrType, COMMON, Complex128, Context, Deprecated, ElementType, Finding, Flags, Forward, Func,
    Kind, List, Lock, LockError, OpDef, Options, Part, Revision, SavedKind, Scalar, ScalarType, Shape, SparseTensor,
    Str, Tensor, TensorData, TypeVar, Value,
};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;
use semver::Version;

/// The first lines of every lock.
pub const HEAD: &str = "format = 1\npackage = \"p\"\n";

pub fn v(text: &str) -> Version {
    Version::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The operator `f` with that signature.
pub fn op(signature: &str) -> OpDef {
    op_named("f", signature)
}

pub fn op_named(name: &str, signature: &str) -> OpDef {
    if name == COMMON {
        return OpDef { name: COMMON.into(), ..op(signature) };
    }
    // What stands in quotes, such as the type `[i32; 3]`, is not the end of a line.
    let mut is_quoted = false;
    let ends = |c: char| {
        is_quoted ^= c == '"';
        matches!(c, ';' | '\n') && !is_quoted
    };
    let lines: Vec<_> = signature.split(ends).map(str::trim).filter(|line| !line.is_empty()).collect();
    let stamp = if lines.contains(&"experimental = true") {
        ""
    } else if name.starts_with('_') {
        "unguarded = true"
    } else {
        "unreleased = true"
    };
    let mut text = format!("{HEAD}[op]\n");
    for line in lines.iter().chain([&stamp]).filter(|line| !line.is_empty()) {
        let _ = writeln!(text, "\"{name}\".{line}");
    }
    let mut lock = Lock::parse(&text, None).unwrap_or_else(|e| panic!("{e}\n{text}"));
    lock.ops.remove(name).map_or_else(|| panic!("{text}"), |entry| entry.def)
}

pub fn set(ops: &[(&str, &str)]) -> BTreeMap<String, OpDef> {
    ops.iter().map(|(name, signature)| ((*name).to_owned(), op_named(name, signature))).collect()
}

/// A lock whose text is that, after the first lines.
pub fn lock(text: &str) -> Lock {
    try_lock(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

pub fn try_lock(text: &str) -> Result<Lock, LockError> {
    Lock::parse(&format!("{HEAD}{text}"), Some("p"))
}

/// The context of a package at that version, its relaxations breaks and its features unknown.
pub fn context(version: &str) -> Context {
    Context { version: v(version), options: Options::default(), features: None, approvals: Approvals::default() }
}

/// A finding in one line: rule, item, field, both sides and the verdict.
pub fn show(finding: &Finding) -> String {
    let mut text = finding.rule.name.to_owned();
    if let Some((kind, item)) = &finding.item {
        let _ = write!(text, " {}.{item}", kind.key());
    }
    if let Some(field) = finding.field {
        let _ = write!(text, " {field}");
    }
    if let (Some(from), Some(to)) = (&finding.from, &finding.to) {
        let _ = write!(text, ": {from} -> {to}");
    }
    let verdict = match (finding.bump.name(), finding.backward(), finding.forward()) {
        ("major", false, Forward::No) => "break",
        ("major", true, Forward::IfUnused) if finding.case.relaxation => "relaxation",
        ("major", true, Forward::IfUnused) => "renaming",
        ("minor", true, Forward::IfUnused) => "minor",
        ("patch", true, Forward::Yes) => "patch",
        other => panic!("{text}: no change has the verdicts {other:?}"),
    };
    format!("{text} => {verdict}")
}

// ---- random signatures and locks ----

pub fn any_type() -> impl Strategy<Value = AttrType> {
    let length = || proptest::option::weighted(0.2, 0..3_u32);
    (select(&ScalarType::ALL), 0..=AttrType::MAX_DEPTH, any::<bool>(), [length(), length()]).prop_map(
        |(scalar, depth, optional, lengths)| {
            let scalar = AttrType::of(scalar);
            let ty = lengths.iter().take(depth.into()).fold(scalar, |ty, length| AttrType::list_of(ty, *length));
            AttrType { optional, ..ty }
        },
    )
}

/// A value of that type; a list of blocks is empty, since no lock can name a sub-graph.
pub fn any_value(ty: AttrType) -> BoxedStrategy<Value> {
    if let Some(element) = ty.element() {
        let lengths = ty.length().map_or(0..=2, |length| length..=length);
        let lengths = *lengths.start() as usize..=*lengths.end() as usize;
        if element.scalar == ScalarType::Block && element.depth == 0 {
            return Just(Value::list(Vec::new())).boxed();
        }
        return vec(any_value(element), lengths).prop_map(Value::list).boxed();
    }
    // Every bit pattern, and the ones that are easily lost.
    let f32s = prop_oneof![any::<u32>().prop_map(f32::from_bits), select(&[0.0, -0.0, 1e-5, f32::MAX, f32::NAN])];
    let f64s = prop_oneof![any::<u64>().prop_map(f64::from_bits), select(&[0.0, -0.0, 1e300, f64::MIN_POSITIVE])];
    match ty.scalar {
        ScalarType::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        ScalarType::I32 => any::<i32>().prop_map(Value::I32).boxed(),
        ScalarType::Size => (0..=i64::MAX).prop_map(Value::I64).boxed(),
        ScalarType::I64 => any::<i64>().prop_map(Value::I64).boxed(),
        ScalarType::U32 => any::<u32>().prop_map(Value::U32).boxed(),
        ScalarType::U64 => any::<u64>().prop_map(Value::U64).boxed(),
        ScalarType::F32 => f32s.prop_map(Value::F32).boxed(),
        ScalarType::F64 => f64s.prop_map(Value::F64).boxed(),
        ScalarType::String => any::<String>().prop_map(|x| Value::String(x.into())).boxed(),
        ScalarType::DType => any::<String>().prop_map(|x| Value::DType(x.into())).boxed(),
        ScalarType::Var => any::<String>().prop_map(|x| Value::Var(x.into())).boxed(),
        ScalarType::Bytes => vec(any::<u8>(), 0..4).prop_map(|x| Value::Bytes(Cow::Owned(x))).boxed(),
        ScalarType::Scalar => prop_oneof![
            any::<bool>().prop_map(Scalar::Bool),
            any::<i64>().prop_map(Scalar::I64),
            f64s.prop_map(Scalar::F64),
            any_complex().prop_map(Scalar::Complex128),
        ]
        .prop_map(Value::Scalar)
        .boxed(),
        ScalarType::Complex128 => any_complex().prop_map(Value::Complex128).boxed(),
        ScalarType::Shape => any_shape().prop_map(Value::Shape).boxed(),
        ScalarType::Tensor => any_tensor().prop_map(|x| Value::Tensor(Box::new(x))).boxed(),
        ScalarType::SparseTensor => any_sparse_tensor().prop_map(|x| Value::SparseTensor(Box::new(x))).boxed(),
        ScalarType::Func => any_func().prop_map(|x| Value::Func(Box::new(x))).boxed(),
        ScalarType::TypeProto => any::<String>().prop_map(|x| Value::TypeProto(x.into())).boxed(),
        other => panic!("a value of type {other:?} has no text"),
    }
}

fn any_complex() -> impl Strategy<Value = Complex128> {
    let part = || prop_oneof![any::<u64>().prop_map(f64::from_bits), select(&[0.0, -0.0, f64::INFINITY, f64::NAN])];
    (part(), part()).prop_map(|(re, im)| Complex128 { re, im })
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let dim = proptest::option::of(prop_oneof![0..4_u64, any::<u64>()]);
    proptest::option::of(vec(dim, 0..4)).prop_map(|dims| Shape { dims })
}

fn any_tensor() -> impl Strategy<Value = Tensor> {
    let sizes = [("f32", 4), ("bool", 1), ("complex128", 16), ("f8e5m2", 1), ("of \"mine\"", 3)];
    (vec(0..3_u64, 0..3), proptest::option::of(select(sizes.to_vec()))).prop_flat_map(|(dims, ty)| {
        let count = usize::try_from(dims.iter().product::<u64>()).unwrap();
        let data = match ty {
            Some((_, size)) => vec(any::<u8>(), count * size).prop_map(TensorData::Raw).boxed(),
            None => vec(vec(any::<u8>(), 0..3), count).prop_map(TensorData::Strings).boxed(),
        };
        let ty = ty.map_or("string", |(ty, _)| ty);
        data.prop_map(move |data| Tensor { ty: ty.into(), dims: dims.clone(), data })
    })
}

fn any_sparse_tensor() -> impl Strategy<Value = SparseTensor> {
    (vec(any::<u64>(), 0..3), vec(any::<[u8; 9]>(), 0..3), any::<bool>()).prop_map(|(dims, items, flat)| {
        let count = items.len() as u64;
        let rank = if flat { 1 } else { dims.len() };
        let indices = items.iter().flat_map(|item| std::iter::repeat_n(&item[..8], rank).flatten()).copied().collect();
        let sizes = if flat { vec![count] } else { vec![count, rank as u64] };
        let values = items.iter().map(|item| item[8]).collect();
        SparseTensor {
            dims,
            indices: Tensor { ty: "i64".into(), dims: sizes, data: TensorData::Raw(indices) },
            values: Tensor { ty: "i8".into(), dims: vec![count], data: TensorData::Raw(values) },
        }
    })
}

fn any_func() -> impl Strategy<Value = Func> {
    let types = [ScalarType::F32, ScalarType::DType, ScalarType::Scalar, ScalarType::Shape, ScalarType::Tensor];
    let value = (select(types.to_vec()), 0..=2_u8).prop_flat_map(|(scalar, depth)| {
        let ty = AttrType { depth, ..AttrType::of(scalar) };
        any_value(ty)
    });
    let func = |attrs: Vec<(String, Value)>| Func { attrs: attrs.into_iter().collect(), ..Func::new("f\n") };
    let flat = vec((".{1,4}", value), 0..3).prop_map(func);
    (flat, proptest::option::of(".{1,4}"), 0..4_u8).prop_map(|(func, name, depth)| {
        // Functions in functions, as deep as they may be.
        (1..depth).fold(func, |inner, _| {
            let inner = Value::Func(Box::new(inner));
            let inner = if name.is_some() { inner } else { Value::list(vec![inner]) };
            Func { attrs: [(name.clone().unwrap_or("f".to_owned()), inner)].into(), ..Func::new("g") }
        })
    })
}

pub fn any_part() -> impl Strategy<Value = Part> {
    select(&[Part::Def, Part::Def, Part::Quant, Part::Extra])
}

pub fn any_deprecated() -> impl Strategy<Value = Option<Deprecated>> {
    let deprecated =
        (1..=u32::MAX, any::<String>()).prop_map(|(version, note)| Deprecated { version, note: note.into() });
    proptest::option::weighted(0.2, deprecated)
}

/// A few names, sorted.
pub fn any_aliases(name: impl Strategy<Value = String>) -> impl Strategy<Value = List<Str>> {
    let some = btree_set(name, 1..3).prop_map(|names| names.into_iter().map(Cow::Owned).collect::<Vec<_>>());
    prop_oneof![4 => Just(Vec::new()), 1 => some].prop_map(Cow::Owned)
}

pub fn any_revisions() -> impl Strategy<Value = List<Revision>> {
    let some = btree_map(1..20_u32, any::<String>(), 1..3).prop_map(|all| {
        all.into_iter().map(|(version, note)| Revision { version, note: note.into() }).collect::<Vec<_>>()
    });
    prop_oneof![4 => Just(Vec::new()), 1 => some].prop_map(Cow::Owned)
}

pub fn any_element_type() -> impl Strategy<Value = ElementType> {
    prop_oneof![
        prop_oneof!["f32", "i64", "seq\\(f32\\)", "\\PC{1,4}"].prop_map(|name| ElementType::Fixed(name.into())),
        prop_oneof!["[T-V]", "\\PC{1,2}"].prop_map(|name| ElementType::Var(name.into())),
    ]
}

pub fn any_arg(name: String) -> impl Strategy<Value = ArgDef> {
    let count = proptest::option::weighted(0.2, any_item_name());
    let number = || proptest::option::weighted(0.2, 1..4_u32);
    let types = (proptest::option::of(any_element_type()), count, number(), number());
    (any::<[bool; 5]>(), any_part(), any_aliases(any_item_name()), any_deprecated(), types).prop_map(
        move |([dispensable, duplicable, intermediate, heterogeneous, by_ref], part, aliases, deprecated, of)| {
            let (ty, count, min, at) = of;
            let mut arg = ArgDef {
                name: name.clone().into(),
                dispensable,
                duplicable,
                intermediate,
                at,
                part,
                aliases,
                deprecated,
                ty,
                count: count.map(Into::into),
                min,
                heterogeneous: heterogeneous && duplicable,
                by_ref,
            };
            if arg.check_number().is_err() {
                (arg.count, arg.min) = (None, None);
            }
            arg
        },
    )
}

pub fn any_types() -> impl Strategy<Value = List<TypeVar>> {
    let allowed = btree_set("(f32|i64|bf16|\\PC{1,3})", 0..3);
    let some = btree_map("([T-V]|\\PC{1,2})", allowed, 0..3).prop_map(|all| {
        let var = |(name, allowed): (String, std::collections::BTreeSet<String>)| TypeVar {
            name: name.into(),
            allowed: allowed.into_iter().map(Cow::Owned).collect::<Vec<_>>().into(),
        };
        all.into_iter().map(var).collect::<Vec<_>>()
    });
    prop_oneof![2 => Just(Vec::new()), 1 => some].prop_map(Cow::Owned)
}

pub fn any_flags() -> impl Strategy<Value = Flags> {
    let set = |[stateful, commutative, aggregate, communication, uninitialized]: [bool; 5]| Flags {
        stateful,
        commutative,
        aggregate,
        communication,
        uninitialized,
    };
    prop_oneof![2 => Just(Flags::default()), 1 => any::<[bool; 5]>().prop_map(set)]
}

pub fn any_attr(name: String) -> impl Strategy<Value = AttrDef> {
    let typed = any_type().prop_flat_map(|ty| {
        let default = match ty {
            AttrType { scalar: ScalarType::Block, .. } if ty.lengths != [None; 2] => Just(None).boxed(),
            AttrType { scalar: ScalarType::Block, depth: 0, .. } => Just(None).boxed(),
            _ => proptest::option::of(any_value(ty)).boxed(),
        };
        (Just(ty), default)
    });
    let values = prop_oneof![Just(Vec::new()), vec(any::<String>(), 1..4)];
    let min = proptest::option::weighted(0.5, -1..3_i64);
    let marks = (min, any::<bool>(), any_part(), any_aliases(any_item_name()), any_deprecated());
    (typed, values, marks).prop_map(move |((ty, default), values, (min, generated, part, aliases, deprecated))| {
        let mut attr = AttrDef::new(name.clone(), ty);
        (attr.aliases, attr.deprecated) = (aliases, deprecated);
        attr.default = default.or(attr.default);
        if attr.has_values() {
            let values: std::collections::BTreeSet<String> = values.into_iter().collect();
            attr.values = values.into_iter().map(Cow::Owned).collect::<Vec<_>>().into();
            let has_other = attr.default.as_ref().is_some_and(|default| attr.outside(default).is_some());
            if has_other {
                attr.values = Cow::Borrowed(&[]);
            }
        }
        (attr.generated, attr.part) = (generated, part);
        attr.min = min;
        attr.min = attr.min.filter(|_| attr.check_min().is_ok());
        attr
    })
}

pub fn any_op_name() -> impl Strategy<Value = String> {
    "[A-Za-z_][A-Za-z0-9_]{0,3}((\\.|::|>)[A-Za-z_][A-Za-z0-9_]{0,2}){0,2}"
}

/// Any text without control characters, among them what a careless writer does not quote.
pub fn any_item_name() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Za-z_][A-Za-z0-9_-]{0,6}", "\\PC{1,6}", "[\"'\\\\.#= \\[\\]{}]{1,4}"]
}

pub fn any_op_of(name: String) -> impl Strategy<Value = OpDef> {
    let args =
        || btree_set(any_item_name(), 0..4).prop_flat_map(|names| names.into_iter().map(any_arg).collect::<Vec<_>>());
    let attrs =
        btree_set(any_item_name(), 0..5).prop_flat_map(|names| names.into_iter().map(any_attr).collect::<Vec<_>>());
    let cfgs = [None, None, Some("feature = \"cuda\""), Some("any(feature = \"a-b\", not(unix))")];
    let moved_from = select(vec![None, None, Some("vision-ops")]);
    let marks = (any_aliases(any_op_name()), any_deprecated(), any_revisions(), moved_from, any_types(), any_flags());
    (args(), args(), attrs, (proptest::bool::weighted(0.1), select(cfgs.to_vec())), marks).prop_map(
        move |(inputs, outputs, attrs, (experimental, cfg), marks)| {
            let (aliases, deprecated, revisions, moved_from, types, flags) = marks;
            let aliases: Vec<_> = aliases.iter().filter(|alias| **alias != name).cloned().collect();
            unambiguous(OpDef {
                name: name.clone().into(),
                inputs: inputs.into(),
                outputs: outputs.into(),
                attrs: attrs.into(),
                experimental,
                cfg: cfg.map(Into::into),
                aliases: aliases.into(),
                deprecated,
                revisions,
                moved_from: moved_from.map(Into::into),
                types,
                flags,
            })
        },
    )
}

/// Without the aliases that stand for something else as well.
pub fn unambiguous(mut def: OpDef) -> OpDef {
    while let Some((kind, item, alias, _)) = def.ambiguous_alias() {
        let (item, alias) = (item.to_owned(), alias.to_owned());
        let keep = |list: &mut List<Str>| list.to_mut().retain(|name| *name != alias);
        match kind {
            Kind::Input => def.inputs.to_mut().iter_mut().filter(|a| a.name == item).for_each(|a| keep(&mut a.aliases)),
            Kind::Output => {
                def.outputs.to_mut().iter_mut().filter(|a| a.name == item).for_each(|a| keep(&mut a.aliases));
            }
            Kind::Attr => def.attrs.to_mut().iter_mut().filter(|a| a.name == item).for_each(|a| keep(&mut a.aliases)),
        }
    }
    def
}

pub fn any_op() -> impl Strategy<Value = OpDef> {
    any_op_name().prop_flat_map(any_op_of)
}

pub fn any_version() -> impl Strategy<Value = Version> {
    (0..3_u64, 0..3_u64, 0..3_u64, select(&["", "", "-rc.1"]))
        .prop_map(|(x, y, z, pre)| v(&format!("{x}.{y}.{z}{pre}")))
}

/// A lock as `update` and a release could have left it: stamps of listed releases, unsealed rows that agree with the
/// operators, sealed rows of anything.
pub fn any_lock() -> impl Strategy<Value = Lock> {
    let head = (
        any::<String>(),
        proptest::option::of(any_version()),
        btree_map(any_version(), "[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])", 0..4),
    );
    let ops = vec((any_op(), any::<u64>()), 0..5);
    let rows = vec((any_op(), any::<u64>()), 0..4);
    let saved = vec((any_op_name(), any::<String>(), any::<u64>()), 0..5);
    (head, ops, rows, saved).prop_map(|((package, next, releases), ops, rows, saved)| {
        let mut lock = Lock::new(package);
        lock.version = next.clone().filter(|version| version.major == 1);
        lock.next = next;
        lock.releases = releases.into_iter().map(|(version, date)| (version, Release::new(date))).collect();
        let versions: Vec<_> = lock.releases.keys().cloned().collect();
        let pick = |dice: u64| match dice {
            dice if dice.is_multiple_of(3) || versions.is_empty() => Since::Unreleased,
            dice => Since::Release(versions[usize::try_from(dice).unwrap_or(0) % versions.len()].clone()),
        };
        for (name, text, dice) in saved {
            let (version, stamp) =
                (u32::try_from(dice >> 8 & 15).unwrap_or(0) + 2, Stamp { since: Some(pick(dice)), line: 0 });
            lock.upgrades.insert((name, version), stamp.clone());
            let saved = lock.saved.get_or_default(SavedKind::ALL[usize::from(dice & 64 == 64)]);
            if saved.since.is_empty() {
                saved.versions.history.clear();
            }
            saved.versions.history.insert(version, text);
            saved.since.insert(version, stamp.clone());
            if dice & 128 == 128 {
                saved.versions.bad_consumers.insert(version - 1);
                saved.bad_since.insert(version - 1, stamp);
            }
            let producer = saved.versions.producer();
            saved.versions.min_producer = producer;
            saved.min_producer.was = Some(producer - 1).filter(|_| dice & 32 == 32);
            saved.versions.min_consumer = 1;
            for release in lock.releases.values_mut().filter(|_| dice & 16 == 16) {
                release.versions.insert(SavedKind::Graph, version);
            }
        }
        for (def, dice) in ops {
            let mut entry = oplock_core::lock::OpEntry::new(def.clone(), &pick(dice));
            for (i, stamp) in (1..).zip(entry.items.values_mut()) {
                stamp.since = stamp.since.is_some().then(|| pick(dice >> i));
            }
            lock.ops.insert(def.name.to_string(), entry);
        }
        for (def, dice) in rows {
            let mut was = oplock_core::lock::OpEntry::new(def.clone(), &pick(dice));
            was.def.experimental = false;
            let release = match pick(dice >> 7) {
                Since::Unreleased => None,
                Since::Release(version) => Some(version),
            };
            let items = std::iter::once(None).chain(was.items.keys().cloned().map(Some));
            for (i, item) in (0..).zip(items) {
                let from = was.side(item.as_ref());
                let to = match (&release, lock.ops.get(def.name.as_ref())) {
                    (None, Some(now)) => now.row_side(item.as_ref()),
                    (Some(_), _) if dice >> i & 1 == 1 => from.clone().without_since(),
                    _ => Side::Absent,
                };
                let is_released = matches!(from.since(), Some(Since::Release(_)));
                if release.is_none() && (from.clone().without_since() == to || (from.is_guarded() && !is_released)) {
                    continue;
                }
                let key = RowKey { op: def.name.to_string(), release: release.clone(), item };
                let accepted_for = (dice >> i & 2 == 2).then(|| v("2.0.0"));
                let who = || Approved { by: "A. \"Person\"".to_owned(), reason: "a\nreason".to_owned() };
                let approved = (dice >> i & 4 == 4).then(who);
                let rule = "attr_changed".to_owned();
                let version = u32::try_from(dice >> i & 3).ok().filter(|version| *version > 0);
                lock.ledger.insert(key, Row { rule, from, to, accepted_for, approved, version, line: 0 });
            }
        }
        lock
    })
}

/// The part of an item.
pub fn part(def: &OpDef, kind: Kind, name: &str) -> Option<Part> {
    def.arg(kind, name)
        .map(|arg| arg.part)
        .or_else(|| def.attr(name).filter(|_| kind == Kind::Attr).map(|attr| attr.part))
}
