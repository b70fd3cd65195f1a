#pragma once

#include <cstddef>

extern "C" {
/// Rows and columns of the blocks that jackdaw_matmul_leaf multiplies.
enum { jackdaw_matmul_block = 128 };

/// C += A B for blocks of 128 x 128 floats stored by rows, `row` floats apart. Picks the widest vector instructions
/// that this CPU has.
void jackdaw_matmul_leaf(const float* a, const float* b, float* c, std::size_t row);

/// The instruction set that jackdaw_matmul_leaf uses here: "avx512f", "avx2" or "baseline".
const char* jackdaw_matmul_leaf_name(void);
}
