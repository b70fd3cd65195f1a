#include "sim/memory/caches.hpp"

#include <algorithm>
#include <bit>
#include <jackdaw/error.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace jackdaw::sim {
namespace {

/// What a cache needs room for: no cache holds more than all the data.
std::uint64_t useful(std::uint64_t size, const machine_model& machine, std::uint64_t blocks) noexcept {
  return std::min(size, blocks * machine.block);
}

}  // namespace

caches::caches(const machine_model& machine, std::uint64_t blocks)
    : cores_(machine.cores()),
      sockets_(machine.sockets),
      tables_(footprint(machine, blocks)),
      holders_(tables_.take<holders>(blocks)),
      copies_(cores_) {
  if (std::uint64_t{cores_} + sockets_ >= std::numeric_limits<std::uint16_t>::max())
    throw error("machine '" + machine.name + "' has " + std::to_string(cores_) + " cores: expected at most 65000");
  while (sockets_ > 16U << socket_shift_) ++socket_shift_;
  while (machine.block / cache::line > 16U << line_shift_) ++line_shift_;
  private_.reserve(cores_);
  for (unsigned core = 0; core < cores_; ++core) {
    private_.emplace_back(useful(machine.private_cache.size, machine, blocks), machine.block, tables_);
    socket_of_.push_back(machine.socket_of(core));
  }
  shared_.reserve(sockets_);
  for (unsigned socket = 0; socket < sockets_; ++socket)
    shared_.emplace_back(useful(machine.shared_cache.size, machine, blocks), machine.block, tables_);
}

std::size_t caches::footprint(const machine_model& machine, std::uint64_t blocks) {
  return machine.cores() * cache::footprint(useful(machine.private_cache.size, machine, blocks), machine.block) +
         machine.sockets * cache::footprint(useful(machine.shared_cache.size, machine, blocks), machine.block) +
         zero_memory::size_of<holders>(blocks);
}

void caches::access(unsigned core, std::uint32_t block, std::uint64_t lines, bool write, supply& out) {
  out.clear();
  cache& mine = private_[core];
  cache::entry* at = mine.find(block);
  if (at != nullptr) {
    out.own = at->lines & lines;
    if (out.own == lines && !write) return mine.use(*at);
  }
  const unsigned socket = socket_of_[core];
  holders& who = holders_[block];
  std::uint64_t missing = lines & ~out.own;
  if (missing != 0) {
    cache& near = shared_[socket];
    if (cache::entry* const beside = near.find(block); beside != nullptr) {
      out.shared = beside->lines & missing;
      missing &= ~beside->lines;
      near.use(*beside);
    }
    if ((folded(missing) & who.dirty) != 0) find_dirty(core, block, missing, out);
    out.memory = missing;
  }
  if (write) invalidate_elsewhere(core, block, lines);
  if (mine.exists()) {
    if (at == nullptr) {
      at = &mine.add(block);
      copies_.add(who.cores, core);
    } else {
      mine.use(*at);
    }
    mine.fill(*at, lines);
    if (write) {
      at->dirty |= lines;
      wrote(who, lines, static_cast<std::uint16_t>(1 + core));
    }
    while (mine.overfull()) evict_private(core, out);
  } else if (shared_[socket].exists()) {
    into_shared(socket, block, lines, write ? lines : 0, out);
  } else if (write) {
    out.evicted.push_back({block, lines});
  }
}

/// Takes those of the missing lines that are dirty in `from` to a core of socket `to`, and removes them from `missing`.
/// Returns the lines of the block that are dirty in `from`, wanted or not.
std::uint64_t caches::take_dirty(const cache& from, std::uint32_t block, unsigned socket, unsigned to,
                                 std::uint64_t& missing, supply& out) {
  const cache::entry* const at = from.find(block);
  if (at == nullptr) return 0;
  const std::uint64_t found = at->dirty & missing;
  if (found == 0) return at->dirty;
  missing &= ~found;
  if (socket == to) {
    out.shared |= found;
    return at->dirty;
  }
  for (supply::socket_lines& known : out.remote) {
    if (known.socket != socket) continue;
    known.lines |= found;
    return at->dirty;
  }
  out.remote.push_back({socket, found});
  return at->dirty;
}

/// Serves missing lines from the caches that have them dirty, other than the core's own and its socket's shared cache.
void caches::find_dirty(unsigned core, std::uint32_t block, std::uint64_t& missing, supply& out) {
  holders& who = holders_[block];
  const unsigned to = socket_of_[core];
  const auto done = [&] { return (folded(missing) & who.dirty) == 0; };
  const auto ask = [&](unsigned last) {
    if (last < cores_) {
      if (last != core) take_dirty(private_[last], block, socket_of_[last], to, missing, out);
    } else if (last < cores_ + sockets_ && last - cores_ != to) {
      take_dirty(shared_[last - cores_], block, last - cores_, to, missing, out);
    }
    return done();
  };
  if (ask(who.writer - 1U) || ask(who.hint - 1U)) return;
  std::uint64_t seen = 0;
  for (const cache* own : {&private_[core], &shared_[to]})
    if (const cache::entry* const at = own->find(block)) seen |= at->dirty;
  for_each_member(who.sockets, socket_shift_, sockets_, [&](unsigned other) {
    if (other != to && !done()) seen |= take_dirty(shared_[other], block, other, to, missing, out);
    return true;
  });
  copies_.any_of(who.cores, [&](unsigned other) {
    if (other != core) seen |= take_dirty(private_[other], block, socket_of_[other], to, missing, out);
    return done();
  });
  // All were asked, and no other cache has what the record says.
  if (!done()) who.dirty = folded(seen);
}

