use crate::problem::{choose, Problem, Request};

const SIZES: [(&str, u32); 10] = [
    ("35", 35),
    ("tiny", 12),
    ("20", 20),
    ("25", 25),
    ("30", 30),
    ("38", 38),
    ("40", 40),
    ("42", 42),
    ("45", 45),
    ("50", 50),
];
/// rayon's way to fork twice is join; both of the kernel's shapes are this.
const SHAPES: [(&str, ()); 2] = [("invoke", ()), ("group", ())];

struct Fib {
    n: u32,
    result: u64,
}

pub fn make(wanted: &mut Request) -> Result<Box<dyn Problem>, String> {
    choose(&SHAPES, "fib", "shape", &mut wanted.shape)?;
    let n = choose(&SIZES, "fib", "size", &mut wanted.size)?;
    Ok(Box::new(Fib { n, result: 0 }))
}

fn fib(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    let (a, b) = rayon::join(|| fib(n - 1), || fib(n - 2));
    a + b
}

fn number(n: u32) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}

impl Problem for Fib {
    fn prepare(&mut self) {
        self.result = 0;
    }

    fn run(&mut self) {
        self.result = fib(self.n);
    }

    fn check(&mut self) -> Result<(), String> {
        let expected = number(self.n);
        if self.result == expected {
            return Ok(());
        }
        Err(format!("fib({}) came out as {}, expected {expected}", self.n, self.result))
    }

    fn items(&self) -> f64 {
        2.0 * number(self.n + 1) as f64 - 1.0
    }

    fn unit(&self) -> &'static str {
        "calls"
    }
}
