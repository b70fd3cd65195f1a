#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/buffer.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/data_file.hpp"
#include "kernels/common/kernel.hpp"
#include "kernels/common/sorted.hpp"

namespace jackdaw::kernels {

/// What is sorted: random 64-bit keys, or the lines of a text file as string_views.
enum class sort_shape { u64, text };

inline constexpr auto sort_sizes =
    std::to_array<choice<std::size_t>>({{"10m", 10'000'000}, {"tiny", 20'000}, {"1m", 1'000'000}});
inline constexpr auto sort_shapes =
    std::to_array<choice<sort_shape>>({{"u64", sort_shape::u64}, {"text", sort_shape::text}});

/// Sorts random 64-bit keys with a runtime's own sort.
class sort_keys_problem : public problem {
 public:
  explicit sort_keys_problem(const request& wanted) : keys(choose(sort_sizes, "sort", "size", wanted.size)) {}

  void prepare() override {
    for (std::size_t i = 0; i != keys.size(); ++i) keys[i] = random_key<std::uint64_t>(i);
  }

  void check() override { check_sorted_random(keys); }

  double items() const override { return static_cast<double>(keys.size()); }
  std::string_view unit() const override { return "keys"; }

 protected:
  buffer<std::uint64_t> keys;
};

/// Sorts the lines of a text file (without one: Debian's package descriptions) by their bytes, with a runtime's own
/// sort. The request's size is the largest number of lines taken; most texts have many equal lines.
class sort_lines_problem : public problem {
 public:
  explicit sort_lines_problem(const request& wanted)
      : text_(read_file(wanted.input.empty() ? data_file("debian12-packages.txt") : wanted.input)),
        most_(choose(sort_sizes, "sort", "size", wanted.size)) {}

  void prepare() override {
    lines.clear();
    std::string_view rest = text_;
    while (!rest.empty() && lines.size() != most_) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      lines.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  void check() override {
    const std::vector<std::string_view> result = lines;
    prepare();
    std::sort(lines.begin(), lines.end());
    if (lines != result) throw check_failed("the lines are not in the order that std::sort gives them");
  }

  double items() const override {
    const auto ended = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n'));
    const bool last_is_open = !text_.empty() && text_.back() != '\n';
    return static_cast<double>(std::min(most_, ended + (last_is_open ? 1 : 0)));
  }
  std::string_view unit() const override { return "lines"; }

 protected:
  std::vector<std::string_view> lines;

 private:
  const std::string text_;
  const std::size_t most_;
};

/// Makes a problem of class Keys or Lines, as the request's shape says; an input file without a shape means text.
template <class Keys, class Lines>
side make_sort_side(std::string_view name) {
  return {name, [](const request& wanted) -> std::unique_ptr<problem> {
            const bool has_input = !wanted.input.empty();
            const std::string shape = wanted.shape.empty() && has_input ? "text" : wanted.shape;
            if (choose(sort_shapes, "sort", "shape", shape) == sort_shape::text) return std::make_unique<Lines>(wanted);
            if (has_input) throw error("sort: shape 'u64' reads no input file, expected shape 'text' with one");
            return std::make_unique<Keys>(wanted);
          }};
}

}  // namespace jackdaw::kernels
