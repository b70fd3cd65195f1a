// bench_calls [SCHEDULER...]: what a loop takes that main() calls, not a task: again at once, or after a pause as in
// programs that do other things between their steps. In us: the median call, and the slowest of the fastest 90%.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <jackdaw/jackdaw.hpp>

#ifdef BENCH_TBB
#include <tbb/parallel_for.h>
#endif

namespace {

using clock_type = std::chrono::steady_clock;
using field = std::vector<double>;

struct side {
  std::string name;
  std::function<void(field&)> sweep;
  std::string scheduler = {};  // of the default runtime, meanwhile
};

void step(double& cell) { cell = cell * 1.0000001 + 1e-9; }

void serial(field& cells) {
  for (double& each : cells) step(each);
}

void jackdaw_loop(field& cells) {
  jackdaw::for_index(std::size_t{0}, cells.size(), [&](std::size_t i) { step(cells[i]); });
}

#ifdef BENCH_TBB
void tbb_loop(field& cells) {
  tbb::parallel_for(std::size_t{0}, cells.size(), [&](std::size_t i) { step(cells[i]); });
}
#endif

#ifdef _OPENMP
void openmp_loop(field& cells) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < cells.size(); ++i) step(cells[i]);
}
#endif

void measure(const side& one, std::size_t cells, std::chrono::microseconds pause) {
  field data(cells, 1.0);
  std::vector<double> took;
  const int calls = cells > 100'000 ? 300 : 2000, before = 50;
  for (int i = -before; i < calls; ++i) {
    if (pause.count() != 0) usleep(static_cast<useconds_t>(pause.count()));
    const clock_type::time_point start = clock_type::now();
    one.sweep(data);
    if (i >= 0) took.push_back(std::chrono::duration<double, std::micro>(clock_type::now() - start).count());
  }
  std::sort(took.begin(), took.end());
  std::printf(" %8.1f %8.1f", took[took.size() / 2], took[took.size() * 9 / 10]);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> schedulers(argv + 1, argv + argc);
  if (schedulers.empty()) schedulers = {"auto", "random"};
  std::vector<side> sides{{"serial", serial}};
  for (const std::string& name : schedulers) {
    try {
      const jackdaw::runtime such({.scheduler = name});
    } catch (const jackdaw::error& wrong) {
      std::fprintf(stderr, "bench_calls: %s\n", wrong.what());
      return 2;
    }
    sides.push_back({"jackdaw " + name, jackdaw_loop, name});
  }
#ifdef BENCH_TBB
  sides.push_back({"oneTBB", tbb_loop});
#endif
#ifdef _OPENMP
  sides.push_back({"GCC OpenMP", openmp_loop});
#endif
  std::printf("%-16s %7s  %17s %17s %17s\n%-16s %7s  ", "", "numbers", "at once", "after 0.1 ms", "after 1 ms", "", "");
  for (int i = 0; i < 3; ++i) std::printf(" %8s %8s", "median", "90%");
  std::printf("\n");
  for (const std::size_t cells : {std::size_t{4096}, std::size_t{65'536}, std::size_t{1'000'000}}) {
    for (const side& one : sides) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until the threads of the side before sleep
      if (!one.scheduler.empty()) jackdaw::configure({.scheduler = one.scheduler});
      std::printf("%-16s %7zu  ", one.name.c_str(), cells);
      for (const int pause : {0, 100, 1000}) measure(one, cells, std::chrono::microseconds(pause));
      std::printf("\n");
      std::fflush(stdout);
      jackdaw::shutdown();
    }
  }
  return 0;
}
