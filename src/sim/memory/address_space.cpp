#include "sim/memory/address_space.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <jackdaw/error.hpp>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace jackdaw::sim {
namespace {

/// Blocks have numbers of 32 bits, of which one stands for none.
constexpr std::uint64_t most_blocks = std::numeric_limits<std::uint32_t>::max() - 1;

/// The set of touched pages: a bitmap in chunks, which exist only where a page is touched. Remembers the last chunk.
class page_set {
 public:
  explicit page_set(std::uint64_t most) noexcept : most_(most) {}

  /// Adds pages first to last. False: there would be more than `most` pages in all; the set is then of no use.
  bool add(std::uint64_t first, std::uint64_t last) {
    if (last - first >= most_) return false;
    for (std::uint64_t page = first;; ++page) {
      if (const std::uint64_t number = page / chunk_pages; last_ == nullptr || number != last_number_) {
        last_ = &chunks_[number];
        last_number_ = number;
      }
      std::uint64_t& word = (*last_)[page % chunk_pages / 64];
      if (const std::uint64_t bit = std::uint64_t{1} << (page % 64); (word & bit) == 0) {
        if (held_ == most_) return false;
        word |= bit;
        ++held_;
      }
      if (page == last) return true;
    }
  }

  /// Calls f(page) in ascending order.
  template <class F>
  void for_each(F&& f) const {
    for (const auto& [number, bits] : chunks_)
      for (std::uint64_t word = 0; word < words; ++word)
        for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1)
          f(number * chunk_pages + word * 64 + static_cast<unsigned>(std::countr_zero(rest)));
  }

 private:
  static constexpr std::uint64_t words = 8;
  static constexpr std::uint64_t chunk_pages = words * 64;

  std::uint64_t most_;
  std::uint64_t held_ = 0;
  std::map<std::uint64_t, std::array<std::uint64_t, words>> chunks_;
  std::array<std::uint64_t, words>* last_ = nullptr;
  std::uint64_t last_number_ = 0;
};

/// Returns the address of the last byte. Throws error if there is none.
std::uint64_t last_byte(const trace::access& of) {
  std::uint64_t last = 0;
  if (__builtin_mul_overflow(of.stride, std::uint64_t{of.rows} - 1, &last) ||
      __builtin_add_overflow(last, of.length - 1, &last) || __builtin_add_overflow(last, of.address, &last))
    throw error("an access of " + std::to_string(of.rows) + " rows at address " + std::to_string(of.address) +
                " reaches beyond the 64-bit address space: expected one that ends within it");
  return last;
}

/// Returns the same bytes in the same order, as one row if no gap lies between rows. What lies in several rows comes
/// once: a core that has just read it has it in its private cache.
trace::access joined(const trace::access& of) {
  if (of.rows < 2 || of.stride > of.length) return of;
  return {.address = of.address,
          .length = of.stride * (of.rows - 1) + of.length,
          .stride = 0,
          .rows = 1,
          .write = of.write};
}

}  // namespace

address_space::address_space(std::span<const trace::access> accesses, std::uint64_t block, std::uint64_t page) {
  if (!std::has_single_bit(block) || !std::has_single_bit(page) || block < 64 || block > 4096 || block > page)
    throw error("blocks of " + std::to_string(block) + " bytes in pages of " + std::to_string(page) +
                " bytes: expected powers of two, blocks of 64 to 4096 bytes and pages at least as large");
  block_shift_ = static_cast<unsigned>(std::countr_zero(block));
  page_shift_ = static_cast<unsigned>(std::countr_zero(page));
  number_pages(accesses);
  translate(accesses);
}

address_space::address_space(const trace::task_tree& tree, const machine_model& machine) try
    : address_space(tree.accesses, machine.block, machine.page) {
  translate_names(tree.named);
} catch (const error& refusal) {
  throw error(tree.program + ": " + refusal.what());
}

void address_space::number_pages(std::span<const trace::access> accesses) {
  const std::uint64_t most = most_blocks >> (page_shift_ - block_shift_);
  page_set touched(most);
  const auto add = [&](std::uint64_t first, std::uint64_t last) {
    if (!touched.add(first >> page_shift_, last >> page_shift_))
      throw error("the accesses touch more than " + std::to_string(most << page_shift_) + " bytes: expected at most " +
                  std::to_string(most_blocks) + " blocks of " + std::to_string(block_size()) +
                  "; larger blocks in the machine file help");
  };
  for (const trace::access& recorded : accesses) {
    if (recorded.length == 0 || recorded.rows == 0) continue;
    const std::uint64_t end = last_byte(recorded);
    const trace::access one = joined(recorded);
    // A gap of less than a page contains no whole page.
    if (one.rows == 1 || one.stride < one.length + page_size()) {
      add(one.address, end);
      continue;
    }
    for (std::uint64_t row = 0; row < one.rows; ++row) {
      const std::uint64_t first = one.address + row * one.stride;
      add(first, first + one.length - 1);
    }
  }
  touched.for_each([this](std::uint64_t page) {
    const bool begins = extents_.empty() || extents_.back().first + extents_.back().count != page;
    if (begins) extents_.push_back({.first = page, .count = 0, .dense = pages_});
    begins_extent_.push_back(begins);
    ++extents_.back().count;
    ++pages_;
  });
}

