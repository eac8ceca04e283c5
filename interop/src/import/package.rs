//! A whole crate of operators: its files, in which each operator has one of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use semver::Version;

use super::{Import, Refused, declaration, uses_line};

/// What a crate is to be.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: Version,
    /// Where `oplock` comes from, as it stands in a manifest: `"0.1.0"` or `{ path = "…" }`.
    pub oplock: String,
    /// The file from which it was made, for the documentation.
    pub file: String,
}

/// The text of each file, by its path in the crate.
pub type PackageFiles = BTreeMap<PathBuf, String>;

impl Import {
    /// The files of a crate, but for the lock.
    pub fn package(&self, package: &Package) -> PackageFiles {
        let mut modules = BTreeMap::<&str, Vec<_>>::new();
        for op in self.in_order() {
            modules.entry(&op.0.module).or_default().push(op);
        }
        let mut files = PackageFiles::new();
        files.insert("Cargo.toml".into(), self.manifest(package));
        files.insert("src/lib.rs".into(), self.root(package));
        let mut list = format!("//! The operators of {}, a module each.\n", self.options.source.framework());
        for (module, ops) in &modules {
            // A module and what it is known for stand together, so that an added one changes nothing else.
            let types: Vec<_> = ops.iter().map(|(names, _)| names.ty.as_str()).collect();
            let _ = writeln!(list, "\nmod {module};");
            list.push_str(&reexport(module, &types));
            files.insert(format!("src/operators/{module}.rs").into(), self.text(ops.iter().copied()));
        }
        files.insert("src/operators.rs".into(), list);
        files
    }

    fn manifest(&self, package: &Package) -> String {
        let framework = self.options.source.framework();
        format!(
            "[package]\nname = \"{}\"\ndescription = \"Operators of {framework}, declared with oplock\"\n\
             version = \"{}\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\noplock = {}\n",
            package.name, package.version, package.oplock
        )
    }

    fn root(&self, package: &Package) -> String {
        let count = self.ops.len();
        let plural = if count == 1 { "" } else { "s" };
        let mut text = format!(
            "//! {count} operator{plural} of {}, as `{}` describes {}.\n//!\n\
             //! Made by `cargo oplock import`, and yours from here on: document, rename fields, group modules. What is saved\n\
             //! is said in the attributes, and `ops.lock` remembers it.\n",
            self.options.source.framework(),
            oplock_core::model::visible(&package.file),
            if count == 1 { "it" } else { "them" },
        );
        if !self.refused.is_empty() {
            text.push_str("//!\n//! Left out, since `#[op]` declares no such thing:\n//!\n");
            for refused in &self.refused {
                let _ = writeln!(text, "//! - {}", one_line(refused));
            }
        }
        text.push('\n');
        text.push_str(&self.lock_macro());
        text.push_str("\nmod operators;\n\npub use operators::*;\n");
        text
    }

    /// What the crate root says of all operators. `rustfmt` leaves what is in such braces alone.
    fn lock_macro(&self) -> String {
        let (mut body, mut uses) = (String::new(), Vec::new());
        if self.options.source.is_positional() {
            body.push_str("    operands = \"positional\";\n");
        }
        let versions = self.versions();
        if !versions.is_empty() {
            body.push_str("    saved graph {\n");
            for (version, text) in versions {
                let _ = writeln!(body, "        version {version} = {text:?};");
            }
            body.push_str("    }\n");
        }
        if !self.common.attrs.is_empty() {
            body.push_str("    // What every operator has.\n    common {\n");
            declaration::common(&mut body, &mut uses, "        ", &self.common);
            body.push_str("    }\n");
        }
        if body.is_empty() {
            return "oplock::lock!();\n".to_owned();
        }
        let uses: String = uses_line(uses, None).map(|line| line + "\n").unwrap_or_default();
        format!("{uses}oplock::lock! {{\n{body}}}\n")
    }
}

fn one_line(refused: &Refused) -> String {
    oplock_core::model::visible(&refused.to_string())
}

/// `pub use self::add::{AddV1, AddV6};`, in as many lines as rustfmt takes.
fn reexport(module: &str, types: &[&str]) -> String {
    const PAGE: usize = 100;
    /// For what ends a list rustfmt keeps a place.
    const LINE: usize = 98;
    if let [one] = types {
        return format!("pub use self::{module}::{one};\n");
    }
    let line = format!("pub use self::{module}::{{{}}};\n", types.join(", "));
    if line.trim_end().len() <= LINE {
        return line;
    }
    let mut text = format!("pub use self::{module}::{{\n");
    let mut width = PAGE;
    for ty in types {
        if width + ty.len() + 2 > PAGE {
            text.push_str(if width == PAGE { "    " } else { "\n    " });
            width = 4;
        } else {
            text.push(' ');
            width += 1;
        }
        text.push_str(ty);
        text.push(',');
        width += ty.len() + 1;
    }
    text + "\n};\n"
}
