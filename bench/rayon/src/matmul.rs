//! C = A B by quarters; the leaf is the kernels' own.

use rayon::prelude::*;

use crate::aligned::Aligned;
use crate::leaf::{matmul_leaf, MATMUL_BLOCK};
use crate::problem::{choose, mix, Problem, Request};

const SIZES: [(&str, usize); 6] =
    [("2048", 2048), ("tiny", 256), ("512", 512), ("1024", 1024), ("4096", 4096), ("8192", 8192)];
/// join is rayon's way to fork; both of the kernel's shapes are this.
const SHAPES: [(&str, ()); 2] = [("group", ()), ("invoke", ())];

/// A square part of a matrix that is stored by rows, `row` floats apart.
#[derive(Clone, Copy)]
struct Square {
    data: *mut f32,
    n: usize,
    row: usize,
}

// Sound: tasks that run at the same time write to different squares and read only squares that no task writes.
unsafe impl Send for Square {}
unsafe impl Sync for Square {}

impl Square {
    fn part(self, lower: usize, right: usize) -> Square {
        let half = self.n / 2;
        // Sound: stays inside the square.
        Square { data: unsafe { self.data.add(lower * half * self.row + right * half) }, n: half, row: self.row }
    }
}

fn multiply(a: Square, b: Square, c: Square) {
    if c.n == MATMUL_BLOCK {
        // Sound: this task alone has this part of C; A and B are only read.
        return unsafe { matmul_leaf(a.data, b.data, c.data, c.row) };
    }
    for k in 0..2 {
        let quarter = |i, j| multiply(a.part(i, k), b.part(k, j), c.part(i, j));
        rayon::join(
            || rayon::join(|| quarter(0, 0), || quarter(1, 0)),
            || rayon::join(|| quarter(0, 1), || quarter(1, 1)),
        );
    }
}

struct Matrix {
    elements: Aligned,
    n: usize,
    row: usize,
}

impl Matrix {
    fn new(n: usize) -> Matrix {
        let row = n + 16;
        Matrix { elements: Aligned::zeros(n * row), n, row }
    }

    fn square(&mut self) -> Square {
        Square { data: self.elements.as_mut_ptr(), n: self.n, row: self.row }
    }

    fn fill(&mut self, element: impl Fn(usize) -> f32 + Sync) {
        let row = self.row;
        self.elements.par_chunks_mut(row).enumerate().for_each(|(i, elements)| {
            for (j, value) in elements.iter_mut().enumerate() {
                *value = element(i * row + j);
            }
        });
    }

    fn times(&self, x: &[f64]) -> Vec<f64> {
        let sum = |row: &[f32]| row.iter().zip(x).map(|(value, x)| f64::from(*value) * x).sum();
        self.elements.chunks(self.row).map(sum).collect()
    }
}

struct Matmul {
    a: Matrix,
    b: Matrix,
    c: Matrix,
}

pub fn make(wanted: &mut Request) -> Result<Box<dyn Problem>, String> {
    choose(&SHAPES, "matmul", "shape", &mut wanted.shape)?;
    let n = choose(&SIZES, "matmul", "size", &mut wanted.size)?;
    Ok(Box::new(Matmul { a: Matrix::new(n), b: Matrix::new(n), c: Matrix::new(n) }))
}

fn element(i: usize) -> f32 {
    ((mix(i as u64) % 17) as f32 - 8.0) / 8.0
}

impl Problem for Matmul {
    fn prepare(&mut self) {
        self.a.fill(|at| element(2 * at));
        self.b.fill(|at| element(2 * at + 1));
        self.c.fill(|_| 0.0);
    }

    fn run(&mut self) {
        multiply(self.a.square(), self.b.square(), self.c.square());
    }

    /// Multiplies both sides of C = A B with a random vector.
    fn check(&mut self) -> Result<(), String> {
        let x: Vec<f64> = (0..self.c.n as u64).map(|i| (1 + mix(i ^ 0xf4e1) % (1 << 15)) as f64).collect();
        let (expected, found) = (self.a.times(&self.b.times(&x)), self.c.times(&x));
        match found.iter().zip(&expected).position(|(found, expected)| found != expected) {
            Some(row) => Err(format!("row {row} of the product is wrong")),
            None => Ok(()),
        }
    }

    fn items(&self) -> f64 {
        2.0 * (self.c.n as f64).powi(3)
    }

    fn unit(&self) -> &'static str {
        "floating-point operations"
    }
}
