//! Connected components by lock-free hooking.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::graph::{requested, Graph};
use crate::problem::{choose, Problem, Request};

const SHAPES: [(&str, ()); 1] = [("hook", ())];

struct Components {
    graph: Graph,
    /// While running: the parent of a vertex in its tree, never above the vertex itself.
    label: Vec<AtomicU32>,
}

pub fn make(wanted: &mut Request) -> Result<Box<dyn Problem>, String> {
    choose(&SHAPES, "components", "shape", &mut wanted.shape)?;
    let graph = requested("components", wanted)?;
    let label = (0..graph.vertices()).map(|_| AtomicU32::new(0)).collect();
    Ok(Box::new(Components { graph, label }))
}

fn root(label: &[AtomicU32], mut v: u32) -> u32 {
    loop {
        let up = label[v as usize].load(Relaxed);
        if up == v {
            return v;
        }
        v = up;
    }
}

/// Makes the trees of two vertices one.
fn join(label: &[AtomicU32], mut v: u32, mut w: u32) {
    loop {
        (v, w) = (root(label, v), root(label, w));
        if v == w {
            return;
        }
        if v < w {
            (v, w) = (w, v);
        }
        if label[v as usize].compare_exchange(v, w, Relaxed, Relaxed).is_ok() {
            return;
        }
    }
}

impl Components {
    /// Number of components, by a serial union-find that halves paths.
    fn count(&self) -> usize {
        let mut parent: Vec<usize> = (0..self.graph.vertices()).collect();
        let mut count = parent.len();
        let find = |parent: &mut Vec<usize>, mut v: usize| {
            while parent[v] != v {
                parent[v] = parent[parent[v]];
                v = parent[v];
            }
            v
        };
        for v in 0..self.graph.vertices() {
            for w in self.graph.neighbours(v) {
                let (a, b) = (find(&mut parent, v), find(&mut parent, *w as usize));
                count -= usize::from(a != b);
                parent[a] = b;
            }
        }
        count
    }
}

impl Problem for Components {
    fn prepare(&mut self) {
        self.label.par_iter().enumerate().for_each(|(v, label)| label.store(v as u32, Relaxed));
    }

    fn run(&mut self) {
        let (graph, label) = (&self.graph, &self.label[..]);
        (0..label.len()).into_par_iter().for_each(|v| {
            for w in graph.neighbours(v) {
                join(label, v as u32, *w);
            }
        });
        (0..label.len()).into_par_iter().for_each(|v| label[v].store(root(label, v as u32), Relaxed));
    }

    fn check(&mut self) -> Result<(), String> {
        let label: Vec<u32> = self.label.iter().map(|label| label.load(Relaxed)).collect();
        for (v, own) in label.iter().enumerate() {
            let differs = |w: &u32| label[*w as usize] != *own;
            if *own as usize > v || self.graph.neighbours(v).iter().any(differs) {
                return Err(format!("vertex {v} has label {own}, which contradicts a neighbour's or its own number"));
            }
        }
        let (roots, expected) = ((0..label.len()).filter(|v| label[*v] as usize == *v).count(), self.count());
        if roots != expected {
            return Err(format!("there came out {roots} components, expected {expected}"));
        }
        Ok(())
    }

    fn items(&self) -> f64 {
        self.graph.edges() as f64
    }

    fn unit(&self) -> &'static str {
        "edges"
    }
}