/// Makes the core's private cache, or its shared one if there are no private ones, the only place of these lines.
void caches::invalidate_elsewhere(unsigned core, std::uint32_t block, std::uint64_t lines) {
  holders& who = holders_[block];
  const auto drop = [&](cache& from) {
    cache::entry* const at = from.find(block);
    return at != nullptr && from.drop(*at, lines);
  };
  copies_.keep(who.cores, [&](unsigned other) { return other == core || drop(private_[other]); });
  if (who.sockets != 0) {
    const bool keep = !private_[core].exists();
    const unsigned socket = socket_of_[core];
    who.sockets = static_cast<std::uint16_t>(for_each_member(who.sockets, socket_shift_, sockets_, [&](unsigned other) {
      return keep && other == socket ? true : drop(shared_[other]);
    }));
  }
}

void caches::into_shared(unsigned socket, std::uint32_t block, std::uint64_t lines, std::uint64_t dirty, supply& out) {
  cache& near = shared_[socket];
  holders& who = holders_[block];
  cache::entry* at = near.find(block);
  if (at == nullptr) {
    at = &near.add(block);
    who.sockets |= socket_bit(socket);
  } else {
    near.use(*at);
  }
  near.fill(*at, lines);
  at->dirty |= dirty;
  if (dirty != 0) wrote(who, dirty, static_cast<std::uint16_t>(1 + cores_ + socket));
  while (near.overfull()) evict_shared(socket, out);
}

void caches::evict_private(unsigned core, supply& out) {
  const cache::entry old = private_[core].evict();
  holders& who = holders_[old.block];
  copies_.remove(who.cores, core);
  const unsigned socket = socket_of_[core];
  scout_private(core);
  if (shared_[socket].exists()) {
    shared_[socket].prefetch_entry(private_[core].oldest());
    into_shared(socket, old.block, old.lines, old.dirty, out);
    return;
  }
  if (old.dirty != 0) written_back(old.block, old.dirty, out);
}

void caches::evict_shared(unsigned socket, supply& out) {
  const cache::entry old = shared_[socket].evict();
  scout_shared(socket);
  holders& who = holders_[old.block];
  if (socket_shift_ == 0) who.sockets = static_cast<std::uint16_t>(who.sockets & ~socket_bit(socket));
  if (old.dirty != 0) written_back(old.block, old.dirty, out);
}

/// Records a write-back. No other cache has these lines dirty.
void caches::written_back(std::uint32_t block, std::uint64_t lines, supply& out) {
  holders& who = holders_[block];
  out.evicted.push_back({block, lines});
  if (line_shift_ == 0) {
    who.dirty = static_cast<std::uint16_t>(who.dirty & ~folded(lines));
  } else if (who.cores == 0 && who.sockets == 0) {
    who.dirty = 0;
  }
}

void caches::wrote(holders& of, std::uint64_t lines, std::uint16_t writer) const noexcept {
  of.dirty |= folded(lines);
  if (of.writer == writer) return;
  of.hint = of.writer;
  of.writer = writer;
}

void caches::check() const {
  std::unordered_map<std::uint32_t, std::uint64_t> dirty;
  const auto look = [&](const cache& at, auto&& listed, const char* kind, unsigned number) {
    at.check();
    at.for_each([&](const cache::entry& each) {
      const auto require = [&](bool holds, const char* what) {
        if (!holds)
          throw std::logic_error("caches: " + std::string(kind) + " cache " + std::to_string(number) + ", block " +
                                 std::to_string(each.block) + what);
      };
      require(each.block < holders_.size(), " is no block");
      require(listed(holders_[each.block]), " is not in its record of holders");
      if (each.dirty == 0) return;
      require((folded(each.dirty) & ~holders_[each.block].dirty) == 0,
              " has a dirty line that its record does not have");
      std::uint64_t& known = dirty[each.block];
      require((known & each.dirty) == 0, " has a line that is dirty elsewhere too");
      known |= each.dirty;
    });
  };
  for (unsigned core = 0; core < cores_; ++core)
    look(private_[core], [&](const holders& of) { return copies_.has(of.cores, core); }, "private", core);
  for (unsigned socket = 0; socket < sockets_; ++socket)
    look(shared_[socket], [&](const holders& of) { return (of.sockets & socket_bit(socket)) != 0; }, "shared", socket);
}

std::size_t caches::footprint() const noexcept {
  std::size_t sum = tables_.size() + copies_.footprint() + socket_of_.capacity() * sizeof(unsigned) +
                    (private_.capacity() + shared_.capacity()) * sizeof(cache);
  for (const cache& each : private_) sum += each.grown();
  for (const cache& each : shared_) sum += each.grown();
  return sum;
}

}  // namespace jackdaw::sim
