#include "sim/memory/caches.hpp"

#include <algorithm>
#include <bit>
#include <jackdaw/error.hpp>
#include <limits>
#include <stdexcept>
#include <string>

namespace jackdaw::sim {
namespace {

/// What a cache needs room for: no cache holds more than all the data.
std::uint64_t useful(std::uint64_t size, const machine_model& machine, std::uint64_t blocks) noexcept {
  return std::min(size, blocks * machine.block);
}

/// Without caches of both kinds there is nothing to decide.
bool has_fill(const machine_model& machine, machine_model::fill_policy fill) noexcept {
  return machine.fill == fill && machine.private_cache.size >= cache::line && machine.shared_cache.size >= cache::line;
}

}  // namespace

caches::caches(const machine_model& machine, std::uint64_t blocks)
    : cores_(machine.cores()),
      groups_(machine.groups()),
      inclusive_(has_fill(machine, machine_model::fill_policy::inclusive)),
      exclusive_(has_fill(machine, machine_model::fill_policy::exclusive)),
      forwards_(exclusive_ || machine.clean_lines == machine_model::clean_source::neighbours),
      tables_(footprint(machine, blocks)),
      more_(std::make_unique<zero_memory>(2 * (footprint(machine, blocks) - zero_memory::size_of<holders>(blocks)))),
      holders_(tables_.take<holders>(blocks)),
      copies_(cores_) {
  if (std::uint64_t{cores_} + groups_ >= std::numeric_limits<std::uint16_t>::max())
    throw error("machine '" + machine.name + "' has " + std::to_string(cores_) + " cores: expected at most 65000");
  while (groups_ > 16U << group_shift_) ++group_shift_;
  while (machine.block / cache::line > 16U << line_shift_) ++line_shift_;
  private_.reserve(cores_);
  for (unsigned core = 0; core < cores_; ++core) {
    private_.emplace_back(useful(machine.private_cache.size, machine, blocks), machine.block, tables_, more_.get());
    group_of_.push_back(machine.group_of(core));
  }
  shared_.reserve(groups_);
  for (unsigned group = 0; group < groups_; ++group)
    shared_.emplace_back(useful(machine.shared_cache.size, machine, blocks), machine.block, tables_, more_.get());
}

std::size_t caches::footprint(const machine_model& machine, std::uint64_t blocks) {
  return machine.cores() * cache::footprint(useful(machine.private_cache.size, machine, blocks), machine.block) +
         machine.groups() * cache::footprint(useful(machine.shared_cache.size, machine, blocks), machine.block) +
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
  const unsigned group = group_of_[core];
  holders& who = holders_[block];
  std::uint64_t missing = lines & ~out.own;
  std::uint64_t dirty = write ? lines : 0;
  if (missing != 0) {
    cache& near = shared_[group];
    if (cache::entry* const beside = near.find(block); beside != nullptr) {
      out.shared = beside->lines & missing;
      missing &= ~beside->lines;
      near.use(*beside);
      if (exclusive_ && !write) dirty = move_out(core, *beside, out.shared);
    }
    if (forwards_ && missing != 0) {
      const std::uint64_t found = held_by_neighbours(core, block, missing);
      out.shared |= found;
      missing &= ~found;
    }
    if ((folded(missing) & who.dirty) != 0) find_dirty(core, block, missing, out);
    out.memory = missing;
  }
  if (write) invalidate_elsewhere(core, block, lines);
  if (mine.exists()) {
    if (inclusive_ && out.own != lines) put_shared(group, block, lines);
    if (at == nullptr) {
      at = &mine.add(block);
      copies_.add(who.cores, core);
    } else {
      mine.use(*at);
    }
    mine.fill(*at, lines);
    if (dirty != 0) {
      at->dirty |= dirty;
      wrote(who, dirty, static_cast<std::uint16_t>(1 + core));
    }
    while (mine.overfull()) evict_private(core, out);
    while (inclusive_ && shared_[group].overfull()) evict_shared(group, out);
  } else if (shared_[group].exists()) {
    into_shared(group, block, lines, write ? lines : 0, out);
  } else if (write) {
    out.evicted.push_back({block, lines});
  }
}

/// Takes those of the missing lines that are dirty in `from` to a core of group `to`, and removes them from `missing`.
/// Returns the lines of the block that are dirty in `from`, wanted or not.
std::uint64_t caches::take_dirty(const cache& from, std::uint32_t block, unsigned group, unsigned to,
                                 std::uint64_t& missing, supply& out) {
  const cache::entry* const at = from.find(block);
  if (at == nullptr) return 0;
  const std::uint64_t found = at->dirty & missing;
  if (found == 0) return at->dirty;
  missing &= ~found;
  if (group == to) {
    out.shared |= found;
    return at->dirty;
  }
  for (supply::group_lines& known : out.remote) {
    if (known.group != group) continue;
    known.lines |= found;
    return at->dirty;
  }
  out.remote.push_back({group, found});
  return at->dirty;
}

/// Serves missing lines from the caches that have them dirty, other than the core's own and its group's shared cache.
void caches::find_dirty(unsigned core, std::uint32_t block, std::uint64_t& missing, supply& out) {
  holders& who = holders_[block];
  const unsigned to = group_of_[core];
  const auto done = [&] { return (folded(missing) & who.dirty) == 0; };
  const auto ask = [&](unsigned last) {
    if (last < cores_) {
      if (last != core) take_dirty(private_[last], block, group_of_[last], to, missing, out);
    } else if (last < cores_ + groups_ && last - cores_ != to) {
      take_dirty(shared_[last - cores_], block, last - cores_, to, missing, out);
    }
    return done();
  };
  if (ask(who.writer - 1U) || ask(who.hint - 1U)) return;
  std::uint64_t seen = 0;
  for (const cache* own : {&private_[core], &shared_[to]})
    if (const cache::entry* const at = own->find(block)) seen |= at->dirty;
  for_each_member(who.groups, group_shift_, groups_, [&](unsigned other) {
    if (other != to && !done()) seen |= take_dirty(shared_[other], block, other, to, missing, out);
    return true;
  });
  copies_.any_of(who.cores, [&](unsigned other) {
    if (other != core) seen |= take_dirty(private_[other], block, group_of_[other], to, missing, out);
    return done();
  });
  // All were asked, and no other cache has what the record says.
  if (!done()) who.dirty = folded(seen);
}

/// Returns those of the wanted lines that the core's neighbours have in their private caches.
std::uint64_t caches::held_by_neighbours(unsigned core, std::uint32_t block, std::uint64_t wanted) const {
  const unsigned group = group_of_[core];
  std::uint64_t found = 0;
  copies_.any_of(holders_[block].cores, [&](unsigned other) {
    if (other == core || group_of_[other] != group) return false;
    if (const cache::entry* const at = private_[other].find(block)) found |= at->lines & wanted;
    return found == wanted;
  });
  return found;
}

/// Takes lines that the core reads out of its exclusive shared cache, except those that a neighbour has too. Returns
/// those of them that were dirty there.
std::uint64_t caches::move_out(unsigned core, cache::entry& from, std::uint64_t lines) {
  const std::uint32_t block = from.block;
  lines &= ~held_by_neighbours(core, block, lines);
  const std::uint64_t dirty = from.dirty & lines;
  const unsigned group = group_of_[core];
  if (!shared_[group].drop(from, lines) && group_shift_ == 0)
    holders_[block].groups = static_cast<std::uint16_t>(holders_[block].groups & ~group_bit(group));
  return dirty;
}

/// Makes the core's private cache, or its shared one if there are no private ones, the only place of these lines. An
/// inclusive shared cache keeps its entry for the lines that the core has, which is their only dirty place.
void caches::invalidate_elsewhere(unsigned core, std::uint32_t block, std::uint64_t lines) {
  holders& who = holders_[block];
  const auto drop = [&](cache& from) {
    cache::entry* const at = from.find(block);
    return at != nullptr && from.drop(*at, lines);
  };
  copies_.keep(who.cores, [&](unsigned other) { return other == core || drop(private_[other]); });
  if (who.groups != 0) {
    const bool keep = inclusive_ || !private_[core].exists();
    const unsigned group = group_of_[core];
    who.groups = static_cast<std::uint16_t>(for_each_member(who.groups, group_shift_, groups_, [&](unsigned other) {
      if (!keep || other != group) return drop(shared_[other]);
      if (cache::entry* const at = shared_[other].find(block)) at->dirty &= ~lines;
      return true;
    }));
  }
}

/// Makes lines resident in a shared cache, which may be overfull afterwards, and the block most recently used there.
cache::entry& caches::put_shared(unsigned group, std::uint32_t block, std::uint64_t lines) {
  cache& near = shared_[group];
  cache::entry* at = near.find(block);
  if (at == nullptr) {
    at = &near.add(block);
    holders_[block].groups |= group_bit(group);
  } else {
    near.use(*at);
  }
  near.fill(*at, lines);
  return *at;
}

void caches::into_shared(unsigned group, std::uint32_t block, std::uint64_t lines, std::uint64_t dirty, supply& out) {
  put_shared(group, block, lines).dirty |= dirty;
  if (dirty != 0) wrote(holders_[block], dirty, static_cast<std::uint16_t>(1 + cores_ + group));
  while (!inclusive_ && shared_[group].overfull()) evict_shared(group, out);
}

void caches::evict_private(unsigned core, supply& out) {
  const cache::entry old = private_[core].evict();
  holders& who = holders_[old.block];
  copies_.remove(who.cores, core);
  const unsigned group = group_of_[core];
  scout_private(core);
  if (shared_[group].exists()) {
    shared_[group].prefetch_entry(private_[core].oldest());
    std::uint64_t lines = old.lines;
    if (inclusive_) lines = old.dirty;
    if (exclusive_) lines &= old.dirty | ~held_by_neighbours(core, old.block, lines);
    if (lines != 0) into_shared(group, old.block, lines, old.dirty, out);
    return;
  }
  if (old.dirty != 0) written_back(old.block, old.dirty, out);
}

void caches::evict_shared(unsigned group, supply& out) {
  cache::entry old = shared_[group].evict();
  scout_shared(group);
  if (inclusive_) take_from_group(group, old);
  holders& who = holders_[old.block];
  if (group_shift_ == 0) who.groups = static_cast<std::uint16_t>(who.groups & ~group_bit(group));
  if (old.dirty != 0) written_back(old.block, old.dirty, out);
}

/// Removes a block that an inclusive shared cache has evicted from the group's private caches. Their dirty lines become
/// the block's.
void caches::take_from_group(unsigned group, cache::entry& of) {
  holders& who = holders_[of.block];
  copies_.keep(who.cores, [&](unsigned core) {
    if (group_of_[core] != group) return true;
    if (cache::entry* const at = private_[core].find(of.block)) {
      of.dirty |= at->dirty;
      private_[core].drop(*at, of.lines);
    }
    return false;
  });
}

/// Records a write-back. No other cache has these lines dirty.
void caches::written_back(std::uint32_t block, std::uint64_t lines, supply& out) {
  holders& who = holders_[block];
  out.evicted.push_back({block, lines});
  if (line_shift_ == 0) {
    who.dirty = static_cast<std::uint16_t>(who.dirty & ~folded(lines));
  } else if (who.cores == 0 && who.groups == 0) {
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
  std::vector<std::uint64_t> dirty(holders_.size());
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
  for (unsigned group = 0; group < groups_; ++group)
    look(shared_[group], [&](const holders& of) { return (of.groups & group_bit(group)) != 0; }, "shared", group);
  check_fill();
}

/// Each private line is in the group's inclusive cache. A line that is in both an exclusive cache and a private one of
/// the group is dirty in the former.
void caches::check_fill() const {
  if (!inclusive_ && !exclusive_) return;
  for (unsigned core = 0; core < cores_; ++core)
    private_[core].for_each([&](const cache::entry& each) {
      const cache::entry* const beside = shared_[group_of_[core]].find(each.block);
      const std::uint64_t lines = beside != nullptr ? beside->lines : 0;
      if (inclusive_ ? (each.lines & ~lines) == 0
                     : (each.lines & lines) == 0 || (each.lines & lines & ~beside->dirty) == 0)
        return;
      throw std::logic_error("caches: private cache " + std::to_string(core) + ", block " + std::to_string(each.block) +
                             (inclusive_ ? " has a line that is not in the inclusive cache"
                                         : " has a line that is clean in the exclusive cache"));
    });
}

std::size_t caches::footprint() const noexcept {
  std::size_t sum = tables_.size() + copies_.footprint() + group_of_.capacity() * sizeof(unsigned) +
                    (private_.capacity() + shared_.capacity()) * sizeof(cache);
  for (const cache& each : private_) sum += each.grown();
  for (const cache& each : shared_) sum += each.grown();
  return sum;
}

}  // namespace jackdaw::sim
