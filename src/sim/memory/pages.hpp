#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/model.hpp"
#include "sim/memory/policy.hpp"
#include "sim/memory/routes.hpp"

namespace jackdaw::sim {

/// On which memory node each page lies. A page that finds its node full goes to the nearest node with room: of the
/// policy's nodes first, then of all.
class pages {
 public:
  static constexpr unsigned none = ~0U;

  /// For `count` pages of machine.page bytes, placed by `rule`. `machine` and `ways` must outlive it. Throws error if
  /// the machine's memory nodes together are smaller than the pages.
  pages(const machine_model& machine, const routes& ways, std::uint64_t count, const policy& rule);

  /// Returns the node of a page that a core of `socket` touches now. A page that has no node yet is placed: on
  /// `wanted`, if that is a node, else by its rule.
  unsigned touch(std::uint64_t page, unsigned socket, unsigned wanted = none) {
    const std::uint16_t home = homes_[page];
    return home < unplaced ? home : place_first(page, socket, wanted);
  }
  /// Returns the node of a page, or none if it has none yet.
  unsigned node(std::uint64_t page) const noexcept { return homes_[page] < unplaced ? homes_[page] : none; }

  /// Makes pages [first, first + count) follow `rule` from now on. Pages that have no node yet are placed, but
  /// first_touch waits for the touch. Pages that have a node stay there.
  void place(std::uint64_t first, std::uint64_t count, const policy& rule);
  /// Moves pages [first, first + count) to `node`, in ascending order until it is full. Pages without a node stay
  /// without one. Returns the bytes moved, and adds them to moved_from[old node] if that span is not empty.
  std::uint64_t migrate(std::uint64_t first, std::uint64_t count, unsigned node,
                        std::span<std::uint64_t> moved_from = {});

  std::uint64_t size() const noexcept { return homes_.size(); }
  /// Returns the number of pages on a node.
  std::uint64_t used(unsigned node) const noexcept { return used_[node]; }
  /// Returns the number of pages that a node can hold.
  std::uint64_t capacity(unsigned node) const noexcept { return capacity_[node]; }

  /// Throws std::logic_error if a node holds more than it can or the counts differ from those of the pages.
  void check() const;
  /// Returns the size of its arrays in bytes.
  std::size_t footprint() const noexcept;

 private:
  /// Values from here on in homes_: the page has no node yet, and its rule is rules_[value - unplaced].
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
