//! Blocks that nodes refer to: all there, and none inside itself.

use crate::model::Block;

/// A reference from one block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// The references of each block, sorted, each once.
pub(crate) fn sorted(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn of(edges: &[Edge], block: u32) -> &[Edge] {
    let start = edges.partition_point(|edge| edge.from < block);
    let end = start + edges[start..].partition_point(|edge| edge.from == block);
    &edges[start..end]
}

/// Blocks that contain each other, where some do. `edges` are [`sorted`], and name only blocks that are there.
///
/// It keeps its own stack, so that no depth of nesting exhausts the thread's.
pub(crate) fn ring(edges: &[Edge]) -> Option<Vec<u32>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let blocks = edges.iter().map(|edge| edge.from.max(edge.to) as usize + 1).max().unwrap_or(0);
    let mut states = vec![State::New; blocks];
    for Edge { from: root, .. } in edges {
        if states[*root as usize] != State::New {
            continue;
        }
        states[*root as usize] = State::Open;
        let mut path = vec![(*root, of(edges, *root).iter())];
        while let Some((block, rest)) = path.last_mut() {
            let Some(edge) = rest.next() else {
                states[*block as usize] = State::Done;
                path.pop();
                continue;
            };
            match states[edge.to as usize] {
                State::Done => {}
                State::Open => {
                    return Some(path.iter().map(|(block, _)| *block).skip_while(|block| *block != edge.to).collect());
                }
                State::New => {
                    states[edge.to as usize] = State::Open;
                    path.push((edge.to, of(edges, edge.to).iter()));
                }
            }
        }
    }
    None
}

/// Which blocks the main one reaches.
pub(crate) fn reached(edges: &[Edge], blocks: &[Block]) -> Vec<bool> {
    let mut reached = vec![false; blocks.len()];
    let mut open = Vec::new();
    if let Some(main) = reached.first_mut() {
        *main = true;
        open.push(0);
    }
    while let Some(block) = open.pop() {
        for edge in of(edges, block) {
            if let Some(new) = reached.get_mut(edge.to as usize).filter(|reached| !**reached) {
                *new = true;
                open.push(edge.to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(pairs: &[(u32, u32)]) -> Vec<Edge> {
        sorted(pairs.iter().map(|&(from, to)| Edge { from, to }).collect())
    }

    #[test]
    fn rings_are_found_and_named() {
        assert_eq!(ring(&edges(&[])), None);
        assert_eq!(ring(&edges(&[(0, 1), (0, 2), (1, 2)])), None);
        assert_eq!(ring(&edges(&[(0, 0)])), Some(vec![0]));
        assert_eq!(ring(&edges(&[(0, 1), (1, 2), (2, 1)])), Some(vec![1, 2]));
        assert_eq!(ring(&edges(&[(3, 4), (4, 3)])), Some(vec![3, 4]));
    }

    #[test]
    fn depth_is_no_matter() {
        let mut deep: Vec<_> = (0..200_000).map(|i| (i, i + 1)).collect();
        assert_eq!(ring(&edges(&deep)), None);
        deep.push((200_000, 0));
        assert_eq!(ring(&edges(&deep)).map(|ring| ring.len()), Some(200_001));
    }

    #[test]
    fn what_the_main_block_reaches() {
        let blocks = vec![Block::default(); 4];
        assert_eq!(reached(&edges(&[(0, 2), (3, 1)]), &blocks), [true, false, true, false]);
    }
}
