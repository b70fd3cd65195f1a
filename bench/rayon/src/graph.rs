//! The kernels' generated graphs.

use crate::problem::{choose, mix, Request};

const EDGES_PER_VERTEX: usize = 16;
/// log2 of the number of vertices.
const SIZES: [(&str, u32); 4] = [("medium", 18), ("tiny", 8), ("small", 15), ("large", 21)];

/// A directed graph as compressed sparse rows: each vertex's edges lie together, sorted, none twice.
pub struct Graph {
    offsets: Vec<usize>,
    targets: Vec<u32>,
}

impl Graph {
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// Where v's edges lead.
    pub fn neighbours(&self, v: usize) -> &[u32] {
        &self.targets[self.offsets[v]..self.offsets[v + 1]]
    }

    fn from_edges(vertices: usize, mut edges: Vec<(u32, u32)>) -> Graph {
        edges.sort_unstable();
        edges.dedup();
        let mut offsets = vec![0; vertices + 1];
        for (from, _) in &edges {
            offsets[*from as usize + 1] += 1;
        }
        for v in 0..vertices {
            offsets[v + 1] += offsets[v];
        }
        Graph { offsets, targets: edges.into_iter().map(|(_, to)| to).collect() }
    }

    /// The graph with every edge turned round.
    pub fn reversed(&self) -> Graph {
        let turned = (0..self.vertices()).flat_map(|v| self.neighbours(v).iter().map(move |to| (*to, v as u32)));
        Graph::from_edges(self.vertices(), turned.collect())
    }
}

/// jackdaw::kernels::rmat_graph.
fn rmat(scale: u32, edges: usize) -> Graph {
    let mut draws = 0;
    let list = (0..edges).map(|_| {
        let (mut from, mut to) = (0, 0);
        for _ in 0..scale {
            let draw = mix(draws) % 100;
            draws += 1;
            from = 2 * from + u32::from(draw >= 76);
            to = 2 * to + u32::from((57..76).contains(&draw) || draw >= 95);
        }
        (from, to)
    });
    Graph::from_edges(1 << scale, list.collect())
}

/// The generated graph that a request asks for; files are not read here.
pub fn requested(kernel: &str, wanted: &mut Request) -> Result<Graph, String> {
    if !wanted.input.is_empty() {
        return Err(format!("{kernel}: --input is not known here, expected --size"));
    }
    let scale = choose(&SIZES, kernel, "size", &mut wanted.size)?;
    Ok(rmat(scale, EDGES_PER_VERTEX << scale))
}
