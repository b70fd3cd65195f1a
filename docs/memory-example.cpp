// A heat equation for computers with HBM and DRAM, such as a Xeon Max in flat mode: the grids are spread over all
// memory nodes by their bandwidth, and each socket finds the rows that it works on in its own nodes.
//   c++ -std=c++20 -O3 memory-example.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <jackdaw/jackdaw.hpp>
#include <jackdaw/memory.hpp>

using grid = jackdaw::placed_array<double>;

namespace {

void step(const grid& from, grid& to, std::size_t rows, std::size_t columns) {
  jackdaw::for_range(std::size_t{0}, rows, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = std::max<std::size_t>(first, 1); r < std::min(last, rows - 1); ++r) {
      const double *const at = from.data() + r * columns, *const above = at - columns, *const below = at + columns;
      double* const out = to.data() + r * columns;
      for (std::size_t c = 1; c + 1 < columns; ++c) {
        out[c] = 0.25 * (above[c] + below[c] + at[c - 1] + at[c + 1]);
      }
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t columns = 4096, rows = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 4096;
  try {
    // Where the firmware does not say, as measured with `jackdaw machine bandwidths` or STREAM:
    //   jackdaw::placement::by_bandwidth({{0, 22.5}, {1, 22.5}, {2, 96}, {3, 96}})
    // HBM first, DRAM for the rest: jackdaw::placement::fastest()
    const jackdaw::placement how = jackdaw::placement::by_bandwidth();
    jackdaw::runtime rt;
    rt.run([&] {
      grid a(rows * columns, how), b(rows * columns, how);
      for (std::size_t c = 0; c < columns; ++c) a[c] = b[c] = 100;  // one hot edge
      for (int i = 0; i < 100; ++i) {
        step(a, b, rows, columns);
        step(b, a, rows, columns);
      }
      std::fputs(a.report().text().c_str(), stdout);
      std::printf("%s\nheat %.6f\n", jackdaw::where(a).text().c_str(), jackdaw::reduce(a.begin(), a.end(), 0.0));
    });
  } catch (const jackdaw::error& wrong) {
    std::fprintf(stderr, "%s\n", wrong.what());
    return 2;
  }
}
