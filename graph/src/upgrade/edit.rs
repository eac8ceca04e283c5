//! What an upgrade function sees and may do: the untyped edit of one node.

use std::fmt;
use std::sync::Arc;

use oplock_core::{Kind, Value};
use oplock_registry::{Map, Node};
use semver::Version;

use super::variables::{VariableChange, Variables};
#[cfg(feature = "checkpoint")]
use crate::checkpoint::Tensor;

/// A function that upgrades a node which was saved before a break.
#[derive(Clone)]
pub struct UpgradeFn {
    function: Arc<Function>,
    stands_in: bool,
}

type Function = dyn Fn(&mut Upgrade<'_>) -> Result<(), UpgradeError> + Send + Sync;

impl UpgradeFn {
    /// The function as a value.
    pub fn new(function: impl Fn(&mut Upgrade<'_>) -> Result<(), UpgradeError> + Send + Sync + 'static) -> Self {
        UpgradeFn { function: Arc::new(function), stands_in: false }
    }

    /// What stands in the place of a function that only another build has: what it leaves as it is says nothing of that one.
    #[doc(hidden)]
    #[must_use]
    pub fn standing_in(self) -> Self {
        UpgradeFn { stands_in: true, ..self }
    }

    pub(super) fn stands_in(&self) -> bool {
        self.stands_in
    }

    pub(super) fn run(&self, upgrade: &mut Upgrade<'_>) -> Result<(), UpgradeError> {
        (self.function)(upgrade)
    }
}

impl fmt::Debug for UpgradeFn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UpgradeFn")
    }
}

/// The upgrade function of a linked crate, as `#[oplock::upgrade]` leaves it.
#[derive(Clone, Copy, Debug)]
pub struct UpgradeRecord {
    /// The package.
    pub package: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The operator.
    pub op: &'static str,
    /// The data version of graphs that the break took: the function upgrades what was saved before it.
    pub before: u32,
    /// The function.
    pub function: fn(&mut Upgrade<'_>) -> Result<(), UpgradeError>,
}

inventory::collect!(UpgradeRecord);

/// Why a node cannot be upgraded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpgradeError {
    reason: String,
}

impl UpgradeError {
    /// The reason, as a clause without a full stop: `its mode has no counterpart`.
    pub fn new(reason: impl Into<String>) -> Self {
        UpgradeError { reason: reason.into() }
    }
}

impl fmt::Display for UpgradeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for UpgradeError {}

/// What a function asks for beside the change of its node.
#[derive(Debug, Default)]
pub(super) struct Edits {
    pub(super) before: Vec<Node>,
    pub(super) after: Vec<Node>,
    pub(super) is_removed: bool,
    pub(super) forwards: Vec<(String, String)>,
    /// What was set, renamed or removed.
    pub(super) touched: Vec<(Kind, String)>,
}

impl Edits {
    fn touch(&mut self, kind: Kind, name: &str) {
        self.touched.push((kind, name.to_owned()));
    }
}

/// A node that was saved before a break, with all defaults of its time filled in, to be made into what means the same
/// today.
///
/// The edit is untyped: names and values are those of the writer's time, and only what comes of all upgrades is checked.
#[derive(Debug)]
pub struct Upgrade<'a> {
    pub(super) node: &'a mut Node,
    pub(super) edits: Edits,
    pub(super) release: Option<&'a Version>,
    pub(super) data_version: u32,
    pub(super) variables: &'a mut Variables,
}

