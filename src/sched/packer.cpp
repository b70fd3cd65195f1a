#include "sched/packer.hpp"

#include <algorithm>
#include <limits>

#include "sched/cpu_bound.hpp"

namespace jackdaw::sched {
namespace {

double count_misses(const profile& of) {
  double sum = static_cast<double>(of.own.misses);
  for (const auto& child : of.children) sum += count_misses(*child);
  return sum;
}

/// Computes footprints (Eq. 2). `bytes_of` returns the bytes that a task uses itself.
template <class Own>
double sum_up(profile& of, const Own& bytes_of) {
  of.footprint = bytes_of(of);
  for (const auto& child : of.children) of.footprint += sum_up(*child, bytes_of);
  return of.footprint;
}

void find_first(profile& of, double room) {
  for (const auto& child : of.children) {
    const bool top = child->children.empty() || (child->within && child->footprint <= room);
    child->initial = top;
    if (!top) find_first(*child, room);
  }
}

int height(const profile& of) {
  int most = 0;
  for (const auto& child : of.children) most = std::max(most, 1 + height(*child));
  return most;
}

int deepest_below(const profile& of) {
  if (of.initial) return height(of);
  int most = 0;
  for (const auto& child : of.children) most = std::max(most, deepest_below(*child));
  return most;
}

/// Returns the levels from here down to the nearest top of the first packing.
int nearest(const profile& of) {
  if (of.initial) return 0;
  int least = std::numeric_limits<int>::max() - 1;
  for (const auto& child : of.children) least = std::min(least, nearest(*child));
  return least + 1;
}

int highest_above(const profile& of) {
  int most = 0;
  for (const auto& child : of.children) {
    if (!child->initial) most = std::max(most, child->within ? nearest(*child) : highest_above(*child));
  }
  return most;
}

void clear(profile& of) {
  of.packed = false;
  for (const auto& child : of.children) clear(*child);
}

void pack_down(profile& of, int levels) {
  of.packed = levels == 0 || of.children.empty();
  if (of.packed) return;
  for (const auto& child : of.children) pack_down(*child, levels - 1);
}

void pack_at_most(profile& of, int levels_up, int levels_down) {
  for (const auto& child : of.children) {
    if (child->initial) {
      pack_down(*child, levels_down);
    } else if (child->within && nearest(*child) <= levels_up) {
      child->packed = true;
    } else {
      pack_at_most(*child, levels_up, levels_down);
    }
  }
}

}  // namespace

packer::packer(profile& root, std::uint64_t shared_cache, std::uint64_t data, lines used)
    : root_(root), counted_(count_misses(root) > 0) {
  if (counted_) {
    sum_up(root, [used](const profile& of) {
      return static_cast<double>((used == lines::missed ? of.own.misses : of.own.local + of.own.remote) * cache_line);
    });
  } else {
    sum_up(root, [&](const profile& of) { return of.children.empty() ? of.share * static_cast<double>(data) : 0.0; });
  }
  find_first(root, static_cast<double>(shared_cache));
  deepest_ = deepest_below(root);
  highest_ = highest_above(root);
  pack(0);
}

void packer::pack(int step) {
  clear(root_);
  pack_at_most(root_, std::max(0, -step), std::max(0, step));
}

}  // namespace jackdaw::sched
