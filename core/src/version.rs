//! What a change of version number announces, by Cargo's rules.

use std::fmt;

use semver::{Prerelease, Version};

/// How far a version must rise. Cargo's rules: for `0.y.z`, `y` is the major and `z` the minor number; for
/// `0.0.z`, `z` is the major.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bump {
    /// Nothing that a graph can see.
    Patch,
    /// Additions: old graphs load as ever.
    Minor,
    /// A break: some old graph does not load, or means something else.
    Major,
}

impl Bump {
    /// `patch`, `minor` or `major`.
    pub const fn name(self) -> &'static str {
        match self {
            Bump::Patch => "patch",
            Bump::Minor => "minor",
            Bump::Major => "major",
        }
    }

    /// What the step from one version to a greater one announces; `None` where it is not greater. A
    /// pre-release counts as the version that it precedes.
    pub fn between(old: &Version, new: &Version) -> Option<Bump> {
        let (old, new) = (target(old), target(new));
        if new <= old {
            return None;
        }
        Some(if new.major != old.major {
            Bump::Major
        } else if new.major > 0 {
            if new.minor == old.minor { Bump::Patch } else { Bump::Minor }
        } else if new.minor != old.minor {
            Bump::Major
        } else if new.minor > 0 {
            Bump::Minor
        } else {
            Bump::Major
        })
    }

    /// The lowest version above `old` that announces this.
    #[must_use]
    pub fn apply(self, old: &Version) -> Version {
        let Version { major, minor, patch, .. } = *old;
        match (self, major, minor) {
            (_, 0, 0) | (Bump::Minor, 0, _) | (Bump::Patch, ..) => Version::new(major, minor, patch + 1),
            (Bump::Major, 0, _) | (Bump::Minor, ..) => Version::new(major, minor + 1, 0),
            (Bump::Major, ..) => Version::new(major + 1, 0, 0),
        }
    }
}

impl fmt::Display for Bump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The version that a pre-release precedes, without build metadata.
#[must_use]
pub fn target(version: &Version) -> Version {
    let mut target = Version::new(version.major, version.minor, version.patch);
    target.pre = Prerelease::EMPTY;
    target
}

/// The lowest version that may break what `last` released, for a package that is at `own`.
#[must_use]
pub fn next_major(last: &Version, own: &Version) -> Version {
    let (own, next) = (target(own), Bump::Major.apply(last));
    match own.cmp(&next) {
        std::cmp::Ordering::Greater if is_first_of_its_line(&own) => own,
        // A release of that line may have gone out and was never sealed.
        std::cmp::Ordering::Greater => Bump::Major.apply(&own),
        _ => next,
    }
}

/// Whether no lower version is compatible with this one by Cargo's rules: `2.0.0`, `0.3.0`, `0.0.4`.
#[must_use]
pub fn is_first_of_its_line(version: &Version) -> bool {
    matches!((version.major, version.minor, version.patch), (0, 0, _) | (_, 0, 0) | (0, _, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    #[test]
    fn cargo_s_levels() {
        for (old, new, bump) in [
            ("1.4.2", "1.4.3", Some(Bump::Patch)),
            ("1.4.2", "1.5.0", Some(Bump::Minor)),
            ("1.4.2", "2.0.0", Some(Bump::Major)),
            ("1.4.2", "2.0.0-rc.1", Some(Bump::Major)),
            ("0.3.1", "0.3.2", Some(Bump::Minor)),
            ("0.3.1", "0.4.0", Some(Bump::Major)),
            ("0.3.1", "1.0.0", Some(Bump::Major)),
            ("0.0.3", "0.0.4", Some(Bump::Major)),
            ("1.4.2", "1.4.2", None),
            ("1.4.2", "1.4.2-rc.1", None),
            ("1.4.2", "1.3.9", None),
        ] {
            assert_eq!(Bump::between(&v(old), &v(new)), bump, "{old} -> {new}");
        }
    }

    #[test]
    fn the_next_break_is_of_the_version_that_the_package_is_at_where_that_begins_a_line() {
        for (last, own, next) in [
            ("1.4.2", "1.5.0", "2.0.0"),
            ("1.4.2", "2.0.0", "2.0.0"),
            ("1.4.2", "3.0.0", "3.0.0"),
            ("1.4.2", "3.0.0-rc.1", "3.0.0"),
            ("1.4.2", "3.1.0", "4.0.0"),
            ("0.3.1", "0.5.0", "0.5.0"),
            ("0.3.1", "0.5.1", "0.6.0"),
            ("0.0.3", "0.0.7", "0.0.7"),
        ] {
            assert_eq!(next_major(&v(last), &v(own)), v(next), "{last} {own}");
        }
    }

    #[test]
    fn the_lowest_version_announces_what_it_must() {
        for old in ["1.4.2", "0.3.1", "0.0.3", "2.0.0"] {
            for bump in [Bump::Patch, Bump::Minor, Bump::Major] {
                let new = bump.apply(&v(old));
                assert!(Bump::between(&v(old), &new) >= Some(bump), "{old} {bump} {new}");
            }
        }
        assert_eq!(Bump::Major.apply(&v("0.3.1")), v("0.4.0"));
        assert_eq!(Bump::Minor.apply(&v("0.3.1")), v("0.3.2"));
    }
}