impl Upgrade<'_> {
    /// The node as it is now.
    pub fn node(&self) -> &Node {
        self.node
    }

    /// The release as whose data the node is taken: the writer's own, or the last that writer and reader share where
    /// their release lines have parted. `None` where they share none.
    pub fn release(&self) -> Option<&Version> {
        self.release
    }

    /// The data version as whose data the node is taken.
    pub fn data_version(&self) -> u32 {
        self.data_version
    }

    /// The value of an attribute.
    pub fn attr(&self, name: &str) -> Option<&Value> {
        self.node.attrs.get(name)
    }

    /// Sets an attribute, and returns what it was.
    pub fn set_attr(&mut self, name: &str, value: Value) -> Option<Value> {
        self.edits.touch(Kind::Attr, name);
        self.node.attrs.insert(name.to_owned(), value)
    }

    /// Removes an attribute, and returns what it was.
    pub fn remove_attr(&mut self, name: &str) -> Option<Value> {
        self.edits.touch(Kind::Attr, name);
        self.node.attrs.remove(name)
    }

    /// Gives an attribute another name; nothing where the node does not have it.
    ///
    /// # Errors
    ///
    /// When the node has an attribute of the new name.
    pub fn rename_attr(&mut self, from: &str, to: &str) -> Result<(), UpgradeError> {
        self.edits.touch(Kind::Attr, from);
        self.edits.touch(Kind::Attr, to);
        rename(&mut self.node.attrs, from, to, Kind::Attr)
    }

    /// The variables of an input; none where the node does not have it.
    pub fn input(&self, name: &str) -> &[String] {
        self.node.inputs.get(name).map_or(&[], Vec::as_slice)
    }

    /// The one variable of an input that a node must connect. Nothing has held the node against the signature of its time, so a damaged
    /// graph may lack it.
    ///
    /// # Errors
    ///
    /// When the node connects the input to no variable, or to several.
    pub fn only_input(&self, name: &str) -> Result<&str, UpgradeError> {
        only(self.input(name), Kind::Input, name)
    }

    /// Connects an input to these variables, and returns what it was connected to.
    pub fn set_input(&mut self, name: &str, variables: Vec<String>) -> Vec<String> {
        self.edits.touch(Kind::Input, name);
        self.node.inputs.insert(name.to_owned(), variables).unwrap_or_default()
    }

    /// Removes an input, and returns what it was connected to.
    pub fn remove_input(&mut self, name: &str) -> Vec<String> {
        self.edits.touch(Kind::Input, name);
        self.node.inputs.remove(name).unwrap_or_default()
    }

    /// Gives an input another name; nothing where the node does not have it.
    ///
    /// # Errors
    ///
    /// When the node has an input of the new name.
    pub fn rename_input(&mut self, from: &str, to: &str) -> Result<(), UpgradeError> {
        self.edits.touch(Kind::Input, from);
        self.edits.touch(Kind::Input, to);
        rename(&mut self.node.inputs, from, to, Kind::Input)
    }

    /// The variables of an output; none where the node does not have it.
    pub fn output(&self, name: &str) -> &[String] {
        self.node.outputs.get(name).map_or(&[], Vec::as_slice)
    }

    /// The one variable of an output that a node must connect: see [`Upgrade::only_input`].
    ///
    /// # Errors
    ///
    /// When the node connects the output to no variable, or to several.
    pub fn only_output(&self, name: &str) -> Result<&str, UpgradeError> {
        only(self.output(name), Kind::Output, name)
    }

    /// Connects an output to these variables, and returns what it was connected to.
    pub fn set_output(&mut self, name: &str, variables: Vec<String>) -> Vec<String> {
        self.edits.touch(Kind::Output, name);
        self.node.outputs.insert(name.to_owned(), variables).unwrap_or_default()
    }

    /// Removes an output, and returns what it was connected to.
    pub fn remove_output(&mut self, name: &str) -> Vec<String> {
        self.edits.touch(Kind::Output, name);
        self.node.outputs.remove(name).unwrap_or_default()
    }

    /// Gives an output another name; nothing where the node does not have it.
    ///
    /// # Errors
    ///
    /// When the node has an output of the new name.
    pub fn rename_output(&mut self, from: &str, to: &str) -> Result<(), UpgradeError> {
        self.edits.touch(Kind::Output, from);
        self.edits.touch(Kind::Output, to);
        rename(&mut self.node.outputs, from, to, Kind::Output)
    }

    /// Makes it a node of another operator, which takes part in upgrades from the next version on.
    pub fn set_op(&mut self, op: &str) {
        op.clone_into(&mut self.node.op);
    }

    /// Puts a node before this one, after those that were put there already.
    pub fn insert_before(&mut self, node: Node) {
        self.variables.take(&node);
        self.edits.before.push(node);
    }

    /// Puts a node behind this one, after those that were put there already.
    pub fn insert_after(&mut self, node: Node) {
        self.variables.take(&node);
        self.edits.after.push(node);
    }

    /// Puts a node without inputs before this one, connects its output to a new variable, and returns the variable: how a
    /// constant comes into a graph.
    pub fn add_constant(&mut self, mut node: Node, output: &str) -> String {
        let variable = self.fresh_variable(output);
        node.outputs.insert(output.to_owned(), vec![variable.clone()]);
        self.insert_before(node);
        variable
    }

    /// A name that no variable of the graph has, beginning with `hint`.
    pub fn fresh_variable(&mut self, hint: &str) -> String {
        self.variables.fresh(hint)
    }

    /// Removes the node. What read its outputs needs another source: see [`Upgrade::forward`].
    pub fn remove(&mut self) {
        self.edits.is_removed = true;
    }

    /// Whatever reads the variable `from`, in this block and in its sub-graphs, reads `to` from now on. Where the function of a node in a
    /// sub-graph says something else of it, that holds there.
    pub fn forward(&mut self, from: &str, to: &str) {
        self.edits.forwards.push((from.to_owned(), to.to_owned()));
    }

    /// Gives a variable that outlives a run, such as a weight, another name: wherever the graph has it, and in a checkpoint that was
    /// written with the graph (`Program::upgrade_checkpoint`).
    ///
    /// It is done when all functions of this data version have run, so that each of the nodes that share the variable sees it by its
    /// old name. Each of them may ask for it.
    ///
    /// # Errors
    ///
    /// When the graph has no such variable, has one of the new name, or something else was asked for the variable.
    pub fn rename_variable(&mut self, from: &str, to: &str) -> Result<(), UpgradeError> {
        if from == to {
            return Ok(());
        }
        has_name(to)?;
        self.variables.change(VariableChange::Rename { from: from.to_owned(), to: to.to_owned() })
    }

    /// Adds a variable that outlives a run: to the inputs of the main block, and with its value to a checkpoint that was written with
    /// the graph. Connect it with [`Upgrade::set_input`].
    ///
    /// # Errors
    ///
    /// When the graph has a variable of that name, the bytes are not as many as the type and shape say, or another node adds it with
    /// another value.
    #[cfg(feature = "checkpoint")]
    pub fn add_variable(&mut self, name: &str, tensor: Tensor<'static>) -> Result<(), UpgradeError> {
        has_name(name)?;
        crate::checkpoint::check_size(name, &tensor).map_err(|error| UpgradeError::new(error.to_string()))?;
        self.variables.change(VariableChange::Add { name: name.to_owned(), tensor })
    }

    /// Removes a variable that outlives a run: from the inputs of the main block, and from a checkpoint that was written with the graph.
    /// It stays while something reads it, when all functions of this data version have run: disconnect it first.
    ///
    /// # Errors
    ///
    /// When the graph has no such variable, or something else was asked for it.
    pub fn remove_variable(&mut self, name: &str) -> Result<(), UpgradeError> {
        self.variables.change(VariableChange::Remove { name: name.to_owned() })
    }
}

/// Refuses a variable without a name: no graph could say it.
fn has_name(variable: &str) -> Result<(), UpgradeError> {
    if variable.is_empty() { Err(UpgradeError::new("it gives a variable an empty name")) } else { Ok(()) }
}

fn only<'n>(variables: &'n [String], kind: Kind, name: &str) -> Result<&'n str, UpgradeError> {
    match variables {
        [variable] => Ok(variable),
        [] => Err(UpgradeError::new(format!("its {kind} `{name}` is not connected"))),
        _ => Err(UpgradeError::new(format!("its {kind} `{name}` is connected to {} variables", variables.len()))),
    }
}

fn rename<T>(items: &mut Map<String, T>, from: &str, to: &str, kind: Kind) -> Result<(), UpgradeError> {
    let Some(item) = items.remove(from) else { return Ok(()) };
    if items.contains_key(to) {
        items.insert(from.to_owned(), item);
        return Err(UpgradeError::new(format!("it has both {kind} `{from}` and {kind} `{to}`")));
    }
    items.insert(to.to_owned(), item);
    Ok(())
}
