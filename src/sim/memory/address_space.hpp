#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machine/model.hpp"
#include "trace/task_tree.hpp"

namespace jackdaw::sim {

/// A trace::access whose addresses are offsets in an address_space: `rows` runs of `length` bytes, the beginnings
/// `stride` bytes apart. length and rows are at least 1.
struct dense_access {
  std::uint64_t first = 0;
  std::uint64_t length = 0;
  std::uint64_t stride = 0;
  std::uint32_t rows = 1;
  bool write = false;
};

/// Memory that the recording names, as dense offsets [first, end).
struct named_part {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint32_t name = 0;  ///< number, see address_space::names
};

/// The pages that a recording touches, numbered from 0 in the order of their addresses, without gaps. So what is kept
/// for each page or block is a flat array. A byte's dense offset is its page's number times the page size plus its
/// offset in the page. Block b holds the dense offsets from b times the block size.
class address_space {
 public:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  /// `block` and `page` are powers of two, 64 <= block <= min(4096, page). Throws error if they are not, if an access
  /// leaves the 64-bit address space, or if there are more than 2^32 - 2 blocks.
  address_space(std::span<const trace::access> accesses, std::uint64_t block, std::uint64_t page);
  /// The same for all of a recording. Errors name its program.
  address_space(const trace::task_tree& tree, const machine_model& machine);

  /// Returns the dense accesses for accesses [first, first + count) of the recording, in their order. An access becomes
  /// several if its pages are not numbered in step with its rows, and none if it has no bytes. Rows that follow each
  /// other without a gap, or overlap, become one.
  std::span<const dense_access> accesses(std::uint64_t first, std::uint64_t count) const noexcept {
    return {dense_.data() + begin_[first], begin_[first + count] - begin_[first]};
  }

  /// Returns the dense offset of an address, or none if its page is not touched.
  std::uint64_t offset_of(std::uint64_t address) const noexcept;
  /// Returns the address of a dense offset below bytes().
  std::uint64_t address_of(std::uint64_t offset) const noexcept;

  /// What the recording names of the pages, ascending, and the names; several parts may have one name. If there are
  /// more names than `most_names`, these are those of most memory.
  static constexpr std::size_t most_names = 255;
  std::span<const named_part> named() const noexcept { return named_; }
  const std::vector<std::string>& names() const noexcept { return names_; }

  std::uint64_t pages() const noexcept { return pages_; }
  std::uint64_t blocks() const noexcept { return pages_ << (page_shift_ - block_shift_); }
  std::uint64_t bytes() const noexcept { return pages_ << page_shift_; }
  std::uint64_t page_size() const noexcept { return std::uint64_t{1} << page_shift_; }
  std::uint64_t block_size() const noexcept { return std::uint64_t{1} << block_shift_; }
  std::uint64_t page_of_block(std::uint64_t block) const noexcept { return block >> (page_shift_ - block_shift_); }

  /// Returns the dense offset at which the page of `offset` begins if no touched page precedes it in memory, else 0.
  std::uint64_t since(std::uint64_t offset) const noexcept {
    const std::uint64_t page = offset >> page_shift_;
    return begins_extent_[page] ? page << page_shift_ : 0;
  }

  /// Returns the size of its arrays in bytes.
  std::size_t footprint() const noexcept;

 private:
  /// A run of pages without a gap, by page number (address / page size).
  struct extent {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    std::uint64_t dense = 0;
  };

  void number_pages(std::span<const trace::access> accesses);
  void translate(std::span<const trace::access> accesses);
  void translate_names(std::span<const trace::named_memory> named);
  const extent* extent_of(std::uint64_t page) const noexcept;

  unsigned block_shift_ = 0;
  unsigned page_shift_ = 0;
  std::uint64_t pages_ = 0;
  std::vector<extent> extents_;      ///< ascending
  std::vector<bool> begins_extent_;  ///< by dense page
  std::vector<dense_access> dense_;  ///< of all accesses
  std::vector<named_part> named_;
  std::vector<std::string> names_;
  std::vector<std::uint64_t> begin_{};  ///< access i is dense_[begin_[i]] to before dense_[begin_[i + 1]]
};

}  // namespace jackdaw::sim
