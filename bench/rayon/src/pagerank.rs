//! PageRank by the power method, damping 0.85.

use rayon::prelude::*;

use crate::graph::{requested, Graph};
use crate::problem::{choose, Problem, Request};

const SHAPES: [(&str, ()); 1] = [("pull", ())];
const DAMPING: f64 = 0.85;

struct Pagerank {
    iterations: u32,
    sources: Graph,
    out_degree: Vec<u32>,
    dead_ends: Vec<u32>,
    rank: Vec<f64>,
    share: Vec<f64>,
    expected: Vec<f64>,
}

pub fn make(wanted: &mut Request) -> Result<Box<dyn Problem>, String> {
    choose(&SHAPES, "pagerank", "shape", &mut wanted.shape)?;
    let targets = requested("pagerank", wanted)?;
    let n = targets.vertices();
    let out_degree: Vec<_> = (0..n).map(|v| targets.neighbours(v).len() as u32).collect();
    Ok(Box::new(Pagerank {
        iterations: if wanted.iterations != 0 { wanted.iterations } else { 20 },
        sources: targets.reversed(),
        dead_ends: (0..n as u32).filter(|v| out_degree[*v as usize] == 0).collect(),
        out_degree,
        rank: vec![0.0; n],
        share: vec![0.0; n],
        expected: Vec::new(),
    }))
}

impl Pagerank {
    /// Pushes ranks along the edges instead of pulling them.
    fn serial_ranks(&self) -> Vec<f64> {
        let targets = self.sources.reversed();
        let n = targets.vertices();
        let mut now = vec![1.0 / n as f64; n];
        for _ in 0..self.iterations {
            let (mut next, mut lost) = (vec![0.0; n], 0.0);
            for v in 0..n {
                let out = targets.neighbours(v);
                if out.is_empty() {
                    lost += now[v];
                }
                for target in out {
                    next[*target as usize] += now[v] / out.len() as f64;
                }
            }
            now = next.iter().map(|r| (1.0 - DAMPING) / n as f64 + DAMPING * (r + lost / n as f64)).collect();
        }
        now
    }
}

impl Problem for Pagerank {
    fn prepare(&mut self) {
        let first = 1.0 / self.sources.vertices() as f64;
        self.rank.par_iter_mut().for_each(|rank| *rank = first);
        self.share.par_iter_mut().for_each(|share| *share = 0.0);
    }

    fn run(&mut self) {
        let Pagerank { sources, out_degree, dead_ends, rank, share, .. } = self;
        for _ in 0..self.iterations {
            share.par_iter_mut().zip(&*rank).zip(&*out_degree).for_each(|((share, rank), degree)| {
                *share = if *degree == 0 { 0.0 } else { rank / f64::from(*degree) };
            });
            let lost: f64 = dead_ends.par_iter().map(|v| rank[*v as usize]).sum();
            let base = (1.0 - DAMPING + DAMPING * lost) / sources.vertices() as f64;
            rank.par_iter_mut().enumerate().for_each(|(v, rank)| {
                let sum: f64 = sources.neighbours(v).iter().map(|source| share[*source as usize]).sum();
                *rank = base + DAMPING * sum;
            });
        }
    }

    fn check(&mut self) -> Result<(), String> {
        if self.expected.is_empty() {
            self.expected = self.serial_ranks();
        }
        let sum: f64 = self.rank.iter().sum();
        let distance: f64 = self.rank.iter().zip(&self.expected).map(|(a, b)| (a - b).abs()).sum();
        if (sum - 1.0).abs() < 1e-9 && distance < 1e-9 {
            return Ok(());
        }
        Err(format!("the ranks sum to {sum} and differ from a serial run's by {distance}"))
    }

    fn items(&self) -> f64 {
        self.sources.edges() as f64 * f64::from(self.iterations)
    }

    fn unit(&self) -> &'static str {
        "edges"
    }
}
