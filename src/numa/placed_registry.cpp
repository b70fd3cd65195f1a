#include "numa/placed_registry.hpp"

#include <iterator>
#include <map>

#include "base/locked_at_forks.hpp"
#include "numa/memory_names.hpp"

namespace jackdaw::numa {
namespace {

struct placed_list {
  movers_lock mutex;
  std::map<const std::byte*, held_range> all;
  std::uint64_t last_number = 0;
  bool placed_elsewhere = false;

  /// The first range that ends after `at`.
  auto first_beyond(const std::byte* at) {
    auto found = all.upper_bound(at);
    if (found != all.begin() && std::prev(found)->first + std::prev(found)->second.bytes > at) --found;
    return found;
  }
};

placed_list& the_placed() { return detail::locked_at_forks<placed_list>(); }

}  // namespace

void hold(const held_range& made) {
  placed_list& known = the_placed();
  const std::lock_guard keep(known.mutex);
  held_range& held = known.all.insert_or_assign(made.data, made).first->second;
  held.number = ++known.last_number;
}

void let_go(const std::byte* data) noexcept {
  held_range was;
  {
    placed_list& known = the_placed();
    const std::lock_guard keep(known.mutex);
    const auto gone = known.all.find(data);
    if (gone == known.all.end()) return;
    was = gone->second;
    known.all.erase(gone);
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  end_names(begin, begin + was.bytes, was.placed);
}

held_now all_held() {
  placed_list& known = the_placed();
  held_now now{std::unique_lock(known.mutex), {}, known.placed_elsewhere};
  now.ranges.reserve(known.all.size());
  for (const auto& [data, range] : known.all) now.ranges.push_back(range);
  return now;
}

void note_placed(const void* first, std::size_t bytes) noexcept {
  placed_list& known = the_placed();
  const std::lock_guard keep(known.mutex);
  const auto* at = static_cast<const std::byte*>(first);
  const std::byte* const end = at + bytes;
  for (auto each = known.first_beyond(at); at < end; ++each) {
    if (each == known.all.end() || each->first > at) known.placed_elsewhere = true;
    if (each == known.all.end() || each->first >= end) return;
    each->second.placed = true;
    at = each->first + each->second.bytes;
  }
}

std::shared_lock<movers_lock> lock_pages(const std::byte* first, std::size_t bytes, std::uint64_t number,
                                         movable which) {
  placed_list& known = the_placed();
  std::shared_lock lock(known.mutex);
  const auto at = known.first_beyond(first);
  const std::byte* const end = first + bytes;
  const bool any = at != known.all.end() && at->first < end;
  bool theirs = !any && number == 0, placed = known.placed_elsewhere;
  if (any) {
    const held_range& range = at->second;
    theirs = range.number == number && range.data <= first && end <= range.data + range.bytes;
    placed = range.placed;
  }
  if (!theirs || (placed && which == movable::not_placed)) lock.unlock();
  return lock;
}

}  // namespace jackdaw::numa
