//! The kernels' leaf functions, which every runtime's version calls.

use crate::heat2d::Rectangle;

extern "C" {
    fn jackdaw_sha1_short(message: *const u8, size: usize, digest: *mut u8) -> i32;
    fn jackdaw_matmul_leaf(a: *const f32, b: *const f32, c: *mut f32, row: usize);
    #[rustfmt::skip]
    fn jackdaw_heat2d_leaf(
        before: *const f32,
        after: *mut f32,
        n: usize,
        row: usize,
        top: usize,
        bottom: usize,
        left: usize,
        right: usize,
    );
}

/// The SHA-1 of at most 55 bytes.
pub fn sha1_short(message: &[u8]) -> [u8; 20] {
    let mut digest = [0; 20];
    // Sound: reads message.len() bytes and writes 20.
    let failed = unsafe { jackdaw_sha1_short(message.as_ptr(), message.len(), digest.as_mut_ptr()) };
    assert_eq!(failed, 0, "a message of more than 55 bytes");
    digest
}

/// Rows and columns of the blocks that `matmul_leaf` multiplies.
pub const MATMUL_BLOCK: usize = 128;

/// C += A B for blocks of 128 x 128 floats stored by rows, `row` floats apart.
///
/// # Safety
/// All three blocks must be readable. No other thread may touch the block at `c` meanwhile, or write to the others.
pub unsafe fn matmul_leaf(a: *const f32, b: *const f32, c: *mut f32, row: usize) {
    jackdaw_matmul_leaf(a, b, c, row)
}

/// One step of the stencil on a part of an n x n grid stored by rows, `row` floats apart.
///
/// # Safety
/// Both grids must have n rows. No other thread may touch this part of `after` meanwhile, or write to `before`.
pub unsafe fn heat2d_leaf(before: *const f32, after: *mut f32, n: usize, row: usize, part: Rectangle) {
    jackdaw_heat2d_leaf(before, after, n, row, part.top, part.bottom, part.left, part.right)
}
