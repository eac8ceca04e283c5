//! Putting a graph together, and finding things in one.

use std::collections::HashSet;

use oplock_registry::{Bind, BindError, Block as BlockIndex, Kind, Node, Var};

use crate::{Block, Graph, Place};

/// Puts a graph together: for who produces graphs.
///
/// It starts with the main block. [`GraphBuilder::block`] makes a sub-graph, whose index a `block` attribute then names.
///
/// ```
/// use oplock::graph::GraphBuilder;
/// use oplock::{Block, Var, op};
///
/// #[op("amplify", unlocked)]
/// pub struct Amplify {
///     #[input]
///     pub x: Var,
///     #[output]
///     pub out: Var,
///     #[attr]
///     pub by: f32,
/// }
///
/// #[op("while", unlocked)]
/// pub struct While {
///     #[input]
///     pub condition: Var,
///     #[attr]
///     pub body: Block,
/// }
///
/// # fn main() -> Result<(), oplock::BindError> {
/// let mut builder = GraphBuilder::new();
/// let (x, condition) = (builder.input("x"), builder.input("condition"));
/// let body = builder.block(|body| {
///     let out = body.fresh("louder");
///     body.push(Amplify::new(x, out.clone(), 0.5))?;
///     body.output(&out);
///     Ok(())
/// })?;
/// builder.push(While::new(condition, body))?;
/// let graph = builder.finish();
/// assert_eq!(graph.blocks.len(), 2);
/// assert_eq!(graph.all::<Amplify>().next().unwrap().1?.by, 0.5);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct GraphBuilder {
    graph: Graph,
    /// The block to which things are added.
    current: usize,
    names: HashSet<String>,
}

impl Default for GraphBuilder {
    fn default() -> Self {
        GraphBuilder::new()
    }
}

impl GraphBuilder {
    /// A graph with an empty main block.
    pub fn new() -> Self {
        let graph = Graph { blocks: vec![Block::default()], ..Graph::default() };
        GraphBuilder { graph, current: 0, names: HashSet::new() }
    }

    /// A variable of that name that is given to the block from outside.
    pub fn input(&mut self, name: impl Into<String>) -> Var {
        let name = name.into();
        self.names.insert(name.clone());
        self.graph.blocks[self.current].inputs.push(name.clone());
        Var(name)
    }

    /// Makes a variable a result of the block.
    pub fn output(&mut self, var: &Var) {
        self.names.insert(var.0.clone());
        self.graph.blocks[self.current].outputs.push(var.0.clone());
    }

    /// A variable of a name that nothing in the graph has yet: the hint itself, or the hint and a number.
    pub fn fresh(&mut self, hint: &str) -> Var {
        let free = |name: &String| !self.names.contains(name);
        let numbered = (1_u64..).map(|number| format!("{hint}.{number}"));
        let name = std::iter::once(hint.to_owned()).filter(|hint| !hint.is_empty()).chain(numbered).find(free);
        let name = name.unwrap_or_default(); // there is always one more number
        self.names.insert(name.clone());
        Var(name)
    }

    /// Adds an operator at the end of the block; where its node stands is what it gives.
    ///
    /// # Errors
    ///
    /// When an attribute's value cannot be saved in its type.
    pub fn push(&mut self, op: impl Bind) -> Result<Place, BindError> {
        Ok(self.push_node(op.into_node()?))
    }

    /// Adds a node at the end of the block, as it is.
    pub fn push_node(&mut self, node: Node) -> Place {
        for kind in [Kind::Input, Kind::Output] {
            self.names.extend(node.args(kind).values().flatten().cloned());
        }
        let nodes = &mut self.graph.blocks[self.current].nodes;
        nodes.push(node);
        Place { block: self.current, node: nodes.len() - 1 }
    }

    /// A new sub-graph, to which the function adds; its index is the value of a `block` attribute.
    ///
    /// # Errors
    ///
    /// What the function gives; the sub-graph is left as far as it came.
    ///
    /// # Panics
    ///
    /// After 2^32 blocks.
    pub fn block<E>(&mut self, build: impl FnOnce(&mut GraphBuilder) -> Result<(), E>) -> Result<BlockIndex, E> {
        let (outer, index) = (self.current, self.graph.blocks.len());
        self.graph.blocks.push(Block::default());
        self.current = index;
        let outcome = build(self);
        self.current = outer;
        outcome?;
        Ok(BlockIndex(u32::try_from(index).expect("a graph has fewer than 2^32 blocks")))
    }

