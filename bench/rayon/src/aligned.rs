use std::ops::{Deref, DerefMut};

/// Floats that start on a cache line.
pub struct Aligned {
    lines: Vec<Line>,
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([f32; 16]);

impl Aligned {
    /// So many zeros; `size` is a multiple of 16.
    pub fn zeros(size: usize) -> Aligned {
        assert_eq!(size % 16, 0);
        Aligned { lines: vec![Line([0.0; 16]); size / 16] }
    }
}

impl Deref for Aligned {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        // Sound: a Line is 16 floats without padding.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.lines.len() * 16) }
    }
}

impl DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [f32] {
        // Sound: a Line is 16 floats without padding.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.lines.len() * 16) }
    }
}
