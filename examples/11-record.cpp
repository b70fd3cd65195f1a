// Records the program's task tree, to simulate it on other machines:
//   c++ -std=c++20 -O3 11-record.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out blur.trace
//   jackdaw simulate blur.trace --machine xeon-gold-6130 --scheduler random,adws
#include <cstddef>
#include <cstdio>
#include <jackdaw/jackdaw.hpp>
#include <vector>

namespace {

constexpr std::size_t width = 256, height = 256;

void blur(const std::vector<float>& from, std::vector<float>& to) {
  jackdaw::for_range(std::size_t{1}, height - 1, [&](std::size_t first, std::size_t last) {
    // Declares what a leaf touches, so that a simulation can model its cache misses.
    jackdaw::reads(&from[(first - 1) * width], (last - first + 2) * width);
    jackdaw::writes(&to[first * width], (last - first) * width);
    for (std::size_t i = first * width + 1; i + 1 < last * width; ++i) {
      to[i] = (from[i - width] + from[i - 1] + from[i] + from[i + 1] + from[i + width]) / 5;
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "11-record: expected one argument, the file to record into\n");
    return 2;
  }
  try {
    std::vector<float> a(width * height, 1), b(a);
    jackdaw::runtime rt{{.workers = 64, .record = argv[1]}};
    rt.label_next_root("run");
    rt.run([&] {
      for (int i = 0; i < 8; ++i) {
        blur(a, b);
        blur(b, a);
      }
    });
    std::printf("recorded for %u workers\n", rt.workers());
  } catch (const jackdaw::error& wrong) {
    std::fprintf(stderr, "11-record: %s\n", wrong.what());
    return 2;
  }
}
