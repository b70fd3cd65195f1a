// bench_standard, bench_standard_tbb [ROUNDS]: the standard library's parallel algorithms over ten million numbers, on
// jackdaw or on the library's own backend, oneTBB. In ms: the median of the rounds, the fastest and the slowest. The
// same source twice, because one program cannot have both backends: start them in turn.
#ifdef BENCH_STANDARD_TBB
#include <execution>
#else
#include <jackdaw/pstl.hpp>
#endif

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using std::execution::par;
using clock_type = std::chrono::steady_clock;
using numbers = std::vector<double>;

constexpr std::size_t count = 10'000'000;

struct algorithm {
  const char* name;
  std::function<void(numbers& data, numbers& out)> run;
  std::function<bool(const numbers& data, const numbers& out)> is_right;
};

double total;  // the last reduction

const algorithm algorithms[] = {
    {"sort", [](numbers& data, numbers&) { std::sort(par, data.begin(), data.end()); },
     [](const numbers& data, const numbers&) { return std::is_sorted(data.begin(), data.end()); }},
    {"stable_sort", [](numbers& data, numbers&) { std::stable_sort(par, data.begin(), data.end()); },
     [](const numbers& data, const numbers&) { return std::is_sorted(data.begin(), data.end()); }},
    {"transform_reduce",
     [](numbers& data, numbers&) {
       total = std::transform_reduce(par, data.begin(), data.end(), 0.0, std::plus<>(), [](double x) { return x * x; });
     },
     [](const numbers&, const numbers&) { return total > 0.33 * count && total < 0.34 * count; }},
    {"transform",
     [](numbers& data, numbers& out) {
       std::transform(par, data.begin(), data.end(), out.begin(), [](double x) { return x + 1; });
     },
     [](const numbers& data, const numbers& out) { return out[count / 2] == data[count / 2] + 1; }},
    {"inclusive_scan",
     [](numbers& data, numbers& out) { std::inclusive_scan(par, data.begin(), data.end(), out.begin()); },
     [](const numbers&, const numbers& out) { return out.back() > 0.49 * count && out.back() < 0.51 * count; }},
    {"copy_if",
     [](numbers& data, numbers& out) {
       std::copy_if(par, data.begin(), data.end(), out.begin(), [](double x) { return x < 0.5; });
     },
     [](const numbers&, const numbers& out) { return out[count / 3] < 0.5; }},
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 7;
  if (argc > 2 || rounds < 1) {
    std::fprintf(stderr, "%s: expected one number of rounds, at least 1\n", argv[0]);
    return 2;
  }
  std::mt19937_64 random(1);
  numbers source(count);
  for (double& each : source) each = std::uniform_real_distribution<double>()(random);
  for (const algorithm& each : algorithms) {
    std::vector<double> took;
    for (int round = 0; round <= rounds; ++round) {
      numbers data = source, out(count);
      const clock_type::time_point start = clock_type::now();
      each.run(data, out);
      const double ms = std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
      if (!each.is_right(data, out)) {
        std::fprintf(stderr, "%s: %s computed something else\n", argv[0], each.name);
        return 1;
      }
      if (round != 0) took.push_back(ms);  // the first touches memory and starts workers
    }
    std::sort(took.begin(), took.end());
    std::printf("%-16s %8.1f [%.1f, %.1f]\n", each.name, took[took.size() / 2], took.front(), took.back());
    std::fflush(stdout);
  }
  return 0;
}
