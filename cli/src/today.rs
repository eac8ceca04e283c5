//! The day, as locks and approvals write it.

use jiff::Timestamp;

/// Today in UTC, `YYYY-MM-DD`.
pub(crate) fn today() -> String {
    Timestamp::now().strftime("%Y-%m-%d").to_string()
}
