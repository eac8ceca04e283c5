//! Whose record holds for an operator, and which package of the program reads it.

use super::judge::names_after;
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
    let others = || program.packages.values().filter(|package| !package.lock.is_of(owner));
    let held = |heir: &'p Package| heir.held_of(owner, linked).find(|former| former.ever_had(op));
    let taken_over = || others().filter_map(|heir| Some((heir, held(heir)?)));
    // Before one whose operator is gone again, the one that has it.
    let has_it = |(heir, _): &(&Package, &Package)| heir.ops.contains_key(op);
    if let Some((heir, former)) = taken_over().find(has_it).or_else(|| taken_over().next()) {
        if let Some(problem) = not_in_this_build(heir, op) {
            return Err(problem);
        }
        return Ok((owner, Route { package: former, moved_to: Some(heir), origin: 0 }));
    }
    let mut elsewhere = others().filter(|package| package.ops.contains_key(op));
    if !program.faults.keeps(Fault::OwnersCount)
        && let Some(package) = elsewhere.clone().next()
    {
        return Ok((owner, Route { package, moved_to: None, origin: 0 }));
    }
    if let Some(package) = elsewhere.clone().find(|package| package.ops[op].moved_from.as_deref() == Some(owner)) {
        let (package, owner) = (owner.clone(), package.name.clone());
        return Err(Box::new(VersionProblem::NotTakenOver { op: op_name(), package, owner }));
    }
    if let Some(problem) = linked.and_then(|package| not_in_this_build(package, op)) {
        return Err(problem);
    }
    // Where the package itself says what becomes of the operator, another one of that name is none of it.
    if let Some(package) = linked.filter(|package| goes_on(package, op)) {
        return Ok((owner, Route { package, moved_to: None, origin: 0 }));
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

/// Whether something of today's package comes of an operator that it had: an operator that is read under that name, or what an upgrade
/// function makes of it, perhaps under names that the operator had after that one.
fn goes_on(package: &Package, op: &str) -> bool {
    let has_function = |name: &str| package.upgrades.keys().any(|(of, _)| of == name);
    names_after(&package.lock, op).iter().any(|name| package.read_as(name).is_some() || has_function(name))
}

/// Where the lock has an operator that this build lacks.
fn not_in_this_build(package: &Package, op: &str) -> Option<Box<VersionProblem>> {
    let entry = package.lock.ops.get(op).filter(|_| !package.ops.contains_key(op))?;
    let condition = entry.def.cfg.as_ref()?.to_string();
    let (op, package) = (op.to_owned(), package.name.clone());
    Some(Box::new(VersionProblem::NotInThisBuild { op, package, condition }))
}
