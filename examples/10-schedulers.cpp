// The same program under several schedulers. docs/schedulers.md explains when to use which.
//   c++ -std=c++20 -O3 10-schedulers.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <cstddef>
#include <cstdio>
#include <jackdaw/jackdaw.hpp>
#include <vector>

int main() {
  std::vector<float> x(1'000'000, 1), y(x.size(), 2);
  for (const char* const name : {"random", "hierarchical", "adws", "cab", "laws", "bats"}) {
    jackdaw::runtime rt{{.scheduler = name, .workers = 2}};
    rt.run([&] {
      for (int i = 0; i < 10; ++i) {
        jackdaw::for_index(std::size_t{0}, x.size(), [&](std::size_t at) { y[at] += 0.5F * x[at]; });
      }
    });
    std::printf("%s: %u workers, y[0] = %.0f\n", name, rt.workers(), static_cast<double>(y[0]));
  }
}
