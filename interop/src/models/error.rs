//! Why a file is no model that can be read.

use oplock_graph::wire::Damage;
use thiserror::Error;

use super::Format;

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It is none of the kinds that are known.
    #[error("this is no model that oplock reads: {why}")]
    Unknown {
        /// What it has instead.
        why: String,
    },
    /// It is larger than the caller allows.
    #[error("the model has {bytes} bytes, and only {limit} are allowed")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The allowed size.
        limit: usize,
    },
    /// Its bytes are cut off or damaged.
    #[error("{format} is damaged {damage}")]
    Damaged {
        /// What it is.
        format: Format,
        /// What is wrong, and where.
        damage: Damage,
    },
    /// What was read contradicts itself.
    #[error("{format}: {path}: {what}")]
    Content {
        /// What it is.
        format: Format,
        /// Where, e.g. `blocks[0].ops[12].attrs.axes`.
        path: String,
        /// What is wrong.
        what: String,
    },
    /// It has operands by position, and what it is held against does not say their positions.
    #[error(
        "{format} has operands by position, and the lock of {package} does not say where those of `{op}` stand\n  \
         help: hold it against the definitions from which the lock was made, or promise the places: \
         `lock! {{ operands = \"positional\"; }}`"
    )]
    NoPositions {
        /// What it is.
        format: Format,
        /// The package of the lock.
        package: String,
        /// An operator of several operands.
        op: String,
    },
    /// It is a graph of oplock that cannot be read.
    #[error("{0}")]
    Graph(#[from] oplock_graph::ReadError),
}

/// Scans and decodes a message of another system.
pub(crate) fn decode<M: prost::Message + Default>(
    bytes: &[u8],
    table: &'static oplock_graph::wire::Message,
    format: Format,
) -> Result<M, ModelError> {
    let damaged = |damage| ModelError::Damaged { format, damage };
    oplock_graph::wire::scan(bytes, table, oplock_graph::wire::Policy::Foreign).map_err(damaged)?;
    M::decode(bytes).map_err(|error| damaged(Damage { at: 0, path: String::new(), what: error.to_string() }))
}
