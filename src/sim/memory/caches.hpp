#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "machine/model.hpp"
#include "machine/prefetch.hpp"
#include "sim/memory/cache.hpp"
#include "sim/memory/core_sets.hpp"
#include "sim/memory/zero_memory.hpp"

namespace jackdaw::sim {

/// Where the lines of one access to one block came from: masks of lines, no line in two of them.
struct supply {
  struct group_lines {
    unsigned group = 0;
    std::uint64_t lines = 0;
  };
  struct dirty_lines {
    std::uint32_t block = 0;
    std::uint64_t lines = 0;
  };
  std::uint64_t own = 0;             ///< the core's private cache
  std::uint64_t shared = 0;          ///< its group: the shared cache, or another core's private one
  std::uint64_t memory = 0;          ///< the block's memory node
  std::vector<group_lines> remote;   ///< dirty in another group's caches
  std::vector<dirty_lines> evicted;  ///< lines that this access evicted from the group and that must be written back

  void clear() noexcept {
    own = shared = memory = 0;
    remote.clear();
    evicted.clear();
  }
};

/// All caches of a machine: a private one for each core and a shared one for each group of cores, which is a socket or
/// a part of one. Either kind may be missing. README.md says which invariants hold between them.
class caches {
 public:
  /// For blocks 0 to blocks - 1.
  caches(const machine_model& machine, std::uint64_t blocks);
  /// Returns the size of the tables that it begins with, in bytes.
  static std::size_t footprint(const machine_model& machine, std::uint64_t blocks);

  /// Simulates that a core reads or writes lines of a block. Overwrites `out` with where they came from.
  void access(unsigned core, std::uint32_t block, std::uint64_t lines, bool write, supply& out);
  /// Prefetches what access(core, block, lines, write) will read, in four stages. Each stage reads what the stage
  /// before, some accesses earlier, has prefetched.
  void prefetch_slots(unsigned core, std::uint32_t block) const noexcept {
    detail::prefetch(&holders_[block]);
    private_[core].prefetch_slot(block);
    shared_[group_of_[core]].prefetch_slot(block);
  }
  void prefetch_entries(unsigned core, std::uint32_t block, bool write) const noexcept {
    private_[core].prefetch_entry(block);
    shared_[group_of_[core]].prefetch_entry(block);
    for_each_asked(core, block, write, [block](const cache& other) { other.prefetch_slot(block); });
  }
  void prefetch_others(unsigned core, std::uint32_t block, bool write) const noexcept {
    for_each_asked(core, block, write, [block](const cache& other) { other.prefetch_entry(block); });
  }
  void prefetch_neighbours(unsigned core, std::uint32_t block, bool write) const noexcept {
    private_[core].prefetch_neighbours(block);
    shared_[group_of_[core]].prefetch_neighbours(block);
    if (write) for_each_asked(core, block, write, [block](const cache& other) { other.prefetch_neighbours(block); });
  }
  /// The same for the entries that will be evicted. Called before some accesses of one core.
  void start_scouts(unsigned core) noexcept {
    constexpr unsigned ahead = 8;
    private_[core].start_scout();
    shared_[group_of_[core]].start_scout();
    for (unsigned i = 0; i < ahead; ++i) scout_private(core);
    for (unsigned i = 0; i < ahead; ++i) scout_shared(group_of_[core]);
  }

  const cache& private_of(unsigned core) const noexcept { return private_[core]; }
  const cache& shared_of(unsigned group) const noexcept { return shared_[group]; }

  /// Throws std::logic_error if a cache is broken, a line is dirty in two places, a copy is not in its block's record
  /// of holders, or a group's caches hold together what their fill policy does not allow.
  void check() const;
  /// Returns the size of its arrays in bytes.
  std::size_t footprint() const noexcept;

 private:
  /// Which caches may have lines of a block. Above 16 groups a bit stands for several. A set bit may be stale, but no
  /// bit is missing.
  struct holders {
    core_sets::set cores = 0;
    std::uint16_t groups = 0;  ///< their shared caches
    std::uint16_t dirty = 0;   ///< lines that are dirty somewhere; of more than 16 lines a bit stands for several
    std::uint16_t writer = 0;  ///< 1 + core, or 1 + cores + group for its shared cache: where dirty lines came last
    std::uint16_t hint = 0;    ///< what `writer` was before
  };

