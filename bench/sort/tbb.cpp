#include "kernels/sort/sort.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_sort.h>

#include "bench/tbb_sides.hpp"

namespace jackdaw::bench::tbb_sides {
namespace {

class sort_keys : public kernels::sort_keys_problem {
 public:
  explicit sort_keys(const kernels::request& wanted) : sort_keys_problem(wanted), team_(wanted) {}

  void prepare() override {
    team_.run([this] {
      tbb::parallel_for(
          std::size_t{0}, keys.size(), [this](std::size_t i) { keys[i] = kernels::random_key<std::uint64_t>(i); },
          tbb::static_partitioner{});
    });
  }

  void run() override {
    team_.run([this] { tbb::parallel_sort(keys.begin(), keys.end()); });
  }

 private:
  team team_;
};

class sort_lines : public kernels::sort_lines_problem {
 public:
  explicit sort_lines(const kernels::request& wanted) : sort_lines_problem(wanted), team_(wanted) {}
  void run() override {
    team_.run([this] { tbb::parallel_sort(lines.begin(), lines.end()); });
  }

 private:
  team team_;
};

}  // namespace

kernels::side sort() { return kernels::make_sort_side<sort_keys, sort_lines>("tbb"); }

}  // namespace jackdaw::bench::tbb_sides
