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

/// What `wanted` stands for in a table of names; its first entry when `wanted` is empty.
pub fn choose<'a, T: Copy>(
    table: &'a [(&'a str, T)],
    kernel: &str,
    thing: &str,
    wanted: &str,
) -> Result<(&'a str, T), String> {
    if wanted.is_empty() {
        return Ok(table[0]);
    }
    table.iter().find(|(name, _)| *name == wanted).copied().ok_or_else(|| {
        let known: Vec<_> = table.iter().map(|(name, _)| *name).collect();
        format!("{kernel}: unknown {thing} '{wanted}', expected one of {}", known.join(" "))
    })
}

/// The i-th of the kernels' random numbers (jackdaw::kernels::mix).
pub fn mix(i: u64) -> u64 {
    let i = i.wrapping_add(1).wrapping_mul(0x9e3779b97f4a7c15);
    let i = (i ^ (i >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    let i = (i ^ (i >> 27)).wrapping_mul(0x94d049bb133111eb);
    i ^ (i >> 31)
}