  void wrote(holders& of, std::uint64_t lines, std::uint16_t writer) const noexcept;
  void find_dirty(unsigned core, std::uint32_t block, std::uint64_t& missing, supply& out);
  void written_back(std::uint32_t block, std::uint64_t lines, supply& out);
  static std::uint64_t take_dirty(const cache& from, std::uint32_t block, unsigned group, unsigned to,
                                  std::uint64_t& missing, supply& out);
  std::uint64_t held_by_neighbours(unsigned core, std::uint32_t block, std::uint64_t wanted) const;
  std::uint64_t move_out(unsigned core, cache::entry& from, std::uint64_t lines);
  void invalidate_elsewhere(unsigned core, std::uint32_t block, std::uint64_t lines);
  cache::entry& put_shared(unsigned group, std::uint32_t block, std::uint64_t lines);
  void into_shared(unsigned group, std::uint32_t block, std::uint64_t lines, std::uint64_t dirty, supply& out);
  void evict_private(unsigned core, supply& out);
  void evict_shared(unsigned group, supply& out);
  void take_from_group(unsigned group, cache::entry& of);
  void check_fill() const;

  /// Calls f(number) for each member that the bits stand for, `count` in all. Returns the bits for which f returned
  /// true for at least one member.
  template <class F>
  static std::uint64_t for_each_member(std::uint64_t bits, unsigned shift, unsigned count, F&& f) {
    std::uint64_t kept = 0;
    for (std::uint64_t rest = bits; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(rest));
      bool any = false;
      for (unsigned at = bit << shift; at < (bit + 1) << shift && at < count; ++at) any |= static_cast<bool>(f(at));
      if (any) kept |= std::uint64_t{1} << bit;
    }
    return kept;
  }

  std::uint16_t group_bit(unsigned group) const noexcept {
    return static_cast<std::uint16_t>(1U << (group >> group_shift_));
  }
  /// Returns the bits of holders::dirty that stand for these lines.
  std::uint16_t folded(std::uint64_t lines) const noexcept {
    if (line_shift_ == 0) return static_cast<std::uint16_t>(lines);
    const std::uint64_t group = (1U << (1U << line_shift_)) - 1;
    unsigned result = 0;
    for (unsigned bit = 0; bit < 16; ++bit)
      if ((lines >> (bit << line_shift_) & group) != 0) result |= 1U << bit;
    return static_cast<std::uint16_t>(result);
  }
  /// Calls f(cache) for the other caches that an access may look at: those with dirty lines by the hints of the block's
  /// record, for a write those with any lines, and for a read the neighbours that may forward them.
  template <class F>
  void for_each_asked(unsigned core, std::uint32_t block, bool write, F&& f) const {
    const holders& who = holders_[block];
    if (who.dirty != 0) {
      for (const unsigned last : {who.writer - 1U, who.hint - 1U}) {
        if (last < cores_) {
          if (last != core) f(private_[last]);
        } else if (last < cores_ + groups_) {
          f(shared_[last - cores_]);
        }
      }
    }
    if (!write) {
      if (forwards_) prefer_neighbours(core, who, f);
      return;
    }
    copies_.any_of(who.cores, [&](unsigned other) {
      if (other != core) f(private_[other]);
      return false;
    });
    if (group_shift_ != 0) return;
    for (unsigned rest = who.groups; rest != 0; rest &= rest - 1)
      f(shared_[static_cast<unsigned>(std::countr_zero(rest))]);
  }
  /// Calls f(cache) for the first neighbour that has lines of a block, unless the core has some itself.
  template <class F>
  void prefer_neighbours(unsigned core, const holders& who, F& f) const {
    unsigned first = cores_;
    const bool own = copies_.any_of(who.cores, [&](unsigned other) {
      if (other != core && first == cores_ && group_of_[other] == group_of_[core]) first = other;
      return other == core;
    });
    if (!own && first != cores_) f(private_[first]);
  }
  void scout_private(unsigned core) noexcept {
    if (!private_[core].exists()) return;
    const std::uint32_t block = private_[core].scout();
    detail::prefetch(&holders_[block]);
    shared_[group_of_[core]].prefetch_slot(block);
  }
  void scout_shared(unsigned group) noexcept {
    if (shared_[group].exists()) detail::prefetch(&holders_[shared_[group].scout()]);
  }
  unsigned cores_;
  unsigned groups_;
  bool inclusive_;
  bool exclusive_;
  bool forwards_;             ///< clean lines from neighbours: the other cores of the group
  unsigned group_shift_ = 0;  ///< a bit of holders::groups stands for 2^group_shift_ groups
  unsigned line_shift_ = 0;   ///< the same for holders::dirty
  std::vector<unsigned> group_of_;
  zero_memory tables_;  ///< of the caches and holders_
  /// Into which the caches' tables grow, side by side in large pages. Room for all of them to be doubled once; the host
  /// provides what is used.
  std::unique_ptr<zero_memory> more_;
  std::vector<cache> private_;  ///< by core
  std::vector<cache> shared_;   ///< by group
  std::span<holders> holders_;
  core_sets copies_;  ///< holders::cores
};

}  // namespace jackdaw::sim
