#include "sim/memory/memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace jackdaw::sim {
namespace {

/// How many accesses to blocks are made together. A leaf may have any number.
constexpr std::size_t at_once = 1024;

std::uint64_t bytes_of(std::uint64_t lines) { return count_lines(lines) * cache::line; }

/// The bytes of the lines that it touches, which is what caches must hold; of rows in the same lines, at most.
std::uint64_t in_lines(const dense_access& of) {
  const std::uint64_t row = (of.first % cache::line + of.length + cache::line - 1) / cache::line * cache::line;
  return std::min(of.rows * row, (of.rows - 1) * of.stride + row);
}

std::uint64_t sum(const std::vector<std::uint64_t>& of) {
  return std::accumulate(of.begin(), of.end(), std::uint64_t{0});
}

}  // namespace

memory::memory(const machine_model& machine, const routes& ways, const address_space& space, const policy& rule)
    : ways_(&ways),
      space_(&space),
      pages_(machine, ways, space.pages(), rule),
      named_(space, machine.cores(), machine.nodes.size()),
      caches_(machine, space.blocks()),
      private_cache_(machine.private_cache.size),
      moved_(ways.size(), 0) {
  for (unsigned core = 0; core < machine.cores(); ++core) {
    socket_of_.push_back(machine.socket_of(core));
    group_of_.push_back(machine.group_of(core));
  }
  for (unsigned group = 0; group < machine.groups(); ++group)
    socket_of_group_.push_back(machine.socket_of_group(group));
  for (const machine_model::memory_node& node : machine.nodes)
    if (node.cached.size != 0)
      sides_.emplace_back(node.cached.size / machine.page, space.blocks(), space.page_size() / space.block_size());
  touch_to_.assign(machine.cores(), pages::none);
  if (ways.ramp_length() != 0) runs_.resize(machine.cores());
  pending_.reserve(at_once);
  reset_counters();
}

void memory::reset_counters() {
  memory_counters zero;
  zero.from_socket.resize(ways_->sockets(), 0);
  zero.from_node.resize(ways_->nodes(), 0);
  zero.to_node.resize(ways_->nodes(), 0);
  counters_.assign(socket_of_.size(), zero);
}

void memory::touch(unsigned core, std::span<const dense_access> accesses, transfers& out) {
  const std::uint64_t bytes = std::transform_reduce(accesses.begin(), accesses.end(), std::uint64_t{0}, std::plus{},
                                                    [](const dense_access& each) { return in_lines(each); });
  // Where runs begin slowly it matters also for small leaves that a row and its halo are one run.
  if (bytes > private_cache_ || !runs_.empty()) {
    one_pass_.for_each_row(accesses, [&](std::uint64_t first, std::uint64_t length, bool write) {
      touch_row(core, first, length, write);
    });
  } else {
    for (const dense_access& each : accesses)
      for (std::uint64_t row = 0; row < each.rows; ++row)
        touch_row(core, each.first + row * each.stride, each.length, each.write);
  }
  make_pending(core);
  for (const std::uint16_t route : used_) {
    out.push_back({.route = route, .bytes = static_cast<double>(moved_[route]), .goes_on = goes_on(route)});
  }
  for (const std::uint16_t route : used_) moved_[route] = 0;
  used_.clear();
}

void memory::touch_row(unsigned core, std::uint64_t first, std::uint64_t length, bool write) {
  const std::uint64_t lines_per_block = space_->block_size() / cache::line;
  const auto shift = static_cast<unsigned>(std::countr_zero(lines_per_block));
  const recent_runs::slow_part slow = runs_.empty() ? recent_runs::slow_part{}
                                                    : runs_[core].touch(first, first + length, space_->block_size(),
                                                                        ways_->ramp_length(), space_->since(first));
  std::uint64_t line = first / cache::line;
  const std::uint64_t last = (first + length - 1) / cache::line;
  while (line <= last) {
    const std::uint64_t block = line >> shift;
    const std::uint64_t end = std::min(last + 1, (block + 1) << shift);
    const std::uint64_t count = end - line;
    const std::uint64_t ones = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    pending_.push_back(
        {.lines = ones << (line & (lines_per_block - 1)),
         .block = static_cast<std::uint32_t>(block),
         .write = write,
         .first_of_row = line == first / cache::line,
         .name = named_.any() ? named_.name_of(std::max(first, line * cache::line)) : named_traffic::none,
         .slow = slow});
    if (pending_.size() == at_once) make_pending(core);
    line = end;
  }
}

