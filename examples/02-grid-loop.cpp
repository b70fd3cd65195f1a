// A loop over the rows of a grid, again and again: under the default scheduler each worker gets the same rows each
// time.
//   c++ -std=c++20 -O3 02-grid-loop.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <cstddef>
#include <cstdio>
#include <jackdaw/jackdaw.hpp>
#include <utility>
#include <vector>

int main() {
  constexpr std::size_t size = 512;
  std::vector<double> now(size * size), next(size * size);
  for (std::size_t i = 0; i < size; ++i) now[i] = next[i] = 100;  // the upper edge is hot
  for (int step = 0; step < 100; ++step) {
    jackdaw::for_index(std::size_t{1}, size - 1, [&](std::size_t row) {
      const double *const here = &now[row * size], *const above = here - size, *const below = here + size;
      for (std::size_t i = 1; i + 1 < size; ++i) {
        next[row * size + i] = 0.25 * (above[i] + below[i] + here[i - 1] + here[i + 1]);
      }
    });
    std::swap(now, next);
  }
  std::printf("in the middle of the second row: %.3f\n", now[size + size / 2]);
}
