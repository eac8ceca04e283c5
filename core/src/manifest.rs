//! What oplock needs to know of a package's `Cargo.toml`.

use std::fmt;

use crate::compare::Options;
use crate::did_you_mean;
use crate::lock::toml::{self, Data, Line, Node, Table};
use crate::model::Set;

/// The parts of a manifest that oplock reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Every feature, those of optional dependencies included.
    pub features: Set<String>,
    /// Whether `relaxations = "minor"` is said in `[package.metadata.oplock]`.
    pub relaxations_are_minor: bool,
    /// What `min-producer-window = "180 days"` says, in days.
    pub min_producer_window: Option<u32>,
    /// The feature sets that are collected beside the default one: `features = [["cuda"], ["rocm"]]`.
    pub feature_sets: Vec<Vec<String>>,
    /// The name that `[lib]` gives to the library, if it gives one.
    pub lib_name: Option<String>,
    /// The file that `[lib]` names, if it names one.
    pub lib_path: Option<String>,
    /// Whether there is a `[lib]`.
    pub has_lib: bool,
}

/// Why a manifest cannot be used, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    /// The line at fault.
    pub line: Line,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cargo.toml:{}: {}", self.line, self.reason)
    }
}

impl std::error::Error for ManifestError {}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// When it is not TOML, or `[package.metadata.oplock]` says something that oplock does not know.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let root = toml::parse(text).map_err(|e| ManifestError { line: e.line, reason: e.reason })?;
        let mut manifest = Manifest::default();
        let mut named = Set::new();
        for (feature, node) in table(&root, "features").into_iter().flat_map(Table::iter) {
            manifest.features.insert(feature.to_owned());
            if let Data::Array(items) = &node.data {
                named.extend(items.iter().filter_map(|item| match &item.data {
                    Data::String(text) => text.strip_prefix("dep:").map(str::to_owned),
                    _ => None,
                }));
            }
        }
        let targets = table(&root, "target").into_iter().flat_map(Table::iter);
        let targets = targets.filter_map(|(_, node)| match &node.data {
            Data::Table(target) => Some(target),
            _ => None,
        });
        for holder in std::iter::once(&root).chain(targets) {
            for dependencies in ["dependencies", "build-dependencies"] {
                for (name, node) in table(holder, dependencies).into_iter().flat_map(Table::iter) {
                    let Data::Table(fields) = &node.data else { continue };
                    let optional = matches!(fields.get("optional"), Some(Node { data: Data::Bool(true), .. }));
                    if optional && !named.contains(name) {
                        manifest.features.insert(name.to_owned());
                    }
                }
            }
        }
        if let Some(lib) = table(&root, "lib") {
            manifest.has_lib = true;
            let text = |key| match lib.get(key).map(|node| &node.data) {
                Some(Data::String(text)) => Some(text.clone()),
                _ => None,
            };
            (manifest.lib_name, manifest.lib_path) = (text("name"), text("path"));
        }
        let metadata = table(&root, "package").and_then(|p| table(p, "metadata")).and_then(|m| m.get("oplock"));
        if let Some(node) = metadata {
            manifest.read_metadata(node)?;
        }
        Ok(manifest)
    }

    /// How the rules are read.
    pub fn options(&self) -> Options {
        Options { relaxations_are_minor: self.relaxations_are_minor, min_producer_window: self.min_producer_window }
    }

    fn read_metadata(&mut self, node: &Node) -> Result<(), ManifestError> {
        const PLACE: &str = "[package.metadata.oplock]";
        let fail = |line, reason: String| Err(ManifestError { line, reason: format!("{PLACE}: {reason}") });
        let Data::Table(fields) = &node.data else {
            return fail(node.line, "it must be a table".to_owned());
        };
        for (key, node) in fields.iter() {
            match (key, &node.data) {
                ("relaxations", Data::String(text)) if text == "minor" => self.relaxations_are_minor = true,
                ("relaxations", Data::String(text)) if text == "major" => self.relaxations_are_minor = false,
                ("relaxations", other) => {
                    return fail(
                        node.line,
                        format!("`relaxations` is \"major\" or \"minor\", not {}", other.describe()),
                    );
                }
                ("features", Data::Array(sets)) => {
                    for set in sets {
                        match strings(&set.data) {
                            Some(set) => self.feature_sets.push(set),
                            None => {
                                return fail(
                                    set.line,
                                    "`features` is a list of feature sets, such as [[\"cuda\"], [\"rocm\"]]".to_owned(),
                                );
                            }
                        }
                    }
                }
                ("features", other) => {
                    return fail(node.line, format!("`features` is a list of feature sets, not {}", other.describe()));
                }
                (WINDOW, Data::String(text)) if days(text).is_some() => self.min_producer_window = days(text),
                (WINDOW, other) => {
                    return fail(
                        node.line,
                        format!("`{WINDOW}` is a number of days, such as \"180 days\", not {}", other.describe()),
                    );
                }
                _ => {
                    let hint = did_you_mean(key, ["relaxations", "features", WINDOW]);
                    return fail(node.line, format!("the key `{key}` is not known{hint}"));
                }
            }
        }
        Ok(())
    }
}

