#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/memory/address_space.hpp"

namespace jackdaw::sim {

/// What cores fetch from memory of each array, if the recording names any, and who touched its pages first.
class named_traffic {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// `space` must outlive it.
  named_traffic(const address_space& space, unsigned cores, std::size_t nodes)
      : parts_(space.named()),
        names_(space.names().size()),
        nodes_(nodes),
        fetched_(cores * names_ * nodes),
        touched_(cores * names_) {}

  /// Whether anything has a name. If not, nothing else may be called.
  bool any() const noexcept { return names_ != 0; }

  /// Returns the number of the name that a dense offset has; none.
  std::uint32_t name_of(std::uint64_t offset) noexcept {
    if (offset < first_ || offset >= end_) find(offset);
    return name_;
  }
  void fetch(unsigned core, std::uint32_t name, unsigned node, std::uint64_t bytes) noexcept {
    fetched_[(core * names_ + name) * nodes_ + node] += bytes;
  }
  void touch_first(unsigned core, std::uint32_t name, std::uint64_t bytes) noexcept {
    touched_[core * names_ + name] += bytes;
  }

  /// Bytes that the core has fetched from the node, and bytes of pages that it has touched first.
  std::uint64_t fetched(unsigned core, std::size_t name, std::size_t node) const noexcept {
    return fetched_[(core * names_ + name) * nodes_ + node];
  }
  std::uint64_t touched(unsigned core, std::size_t name) const noexcept { return touched_[core * names_ + name]; }
  std::size_t footprint() const noexcept { return (fetched_.capacity() + touched_.capacity()) * sizeof(std::uint64_t); }

 private:
  /// Finds the part or the gap between parts that the offset is in.
  void find(std::uint64_t offset) noexcept {
    const auto after = std::ranges::upper_bound(parts_, offset, {}, &named_part::end);
    const bool inside = after != parts_.end() && after->first <= offset;
    name_ = inside ? after->name : none;
    first_ = inside ? after->first : after == parts_.begin() ? 0 : (after - 1)->end;
    end_ = inside ? after->end : after == parts_.end() ? ~std::uint64_t{0} : after->first;
  }

  std::span<const named_part> parts_;
  std::size_t names_, nodes_;
  std::vector<std::uint64_t> fetched_, touched_;  // by core, name and, of the former, node
  std::uint64_t first_ = 0, end_ = 0;             // of what was found last
  std::uint32_t name_ = none;
};

}  // namespace jackdaw::sim
