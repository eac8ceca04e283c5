//! Whose record holds for an operator, and which package of the program reads it.

use super::{Route, VersionProblem};
use crate::faults::Fault;
use crate::model::Graph;
use crate::program::{Package, Program};

/// Whose record of the graph holds for an operator, and which package of the program reads it.
pub(super) fn route<'p, 'g>(
    program: &'p Program,
    graph: &'g Graph,
    op: &str,
) -> Result<(&'g str, Route<'p>), Box<VersionProblem>> {
    let op_name = || op.to_owned();
    let Some(owner) = graph.owners.get(op) else { return Err(Box::new(VersionProblem::NoOwner { op: op_name() })) };
    if !graph.stamps.contains_key(owner) {
        return Err(Box::new(VersionProblem::NoStamp { op: op_name(), package: owner.clone() }));
    }
    let linked = program.package(owner);
    if let Some(package) = linked.filter(|package| package.ops.contains_key(op)) {
        return Ok((owner, Route { package, moved_to: None, origin: 0 }));
    }
    let mut elsewhere = program.packages.values().filter(|package| package.ops.contains_key(op));
    let took_over = |package: &&Package| package.ops[op].moved_from.as_deref() == Some(owner);
    let ignored = !program.faults.keeps(Fault::OwnersCount);
    if let Some(new) = elsewhere.clone().find(|package| took_over(package) || ignored) {
        return Ok((
            owner,
            match linked {
                Some(package) => Route { package, moved_to: Some(new), origin: 0 },
                None => Route { package: new, moved_to: None, origin: 0 },
            },
        ));
    }
    if let Some(package) = linked
        && let Some(entry) = package.lock.ops.get(op)
        && let Some(condition) = &entry.def.cfg
    {
        let (package, condition) = (owner.clone(), condition.to_string());
        return Err(Box::new(VersionProblem::NotInThisBuild { op: op_name(), package, condition }));
    }
    match (elsewhere.next(), linked) {
        (Some(other), _) => Err(Box::new(VersionProblem::OtherOwner {
            op: op_name(),
            package: owner.clone(),
            owner: other.name.clone(),
            is_linked: linked.is_some(),
        })),
        (None, Some(package)) => Ok((owner, Route { package, moved_to: None, origin: 0 })),
        (None, None) => Err(Box::new(VersionProblem::NotLinked { op: op_name(), package: owner.clone() })),
    }
}
