#pragma once

#include <cstddef>

extern "C" {
/// One step of a 5-point stencil on the cells in rows top..bottom-1 and columns left..right-1 of an n x n grid stored
/// by rows, `row` floats apart: a cell becomes half of itself plus an eighth of each of its four neighbours. Cells on
/// the grid's border keep their value and are not written. Gives the same bits on every CPU, for every division into
/// parts.
void jackdaw_heat2d_leaf(const float* in, float* out, std::size_t n, std::size_t row, std::size_t top,
                         std::size_t bottom, std::size_t left, std::size_t right);
}
