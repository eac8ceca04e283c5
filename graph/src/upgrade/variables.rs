//! The variables of a graph while it is upgraded: which names are free, and what becomes of those that outlive a run.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

use oplock_core::Value;
use oplock_registry::Node;

use super::edit::UpgradeError;
#[cfg(feature = "checkpoint")]
use crate::checkpoint::Tensor;
use crate::load::for_each_var;

/// What an upgrade does to a variable that outlives a run: to the graph, and to a checkpoint that was written with it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VariableChange {
    /// It has another name now.
    Rename {
        /// The name that it had.
        from: String,
        /// The name that it has.
        to: String,
    },
    /// It was not there before.
    #[cfg(feature = "checkpoint")]
    Add {
        /// Its name.
        name: String,
        /// Its value.
        tensor: Tensor<'static>,
    },
    /// It is no longer there.
    Remove {
        /// The name that it had.
        name: String,
    },
}

impl VariableChange {
    /// The variable as it is named before the change.
    pub fn variable(&self) -> &str {
        match self {
            VariableChange::Rename { from: name, .. } | VariableChange::Remove { name } => name,
            #[cfg(feature = "checkpoint")]
            VariableChange::Add { name, .. } => name,
        }
    }
}

impl fmt::Display for VariableChange {
    /// `renames the variable "w" to "weight"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VariableChange::Rename { from, to } => write!(f, "renames the variable `{from}` to `{to}`"),
            #[cfg(feature = "checkpoint")]
            VariableChange::Add { name, tensor } => {
                write!(f, "adds the variable `{name}` of type {} and shape {:?}", tensor.dtype, tensor.shape)
            }
            VariableChange::Remove { name } => write!(f, "removes the variable `{name}`"),
        }
    }
}

/// A change of a variable that outlives a run, and the upgrade that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableStep {
    /// The package whose upgrade function asked for it.
    pub package: String,
    /// The data version of graphs that the break took: the step is for what was saved before it.
    pub version: u32,
    /// What becomes of which variable.
    pub change: VariableChange,
}

impl fmt::Display for VariableStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VariableStep { package, version, change } = self;
        write!(f, "the upgrade to data version {version} of {package} {change}")
    }
}

/// The names that variables have, and what functions ask for at one data version.
#[derive(Debug, Default)]
pub(super) struct Variables {
    taken: HashSet<String>,
    /// Those that were given out and that no node has yet: new variables may have them.
    fresh: HashSet<String>,
    next: u64,
    changes: BTreeMap<String, VariableChange>,
}

impl Variables {
    pub(super) fn take(&mut self, node: &Node) {
        for args in [&node.inputs, &node.outputs] {
            self.taken.extend(args.values().flatten().cloned());
        }
        node.attrs.values().for_each(|value| for_each_var(value, &mut |name| self.taken.extend([name.into()])));
    }

    pub(super) fn extend<'a>(&mut self, names: impl IntoIterator<Item = &'a String>) {
        self.taken.extend(names.into_iter().cloned());
    }

    pub(super) fn fresh(&mut self, hint: &str) -> String {
        loop {
            let name = format!("{hint}.{}", self.next);
            self.next += 1;
            if self.taken.insert(name.clone()) {
                self.fresh.insert(name.clone());
                return name;
            }
        }
    }

    /// Notes a change, once, however many nodes ask for it.
    pub(super) fn change(&mut self, change: VariableChange) -> Result<(), UpgradeError> {
        let name = change.variable().to_owned();
        match self.changes.get(&name) {
            Some(known) if *known == change => return Ok(()),
            Some(known) => {
                return Err(UpgradeError::new(format!("it {change}, and what was upgraded before it {known}")));
            }
            None => {}
        }
        let new = match &change {
            VariableChange::Rename { to, .. } => Some(to),
            #[cfg(feature = "checkpoint")]
            VariableChange::Add { name, .. } => Some(name),
            VariableChange::Remove { .. } => None,
        };
        if new != Some(&name) && !self.taken.contains(&name) {
            return Err(UpgradeError::new(format!("it {change}, and the graph has no such variable")));
        }
        if let Some(new) = new
            && !self.taken.insert(new.clone())
            && !self.fresh.remove(new)
        {
            return Err(UpgradeError::new(format!("it {change}, and the graph has a variable of that name already")));
        }
        self.changes.insert(name, change);
        Ok(())
    }

    /// Makes the changes, and gives those that were made: what something still reads is not removed.
    pub(super) fn apply<'n>(
        &mut self,
        nodes: impl Iterator<Item = &'n mut Node>,
        inputs: &mut [Vec<String>],
        outputs: &mut [Vec<String>],
    ) -> Vec<VariableChange> {
        let mut changes = std::mem::take(&mut self.changes);
        if changes.is_empty() {
            return Vec::new();
        }
        let mut nodes: Vec<_> = nodes.collect();
        let mut kept = BTreeSet::new();
        let mut read = |name: &str| {
            if matches!(changes.get(name), Some(VariableChange::Remove { .. })) {
                kept.insert(name.to_owned());
            }
        };
        for node in &nodes {
            node.inputs.values().flatten().for_each(|name| read(name));
            node.attrs.values().for_each(|value| for_each_var(value, &mut read));
        }
        outputs.iter().flatten().for_each(|name| read(name));
        changes.retain(|name, _| !kept.contains(name));

        // The new names are free, so that each variable of a block's own that has an old one stays apart from all others.
        let rename = |name: &mut String| {
            if let Some(VariableChange::Rename { to, .. }) = changes.get(name) {
                name.clone_from(to);
            }
        };
        for node in &mut nodes {
            node.inputs.values_mut().chain(node.outputs.values_mut()).flatten().for_each(rename);
            node.attrs.values_mut().for_each(|value| change_variables(value, &rename));
        }
        inputs.iter_mut().chain(outputs).flatten().for_each(rename);
        for change in changes.values() {
            match change {
                VariableChange::Rename { from, .. } => drop(self.taken.remove(from)),
                VariableChange::Remove { name } => {
                    if let Some(main) = inputs.first_mut() {
                        main.retain(|input| input != name);
                    }
                    if !nodes.iter().any(|node| node.outputs.values().flatten().any(|output| output == name)) {
                        self.taken.remove(name);
                    }
                }
                #[cfg(feature = "checkpoint")]
                VariableChange::Add { name, .. } => {
                    inputs.first_mut().into_iter().for_each(|main| main.push(name.clone()));
                }
            }
        }
        changes.into_values().collect()
    }
}

/// Makes others of the variables that a value names.
pub(super) fn change_variables(value: &mut Value, change: &impl Fn(&mut String)) {
    match value {
        Value::Var(name) => {
            let mut owned = name.to_string();
            change(&mut owned);
            *name = owned.into();
        }
        Value::List(items) => {
            // A list of none of them is not copied.
            let has_some = items.iter().any(|item| matches!(item, Value::Var(_) | Value::List(_)));
            if has_some {
                items.to_mut().iter_mut().for_each(|item| change_variables(item, change));
            }
        }
        _ => {}
    }
}
