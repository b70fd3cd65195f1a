//! Unbalanced Tree Search; the hash is the kernels' own.

use crate::leaf::sha1_short;
use crate::problem::{choose, Problem, Request};

#[derive(Clone, Copy, PartialEq)]
struct Tally {
    nodes: u64,
    leaves: u64,
    depth: u32,
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        Tally {
            nodes: self.nodes + other.nodes,
            leaves: self.leaves + other.leaves,
            depth: self.depth.max(other.depth),
        }
    }
}

#[derive(Clone, Copy)]
struct Node {
    state: [u8; 20],
    depth: u32,
}

impl Node {
    fn root(seed: u32) -> Node {
        let mut message = [0; 20];
        message[16..].copy_from_slice(&seed.to_be_bytes());
        Node { state: sha1_short(&message), depth: 0 }
    }

    fn child(&self, index: u32) -> Node {
        let mut message = [0; 24];
        message[..20].copy_from_slice(&self.state);
        message[20..].copy_from_slice(&index.to_be_bytes());
        Node { state: sha1_short(&message), depth: self.depth + 1 }
    }

    /// A number in [0, 1) that belongs to this node.
    fn uniform(&self) -> f64 {
        let bits = u32::from_be_bytes([self.state[16], self.state[17], self.state[18], self.state[19]]);
        f64::from(bits & 0x7fff_ffff) / 2147483648.0
    }
}

#[derive(Clone, Copy)]
enum Kind {
    /// Expected children of an inner node; depth below which there is nothing.
    Geometric { b: f64, depth: u32 },
    /// Children of the root; probability that any other node has children, and how many.
    Binomial { b: u32, q: f64, m: u32 },
}

#[derive(Clone, Copy)]
struct Tree {
    kind: Kind,
    seed: u32,
    known: Tally,
}

impl Tree {
    fn children(&self, node: &Node) -> u32 {
        match self.kind {
            Kind::Binomial { b, .. } if node.depth == 0 => b,
            Kind::Binomial { q, m, .. } => {
                if node.uniform() < q {
                    m
                } else {
                    0
                }
            }
            Kind::Geometric { depth, .. } if node.depth >= depth => 0,
            Kind::Geometric { b, .. } => {
                let drawn = ((1.0 - node.uniform()).ln() / (b / (1.0 + b)).ln()).floor();
                (drawn as u32).min(100)
            }
        }
    }
}

const SIZES: [(&str, Tree); 3] = [
    (
        "T1",
        Tree {
            kind: Kind::Geometric { b: 4.0, depth: 10 },
            seed: 19,
            known: Tally { nodes: 4130071, leaves: 3305118, depth: 10 },
        },
    ),
    (
        "tiny",
        Tree {
            kind: Kind::Geometric { b: 4.0, depth: 4 },
            seed: 19,
            known: Tally { nodes: 944, leaves: 744, depth: 4 },
        },
    ),
    (
        "T3",
        Tree {
            kind: Kind::Binomial { b: 2000, q: 0.124875, m: 8 },
            seed: 42,
            known: Tally { nodes: 4112897, leaves: 3599034, depth: 1572 },
        },
    ),
];
/// join by halves is how one writes this with rayon; both of the kernel's shapes are this.
const SHAPES: [(&str, ()); 2] = [("group", ()), ("invoke", ())];

fn search(tree: &Tree, node: &Node) -> Tally {
    let children = tree.children(node);
    if children == 0 {
        return Tally { nodes: 1, leaves: 1, depth: node.depth };
    }
    Tally { nodes: 1, leaves: 0, depth: node.depth }.and(in_children(tree, node, 0, children))
}

/// What the subtrees of children first..last hold.
fn in_children(tree: &Tree, node: &Node, first: u32, last: u32) -> Tally {
    if last - first == 1 {
        return search(tree, &node.child(first));
    }
    let middle = first + (last - first) / 2;
    let (a, b) = rayon::join(|| in_children(tree, node, first, middle), || in_children(tree, node, middle, last));
    a.and(b)
}

struct Uts {
    tree: Tree,
    found: Tally,
}

pub fn make(wanted: &mut Request) -> Result<Box<dyn Problem>, String> {
    choose(&SHAPES, "uts", "shape", &mut wanted.shape)?;
    let tree = choose(&SIZES, "uts", "size", &mut wanted.size)?;
    Ok(Box::new(Uts { tree, found: Tally { nodes: 0, leaves: 0, depth: 0 } }))
}

impl Problem for Uts {
    fn prepare(&mut self) {
        self.found = Tally { nodes: 0, leaves: 0, depth: 0 };
    }

    fn run(&mut self) {
        self.found = search(&self.tree, &Node::root(self.tree.seed));
    }

    fn check(&mut self) -> Result<(), String> {
        if self.found == self.tree.known {
            return Ok(());
        }
        Err(format!("the tree came out with {} nodes, expected {}", self.found.nodes, self.tree.known.nodes))
    }

    fn items(&self) -> f64 {
        self.tree.known.nodes as f64
    }

    fn unit(&self) -> &'static str {
        "nodes"
    }
}
