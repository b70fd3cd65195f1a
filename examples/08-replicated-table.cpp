// A table that is read often and written rarely: each memory node has a copy, and every worker reads the nearest one.
//   c++ -std=c++20 -O3 08-replicated-table.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <jackdaw/jackdaw.hpp>
#include <jackdaw/memory.hpp>
#include <vector>

int main() {
  std::vector<double> sines(4096);
  for (std::size_t i = 0; i < sines.size(); ++i) sines[i] = std::sin(6.283185307179586 * static_cast<double>(i) / 4096);
  const jackdaw::replicated<std::vector<double>> table(sines);

  std::vector<unsigned> angles(200'000);
  jackdaw::for_index(std::size_t{0}, angles.size(),
                     [&](std::size_t i) { angles[i] = static_cast<unsigned>(i * 37 % 4096); });
  const double energy =
      jackdaw::transform_reduce(angles.begin(), angles.end(), 0.0, std::plus<>{}, [&](unsigned angle) {
        const double value = table.local()[angle];
        return value * value;
      });
  std::printf("mean square %.3f\n", energy / static_cast<double>(angles.size()));
}
