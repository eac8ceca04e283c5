//! One signature for each name, from all that was seen in all runs.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::collect::{Expansion, Record};
use oplock_core::{Condition, DataVersions, Map, OpDef, SavedKind};
use thiserror::Error;

use super::Place;
use super::everywhere::Partial;

/// An operator as one run saw it.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// In which run: two declarations that are never in one build exclude each other.
    pub(super) run: usize,
    /// Where.
    pub(super) place: Place,
    /// What.
    pub(super) def: OpDef,
}

impl Seen {
    /// What a record tells of an operator that belongs into the lock.
    pub(super) fn of(run: usize, record: Record, positional: bool) -> Option<Self> {
        let Expansion::Op(op) = record.of else { return None };
        if op.unlocked {
            return None;
        }
        // A declaration always says in which order its operands are; where that is not promised it means nothing.
        let def = if positional { op.def } else { op.def.unnumbered() };
        Some(Seen { run, place: Place { file: record.file, line: record.line }, def })
    }
}

/// Why a package has no one signature for a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum MergeError {
    /// Two declarations that are there at once.
    #[error("operator `{op}` is declared twice: at {first} and at {second}")]
    Twice {
        /// The operator.
        op: String,
        /// One of them.
        first: Place,
        /// The other.
        second: Place,
    },
    /// Two declarations that differ.
    #[error(
        "operator `{op}` has one signature at {first} and another at {second}: a name has one signature under all conditions"
    )]
    Differs {
        /// The operator.
        op: String,
        /// One of them.
        first: Place,
        /// The other.
        second: Place,
    },
    /// Two declarations of which only one promises the places of operands.
    #[error(
        "`lock!` says `operands = \"positional\";` under some features only: a lock promises the places of operands or does not"
    )]
    Positional,
    /// What only some builds have, and nothing says so.
    #[error("{}, and not {unseen}: {}", what.are_there(seen), what.why())]
    Partial {
        /// What.
        what: Partial,
        /// In which builds it is.
        seen: String,
        /// In which it is not.
        unseen: String,
    },
    /// Two declarations of the data versions that differ.
    #[error(
        "the data versions of {kind}s are declared in two ways, under different features: data does not say which wrote it"
    )]
    Versions {
        /// The kind of data.
        kind: SavedKind,
    },
}

impl MergeError {
    /// What helps.
    pub(crate) fn remedy(&self) -> String {
        match self {
            MergeError::Twice { op, .. } => {
                format!("rename one, or give each a condition of its own: #[op(\"{op}\", cfg(…))]")
            }
            MergeError::Partial { what, .. } => what.remedy(),
            MergeError::Positional => "say it in every `lock!`, or in none".to_owned(),
            MergeError::Versions { .. } => "declare them once, in a `lock!` without a condition".to_owned(),
            MergeError::Differs { .. } => "give both the same items, or give one another name".to_owned(),
        }
    }
}

/// The signature of each operator, and where it is declared.
pub(super) type Merged = (BTreeMap<String, OpDef>, BTreeMap<String, Place>);

/// The data versions, which are the same in every build.
pub(super) fn saved<'a>(records: impl Iterator<Item = &'a Record>) -> Result<Map<SavedKind, DataVersions>, MergeError> {
    let mut all = records.filter_map(|record| match &record.of {
        Expansion::Lock(saved, _) => Some(saved),
        _ => None,
    });
    let first = all.next().cloned().unwrap_or_default();
    let of = |saved: &Map<SavedKind, DataVersions>, kind| saved.get(&kind).cloned().unwrap_or_default();
    for other in all {
        if let Some(kind) = SavedKind::ALL.into_iter().find(|kind| of(&first, *kind) != of(other, *kind)) {
            return Err(MergeError::Versions { kind });
        }
    }
    Ok(first)
}

/// Whether the places of operands are promised, which is the same in every build.
pub(super) fn positional<'a>(records: impl Iterator<Item = &'a Record>) -> Result<bool, MergeError> {
    let mut all = records.filter_map(|record| match &record.of {
        Expansion::Lock(_, positional) => Some(*positional),
        _ => None,
    });
    let first = all.next().unwrap_or_default();
    if all.any(|other| other != first) { Err(MergeError::Positional) } else { Ok(first) }
}

pub(super) fn merge(seen: Vec<Seen>) -> Result<Merged, MergeError> {
    let mut by_name: BTreeMap<String, Vec<Declaration>> = BTreeMap::new();
    for Seen { run, place, def } in seen {
        let declarations = by_name.entry(def.name.to_string()).or_default();
        let def = def.sorted();
        match declarations.iter_mut().find(|known| known.place == place) {
            Some(known) if known.def == def => {
                known.runs.insert(run);
            }
            _ => declarations.push(Declaration { place, def, runs: BTreeSet::from([run]) }),
        }
    }
    let (mut ops, mut places) = Merged::default();
    for (name, mut declarations) in by_name {
        declarations.sort_by(|a, b| a.place.cmp(&b.place));
        let def = one(&name, &declarations)?;
        places.extend(declarations.into_iter().next().map(|first| (name.clone(), first.place)));
        ops.insert(name, def);
    }
    Ok((ops, places))
}