/// Makes the pending accesses. What they read of the host's memory is prefetched some accesses ahead, because most of
/// the time is spent on waiting for it.
void memory::make_pending(unsigned core) {
  constexpr std::array<std::size_t, 4> ahead{14, 10, 6, 3};
  const unsigned socket = socket_of_[core];
  const std::size_t count = pending_.size();
  const auto stage = [&](std::size_t number, std::size_t at) {
    if (at >= count) return;
    const block_access& of = pending_[at];
    switch (number) {
      case 0:
        return caches_.prefetch_slots(core, of.block);
      case 1:
        return caches_.prefetch_entries(core, of.block, of.write);
      case 2:
        return caches_.prefetch_others(core, of.block, of.write);
      default:
        return caches_.prefetch_neighbours(core, of.block, of.write);
    }
  };
  for (std::size_t number = 0; number < ahead.size(); ++number)
    for (std::size_t at = 0; at < ahead[number]; ++at) stage(number, at);
  caches_.start_scouts(core);
  for (std::size_t at = 0; at < count; ++at) {
    for (std::size_t number = 0; number < ahead.size(); ++number) stage(number, at + ahead[number]);
    access(core, socket, pending_[at]);
  }
  pending_.clear();
}

void memory::access(unsigned core, unsigned socket, const block_access& what) {
  caches_.access(core, what.block, what.lines, what.write, supply_);
  if (what.first_of_row) {
    slow_ = what.slow.bytes;
    begins_ = what.slow.begins;
  }
  memory_counters& count = counters_[core];
  const std::uint64_t wanted = bytes_of(what.lines);
  const std::uint64_t own = bytes_of(supply_.own);
  ++count.blocks;
  count.lines += wanted / cache::line;
  count.from_private += own;
  if (heat_.watching())
    heat_.access(space_->page_of_block(what.block), wanted / cache::line, count_lines(supply_.memory));
  if (users_.counting()) users_.access(space_->page_of_block(what.block), wanted / cache::line, socket);
  if (own != wanted) {
    const std::uint64_t shared = bytes_of(supply_.shared);
    count.private_misses += (wanted - own) / cache::line;
    count.shared_misses += (wanted - own - shared) / cache::line;
    if (shared != 0) {
      count.from_shared += shared;
      move(ways_->shared(group_of_[core]), shared);
    }
    for (const supply::group_lines& each : supply_.remote) {
      count.from_socket[socket_of_group_[each.group]] += bytes_of(each.lines);
      move(ways_->cache(each.group, group_of_[core]), bytes_of(each.lines));
    }
    if (supply_.memory != 0) {
      const std::uint64_t page = space_->page_of_block(what.block);
      const bool fresh = what.name != named_traffic::none && pages_.node(page) == pages::none;
      const unsigned node = pages_.touch(page, socket, touch_to_[core]);
      count.from_node[node] += bytes_of(supply_.memory);
      if (what.name != named_traffic::none) named_.fetch(core, what.name, node, bytes_of(supply_.memory));
      if (fresh) named_.touch_first(core, what.name, space_->page_size());
      fetch(node, core, what.block, supply_.memory);
    }
  }
  for (const supply::dirty_lines& each : supply_.evicted) {
    const unsigned node = pages_.touch(space_->page_of_block(each.block), socket, touch_to_[core]);
    count.to_node[node] += bytes_of(each.lines);
    write_back(node, socket, each.block, each.lines);
  }
}

