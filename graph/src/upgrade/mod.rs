//! From the writer's time to today.

mod edit;

pub use edit::{Upgrade, UpgradeError, UpgradeFn, UpgradeRecord};
