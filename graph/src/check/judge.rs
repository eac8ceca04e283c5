//! One package's record before the package that reads it.

use std::collections::{BTreeMap, BTreeSet};

use oplock_core::lock::Side;
use oplock_core::upgrade::uncovered;
use oplock_core::{Kind, Lock, OpDef, Part, SavedKind};
use semver::Version;

use super::record::{digest, is_same, releases};
use super::{Checked, LoadOptions, Origin, Sides, VersionProblem};
use crate::faults::Fault;
use crate::model::{Graph, Release, Stamp};
use crate::program::{Package, Program};
use crate::report::{Note, Report};

/// One package's record before the package that reads it.
pub(super) struct Judge<'a, 'p> {
    pub(super) program: &'p Program,
    pub(super) kind: SavedKind,
    pub(super) options: LoadOptions,
    pub(super) graph: &'a Graph,
    pub(super) stamp: &'a Stamp,
    pub(super) package: &'p Package,
    /// The package that holds it, where its operators moved there.
    pub(super) heir: Option<&'p Package>,
    /// The package that wrote.
    pub(super) name: &'a str,
}

impl<'p> Judge<'_, 'p> {
    pub(super) fn judge(
        &self,
        ops: &BTreeSet<&str>,
        problems: &mut Vec<VersionProblem>,
        report: &mut Report,
        checked: &mut Checked<'p>,
    ) -> Origin {
        let Judge { stamp, package, .. } = *self;
        let keeps = |rule| self.program.faults.keeps(rule);
        let versions = package.lock.data_versions(self.kind);
        let consumer = versions.producer();
        let line = releases(package, self.kind);
        let shared = stamp.releases.iter().zip(&line).take_while(|(a, b)| is_same(a, b)).count();
        let known = &stamp.releases[..shared];
        let sides = Sides {
            package: self.name.to_owned(),
            writer: stamp.releases.last().map(|release| release.version.clone()),
            reader: package.version.clone(),
            heir: self.heir.map(|heir| format!("{} {}", heir.name, heir.version)),
            shared: known.last().map(|release| release.version.clone()),
            is_parted: shared < stamp.releases.len() && shared < line.len(),
        };
        if stamp.producer > i64::from(consumer) {
            checked.newer.push(VersionProblem::Newer { sides: sides.clone(), producer: stamp.producer, consumer });
            let (package, producer) = (self.name.to_owned(), stamp.producer);
            report.note(Note::NewerProducer { package, producer, consumer }, None, 1);
        }
        // What was carried over from another line stands behind newer releases, so it is the greatest that counts.
        let greatest = known.iter().map(|release| release.data_version).max();
        let own = stamp.producer.min(i64::from(consumer));
        let mut version = greatest.map_or(own, |greatest| greatest.min(own));
        let mut is_promised = true;
        let mut uses = None;
        if let Some(unpromised) = &stamp.unpromised {
            is_promised = false;
            let differ = self.differing(ops, &unpromised.digests);
            let is_equal = differ.is_empty();
            if is_equal || self.options.allow_unpromised || !keeps(Fault::Unpromised) {
                // Where all definitions are equal there is nothing to upgrade.
                version = if is_equal { consumer.into() } else { own };
                uses = Some(0);
                let (package, reason) = (self.name.to_owned(), unpromised.reason.clone());
                report.note(Note::Unpromised { package, reason, is_equal }, None, 1);
            } else {
                let (sides, reason) = (sides.clone(), unpromised.reason.clone());
                problems.push(VersionProblem::Unpromised { sides, reason, differ });
            }
        } else if !keeps(Fault::ReleaseLines) {
            version = own;
        }
        let is_judged_by_line = is_promised && keeps(Fault::ReleaseLines);
        let producer = if is_judged_by_line { version.min(stamp.producer) } else { stamp.producer };
        if producer < i64::from(versions.min_producer) && keeps(Fault::MinProducer) {
            let (sides, min_producer) = (sides.clone(), versions.min_producer);
            problems.push(VersionProblem::TooOld { sides, producer, min_producer });
        }
        let is_one_line = shared == stamp.releases.len() && shared == line.len();
        let most = if is_judged_by_line {
            version.min(consumer.into())
        } else if is_one_line || !keeps(Fault::ReleaseLines) {
            consumer.into()
        } else {
            // Data of which nothing is promised too: past the last release that both have, each side counts by itself.
            greatest.unwrap_or(0).min(consumer.into())
        };
        if stamp.min_consumer > most.min(consumer.into()) && keeps(Fault::MinConsumer) {
            let (sides, min_consumer) = (sides.clone(), stamp.min_consumer);
            let known = if min_consumer > i64::from(consumer) { consumer.into() } else { most };
            problems.push(VersionProblem::TooNew { sides, min_consumer, consumer, known });
        }
        if stamp.bad_consumers.contains(&i64::from(consumer)) && keeps(Fault::BadConsumers) {
            problems.push(VersionProblem::BadConsumer { sides: sides.clone(), consumer });
        }
        if is_promised {
            problems.extend(ops.iter().filter_map(|op| self.unrecorded(op)));
            match &stamp.oldest_reader {
                _ if shared == 0 && keeps(Fault::ReleaseLines) => {
                    problems.push(VersionProblem::NothingShared { sides });
                }
                // That of a checkpoint follows from its least consumer, which was judged above.
                Some(_) if self.kind == SavedKind::Checkpoint => {}
                Some(oldest) if keeps(Fault::OldestReader) && !self.has(known, &line, &oldest.version) => {
                    let (needs, because) = (oldest.version.clone(), oldest.because.clone());
                    problems.push(VersionProblem::NeedsRelease { sides, needs, because });
                }
                _ => {}
            }
        }
        let version = u32::try_from(version).unwrap_or(0);
        // A deprecation is no part of a digest, so what is taken for equal may use what is deprecated.
        let uses = uses.unwrap_or(version);
        Origin { release: known.last().map(|release| release.version.clone()), version, uses, is_promised }
    }

    /// What the earlier owner of operators said of its graphs by functions alone, which did not come along.
    pub(super) fn needs_functions(&self, ops: &BTreeSet<&str>, origin: &Origin, problems: &mut Vec<VersionProblem>) {
        let Judge { stamp, package, heir: Some(heir), .. } = *self else { return };
        let functions = package.upgrades.keys().cloned().collect();
        let needs = uncovered(&package.lock, origin.version, &functions);
        if needs.is_empty() {
            return;
        }
        for op in ops {
            let names = names_after(&package.lock, op);
            if let Some(need) = needs.iter().find(|need| names.contains(&need.op)) {
                problems.push(VersionProblem::NeedsOwner {
                    op: (*op).to_owned(),
                    package: self.name.to_owned(),
                    writer: stamp.releases.last().map(|release| release.version.clone()),
                    owner: heir.name.clone(),
                    version: need.version,
                    what: need.what.clone(),
                });
            }
        }
    }

    /// The data version of graphs that the writer had when it wrote a checkpoint: that of the releases which writer and reader share.
    #[cfg(feature = "checkpoint")]
    pub(super) fn graph_level(&self, ops: &BTreeSet<&str>) -> u32 {
        let unpromised = self.stamp.unpromised.as_ref();
        if unpromised.is_some_and(|unpromised| self.differing(ops, &unpromised.digests).is_empty()) {
            return u32::MAX; // where all definitions are equal there is nothing to upgrade
        }
        let line = releases(self.package, self.kind);
        let shared = self.stamp.releases.iter().zip(&line).take_while(|(a, b)| is_same(a, b));
        let graphs = shared.filter_map(|(release, _)| self.package.lock.releases.get(&release.version));
        graphs.map(|release| release.version_of(SavedKind::Graph)).max().unwrap_or(0)
    }

    /// A break of an operator that the lock of who reads it does not record.
    fn unrecorded(&self, op: &str) -> Option<VersionProblem> {
        let home = self.program.owner(op).filter(|home| home.name != self.package.name);
        std::iter::once(self.package).chain(home).find_map(|package| {
            let change = self.program.unrecorded(&package.name, op)?.clone();
            Some(VersionProblem::Unrecorded { package: package.name.clone(), version: package.version.clone(), change })
        })
    }

    /// Whether the reader has a release that the data needs.
    fn has(&self, known: &[Release], line: &[Release], needs: &Version) -> bool {
        let known = if self.program.faults.keeps(Fault::ReleaseLines) { known } else { line };
        known.iter().any(|release| release.version == *needs)
    }

    /// The operators whose definition is another here than the writer's.
    fn differing(&self, ops: &BTreeSet<&str>, digests: &BTreeMap<String, String>) -> Vec<String> {
        let is_equal = |op: &str| {
            let def = self.program.owner(op).and_then(|package| package.ops.get(op));
            // What is Extra is no part of a digest, and may be what is not promised of the data.
            let extra = self.graph.extra.get(op);
            let has_outputs = |def: &OpDef| {
                let mut outputs = extra.into_iter().flatten().filter(|(kind, _)| *kind == Kind::Output);
                outputs.all(|(kind, name)| def.arg(*kind, name).is_some_and(|arg| arg.part == Part::Extra))
            };
            def.is_some_and(|def| digests.get(op) == Some(&digest(def)) && has_outputs(def))
        };
        ops.iter().filter(|op| !is_equal(op)).map(|op| (*op).to_owned()).collect()
    }
}

/// An operator's name, and what it was called later.
pub(crate) fn names_after(lock: &Lock, op: &str) -> BTreeSet<String> {
    let marks = |side: &Side| if let Side::Op(marks, _) = side { marks.aliases.to_vec() } else { Vec::new() };
    let today = lock.ops.iter().map(|(name, entry)| (name, entry.def.aliases.to_vec()));
    let rows = lock.ledger.iter().filter(|(key, _)| key.item.is_none());
    let earlier = rows.flat_map(|(key, row)| [&row.from, &row.to].map(|side| (&key.op, marks(side))));
    let all: Vec<_> = today.chain(earlier).collect();
    let mut names = BTreeSet::from([op.to_owned()]);
    loop {
        let before = names.len();
        for (name, aliases) in &all {
            if aliases.iter().any(|alias| names.contains(alias.as_ref())) {
                names.insert((*name).clone());
            }
        }
        if names.len() == before {
            return names;
        }
    }
}