/// The setting that says how long a data version must have been released before `min_producer` rises to it.
const WINDOW: &str = "min-producer-window";

/// `180 days`, at most a thousand years.
fn days(text: &str) -> Option<u32> {
    let number = text.strip_suffix("days").or_else(|| text.strip_suffix("day"))?.trim();
    number.parse().ok().filter(|days| *days <= 365_000)
}

fn table<'a>(table: &'a Table, key: &str) -> Option<&'a Table> {
    match table.get(key) {
        Some(Node { data: Data::Table(inner), .. }) => Some(inner),
        _ => None,
    }
}

fn strings(data: &Data) -> Option<Vec<String>> {
    let Data::Array(items) = data else { return None };
    items
        .iter()
        .map(|item| match &item.data {
            Data::String(text) => Some(text.clone()),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read() {
        let manifest = Manifest::parse(
            "[package]\nname = \"x\"\n[package.metadata.oplock]\nrelaxations = \"minor\"\nmin-producer-window = \"30 days\"\nfeatures = [[\"a\"], [\"b\", \"c\"]]\n\
             [features]\na = [\"dep:m\"]\n[dependencies]\nm = { version = \"1\", optional = true }\nn = { version = \"1\", optional = true }\n\
             [target.'cfg(unix)'.dependencies]\nu = { version = \"1\", optional = true }\n\
             [[bin]]\nname = \"y\"\n[lib]\nname = \"z\"\n",
        )
        .unwrap();
        assert!(manifest.relaxations_are_minor);
        assert_eq!(manifest.options().min_producer_window, Some(30));
        assert_eq!(manifest.features.into_iter().collect::<Vec<_>>(), ["a", "n", "u"]);
        assert_eq!(manifest.feature_sets, [vec!["a"], vec!["b", "c"]]);
        assert_eq!(manifest.lib_name.as_deref(), Some("z"));
    }

    #[test]
    fn what_is_as_it_would_be_may_be_said() {
        let manifest = Manifest::parse("[package.metadata.oplock]\nrelaxations = \"major\"\n").unwrap();
        assert_eq!(manifest.options(), Options::default());
        for (text, days) in [("365000 days", 365_000), ("1 day", 1), ("0 days", 0)] {
            let text = format!("[package.metadata.oplock]\nmin-producer-window = \"{text}\"\n");
            assert_eq!(Manifest::parse(&text).unwrap().options().min_producer_window, Some(days));
        }
    }

    #[test]
    fn what_is_refused() {
        for (text, line, reason) in [
            ("[package.metadata.oplock]\nrelaxation = \"minor\"", 2, "did you mean `relaxations`?"),
            ("[package.metadata.oplock]\n\nrelaxations = \"patch\"", 3, "the string \"patch\""),
            ("[package.metadata.oplock]\nfeatures = [\"cuda\"]", 2, "a list of feature sets"),
            (
                "[package.metadata.oplock]\nfeatures = \"cuda\"",
                2,
                "`features` is a list of feature sets, not the string \"cuda\"",
            ),
            ("[package.metadata.oplock]\nmin-producer-window = \"six months\"", 2, "not the string \"six months\""),
            ("[package.metadata.oplock]\nmin-producer-window = 180", 2, "such as \"180 days\""),
            ("[package.metadata.oplock]\nmin-producer-window = \"365001 days\"", 2, "not the string \"365001 days\""),
            ("[package.metadata]\noplock = 1", 2, "must be a table"),
            ("[package", 1, ""),
        ] {
            let error = Manifest::parse(text).expect_err(text);
            assert_eq!(error.line, line, "{error}");
            assert!(error.to_string().contains(reason), "{error}");
        }
    }
}
