#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jackdaw::sim {

/// A memory-side cache of one node: fast memory in front of the node that keeps what was read or written last. It is
/// direct-mapped, block by block, as those of Knights Landing and Xeon Max are line by line. A page is known by its
/// **frame**: the first page of the node that is accessed has frame 0, the next one frame 1, as an operating system
/// hands out pages that it keeps sorted (Intel's zone sort module). So pages conflict only if they are a multiple of
/// the cache's size apart.
class side_cache {
 public:
  struct result {
    std::uint64_t hits = 0;     ///< of the lines read: those that it had
    std::uint64_t spilled = 0;  ///< lines that it has to write to its node to make room
  };

  /// For blocks 0 to blocks - 1, `per_page` to a page. `size` is in pages and at least 1.
  side_cache(std::uint64_t size, std::uint64_t blocks, std::uint64_t per_page);

  /// Reads lines of a block; those that it lacked are in it afterwards.
  result read(std::uint32_t block, std::uint64_t lines);
  /// Takes lines that are newer than in the node's memory. It does not read them from there.
  result write(std::uint32_t block, std::uint64_t lines);

  /// Throws std::logic_error if a block is in the wrong place or a line is dirty and not there.
  void check() const;
  /// Returns the size of its arrays in bytes, which does not grow.
  std::size_t footprint() const noexcept { return footprint(places_, blocks(), per_page_); }
  static std::size_t footprint(std::uint64_t size, std::uint64_t blocks, std::uint64_t per_page) noexcept;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct entry {
    std::uint32_t block = none;
    std::uint64_t lines = 0;
    std::uint64_t dirty = 0;
  };

  std::uint64_t blocks() const noexcept { return frame_of_.size() * per_page_; }
  std::uint64_t place_of(std::uint32_t block) const noexcept {
    return frame_of_[block / per_page_] % places_ * per_page_ + block % per_page_;
  }
  entry& claim(std::uint32_t block, std::uint64_t& spilled);

  std::uint64_t places_;    ///< for pages
  std::uint64_t per_page_;  ///< blocks
  std::uint32_t frames_ = 0;
  std::vector<std::uint32_t> frame_of_;  ///< by page
  std::vector<entry> entries_;           ///< by place and block in the page
};

}  // namespace jackdaw::sim