/// Fetches lines that lie on a node, from its memory-side cache as far as that has them.
void memory::fetch(unsigned node, unsigned core, std::uint32_t block, std::uint64_t lines) {
  const unsigned socket = socket_of_[core];
  const unsigned side = ways_->side_of(node);
  if (side == node) return fetch_from(node, socket, bytes_of(lines));
  const side_cache::result found = sides_[side - ways_->nodes()].read(block, lines);
  counters_[core].from_side += bytes_of(found.hits);
  fetch_from(side, socket, bytes_of(found.hits));
  fetch_from(node, socket, bytes_of(lines & ~found.hits));
  move(ways_->write_back(socket, node), bytes_of(found.spilled));
}

void memory::fetch_from(unsigned port, unsigned socket, std::uint64_t bytes) {
  const std::uint64_t slowly = std::min(bytes, slow_);
  slow_ -= slowly;
  if (slowly != 0) {
    const std::uint64_t first = std::exchange(begins_, false) ? std::min(slowly, cache::line) : 0;
    move(ways_->first_line(port, socket), first);
    move(ways_->ramp(port, socket), slowly - first);
  }
  move(ways_->memory(port, socket), bytes - slowly);
}

void memory::write_back(unsigned node, unsigned socket, std::uint32_t block, std::uint64_t lines) {
  const unsigned side = ways_->side_of(node);
  move(ways_->write_back(socket, side), bytes_of(lines));
  if (side == node) return;
  const side_cache::result found = sides_[side - ways_->nodes()].write(block, lines);
  move(ways_->write_back(socket, node), bytes_of(found.spilled));
}

/// Whether a leaf that uses this route waits for its latency on the same way for later bytes.
bool memory::goes_on(std::uint16_t route) const {
  for (std::uint16_t later = ways_->later(route); later != route; later = ways_->later(route)) {
    if (moved_[later] != 0) return true;
    route = later;
  }
  return false;
}

void memory::move(std::uint16_t route, std::uint64_t bytes) {
  if (bytes == 0) return;
  if (moved_[route] == 0) used_.push_back(route);
  moved_[route] += bytes;
}

memory_counters memory::total() const {
  memory_counters all;
  for (const memory_counters& each : counters_) all += each;
  return all;
}

void memory::check() const {
  for (std::size_t core = 0; core < counters_.size(); ++core) {
    const memory_counters& of = counters_[core];
    const auto require = [core](bool holds, const char* what) {
      if (!holds) throw std::logic_error("memory: core " + std::to_string(core) + ": " + what);
    };
    require(of.lines * cache::line == of.from_private + of.from_shared + sum(of.from_socket) + sum(of.from_node),
            "bytes touched are not the sum of bytes by source");
    require(of.private_misses * cache::line == of.from_shared + sum(of.from_socket) + sum(of.from_node),
            "private misses are not what came from elsewhere");
    require(of.shared_misses * cache::line == sum(of.from_socket) + sum(of.from_node),
            "shared misses are not what came from outside the group");
    require(of.from_socket[socket_of_[core]] == 0 || socket_of_group_.size() > ways_->sockets(),
            "its own socket was a remote one");
  }
  pages_.check();
  caches_.check();
  for (const side_cache& each : sides_) each.check();
}

std::size_t memory::footprint(const machine_model& machine, const address_space& space) {
  std::size_t sum = caches::footprint(machine, space.blocks()) + space.pages() * sizeof(std::uint16_t);
  for (const machine_model::memory_node& node : machine.nodes)
    if (node.cached.size != 0)
      sum += side_cache::footprint(node.cached.size / machine.page, space.blocks(),
                                   space.page_size() / space.block_size());
  return sum;
}

std::size_t memory::footprint() const noexcept {
  std::size_t sum = pages_.footprint() + caches_.footprint() + named_.footprint() + one_pass_.footprint() +
                    (socket_of_.capacity() + group_of_.capacity()) * sizeof(unsigned) +
                    counters_.capacity() * sizeof(memory_counters) + moved_.capacity() * sizeof(std::uint64_t);
  for (const side_cache& each : sides_) sum += each.footprint();
  for (const memory_counters& each : counters_)
    sum += (each.from_socket.capacity() + each.from_node.capacity() + each.to_node.capacity()) * sizeof(std::uint64_t);
  return sum;
}

}  // namespace jackdaw::sim
