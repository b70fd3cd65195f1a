#pragma once

#include <bit>
#include <cstdint>
#include <list>
#include <map>
#include <vector>

#include "machine/model.hpp"

namespace jackdaw::sim {

/// The caches of src/sim/README.md, literally and slowly: lists, in which every access searches everything.
class naive_caches {
 public:
  struct copy {
    std::uint32_t block;
    std::uint64_t lines, dirty;
  };
  using list = std::list<copy>;  // the most recently used first
  struct answer {
    std::uint64_t own = 0, shared = 0, memory = 0;
    std::map<unsigned, std::uint64_t> remote;  // dirty there
    std::uint64_t far = 0;                     // from one of those in `clean`
    std::map<unsigned, std::uint64_t> clean;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> evicted;
  };

  explicit naive_caches(const machine_model& m) : machine_(m), private_(m.cores()), shared_(m.groups()) {}

  answer access(unsigned core, std::uint32_t block, std::uint64_t lines, bool write) {
    answer out;
    const unsigned group = machine_.group_of(core);
    list& mine = private_[core];
    list& near = shared_[group];
    std::uint64_t dirty = write ? lines : 0;  // in the core's cache
    std::uint64_t leaves = 0;                 // the shared cache
    for (unsigned bit = 0; bit < 64; ++bit) {
      const std::uint64_t line = std::uint64_t{1} << bit;
      if ((lines & line) == 0) continue;
      if (has(mine, block, line)) {
        out.own |= line;
        continue;
      }
      if (has(near, block, line)) {
        out.shared |= line;
        if (!exclusive() || write || neighbours_have(core, block, line)) continue;
        leaves |= line;
        dirty |= find(near, block)->dirty & line;
        continue;
      }
      if (forwards() && neighbours_have(core, block, line)) {
        out.shared |= line;
        continue;
      }
      const int from = dirty_in(block, line);
      if (from < 0 && machine_.clean_lines == machine_model::clean_source::sockets) {
        for (const unsigned other : groups_with(block, line)) {
          out.clean[other] |= line;
          out.far |= line;
        }
        if ((out.far & line) != 0) continue;
      }
      if (from < 0) {
        out.memory |= line;
      } else if (static_cast<unsigned>(from) == group) {
        out.shared |= line;
      } else {
        out.remote[static_cast<unsigned>(from)] |= line;
      }
    }
    // Looking into the shared cache is a use of the block there.
    if (out.own != lines) use(near, block);
    drop(near, block, leaves);
    const bool is_private = machine_.private_cache.size > 0;
    list& fill = is_private ? mine : near;
    if (write) {
      for (list& each : private_)
        if (&each != &fill) drop(each, block, lines);
      for (list& each : shared_) {
        if (&each == &near && (inclusive() || !is_private)) {
          clean(each, block, lines);
        } else {
          drop(each, block, lines);
        }
      }
    }
    if (is_private) {
      if (inclusive() && out.own != lines) put(near, block, lines, 0);
      put(mine, block, lines, dirty);
      while (size(mine) > machine_.private_cache.size / 64) {
        const copy old = mine.back();
        mine.pop_back();
        leave_private(core, old, out);
      }
      shrink_shared(group, out);
    } else {
      into_shared(group, {block, lines, dirty}, out);
    }
    return out;
  }

  std::uint64_t resident(unsigned core) const { return size(private_[core]) * 64; }
  const list& private_of(unsigned core) const { return private_[core]; }
  const list& shared_of(unsigned group) const { return shared_[group]; }

 private:
  bool has_both() const { return machine_.private_cache.size > 0 && machine_.shared_cache.size > 0; }
  bool inclusive() const { return has_both() && machine_.fill == machine_model::fill_policy::inclusive; }
  bool exclusive() const { return has_both() && machine_.fill == machine_model::fill_policy::exclusive; }
  bool forwards() const { return exclusive() || machine_.clean_lines != machine_model::clean_source::memory; }

