//! From the writer's time to today.
//!
//! `steps` knows what each data version asks of the nodes of each operator, `engine` in which order it is done, `edit`
//! what a function may do, `node` what a step makes of a node, `aliases` which free names are followed, `made` what functions did to which node, `forward` which variables stand in the place of others, `variables` what becomes of those that outlive a run.

mod aliases;
mod edit;
mod engine;
mod forward;
mod made;
mod node;
mod steps;
mod variables;

pub use edit::{Upgrade, UpgradeError, UpgradeFn, UpgradeRecord};
pub(crate) use engine::{Upgraded, upgrade};
pub(crate) use made::blame_left;
pub(crate) use node::Tables;
pub(crate) use steps::defaults_before;
pub use variables::{VariableChange, VariableStep};
