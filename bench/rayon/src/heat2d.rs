//! A 5-point stencil, step by step; the leaf is the kernels' own.

use rayon::prelude::*;

use crate::aligned::Aligned;
use crate::leaf::heat2d_leaf;
use crate::problem::{choose, mix, Problem, Request};

/// The grid is n x n; the steps are those unless the request says otherwise.
const SIZES: [(&str, (usize, u32)); 5] =
    [("2048", (2048, 100)), ("tiny", (128, 10)), ("512", (512, 4000)), ("4096", (4096, 50)), ("8192", (8192, 12))];

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Blocks,
    Rows,
}
const SHAPES: [(&str, Shape); 2] = [("blocks", Shape::Blocks), ("rows", Shape::Rows)];

/// Blocks of this many rows and columns are handled by one task.
const CUTOFF: usize = 64;

/// A rectangle of cells: rows top..bottom, columns left..right.
#[derive(Clone, Copy)]
pub struct Rectangle {
    pub top: usize,
    pub bottom: usize,
    pub left: usize,
    pub right: usize,
}

impl Rectangle {
    fn part(self, lower: bool, right_half: bool) -> Rectangle {
        let (down, across) = ((self.top + self.bottom) / 2, (self.left + self.right) / 2);
        Rectangle {
            top: if lower { down } else { self.top },
            bottom: if lower { self.bottom } else { down },
            left: if right_half { across } else { self.left },
            right: if right_half { self.right } else { across },
        }
    }
}

/// Two n x n grids, one holding the state before a step, the other the state after it. Tasks that run at the same
/// time write to different cells.
struct Grid {
    n: usize,
    row: usize,
    states: [Aligned; 2],
}

#[derive(Clone, Copy)]
struct Cells(*mut f32);
// Sound: tasks that run at the same time write to different cells and read only cells that no task writes.
unsafe impl Send for Cells {}
unsafe impl Sync for Cells {}

impl Grid {
    fn new(n: usize) -> Grid {
        let row = n + 16;
        Grid { n, row, states: [Aligned::zeros(n * row), Aligned::zeros(n * row)] }
    }

    fn whole(&self) -> Rectangle {
        Rectangle { top: 0, bottom: self.n, left: 0, right: self.n }
    }

    fn fill(&mut self) {
        let (n, row) = (self.n, self.row);
        for state in &mut self.states {
            state.par_chunks_mut(row).enumerate().for_each(|(i, cells)| {
                for (j, cell) in cells[..n].iter_mut().enumerate() {
                    *cell = (mix((i * n + j) as u64) >> 40) as f32 / (1 << 24) as f32;
                }
            });
        }
    }

    /// Step t; `everywhere` calls its argument on parts that together are the whole grid and do not overlap.
    fn step(&mut self, t: u32, everywhere: impl FnOnce(Rectangle, &(dyn Fn(Rectangle) + Sync))) {
        let (n, row, whole) = (self.n, self.row, self.whole());
        let [even, odd] = &mut self.states;
        let (before, after) = if t % 2 == 0 { (even, odd) } else { (odd, even) };
        let (before, after) = (Cells(before.as_mut_ptr()), Cells(after.as_mut_ptr()));
        everywhere(whole, &move |part| {
            let (before, after) = (before, after);
            // Sound: both grids have n rows of `row` floats; no other task writes to this part.
            unsafe { heat2d_leaf(before.0, after.0, n, row, part) }
        });
    }

    fn fingerprint(&self, t: u32) -> u64 {
        let (n, state) = (self.n, &self.states[t as usize % 2]);
        (0..n * n).fold(0, |sum, at| {
            let bits = state[at / n * self.row + at % n].to_bits();
            sum.wrapping_add(mix((at as u64) << 32 | u64::from(bits)))
        })
    }
}

/// Rows handled at once, a divisor of every grid's: one at a time would pay for a call of the leaf with each.
const STRIP: usize = 16;

fn by_rows(whole: Rectangle, f: &(dyn Fn(Rectangle) + Sync)) {
    (0..whole.bottom / STRIP)
        .into_par_iter()
        .for_each(|i| f(Rectangle { top: i * STRIP, bottom: (i + 1) * STRIP, ..whole }));
}

fn by_blocks(part: Rectangle, f: &(dyn Fn(Rectangle) + Sync)) {
    if part.bottom - part.top <= CUTOFF {
        return f(part);
    }
    let quarter = |lower, right_half| by_blocks(part.part(lower, right_half), f);
    rayon::join(
        || rayon::join(|| quarter(false, false), || quarter(false, true)),
        || rayon::join(|| quarter(true, false), || quarter(true, true)),
    );
}

struct Heat2d {
    grid: Grid,
    iterations: u32,
    shape: Shape,
    expected: Option<u64>,
}

pub fn make(wanted: &mut Request) -> Result<Box<dyn Problem>, String> {
    let shape = choose(&SHAPES, "heat2d", "shape", &mut wanted.shape)?;
    let (n, iterations) = choose(&SIZES, "heat2d", "size", &mut wanted.size)?;
    let iterations = if wanted.iterations != 0 { wanted.iterations } else { iterations };
    Ok(Box::new(Heat2d { grid: Grid::new(n), iterations, shape, expected: None }))
}

impl Problem for Heat2d {
    fn prepare(&mut self) {
        self.grid.fill();
    }

    fn run(&mut self) {
        for t in 0..self.iterations {
            self.grid.step(t, if self.shape == Shape::Rows { by_rows } else { by_blocks });
        }
    }

    /// Compares every bit with a serial run.
    fn check(&mut self) -> Result<(), String> {
        let found = self.grid.fingerprint(self.iterations);
        let (n, iterations) = (self.grid.n, self.iterations);
        let expected = *self.expected.get_or_insert_with(|| {
            let mut other = Grid::new(n);
            other.fill();
            for t in 0..iterations {
                other.step(t, |whole, f| f(whole));
            }
            other.fingerprint(iterations)
        });
        if found != expected {
            return Err("the grid differs from what a serial run gives".into());
        }
        Ok(())
    }

    fn items(&self) -> f64 {
        (self.grid.n as f64).powi(2) * f64::from(self.iterations)
    }

    fn unit(&self) -> &'static str {
        "cell updates"
    }
}
