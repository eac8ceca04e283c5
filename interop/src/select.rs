//! Operators as a person names them on a command line.

use std::collections::BTreeMap;

use oplock_core::did_you_mean;

/// What stands between the parts of a saved name.
const BETWEEN: [char; 3] = ['.', ':', '>'];

/// Why a name stands for no operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectError {
    /// There is none of that name.
    Unknown {
        /// `; did you mean …?`, or nothing.
        hint: String,
    },
    /// Several are called so, of which each has another full name.
    Ambiguous {
        /// Their full names.
        candidates: Vec<String>,
    },
}

/// The saved names for which a name stands.
///
/// That is the operator of that very name; else all versions of an operator of ONNX (`Conv` for `Conv.v1` and `Conv.v11`); else what is called
/// so without its domain or namespace (`Scaler` for `ai.onnx.ml.Scaler.v1`, `add.Tensor` for `aten::add.Tensor`), where that is one operator.
///
/// # Errors
///
/// [`SelectError`], when there is none, or several that have only the end of their name in common.
pub fn select<'a, T>(ops: &'a BTreeMap<String, T>, name: &str) -> Result<Vec<&'a str>, SelectError> {
    if let Some((op, _)) = ops.get_key_value(name) {
        return Ok(vec![op]);
    }
    // By the name without its version.
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for op in ops.keys() {
        let group = without_version(op);
        if group == name || ends_with(group, name) {
            groups.entry(group).or_default().push(op);
        } else if without_version(name) != name && ends_with(op, name) {
            groups.entry(op).or_default().push(op);
        }
    }
    if let Some(versions) = groups.remove(name) {
        return Ok(versions);
    }
    if groups.len() > 1 {
        return Err(SelectError::Ambiguous { candidates: groups.into_keys().map(str::to_owned).collect() });
    }
    groups.into_values().next().ok_or_else(|| {
        let short =
            ops.keys().map(|op| without_version(op)).map(|group: &str| group.rsplit(BETWEEN).next().unwrap_or(group));
        SelectError::Unknown { hint: did_you_mean(name, ops.keys().map(String::as_str).chain(short)) }
    })
}

/// A name of ONNX's without its version: `Conv.v11` → `Conv`.
pub(crate) fn without_version(op: &str) -> &str {
    match op.rsplit_once(".v") {
        Some((name, version)) if !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => op,
    }
}

/// Whether an operator is called so without the first parts of its name.
fn ends_with(op: &str, name: &str) -> bool {
    !name.is_empty() && op.strip_suffix(name).is_some_and(|rest| rest.ends_with(BETWEEN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_one_operator_or_its_versions() {
        let names = [
            "Conv.v1",
            "Conv.v11",
            "Cast.v9",
            "ai.onnx.ml.Cast.v1",
            "ai.onnx.ml.Scaler.v1",
            "a.Sum.v1",
            "b.Sum.v2",
            "b.Sum.v3",
            "aten::add.Tensor",
            "aten::add.out",
            "slice",
        ];
        let ops: BTreeMap<_, _> = names.map(|name| (name.to_owned(), name.len())).into();
        for (name, expected) in [
            ("slice", &["slice"][..]),
            ("Conv", &["Conv.v1", "Conv.v11"]),
            ("Conv.v11", &["Conv.v11"]),
            // An operator of ONNX's own set has no domain in its name.
            ("Cast", &["Cast.v9"]),
            ("ai.onnx.ml.Cast", &["ai.onnx.ml.Cast.v1"]),
            ("ml.Cast", &["ai.onnx.ml.Cast.v1"]),
            ("Scaler", &["ai.onnx.ml.Scaler.v1"]),
            ("Scaler.v1", &["ai.onnx.ml.Scaler.v1"]),
            ("b.Sum", &["b.Sum.v2", "b.Sum.v3"]),
            ("Sum.v1", &["a.Sum.v1"]),
            ("add.Tensor", &["aten::add.Tensor"]),
        ] {
            assert_eq!(select(&ops, name).unwrap(), expected, "{name}");
        }
        let ambiguous = |candidates: &[&str]| {
            Err(SelectError::Ambiguous { candidates: candidates.iter().map(|name| (*name).to_owned()).collect() })
        };
        assert_eq!(select(&ops, "Sum"), ambiguous(&["a.Sum", "b.Sum"]));
        for (name, hint) in [
            ("Scalr", "; did you mean `Scaler`?"),
            ("Conw.v11", "; did you mean `Conv.v11`?"),
            ("caler", "; did you mean `Scaler`?"),
            ("v1", ""),
            ("", ""),
        ] {
            assert_eq!(select(&ops, name), Err(SelectError::Unknown { hint: hint.to_owned() }), "{name}");
        }
    }
}
