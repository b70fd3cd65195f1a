use crate::problem::{choose, Problem, Request};

const SIZES: [(&str, usize); 9] =
    [("14", 14), ("tiny", 6), ("8", 8), ("9", 9), ("10", 10), ("11", 11), ("12", 12), ("13", 13), ("15", 15)];
/// join by halves is how one writes this with rayon; both of the kernel's shapes are this.
const SHAPES: [(&str, ()); 2] = [("invoke", ()), ("group", ())];
/// OEIS A000170.
const KNOWN: [u64; 16] = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184];

/// A board with queens in its first rows; sets of columns are bit masks.
#[derive(Clone, Copy)]
struct Queens {
    columns: u32,
    taken: u32,
    to_right: u32,
    to_left: u32,
}

impl Queens {
    fn with(self, column: u32) -> Queens {
        Queens {
            columns: self.columns,
            taken: self.taken | column,
            to_right: (self.to_right | column) << 1,
            to_left: (self.to_left | column) >> 1,
        }
    }

    fn free(self) -> u32 {
        self.columns & !(self.taken | self.to_right | self.to_left)
    }
}

fn solutions(board: Queens) -> u64 {
    if board.taken == board.columns {
        return 1;
    }
    in_columns(board, board.free())
}

/// Solutions with the next queen in one of these columns.
fn in_columns(board: Queens, columns: u32) -> u64 {
    if columns == 0 {
        return 0;
    }
    let first = columns & columns.wrapping_neg();
    let others = columns ^ first;
    if others == 0 {
        return solutions(board.with(first));
    }
    let (a, b) = rayon::join(|| solutions(board.with(first)), || in_columns(board, others));
    a + b
}

struct Nqueens {
    n: usize,
    solutions: u64,
}

pub fn make(wanted: &mut Request) -> Result<Box<dyn Problem>, String> {
    choose(&SHAPES, "nqueens", "shape", &mut wanted.shape)?;
    let n = choose(&SIZES, "nqueens", "size", &mut wanted.size)?;
    Ok(Box::new(Nqueens { n, solutions: 0 }))
}

impl Problem for Nqueens {
    fn prepare(&mut self) {
        self.solutions = 0;
    }

    fn run(&mut self) {
        self.solutions = solutions(Queens { columns: (1 << self.n) - 1, taken: 0, to_right: 0, to_left: 0 });
    }

    fn check(&mut self) -> Result<(), String> {
        if self.solutions == KNOWN[self.n] {
            return Ok(());
        }
        Err(format!("{} queens came out with {} solutions, expected {}", self.n, self.solutions, KNOWN[self.n]))
    }

    fn items(&self) -> f64 {
        self.solutions as f64
    }

    fn unit(&self) -> &'static str {
        "solutions"
    }
}
