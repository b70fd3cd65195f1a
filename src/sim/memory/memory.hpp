#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/model.hpp"
#include "sim/counters.hpp"
#include "sim/memory/address_space.hpp"
#include "sim/memory/caches.hpp"
#include "sim/memory/named_traffic.hpp"
#include "sim/memory/one_pass.hpp"
#include "sim/memory/page_heat.hpp"
#include "sim/memory/page_users.hpp"
#include "sim/memory/pages.hpp"
#include "sim/memory/routes.hpp"
#include "sim/memory/runs.hpp"
#include "sim/memory/side_cache.hpp"

namespace jackdaw::sim {

/// The simulated memory: says what has to be moved when a core touches data, and updates where data are afterwards.
class memory {
 public:
  /// All references must outlive it. Throws error if the machine's memory is too small for the data.
  memory(const machine_model& machine, const routes& ways, const address_space& space, const policy& rule);

  /// Simulates these accesses of a core, in their order: rows one after another, blocks in the order of addresses. If
  /// they do not fit the core's private cache, or runs begin slowly, accesses that overlap are made in one pass.
  /// Appends what has to be moved, one transfer for each route, in the order in which the routes are first needed. What
  /// lies in the core's private cache costs nothing and is not listed.
  void touch(unsigned core, std::span<const dense_access> accesses, transfers& out);

  const named_traffic& named() const noexcept { return named_; }
  const memory_counters& counters(unsigned core) const noexcept { return counters_[core]; }
  /// Returns the sum over all cores.
  memory_counters total() const;
  void reset_counters();

  /// From now on what the core touches first goes to `node`, or, if that is pages::none, where the rule says.
  void touch_to(unsigned core, unsigned node) noexcept { touch_to_[core] = node; }
  /// Sees all accesses, page by page, once it has begun to watch. Lines that are written back do not count: if a
  /// program reads and writes two arrays in turn, both are equally hot.
  page_heat& heat() noexcept { return heat_; }
  const page_heat& heat() const noexcept { return heat_; }
  /// The same.
  page_users& users() noexcept { return users_; }

  pages& placement() noexcept { return pages_; }
  const pages& placement() const noexcept { return pages_; }
  const caches& hierarchy() const noexcept { return caches_; }

  /// Throws std::logic_error that names the broken invariant: bytes touched are the sum of bytes by source, misses are
  /// what was not hit, and the invariants of pages and caches.
  void check() const;
  /// Returns the size of its arrays in bytes, without the address space.
  std::size_t footprint() const noexcept;
  /// Returns about how many bytes such a memory begins with. Caches with blocks that are resident in part take more.
  static std::size_t footprint(const machine_model& machine, const address_space& space);

 private:
  struct block_access {
    std::uint64_t lines = 0;
    std::uint32_t block = 0;
    bool write = false;
    bool first_of_row = false;
    std::uint32_t name = named_traffic::none;
    recent_runs::slow_part slow;  ///< of the row, if it comes from memory
  };

  void touch_row(unsigned core, std::uint64_t first, std::uint64_t length, bool write);
  void make_pending(unsigned core);
  void access(unsigned core, unsigned socket, const block_access& what);
  void fetch(unsigned node, unsigned core, std::uint32_t block, std::uint64_t lines);
  void fetch_from(unsigned port, unsigned socket, std::uint64_t bytes);
  void write_back(unsigned node, unsigned socket, std::uint32_t block, std::uint64_t lines);
  bool goes_on(std::uint16_t route) const;
  void move(std::uint16_t route, std::uint64_t bytes);

  const routes* ways_;
  const address_space* space_;
  pages pages_;
  page_heat heat_;
  page_users users_;
  named_traffic named_;
  caches caches_;
  std::vector<side_cache> sides_;          ///< by routes::side_of(node) - nodes
  std::vector<unsigned> socket_of_;        ///< by core
  std::vector<unsigned> group_of_;         ///< by core
  std::vector<unsigned> socket_of_group_;  ///< by group
  std::vector<unsigned> touch_to_;         ///< by core
  std::vector<memory_counters> counters_;  ///< by core
  std::vector<block_access> pending_;      ///< of the touch in progress: accesses not yet made
  one_pass one_pass_;
  std::uint64_t private_cache_;       ///< bytes
  std::vector<recent_runs> runs_;     ///< by core; empty: runs begin at the rate at which they go on
  std::uint64_t slow_ = 0;            ///< of the row in progress, what has not come yet
  bool begins_ = false;               ///< and its first line has not come yet either
  supply supply_;                     ///< of the access in progress
  std::vector<std::uint64_t> moved_;  ///< by route, of the touch in progress; 0 between two touches
  std::vector<std::uint16_t> used_;   ///< routes that are not 0 in moved_
};

}  // namespace jackdaw::sim
