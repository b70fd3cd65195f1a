#include "kernels/sort/sort.hpp"

#include <algorithm>

#include <jackdaw/access.hpp>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

class jackdaw_sort_keys : public sort_keys_problem {
 public:
  using sort_keys_problem::sort_keys_problem;
  void prepare() override {
    jackdaw::for_range(std::size_t{0}, keys.size(), [this](std::size_t first, std::size_t last) {
      jackdaw::writes(keys.data() + first, last - first);
      for (std::size_t i = first; i != last; ++i) keys[i] = random_key<std::uint64_t>(i);
    });
  }
  // The sort itself declares what it reads and writes.
  void run() override { jackdaw::sort(keys.begin(), keys.end()); }
};

class jackdaw_sort_lines : public sort_lines_problem {
 public:
  using sort_lines_problem::sort_lines_problem;
  // The text of the lines is not declared, because each comparison reads two places of it.
  void run() override { jackdaw::sort(lines.begin(), lines.end()); }
};

class serial_sort_keys : public sort_keys_problem {
 public:
  using sort_keys_problem::sort_keys_problem;
  void run() override { std::sort(keys.begin(), keys.end()); }
};

class serial_sort_lines : public sort_lines_problem {
 public:
  using sort_lines_problem::sort_lines_problem;
  void run() override { std::sort(lines.begin(), lines.end()); }
};

}  // namespace

kernel sort() {
  return {.name = "sort",
          .summary = "The library's own sort, on random keys or on the lines of a text",
          .sizes = names(sort_sizes),
          .shapes = names(sort_shapes),
          .takes_input = true,
          .sides = {make_sort_side<jackdaw_sort_keys, jackdaw_sort_lines>("jackdaw"),
                    make_sort_side<serial_sort_keys, serial_sort_lines>("serial")}};
}

}  // namespace jackdaw::kernels
