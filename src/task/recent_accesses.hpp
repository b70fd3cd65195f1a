#pragma once

#include <cstdint>
#include <vector>

namespace jackdaw::detail {

struct declared_access;

/// A worker's own cache, as far as declarations tell of it: lines that its tasks declared before, unless others that
/// came since took their place, are in it, so that another access to them is no miss. Blocks of 4 KiB have one place each.
class recent_accesses {
 public:
  /// `capacity` in bytes; below a block's: nothing stays.
  explicit recent_accesses(std::uint64_t capacity) : blocks_(capacity / block_bytes) {}

  /// How many lines of an access are not there; they are from now on.
  std::uint64_t missed(const declared_access& what) noexcept;
  void forget() noexcept;

 private:
  static constexpr std::uint64_t line_bytes = 64, block_bytes = 4096;
  struct block {
    std::uint64_t number = 0;  // address / block_bytes
    std::uint64_t lines = 0;   // bit i: the i-th is there; 0 if the block is none
  };
  std::uint64_t missed(std::uintptr_t begin, std::uintptr_t end) noexcept;

  std::vector<block> blocks_;
};

}  // namespace jackdaw::detail
