//! Which schema a node means: the newest that is not newer than the version of the set of operators which the model imports.

use std::collections::{BTreeMap, HashMap};

/// The schemas of a set of definitions, whose operators are named `Conv.v11` or `ai.onnx.ml.Scaler.v1`.
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    /// By domain and name: the versions, and the operators.
    by_name: HashMap<(String, String), BTreeMap<u32, String>>,
    /// The newest version that a schema of each domain has.
    newest: BTreeMap<String, u32>,
}

impl Schemas {
    /// Those of operators with these names; names of another form are no schemas.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut schemas = Schemas::default();
        for name in names {
            let Some((domain, op, version)) = parts(name) else { continue };
            let newest = schemas.newest.entry(domain.to_owned()).or_default();
            *newest = version.max(*newest);
            let key = (domain.to_owned(), op.to_owned());
            schemas.by_name.entry(key).or_default().insert(version, name.to_owned());
        }
        schemas
    }

    /// The operator that a node of that name means, where the set of operators is of that version.
    pub fn resolve(&self, domain: &str, name: &str, version: i64) -> Option<&str> {
        let versions = self.by_name.get(&(domain.to_owned(), name.to_owned()))?;
        let version = u32::try_from(version).ok()?;
        versions.range(..=version).next_back().map(|(_, op)| op.as_str())
    }

    /// The first version that has an operator of that name.
    pub fn first(&self, domain: &str, name: &str) -> Option<u32> {
        self.by_name.get(&(domain.to_owned(), name.to_owned()))?.keys().next().copied()
    }

    /// The newest version of a set of operators that some schema has: a newer one is not known here.
    pub fn newest(&self, domain: &str) -> Option<u32> {
        self.newest.get(domain).copied()
    }
}

/// Domain, name and version of `ai.onnx.ml.Scaler.v1`.
fn parts(name: &str) -> Option<(&str, &str, u32)> {
    let (rest, version) = name.rsplit_once(".v")?;
    let (domain, op) = rest.rsplit_once('.').unwrap_or(("", rest));
    Some((domain, op, version.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_that_is_not_newer() {
        let schemas = Schemas::of(["Add.v1", "Add.v7", "Add.v13", "ai.onnx.ml.Scaler.v1", "plain", "Odd.vx"]);
        for (version, expected) in
            [(0, None), (1, Some("Add.v1")), (6, Some("Add.v1")), (7, Some("Add.v7")), (99, Some("Add.v13"))]
        {
            assert_eq!(schemas.resolve("", "Add", version), expected, "{version}");
        }
        assert_eq!(schemas.resolve("ai.onnx.ml", "Scaler", 3), Some("ai.onnx.ml.Scaler.v1"));
        assert_eq!(schemas.resolve("", "Scaler", 3), None);
        assert_eq!(schemas.resolve("", "Add", -1), None);
        assert_eq!((schemas.newest(""), schemas.newest("ai.onnx.ml"), schemas.newest("x")), (Some(13), Some(1), None));
        assert_eq!((schemas.first("", "Add"), schemas.first("", "Sub")), (Some(1), None));
    }
}
