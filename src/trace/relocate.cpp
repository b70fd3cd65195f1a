#include "trace/relocate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <vector>

namespace jackdaw::trace {
namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t origin = std::uint64_t{2} << 20;

struct object {
  std::uint64_t first = 0;
  std::uint64_t last = 0;      ///< byte
  std::size_t touched = 0;     ///< the first access to it
  std::uint64_t moved_to = 0;  ///< new address of `first`
};

std::uint64_t last_byte(const access& of) { return of.address + (of.rows - 1) * of.stride + (of.length - 1); }

/// Returns the objects in the order of their addresses.
std::vector<object> objects_of(const std::vector<access>& accesses) {
  std::vector<object> found;
  found.reserve(accesses.size());
  for (std::size_t i = 0; i < accesses.size(); ++i)
    found.push_back({.first = accesses[i].address, .last = last_byte(accesses[i]), .touched = i});
  std::ranges::sort(found, {}, &object::first);
  std::size_t kept = 0;
  for (const object& next : found) {
    object& before = found[kept > 0 ? kept - 1 : 0];
    if (kept > 0 && (next.first <= before.last || next.first - before.last <= page)) {
      before.last = std::max(before.last, next.last);
      before.touched = std::min(before.touched, next.touched);
    } else {
      found[kept++] = next;
    }
  }
  found.resize(kept);
  return found;
}

/// Returns false if there are not enough addresses.
bool place(std::vector<object>& objects) {
  std::vector<object*> in_order;
  in_order.reserve(objects.size());
  for (object& each : objects) in_order.push_back(&each);
  std::ranges::sort(in_order, {}, &object::touched);
  std::uint64_t next = origin;
  for (object* each : in_order) {
    each->moved_to = next;
    if (__builtin_add_overflow(each->moved_to, each->last - each->first, &next) ||
        __builtin_add_overflow(next / page * page, page, &next))
      return false;
  }
  return true;
}

/// Returns the parts of named memory that lie in objects, at their new addresses.
std::vector<named_memory> moved(const std::vector<named_memory>& named, const std::vector<object>& objects) {
  std::vector<named_memory> found;
  for (const named_memory& each : named) {
    const std::uint64_t last = each.address + (each.length - 1);
    for (auto at = std::ranges::lower_bound(objects, each.address, {}, &object::last);
         at != objects.end() && at->first <= last; ++at) {
      const std::uint64_t from = std::max(at->first, each.address);
      found.push_back({at->moved_to + (from - at->first), std::min(at->last, last) - from + 1, each.name});
    }
  }
  std::ranges::sort(found, {}, &named_memory::address);
  return found;
}

}  // namespace

void relocate(task_tree& tree) noexcept try {
  std::vector<object> objects = objects_of(tree.accesses);
  if (!place(objects)) return;
  tree.named = moved(tree.named, objects);
  for (access& each : tree.accesses) {
    const object& of = *std::prev(std::ranges::upper_bound(objects, each.address, {}, &object::first));
    each.address = of.moved_to + (each.address - of.first);
  }
} catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
  // A recording with the addresses that it has is better than none.
}

}  // namespace jackdaw::trace
