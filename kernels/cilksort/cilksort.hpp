#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/common/buffer.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"
#include "kernels/common/sorted.hpp"

namespace jackdaw::kernels {

/// "cab-1k" is the size of the CAB paper's merge sort (Table III).
inline constexpr auto cilksort_sizes = std::to_array<choice<std::size_t>>({{"4m", 4'000'000},
                                                                           {"tiny", 20'000},
                                                                           {"1m", 1'000'000},
                                                                           {"cab-1k", std::size_t{1024} * 1024},
                                                                           {"10m", 10'000'000},
                                                                           {"100m", 100'000'000}});

/// Sorts random keys by a four-way merge sort whose merges fork as well (Cilk's cilksort). Shapes are key types.
template <class Key>
class cilksort_problem : public problem {
 public:
  using keys_view = std::span<Key>;

  /// One task sorts or merges parts up to this length.
  static constexpr std::size_t cutoff = 2048;

  explicit cilksort_problem(const request& wanted)
      : keys(choose(cilksort_sizes, "cilksort", "size", wanted.size)), scratch(keys.size()) {}

  void prepare() override {
    for (std::size_t i = 0; i != keys.size(); ++i) keys[i] = random_key<Key>(i);
    std::ranges::fill(scratch, Key{});
  }

  void check() override { check_sorted_random(keys); }

  double items() const override { return static_cast<double>(keys.size()); }
  std::string_view unit() const override { return "keys"; }

 protected:
  buffer<Key> keys, scratch;

  keys_view all_keys() { return {keys.data(), keys.size()}; }
  keys_view all_scratch() { return {scratch.data(), scratch.size()}; }

  static void sort_leaf(keys_view part) { std::ranges::sort(part); }
  static void merge_leaf(keys_view a, keys_view b, keys_view out) { std::ranges::merge(a, b, out.begin()); }

  /// Two merges that are equivalent to one: of a's first half with the keys of b below a's middle, and of the two
  /// rests.
  struct split {
    keys_view a_low, b_low, out_low, a_high, b_high, out_high;
  };

  /// Splits the merge of a and b at the middle of a, which must be the longer one.
  static split split_merge(keys_view a, keys_view b, keys_view out) {
    const std::size_t half = a.size() / 2;
    const auto below = static_cast<std::size_t>(std::ranges::lower_bound(b, a[half]) - b.begin());
    return {a.first(half),   b.first(below),   out.first(half + below),
            a.subspan(half), b.subspan(below), out.subspan(half + below)};
  }
};

/// The key type of a shape.
enum class cilksort_key { u32, u64 };
inline constexpr auto cilksort_shapes =
    std::to_array<choice<cilksort_key>>({{"u32", cilksort_key::u32}, {"u64", cilksort_key::u64}});

/// A problem of class Version<std::uint32_t> or Version<std::uint64_t>, as the request's shape says.
template <template <class> class Version>
side make_cilksort_side(std::string_view name) {
  return {name, [](const request& wanted) -> std::unique_ptr<problem> {
            if (choose(cilksort_shapes, "cilksort", "shape", wanted.shape) == cilksort_key::u32)
              return std::make_unique<Version<std::uint32_t>>(wanted);
            return std::make_unique<Version<std::uint64_t>>(wanted);
          }};
}

}  // namespace jackdaw::kernels
