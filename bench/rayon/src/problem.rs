//! What a kernel is to the program: the same calls as jackdaw::kernels::problem.

/// One instance of a kernel. The order of calls is prepare, run, check, and again from prepare; the first two are
/// called inside the thread pool.
pub trait Problem: Send {
    fn prepare(&mut self);
    fn run(&mut self);
    /// What is wrong with the last run's result.
    fn check(&mut self) -> Result<(), String>;
    /// How many `unit`s one run handles.
    fn items(&self) -> f64;
    fn unit(&self) -> &'static str;
}

/// What a user asks of a kernel; an empty or zero field means the kernel's default.
#[derive(Default)]
pub struct Request {
    pub size: String,
    pub shape: String,
    pub input: String,
    pub iterations: u32,
}

/// What `wanted` stands for in a table of names; when it is empty, it becomes the name of the first entry.
pub fn choose<T: Copy>(table: &[(&str, T)], kernel: &str, thing: &str, wanted: &mut String) -> Result<T, String> {
    if wanted.is_empty() {
        *wanted = table[0].0.into();
    }
    if let Some((_, value)) = table.iter().find(|(name, _)| name == wanted) {
        return Ok(*value);
    }
    let known: Vec<_> = table.iter().map(|(name, _)| *name).collect();
    Err(format!("{kernel}: unknown {thing} '{wanted}', expected one of {}", known.join(" ")))
}

/// The i-th of the kernels' random numbers (jackdaw::kernels::mix).
pub fn mix(i: u64) -> u64 {
    let i = i.wrapping_add(1).wrapping_mul(0x9e3779b97f4a7c15);
    let i = (i ^ (i >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    let i = (i ^ (i >> 27)).wrapping_mul(0x94d049bb133111eb);
    i ^ (i >> 31)
}
