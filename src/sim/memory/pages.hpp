#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/model.hpp"
#include "sim/memory/policy.hpp"
#include "sim/memory/routes.hpp"

namespace jackdaw::sim {

/// On which memory node each page lies. A node that is full passes its pages on to the nearest that is not: of the
/// policy's nodes, then of all.
class pages {
 public:
  static constexpr unsigned none = ~0U;

  /// For `count` pages of machine.page bytes that `rule` is for. `machine` and `ways` must outlive it. Throws error if
  /// the machine's memory nodes together are smaller.
  pages(const machine_model& machine, const routes& ways, std::uint64_t count, const policy& rule);

  /// The node of a page that a core of `socket` touches now. Places the page if it has no node yet: on `wanted`, if
  /// that is a node, in place of the one that the rule says.
  unsigned touch(std::uint64_t page, unsigned socket, unsigned wanted = none) {
    const std::uint16_t home = homes_[page];
    return home < unplaced ? home : place_first(page, socket, wanted);
  }
  /// The node of a page, or none if it has none yet.
  unsigned node(std::uint64_t page) const noexcept { return homes_[page] < unplaced ? homes_[page] : none; }

  /// Pages [first, first + count) follow `rule` from now on: those that have no node yet are placed, except that
  /// first_touch waits for the touch. Pages that have one stay.
  void place(std::uint64_t first, std::uint64_t count, const policy& rule);
  /// Moves pages [first, first + count) to `node`, in ascending order until it is full. Pages without a node stay
  /// without one. Returns the bytes moved; adds them up in moved_from[node that they leave] where that is not empty.
  std::uint64_t migrate(std::uint64_t first, std::uint64_t count, unsigned node,
                        std::span<std::uint64_t> moved_from = {});

  std::uint64_t size() const noexcept { return homes_.size(); }
  /// Pages that lie on a node.
  std::uint64_t used(unsigned node) const noexcept { return used_[node]; }
  /// Pages that a node can hold.
  std::uint64_t capacity(unsigned node) const noexcept { return capacity_[node]; }

  /// Throws std::logic_error if a node holds more than it can or the counts are not those of the pages.
  void check() const;
  /// Bytes of its arrays.
  std::size_t footprint() const noexcept;

 private:
  /// Values of homes_ from here on: no node yet, and the rule is number (value - unplaced) of rules_.
  static constexpr std::uint16_t unplaced = 0x8000;

  unsigned place_first(std::uint64_t page, unsigned socket, unsigned wanted);
  void put(std::uint64_t page, unsigned node, const policy& rule);
  unsigned with_room(unsigned wanted, const policy& rule) const;
  void place_weighted(std::uint64_t first, std::uint64_t count, const policy& rule);

  const machine_model* machine_;
  const routes* ways_;
  std::vector<std::uint16_t> homes_;
  std::vector<policy> rules_;
  std::vector<std::uint64_t> used_;
  std::vector<std::uint64_t> capacity_;
};

}  // namespace jackdaw::sim
