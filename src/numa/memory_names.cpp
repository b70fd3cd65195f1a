#include "numa/memory_names.hpp"

#include <atomic>
#include <iterator>
#include <map>
#include <mutex>

#include "base/locked_at_forks.hpp"

namespace jackdaw::numa {
namespace {

/// Changed with the list's lock held. Relaxed: who asks for the names of memory has it from a thread that named it
/// before, so it sees that change; it may ask once too often.
std::atomic<std::uint64_t> changes{0};

std::uint64_t change_now() noexcept { return changes.fetch_add(1, std::memory_order_relaxed) + 1; }

struct name_list {
  std::mutex mutex;
  std::map<std::uintptr_t, naming> all;  // by begin

  /// The first that ends after `at`.
  auto first_beyond(std::uintptr_t at) {
    auto found = all.upper_bound(at);
    if (found != all.begin() && std::prev(found)->second->end > at) --found;
    return found;
  }
  auto end(std::map<std::uintptr_t, naming>::iterator which, std::uint64_t change) {
    which->second->ended.store(change, std::memory_order_relaxed);
    return all.erase(which);
  }
  void end(std::uintptr_t begin, std::uintptr_t end, std::uint64_t change) {
    for (auto at = first_beyond(begin); at != all.end() && at->first < end;) at = this->end(at, change);
  }
};

name_list& the_names() { return detail::locked_at_forks<name_list>(); }

}  // namespace

naming name_range(std::uintptr_t begin, std::uintptr_t end, std::string_view name) {
  const auto made = std::make_shared<timed_name>();
  static_cast<named_range&>(*made) = {begin, end, std::string(name)};
  name_list& known = the_names();
  const std::lock_guard hold(known.mutex);
  const std::uint64_t change = change_now();
  known.end(begin, end, change);
  if (name.empty()) return nullptr;
  made->given = change;
  known.all.emplace(begin, made);
  return made;
}

void end_name(const naming& which) noexcept {
  if (which == nullptr) return;
  name_list& known = the_names();  // it exists: `which` was in it
  const std::lock_guard hold(known.mutex);
  const auto at = known.all.find(which->begin);
  if (at == known.all.end() || at->second != which) return;
  known.end(at, change_now());
}

void end_names(std::uintptr_t begin, std::uintptr_t end, bool placed) noexcept {
  if (name_changes() == 0) return;  // there is no list, which would need memory
  name_list& known = the_names();
  const std::lock_guard hold(known.mutex);
  const auto first = known.first_beyond(begin);
  if (first == known.all.end() || first->first >= end) return;
  for (auto at = first; at != known.all.end() && at->first < end; ++at) {
    at->second->placed.store(placed, std::memory_order_relaxed);
  }
  known.end(begin, end, change_now());
}

std::uint64_t name_changes() noexcept { return changes.load(std::memory_order_relaxed); }

naming name_of(std::uintptr_t begin, std::uintptr_t end) {
  if (name_changes() == 0) return nullptr;
  name_list& known = the_names();
  const std::lock_guard hold(known.mutex);
  const auto at = known.first_beyond(begin);
  return at != known.all.end() && at->first < end ? at->second : nullptr;
}

std::vector<named_range> named_ranges() {
  name_list& known = the_names();
  const std::lock_guard hold(known.mutex);
  std::vector<named_range> found;
  found.reserve(known.all.size());
  for (const auto& [begin, each] : known.all) found.push_back(*each);
  return found;
}

}  // namespace jackdaw::numa
