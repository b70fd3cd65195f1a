#pragma once

#include <cstdint>
#include <vector>

namespace jackdaw::detail {

struct declared_access;

/// A worker's own cache, as far as declarations tell of it: what its tasks declared before, unless something that came
/// since took its place, is in it, so that another access to it is no miss. Blocks of 16 KiB have one place each, and a
/// piece of 256 bytes is there as a whole or not at all: with fewer bytes to a bit, looking them up took 4% of the time
/// of a Fourier transform.
class recent_accesses {
 public:
  /// `capacity` in bytes; below a block's: nothing stays.
  explicit recent_accesses(std::uint64_t capacity) : blocks_(capacity / block_bytes) {}

  /// How many lines of an access are not there; they are from now on.
  std::uint64_t missed(const declared_access& what) noexcept;
  void forget() noexcept;

 private:
  static constexpr std::uint64_t line_bytes = 64, piece_bytes = 256, block_bytes = 64 * piece_bytes;
  struct block {
    std::uint64_t number = 0;  // address / block_bytes
    std::uint64_t pieces = 0;  // bit i: the i-th is there; 0 if the block is none
  };
  std::uint64_t missed(std::uintptr_t begin, std::uintptr_t end) noexcept;

  std::vector<block> blocks_;
};

}  // namespace jackdaw::detail
