#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/own_memory.hpp"
#include "numa/memory_names.hpp"
#include "runtime/page_homes.hpp"
#include "runtime/recording.hpp"

namespace jackdaw::detail {

/// Bytes by node.
using nodes_used = std::pmr::vector<std::pair<int, std::uint64_t>>;

/// A range of memory that one worker's tasks have declared, perhaps many times.
struct range_use {
  std::uintptr_t begin = 0, end = 0;
  std::uint64_t read = 0, written = 0;  ///< bytes
  std::uint64_t first_write = 0;        ///< when, in ns of the caller's clock; 0: never
  std::uint64_t fresh = 0;              ///< bytes that had no memory yet when the worker first declared the range
  std::uintptr_t site = 0;              ///< the code that first declared it
  /// The bytes read or written by the node that they were on, by the operating system's numbers; -1: there was no
  /// memory yet, or the node is not known.
  nodes_used on = {};
  /// The name that the memory had, if it has ended, the last one of several of the same text and size; `begin` and
  /// `end` are then where its memory was. Null: the memory has the name that it has now, or none.
  numa::naming ended = {};

  void add_on(int node, std::uint64_t bytes);
  void merge(const range_use& other);
};

/// What one worker's tasks have declared, by ranges. Leaves declare the same ranges again and again. If there are more
/// than `most` different ones all the same, ranges are widened to whole pieces, whose size doubles until they fit.
class declared_ranges {
 public:
  static constexpr std::size_t most = std::size_t{1} << 14;
  /// Schedulers and programs move pages, so for this long it relies on where pages were.
  static constexpr std::uint64_t homes_last = 100'000'000;  // ns

  explicit declared_ranges(numa::numa_kernel& kernel, std::size_t limit = most) : homes_(kernel), limit_(limit) {}

  /// `now`: ns on a clock that never goes back. Throws std::bad_alloc.
  void add(const declared_access& what, std::uint64_t now);
  /// Uses under a name that has ended come last, those of names of one text and size taken together. Throws
  /// std::bad_alloc.
  std::vector<range_use> all();

 private:
  using key = std::pair<std::uintptr_t, std::uintptr_t>;
  struct hash {
    std::size_t operator()(const key& of) const noexcept {
      return (of.first * 0x9e3779b97f4a7c15ull) ^ ((of.second - of.first) * 0xc2b2ae3d27d4eb4full);
    }
  };
  struct known {
    range_use use;
    numa::naming name = {};     // of any part of it
    std::uint64_t changes = 0;  // numa::name_changes when it was asked for
  };
  /// What was used under names that have ended: where in the named memory, how large that was, and its name.
  using past_key = std::tuple<std::uintptr_t, std::uintptr_t, std::uint64_t, std::string_view>;

  key widened(key exact) const noexcept;
  void widen();
  bool follow_names(known& one);
  void retire(known& one);

  page_homes homes_;
  std::uint64_t homes_since_ = 0;
  std::size_t limit_;
  std::uintptr_t piece_ = 1;
  own_pool pool_;
  std::pmr::unordered_map<key, known, hash> known_{pool_.get()};
  struct past {
    range_use use;
    numa::naming named;  // has the text of the key
  };
  std::pmr::map<past_key, past> past_{pool_.get()};
};

}  // namespace jackdaw::detail
