#include "kernels/sort/sort.hpp"

#include <parallel/algorithm>

#include "bench/openmp_sides.hpp"

namespace jackdaw::bench::openmp_sides {
namespace {

// OpenMP has no sort of its own; libstdc++'s parallel mode is written with it.
template <class Iterator>
void sort_range(Iterator first, Iterator last, int threads) {
  const auto count = static_cast<__gnu_parallel::_ThreadIndex>(threads);
  __gnu_parallel::sort(first, last, std::less<>{}, __gnu_parallel::default_parallel_tag(count));
}

class sort_keys : public kernels::sort_keys_problem {
 public:
  explicit sort_keys(const kernels::request& wanted) : sort_keys_problem(wanted), threads_(threads(wanted)) {}

  void prepare() override {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = kernels::random_key<std::uint64_t>(i);
  }

  void run() override { sort_range(keys.begin(), keys.end(), threads_); }

 private:
  const int threads_;
};

class sort_lines : public kernels::sort_lines_problem {
 public:
  explicit sort_lines(const kernels::request& wanted) : sort_lines_problem(wanted), threads_(threads(wanted)) {}
  void run() override { sort_range(lines.begin(), lines.end(), threads_); }

 private:
  const int threads_;
};

}  // namespace

kernels::side sort() { return kernels::make_sort_side<sort_keys, sort_lines>("openmp"); }

}  // namespace jackdaw::bench::openmp_sides
