//! Names that no release of a lock ever had, under which data of elsewhere was saved.

use oplock_core::{AttrType, Kind};

use super::steps::Rename;
use crate::program::Package;

/// The aliases of an operator of today that a node of some name may use.
pub(super) struct FreeAliases {
    pub(super) op: Option<String>,
    pub(super) items: Vec<Rename>,
}

impl FreeAliases {
    pub(super) fn of(package: &Package, op: &str) -> Option<FreeAliases> {
        let own = package.ops.get(op);
        let to = if own.is_none() { package.alias(op) } else { None };
        let def = own.or(to)?;
        let mut items = Vec::new();
        for kind in [Kind::Input, Kind::Output] {
            for arg in def.args(kind) {
                let free = arg.aliases.iter().filter(|alias| def.arg(kind, alias).is_none());
                items.extend(free.map(|alias| renaming(kind, alias, &arg.name, None)));
            }
        }
        for attr in def.attrs.iter() {
            let free = attr.aliases.iter().filter(|alias| def.attr(alias).is_none());
            items.extend(free.map(|alias| renaming(Kind::Attr, alias, &attr.name, Some(attr.ty))));
        }
        let op = to.map(|def| def.name.to_string());
        (op.is_some() || !items.is_empty()).then_some(FreeAliases { op, items })
    }
}

fn renaming(kind: Kind, from: &str, to: &str, ty: Option<AttrType>) -> Rename {
    Rename { kind, from: from.to_owned(), to: to.to_owned(), default: None, ty }
}
