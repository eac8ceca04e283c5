//! The arguments of `import`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use semver::Version;

use super::release_version;

/// `cargo oplock import`
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Import {
    /// Whose definitions the file has
    #[arg(long, value_enum, value_name = "FRAMEWORK")]
    pub(crate) from: Framework,
    /// The op definitions
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Import only this operator; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) op: Vec<String>,
    /// Write them into a new file, as one module; to standard output where no place is said
    #[arg(long, value_name = "FILE", conflicts_with = "package")]
    pub(crate) out: Option<PathBuf>,
    /// Make a new crate in a new folder, a file an operator, with its ops.lock
    #[arg(long = "crate", value_name = "DIR")]
    pub(crate) package: Option<PathBuf>,
    /// The name of the crate; that of the folder where none is given
    #[arg(long, value_name = "NAME", requires = "package", conflicts_with = "out")]
    pub(crate) name: Option<String>,
    /// The version of the crate, as which all is promised; unreleased and 0.1.0 where none is given
    #[arg(long, value_name = "VERSION", value_parser = release_version, requires = "package", conflicts_with = "out")]
    pub(crate) released: Option<Version>,
    /// Let the crate take `oplock` from this folder, and not from the registry
    #[arg(long, value_name = "DIR", requires = "package", conflicts_with = "out")]
    pub(crate) oplock: Option<PathBuf>,
    /// Leave out the attributes that every operator of the file has
    #[arg(long)]
    pub(crate) without_common: bool,
    /// What each struct derives
    #[arg(long, value_name = "TRAIT,…", value_delimiter = ',', value_parser = derive, default_value = "Clone,Debug,PartialEq")]
    pub(crate) derive: Vec<String>,
}

const AFTER_HELP: &str = "\
Nothing is overwritten. An operator that no declaration can say is left out and told of; one that was asked for by name is an error.

  cargo oplock import --from paddle paddle_cpu_2.6.2.spec --op conv2d
  cargo oplock import --from paddle paddle_cpu_2.6.2.spec --crate paddle-ops --released 2.6.2";

/// A framework whose definitions can be imported.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Framework {
    /// PaddlePaddle: the .spec that its `print_op_desc.py` writes
    Paddle,
    /// TensorFlow: an OpList as JSON, protobuf text or protobuf binary
    #[value(name = "tensorflow")]
    TensorFlow,
    /// ONNX: the schemas as JSON
    Onnx,
}

/// A path, or nothing where no trait is derived.
fn derive(text: &str) -> Result<String, String> {
    let text = text.trim();
    let is_ident = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if text.is_empty() || text.split("::").all(is_ident) {
        return Ok(text.to_owned());
    }
    Err("the name of a trait, such as `Clone` or `serde::Serialize`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derives() {
        for text in ["Clone", "serde::Serialize", " Hash", ""] {
            assert_eq!(derive(text), Ok(text.trim().to_owned()));
        }
        for text in ["Clone)]", "1", "a::", "a b"] {
            assert!(derive(text).is_err(), "{text}");
        }
    }
}
