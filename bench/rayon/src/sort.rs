use rayon::prelude::*;

use crate::problem::{choose, mix, Problem, Request};

const SIZES: [(&str, usize); 3] = [("10m", 10_000_000), ("tiny", 20_000), ("1m", 1_000_000)];
const SHAPES: [(&str, ()); 1] = [("u64", ())];

struct Sort {
    keys: Vec<u64>,
}

pub fn make(wanted: &mut Request) -> Result<Box<dyn Problem>, String> {
    choose(&SHAPES, "sort", "shape", &mut wanted.shape)?;
    let count = choose(&SIZES, "sort", "size", &mut wanted.size)?;
    Ok(Box::new(Sort { keys: vec![0; count] }))
}

fn fingerprint(keys: impl Iterator<Item = u64>) -> u64 {
    keys.fold(0, |sum, key| sum.wrapping_add(mix(key)))
}

impl Problem for Sort {
    fn prepare(&mut self) {
        self.keys.par_iter_mut().enumerate().for_each(|(i, key)| *key = mix(i as u64));
    }

    fn run(&mut self) {
        self.keys.par_sort_unstable();
    }

    fn check(&mut self) -> Result<(), String> {
        if let Some(at) = self.keys.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(format!("key {} is less than its neighbour", at + 1));
        }
        if fingerprint(self.keys.iter().copied()) != fingerprint((0..self.keys.len() as u64).map(mix)) {
            return Err("the sorted keys are not the keys that were to be sorted".into());
        }
        Ok(())
    }

    fn items(&self) -> f64 {
        self.keys.len() as f64
    }

    fn unit(&self) -> &'static str {
        "keys"
    }
}
