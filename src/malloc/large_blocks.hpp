#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace jackdaw::malloc {

/// Blocks that are mappings of their own. Their pages are always fresh: what is freed goes back to the system at once.
/// So the first touch, or the policy that place_fresh() asks for, decides where a block is, whatever lay there before.
class large_blocks {
 public:
  /// Blocks of at least so many bytes are large: 64 pages. A smaller one costs less to clear than to map.
  static constexpr std::size_t least = std::size_t{256} << 10;

  /// Zeroed, at a multiple of `alignment`, a power of two, and of a page. Null: the system has no memory.
  static void* make(std::size_t bytes, std::size_t alignment) noexcept;
  /// The bytes that the block at `data` has room for; 0: there is none.
  static std::size_t size(const void* data) noexcept;
  /// False: there is none.
  static bool free(void* data) noexcept;
  /// A block with the same contents; its pages stay on their nodes. Null, and the old one stays: the system has no
  /// memory, or the block is more than one mapping, as when parts of it are on different nodes.
  static void* resize(void* data, std::size_t bytes) noexcept;
  /// Of all blocks.
  static std::uint64_t bytes() noexcept;
  /// Calls f for each block, with none made or freed meanwhile.
  static void each(const std::function<void(const void* data, std::size_t bytes)>& f);
};

}  // namespace jackdaw::malloc
