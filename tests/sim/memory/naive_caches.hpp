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
  struct answer {
    std::uint64_t own = 0, shared = 0, memory = 0;
    std::map<unsigned, std::uint64_t> remote;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> evicted;
  };

  explicit naive_caches(const machine_model& m) : machine_(m), private_(m.cores()), shared_(m.sockets) {}

  answer access(unsigned core, std::uint32_t block, std::uint64_t lines, bool write) {
    answer out;
    const unsigned socket = machine_.socket_of(core);
    for (unsigned bit = 0; bit < 64; ++bit) {
      const std::uint64_t line = std::uint64_t{1} << bit;
      if ((lines & line) == 0) continue;
      if (has(private_[core], block, line)) {
        out.own |= line;
        continue;
      }
      const int from = has(shared_[socket], block, line) ? static_cast<int>(socket) : dirty_in(block, line);
      if (from < 0) {
        out.memory |= line;
      } else if (static_cast<unsigned>(from) == socket) {
        out.shared |= line;
      } else {
        out.remote[static_cast<unsigned>(from)] |= line;
      }
    }
    // Looking into the shared cache is a use of the block there.
    if (out.own != lines) use(shared_[socket], block);
    list& fill = machine_.private_cache.size > 0 ? private_[core] : shared_[socket];
    if (write) {
      for (list& each : private_)
        if (&each != &fill) drop(each, block, lines);
      for (list& each : shared_)
        if (&each != &fill) drop(each, block, lines);
    }
    if (&fill == &private_[core]) {
      put(fill, block, lines, write ? lines : 0);
      while (size(fill) > machine_.private_cache.size / 64) {
        const copy old = fill.back();
        fill.pop_back();
        leave_private(socket, old, out);
      }
    } else {
      leave_private(socket, {block, lines, write ? lines : 0}, out);
    }
    return out;
  }

  std::uint64_t resident(unsigned core) const { return size(private_[core]) * 64; }

 private:
  struct copy {
    std::uint32_t block;
    std::uint64_t lines, dirty;
  };
  using list = std::list<copy>;  // the most recently used first

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
  static void drop(list& in, std::uint32_t block, std::uint64_t lines) {
    for (copy& each : in)
      if (each.block == block) {
        each.lines &= ~lines;
        each.dirty &= ~lines;
      }
    in.remove_if([](const copy& each) { return each.lines == 0; });
  }
  static std::uint64_t size(const list& of) {
    std::uint64_t sum = 0;
    for (const copy& each : of) sum += static_cast<unsigned>(std::popcount(each.lines));
    return sum;
  }
  int dirty_in(std::uint32_t block, std::uint64_t line) const {
    for (unsigned core = 0; core < private_.size(); ++core)
      if (const copy* at = find(private_[core], block); at != nullptr && (at->dirty & line) != 0)
        return static_cast<int>(machine_.socket_of(core));
    for (unsigned socket = 0; socket < shared_.size(); ++socket)
      if (const copy* at = find(shared_[socket], block); at != nullptr && (at->dirty & line) != 0)
        return static_cast<int>(socket);
    return -1;
  }
  void leave_private(unsigned socket, const copy& old, answer& out) {
    if (machine_.shared_cache.size == 0) {
      if (old.dirty != 0) out.evicted.emplace_back(old.block, old.dirty);
      return;
    }
    list& near = shared_[socket];
    put(near, old.block, old.lines, old.dirty);
    while (size(near) > machine_.shared_cache.size / 64) {
      if (near.back().dirty != 0) out.evicted.emplace_back(near.back().block, near.back().dirty);
      near.pop_back();
    }
  }

  machine_model machine_;
  std::vector<list> private_;
  std::vector<list> shared_;
};

}  // namespace jackdaw::sim
