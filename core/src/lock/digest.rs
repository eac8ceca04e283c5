//! What tells two releases of one version apart.

use std::fmt;

use semver::Version;

use super::Lock;
use super::moved::write_moved;
use super::saved::{write_saved, write_upgrades};
use super::write::{write_op, write_row};

impl Lock {
    /// A short digest of what a release seals: the lines of data versions, of operators and of upgrade functions, and the
    /// release's rows of the ledger, as this lock, just sealed, writes them; sixteen hexadecimal digits of 64-bit FNV-1a.
    ///
    /// Two branches that seal one version on one day write the same line for it only where they seal the same, so git
    /// does not join them silently. It tells them apart and guards against nobody: what it was made of is not kept, since
    /// taking another line of releases over changes since when things are promised.
    pub fn digest(&self, release: &Version) -> String {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        let lines = |hash: &mut Fnv| -> fmt::Result {
            write_saved(hash, self, "")?;
            self.ops.iter().try_for_each(|(name, entry)| write_op(hash, name, entry, Some(self)))?;
            let rows = self.ledger.iter().filter(|(key, _)| key.release.as_ref() == Some(release));
            rows.into_iter().try_for_each(|(key, row)| write_row(hash, key, row))?;
            write_upgrades(hash, self)?;
            write_moved(hash, self)
        };
        let _ = lines(&mut hash); // it never fails
        format!("{:016x}", hash.0)
    }
}

struct Fnv(u64);

impl fmt::Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_fnv_1a() {
        use fmt::Write as _;
        for (text, expected) in
            [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
            hash.write_str(text).unwrap();
            assert_eq!(hash.0, expected, "{text}");
        }
    }
}