  static const copy* find(const list& in, std::uint32_t block) {
    for (const copy& each : in)
      if (each.block == block) return &each;
    return nullptr;
  }
  static bool has(const list& in, std::uint32_t block, std::uint64_t line) {
    const copy* const at = find(in, block);
    return at != nullptr && (at->lines & line) != 0;
  }
  static void use(list& in, std::uint32_t block) {
    for (auto at = in.begin(); at != in.end(); ++at)
      if (at->block == block) return in.splice(in.begin(), in, at);
  }
  static void put(list& in, std::uint32_t block, std::uint64_t lines, std::uint64_t dirty) {
    if (find(in, block) == nullptr) in.push_front({block, 0, 0});
    use(in, block);
    in.front().lines |= lines;
    in.front().dirty |= dirty;
  }
  static void clean(list& in, std::uint32_t block, std::uint64_t lines) {
    for (copy& each : in)
      if (each.block == block) each.dirty &= ~lines;
  }
  static void drop(list& in, std::uint32_t block, std::uint64_t lines) {
    clean(in, block, lines);
    for (copy& each : in)
      if (each.block == block) each.lines &= ~lines;
    in.remove_if([](const copy& each) { return each.lines == 0; });
  }
  static std::uint64_t size(const list& of) {
    std::uint64_t sum = 0;
    for (const copy& each : of) sum += static_cast<unsigned>(std::popcount(each.lines));
    return sum;
  }
  /// Whether another core with the same shared cache has the line in its private one.
  bool neighbours_have(unsigned core, std::uint32_t block, std::uint64_t line) const {
    for (unsigned other = 0; other < private_.size(); ++other) {
      if (other == core || machine_.group_of(other) != machine_.group_of(core)) continue;
      if (has(private_[other], block, line)) return true;
    }
    return false;
  }
  int dirty_in(std::uint32_t block, std::uint64_t line) const {
    for (unsigned core = 0; core < private_.size(); ++core)
      if (const copy* at = find(private_[core], block); at != nullptr && (at->dirty & line) != 0)
        return static_cast<int>(machine_.group_of(core));
    for (unsigned group = 0; group < shared_.size(); ++group)
      if (const copy* at = find(shared_[group], block); at != nullptr && (at->dirty & line) != 0)
        return static_cast<int>(group);
    return -1;
  }
  /// The groups that have a line, which the reader's does not.
  std::vector<unsigned> groups_with(std::uint32_t block, std::uint64_t line) const {
    std::vector<unsigned> found;
    for (unsigned group = 0; group < shared_.size(); ++group)
      if (has(shared_[group], block, line)) found.push_back(group);
    for (unsigned core = 0; core < private_.size(); ++core)
      if (has(private_[core], block, line)) found.push_back(machine_.group_of(core));
    return found;
  }
  void leave_private(unsigned core, const copy& old, answer& out) {
    if (machine_.shared_cache.size == 0) {
      if (old.dirty != 0) out.evicted.emplace_back(old.block, old.dirty);
      return;
    }
    const unsigned group = machine_.group_of(core);
    if (inclusive()) {
      if (old.dirty != 0) put(shared_[group], old.block, old.dirty, old.dirty);
      return;
    }
    copy goes = old;
    if (exclusive())
      for (unsigned bit = 0; bit < 64; ++bit)
        if (const std::uint64_t line = std::uint64_t{1} << bit; (old.lines & ~old.dirty & line) != 0)
          if (neighbours_have(core, old.block, line)) goes.lines &= ~line;
    if (goes.lines != 0) into_shared(group, goes, out);
  }
  void into_shared(unsigned group, const copy& old, answer& out) {
    if (machine_.shared_cache.size == 0) {
      if (old.dirty != 0) out.evicted.emplace_back(old.block, old.dirty);
      return;
    }
    put(shared_[group], old.block, old.lines, old.dirty);
    shrink_shared(group, out);
  }
  void shrink_shared(unsigned group, answer& out) {
    list& near = shared_[group];
    while (size(near) > machine_.shared_cache.size / 64) {
      copy old = near.back();
      near.pop_back();
      for (unsigned core = 0; inclusive() && core < private_.size(); ++core) {
        if (machine_.group_of(core) != group) continue;
        if (const copy* const at = find(private_[core], old.block)) old.dirty |= at->dirty & old.lines;
        drop(private_[core], old.block, old.lines);
      }
      if (old.dirty != 0) out.evicted.emplace_back(old.block, old.dirty);
    }
  }

  machine_model machine_;
  std::vector<list> private_;
  std::vector<list> shared_;
};

}  // namespace jackdaw::sim