/// One place at which an operator is declared.
struct Declaration {
    place: Place,
    def: OpDef,
    runs: BTreeSet<usize>,
}

fn one(name: &str, declarations: &[Declaration]) -> Result<OpDef, MergeError> {
    let Some((first, rest)) = declarations.split_first() else { return Ok(OpDef::new(name.to_owned())) };
    let without_condition = |def: &OpDef| OpDef { cfg: None, ..def.clone() };
    for (i, b) in declarations.iter().enumerate() {
        for a in &declarations[..i] {
            let (op, first, second) = (name.to_owned(), a.place.clone(), b.place.clone());
            if without_condition(&a.def) != without_condition(&b.def) {
                return Err(MergeError::Differs { op, first, second });
            }
            let are_apart = a.def.cfg.is_some() && b.def.cfg.is_some() && a.def.cfg != b.def.cfg;
            if !are_apart && !a.runs.is_disjoint(&b.runs) {
                return Err(MergeError::Twice { op, first, second });
            }
        }
    }
    let cfg = rest.iter().fold(first.def.cfg.clone(), |cfg, other| {
        let read = |text: &str| Condition::parse(text).ok();
        let (a, b) = (read(cfg.as_deref()?)?, read(other.def.cfg.as_deref()?)?);
        Some(a.or(b).to_string().into())
    });
    Ok(OpDef { cfg, ..first.def.clone() })
}

#[cfg(test)]
mod tests {
    use oplock_core::ArgDef;

    use super::*;

    fn seen(run: usize, line: u32, cfg: Option<&'static str>, input: &'static str) -> Seen {
        let mut def = OpDef::new("gemm");
        def.cfg = cfg.map(Into::into);
        def.inputs.to_mut().push(ArgDef::new(input));
        Seen { run, place: Place { file: "src/lib.rs".to_owned(), line }, def }
    }

    fn condition(seen: Vec<Seen>) -> Option<String> {
        let (ops, places) = merge(seen).unwrap();
        assert_eq!(places["gemm"].line, 1);
        ops["gemm"].cfg.as_ref().map(ToString::to_string)
    }

    const CUDA: Option<&str> = Some("feature = \"cuda\"");
    const ROCM: Option<&str> = Some("feature = \"rocm\"");

    #[test]
    fn the_same_place_in_several_runs_is_one_declaration() {
        assert_eq!(condition(vec![seen(0, 1, None, "X"), seen(1, 1, None, "X")]), None);
    }

    #[test]
    fn conditions_of_several_places_are_joined() {
        let joined = condition(vec![seen(0, 2, ROCM, "X"), seen(0, 1, CUDA, "X")]);
        assert_eq!(joined.as_deref(), Some("any(feature = \"cuda\", feature = \"rocm\")"));
    }

    #[test]
    fn declarations_that_are_never_built_together_are_one() {
        assert_eq!(condition(vec![seen(1, 1, None, "X"), seen(2, 2, None, "X")]), None);
        assert_eq!(condition(vec![seen(1, 1, CUDA, "X"), seen(2, 2, None, "X")]), None);
        assert_eq!(condition(vec![seen(1, 1, CUDA, "X"), seen(2, 2, CUDA, "X")]).as_deref(), CUDA);
    }

    #[test]
    fn two_at_once_are_refused_with_both_places() {
        for (first, second) in [(None, None), (CUDA, None), (CUDA, CUDA)] {
            let error = merge(vec![seen(0, 1, first, "X"), seen(0, 2, second, "X")]).unwrap_err();
            assert!(matches!(error, MergeError::Twice { .. }), "{error}");
            assert!(error.to_string().contains("at src/lib.rs:1 and at src/lib.rs:2"), "{error}");
        }
    }

    #[test]
    fn data_versions_are_the_same_in_every_build() {
        let record = |version: u32| {
            let history = [(version, "x".to_owned())].into();
            let versions = DataVersions { history, ..DataVersions::default() };
            let of = Expansion::Lock([(SavedKind::Graph, versions)].into(), version > 4);
            Record { manifest_dir: String::new(), crate_name: String::new(), file: String::new(), line: 0, of }
        };
        assert_eq!(saved([record(4), record(4)].iter()).unwrap()[&SavedKind::Graph].producer(), 4);
        let error = saved([record(4), record(5)].iter()).unwrap_err();
        assert_eq!(error, MergeError::Versions { kind: SavedKind::Graph });
        assert_eq!(positional([record(4), record(4)].iter()), Ok(false));
        assert_eq!(positional([record(5), record(5)].iter()), Ok(true));
        assert_eq!(positional([record(5), record(4)].iter()), Err(MergeError::Positional));
    }

    #[test]
    fn one_name_has_one_signature_under_all_conditions() {
        for second in [seen(0, 2, ROCM, "Y"), seen(1, 2, None, "Y"), seen(1, 1, CUDA, "Y")] {
            let error = merge(vec![seen(0, 1, CUDA, "X"), second]).unwrap_err();
            assert!(matches!(error, MergeError::Differs { .. }), "{error}");
        }
    }
}
