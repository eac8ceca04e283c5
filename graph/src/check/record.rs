//! What a record of a package says, and where it contradicts itself.

use std::collections::BTreeSet;

use oplock_core::{OpDef, SavedKind, fingerprint};
use semver::Version;

use crate::model::{Release, Stamp};
use crate::program::Package;

/// The digest of a definition, as data of which nothing is promised carries it.
pub(crate) fn digest(def: &OpDef) -> String {
    fingerprint::digest(def).to_string()
}

/// The sealed releases of a package, as its data carries them.
pub(crate) fn releases(package: &Package, kind: SavedKind) -> Vec<Release> {
    let release = |(version, release): (&Version, &oplock_core::lock::Release)| Release {
        version: version.clone(),
        data_version: release.version_of(kind).into(),
        digest: release.digest.clone(),
    };
    package.lock.release_line().into_iter().map(release).collect()
}

/// Whether two lists speak of one release. Where only one of them has a digest, it tells nothing.
pub(crate) fn is_same(a: &Release, b: &Release) -> bool {
    let digests = a.digest.as_ref().zip(b.digest.as_ref());
    a.version == b.version && a.data_version == b.data_version && digests.is_none_or(|(a, b)| a == b)
}

/// What in a record contradicts itself.
pub(crate) fn malformed(stamp: &Stamp) -> Vec<String> {
    let mut faults = Vec::new();
    let numbers = [("producer", stamp.producer), ("min_consumer", stamp.min_consumer)];
    let bad = stamp.bad_consumers.iter().map(|version| ("a bad consumer", *version));
    let released = stamp.releases.iter().map(|release| ("the data version of a release", release.data_version));
    for (name, number) in numbers.into_iter().chain(bad).chain(released).filter(|(_, number)| *number < 0) {
        faults.push(format!("{name} is {number}, and no data version is negative"));
    }
    if stamp.min_consumer > stamp.producer {
        let Stamp { producer, min_consumer, .. } = stamp;
        faults.push(format!(
            "min_consumer is {min_consumer}, above the producer {producer}, so the writer could not read it"
        ));
    }
    let mut seen = BTreeSet::new();
    for version in stamp.bad_consumers.iter().filter(|version| !seen.insert(**version)) {
        faults.push(format!("bad consumer {version} is listed twice"));
    }
    let mut seen = BTreeSet::new();
    for release in stamp.releases.iter().filter(|release| !seen.insert(&release.version)) {
        faults.push(format!("release {} is listed twice", release.version));
    }
    match &stamp.oldest_reader {
        Some(oldest) if stamp.releases.iter().all(|release| release.version != oldest.version) => {
            faults.push(format!("its oldest reader {} is none of the writer's releases", oldest.version));
        }
        None if stamp.unpromised.is_none() => {
            faults.push("it has no oldest reader, and is not marked as unpromised".to_owned());
        }
        _ => {}
    }
    faults
}
