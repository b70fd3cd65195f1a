// Memory on the node of the worker that uses it, without a serial first touch; prints where the memory lies.
//   c++ -std=c++20 -O3 07-placed-arrays.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <cstddef>
#include <cstdio>
#include <jackdaw/jackdaw.hpp>
#include <jackdaw/memory.hpp>

int main() {
  constexpr std::size_t count = std::size_t{1} << 20;
  jackdaw::placed_array<double> a(count), b(count, 2.0);
  // Equal loops give equal blocks to equal workers, so each finds its block on its own node.
  jackdaw::for_index(std::size_t{0}, count, [&](std::size_t i) { a[i] = 0.5 * b[i]; });
  std::printf("sum %.0f\n", jackdaw::reduce(a.begin(), a.end(), 0.0));
  std::printf("a lies on %s\n", jackdaw::where(a).text().c_str());

  // For machines with HBM or CXL memory: each node gets a part in proportion to its bandwidth.
  const jackdaw::placed_array<double> wide(count, jackdaw::placement::by_bandwidth());
  std::printf("%s", wide.report().text().c_str());
}