    /// The graph. Nothing of it was checked: `Program::save` does.
    pub fn finish(self) -> Graph {
        self.graph
    }
}

impl Graph {
    /// The main block; `None` in a graph without blocks.
    pub fn main(&self) -> Option<&Block> {
        self.blocks.first()
    }

    /// The sub-graph that a `block` attribute names.
    pub fn block(&self, index: BlockIndex) -> Option<&Block> {
        self.blocks.get(usize::try_from(index.0).ok()?)
    }

    /// The node at that place.
    pub fn node(&self, at: Place) -> Option<&Node> {
        self.blocks.get(at.block)?.nodes.get(at.node)
    }

    /// [`Graph::node`], to change it.
    pub fn node_mut(&mut self, at: Place) -> Option<&mut Node> {
        self.blocks.get_mut(at.block)?.nodes.get_mut(at.node)
    }

    /// Every node of every block, with its place.
    pub fn nodes(&self) -> impl Iterator<Item = (Place, &Node)> {
        let blocks = self.blocks.iter().enumerate();
        blocks.flat_map(|(block, of)| {
            of.nodes.iter().enumerate().map(move |(node, found)| (Place { block, node }, found))
        })
    }

    /// Every use of an operator, in every block, as that operator's type.
    ///
    /// In a graph that `Program::load` gave, each is well formed, where `T` is the definition by which it was loaded.
    pub fn all<T: Bind>(&self) -> impl Iterator<Item = (Place, Result<T, BindError>)> {
        let name = &T::def().name;
        let nodes = self.nodes().filter(move |(_, node)| node.op == *name);
        nodes.map(|(at, node)| (at, node.bind()))
    }

    /// The nodes of every block that write a variable.
    pub fn writers(&self, var: &str) -> impl Iterator<Item = (Place, &Node)> {
        self.using(Kind::Output, var)
    }

    /// The nodes of every block that read a variable as an input. (An attribute of type `var` may name it too.)
    pub fn readers(&self, var: &str) -> impl Iterator<Item = (Place, &Node)> {
        self.using(Kind::Input, var)
    }

    fn using(&self, kind: Kind, var: &str) -> impl Iterator<Item = (Place, &Node)> {
        self.nodes().filter(move |(_, node)| node.args(kind).values().flatten().any(|name| name == var))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_names_are_free_in_every_block() {
        let mut builder = GraphBuilder::new();
        builder.input("x");
        let node = Node { outputs: [("Out".to_owned(), vec!["y".to_owned()])].into(), ..Node::new("op") };
        let body = builder.block(|body| {
            body.push_node(node);
            Ok::<_, BindError>(())
        });
        assert_eq!(body, Ok(BlockIndex(1)));
        let names = ["x", "y", "y", "z", "", ""].map(|hint| builder.fresh(hint).0);
        assert_eq!(names, ["x.1", "y.1", "y.2", "z", ".1", ".2"]);
        let at = builder.push_node(Node::new("last"));
        assert_eq!(at, Place { block: 0, node: 0 });
        let graph = builder.finish();
        assert_eq!(graph.main().unwrap().inputs, ["x"]);
        let places: Vec<_> = graph.nodes().map(|(at, node)| (at.block, at.node, node.op.as_str())).collect();
        assert_eq!(places, [(0, 0, "last"), (1, 0, "op")]);
        assert_eq!(graph.writers("y").map(|(at, _)| at).collect::<Vec<_>>(), [Place { block: 1, node: 0 }]);
        assert_eq!(graph.readers("y").count(), 0);
    }

    #[test]
    fn after_an_error_the_outer_block_goes_on() {
        let mut builder = GraphBuilder::new();
        assert_eq!(builder.block(|_| Err("no")), Err("no"));
        assert_eq!(builder.push_node(Node::new("op")).block, 0);
    }
}
