#include "kernels/sort/sort.hpp"

#include <execution>

#include "bench/stl_sides.hpp"
#include "bench/tbb_sides.hpp"

namespace jackdaw::bench::stl_sides {
namespace {

// libstdc++'s parallel algorithms run on oneTBB, so its arena determines the number of threads.
using tbb_sides::team;

class sort_keys : public kernels::sort_keys_problem {
 public:
  explicit sort_keys(const kernels::request& wanted) : sort_keys_problem(wanted), team_(wanted) {}
  void run() override {
    team_.run([this] { std::sort(std::execution::par, keys.begin(), keys.end()); });
  }

 private:
  team team_;
};

class sort_lines : public kernels::sort_lines_problem {
 public:
  explicit sort_lines(const kernels::request& wanted) : sort_lines_problem(wanted), team_(wanted) {}
  void run() override {
    team_.run([this] { std::sort(std::execution::par, lines.begin(), lines.end()); });
  }

 private:
  team team_;
};

}  // namespace

kernels::side sort() { return kernels::make_sort_side<sort_keys, sort_lines>("stl"); }

}  // namespace jackdaw::bench::stl_sides