void address_space::translate(std::span<const trace::access> accesses) {
  begin_.reserve(accesses.size() + 1);
  dense_.reserve(accesses.size());
  begin_.push_back(0);
  const extent* at = nullptr;
  const auto dense = [&](std::uint64_t address) {
    const std::uint64_t page = address >> page_shift_;
    if (at == nullptr || page - at->first >= at->count) at = extent_of(page);
    return address - ((at->first - at->dense) << page_shift_);
  };
  for (const trace::access& recorded : accesses) {
    if (recorded.length > 0 && recorded.rows > 0) {
      const trace::access one = joined(recorded);
      const std::uint64_t first = dense(one.address);
      dense_.push_back(
          {.first = first, .length = one.length, .stride = one.stride, .rows = one.rows, .write = one.write});
      if ((last_byte(one) >> page_shift_) - at->first >= at->count) {
        dense_.back().rows = 1;
        for (std::uint64_t row = 1; row < one.rows; ++row) {
          const std::uint64_t begin = dense(one.address + row * one.stride);
          dense_access& run = dense_.back();
          if (begin == run.first + run.rows * one.stride) {
            ++run.rows;
          } else {
            dense_.push_back(
                {.first = begin, .length = one.length, .stride = one.stride, .rows = 1, .write = one.write});
          }
        }
      }
    }
    begin_.push_back(dense_.size());
  }
}

void address_space::translate_names(std::span<const trace::named_memory> named) {
  std::map<std::string, std::uint64_t> bytes_of;
  const auto for_each_part = [&](auto&& call) {
    for (const trace::named_memory& each : named) {
      const std::uint64_t last = each.address + (each.length - 1);
      const auto last_of = [this](const extent& of) { return ((of.first + of.count) << page_shift_) - 1; };
      for (auto at = std::ranges::lower_bound(extents_, each.address, {}, last_of);
           at != extents_.end() && at->first << page_shift_ <= last; ++at) {
        const std::uint64_t moves = (at->first - at->dense) << page_shift_;
        const std::uint64_t first = std::max(each.address, at->first << page_shift_) - moves;
        call(each.name, first, std::min(last, last_of(*at)) - moves + 1);
      }
    }
  };
  for_each_part(
      [&](const std::string& name, std::uint64_t first, std::uint64_t end) { bytes_of[name] += end - first; });
  for (const auto& [name, bytes] : bytes_of) names_.push_back(name);
  if (names_.size() > most_names) {
    std::ranges::sort(names_, [&](const std::string& one, const std::string& other) {
      return std::pair(bytes_of[other], one) < std::pair(bytes_of[one], other);
    });
    names_.resize(most_names);
    std::ranges::sort(names_);
  }
  for_each_part([&](const std::string& name, std::uint64_t first, std::uint64_t end) {
    const auto found = std::ranges::lower_bound(names_, name);
    if (found == names_.end() || *found != name) return;
    named_.push_back({first, end, static_cast<std::uint32_t>(found - names_.begin())});
  });
}

const address_space::extent* address_space::extent_of(std::uint64_t page) const noexcept {
  const auto after = std::upper_bound(extents_.begin(), extents_.end(), page,
                                      [](std::uint64_t value, const extent& of) { return value < of.first; });
  if (after == extents_.begin()) return nullptr;
  const extent& found = *std::prev(after);
  return page - found.first < found.count ? &found : nullptr;
}

std::uint64_t address_space::offset_of(std::uint64_t address) const noexcept {
  const extent* const at = extent_of(address >> page_shift_);
  return at == nullptr ? none : address - ((at->first - at->dense) << page_shift_);
}

std::uint64_t address_space::address_of(std::uint64_t offset) const noexcept {
  const auto after = std::upper_bound(extents_.begin(), extents_.end(), offset >> page_shift_,
                                      [](std::uint64_t value, const extent& of) { return value < of.dense; });
  const extent& at = *std::prev(after);
  return offset + ((at.first - at.dense) << page_shift_);
}

std::size_t address_space::footprint() const noexcept {
  return extents_.capacity() * sizeof(extent) + dense_.capacity() * sizeof(dense_access) +
         named_.capacity() * sizeof(named_part) + begin_.capacity() * sizeof(std::uint64_t) +
         begins_extent_.capacity() / 8;
}

}  // namespace jackdaw::sim
