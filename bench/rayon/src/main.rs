//! bench_rayon: the kernels with rayon; command line and output are those of bench/program.hpp.

mod aligned;
mod components;
mod fib;
mod graph;
mod heat2d;
mod leaf;
mod matmul;
mod nqueens;
mod pagerank;
mod problem;
mod sort;
mod uts;

use problem::{Problem, Request};
use std::process::ExitCode;
use std::time::Instant;

struct Arguments {
    kernel: String,
    request: Request,
    workers: usize,
    repeat: u32,
    warm_up: u32,
}

fn number(option: &str, text: &str, least: u32, most: u32) -> Result<u32, String> {
    match text.parse() {
        Ok(value) if (least..=most).contains(&value) => Ok(value),
        _ => Err(format!("{option}: expected a number from {least} to {most}, got '{text}'")),
    }
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let kernel = words.next().ok_or("expected a kernel, e.g. fib")?;
    let mut given = Arguments { kernel, request: Request::default(), workers: 1, repeat: 1, warm_up: 1 };
    while let Some(option) = words.next() {
        let value = words.next().ok_or_else(|| format!("{option}: expected a value after it"))?;
        match option.as_str() {
            "--size" => given.request.size = value,
            "--shape" => given.request.shape = value,
            "--input" => given.request.input = value,
            "--workers" => given.workers = number(&option, &value, 1, 4096)? as usize,
            "--iterations" => given.request.iterations = number(&option, &value, 1, 1_000_000)?,
            "--repeat" => given.repeat = number(&option, &value, 1, 1_000_000)?,
            "--warm-up" => given.warm_up = number(&option, &value, 0, 1_000_000)?,
            _ => return Err(format!("unknown option '{option}'")),
        }
    }
    Ok(given)
}

fn make(kernel: &str, wanted: &mut Request) -> Result<Box<dyn Problem>, String> {
    match kernel {
        "components" => components::make(wanted),
        "fib" => fib::make(wanted),
        "nqueens" => nqueens::make(wanted),
        "uts" => uts::make(wanted),
        "heat2d" => heat2d::make(wanted),
        "matmul" => matmul::make(wanted),
        "pagerank" => pagerank::make(wanted),
        "sort" => sort::make(wanted),
        _ => Err(format!("kernel '{kernel}' has no version for rayon")),
    }
}

fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for c in text.chars() {
        if c == '"' || c == '\\' {
            result.push('\\');
        }
        result.push(if c < ' ' { ' ' } else { c });
    }
    result + "\""
}

/// The most memory that was resident in this process so far, in KiB; 0 where the kernel does not say.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// Runs the problem once; returns whether its result was right.
fn once(given: &Arguments, pool: &rayon::ThreadPool, problem: &mut dyn Problem, print: bool) -> bool {
    pool.install(|| problem.prepare());
    let start = Instant::now();
    pool.install(|| problem.run());
    let seconds = start.elapsed().as_secs_f64();
    let peak = peak_kib();
    let wrong = problem.check().err();
    if print || wrong.is_some() {
        let error = wrong.as_ref().map_or(String::new(), |text| format!(", \"error\": {}", quoted(text)));
        println!(
            "{{\"kernel\": {}, \"size\": {}, \"shape\": {}, \"runtime\": \"rayon\", \"workers\": {}, \
             \"seconds\": {seconds:.9}, \"ok\": {}, \"items\": {}, \"peak_kib\": {peak}, \"unit\": {}{error}}}",
            quoted(&given.kernel),
            quoted(&given.request.size),
            quoted(&given.request.shape),
            given.workers,
            wrong.is_none(),
            problem.items(),
            quoted(problem.unit()),
        );
    }
    wrong.is_none()
}

fn measure() -> Result<bool, String> {
    let mut given = parse(std::env::args().skip(1))?;
    let mut problem = make(&given.kernel, &mut given.request)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(given.workers)
        .stack_size(64 << 20)
        .build()
        .map_err(|failure| failure.to_string())?;
    let mut right = true;
    for i in 0..given.warm_up + given.repeat {
        right &= once(&given, &pool, &mut *problem, i >= given.warm_up);
    }
    Ok(right)
}

fn main() -> ExitCode {
    match measure() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(text) => {
            eprintln!("bench_rayon: {text}");
            ExitCode::from(2)
        }
    }
}
