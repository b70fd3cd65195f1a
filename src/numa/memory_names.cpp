#include "numa/memory_names.hpp"

#include <pthread.h>

#include <map>
#include <mutex>
#include <new>
#include <utility>

namespace jackdaw::numa {
namespace {

struct list {
  std::mutex mutex;
  std::map<std::uintptr_t, std::pair<std::uintptr_t, std::string>> all;  // the end and the name, by the begin
};

/// Never destroyed: static objects may name memory.
list& the_list() {
  static list& only = *new list;
  static const bool forks_are_seen_to = [] {
    // The child has a single thread, which could wait for ever for a lock that another thread held.
    if (pthread_atfork([] { the_list().mutex.lock(); }, [] { the_list().mutex.unlock(); },
                       [] { the_list().mutex.unlock(); }) != 0) {
      throw std::bad_alloc();
    }
    return true;
  }();
  static_cast<void>(forks_are_seen_to);
  return only;
}

}  // namespace

void name_range(std::uintptr_t begin, std::uintptr_t end, std::string_view name) {
  list& known = the_list();
  const std::lock_guard hold(known.mutex);
  auto at = known.all.upper_bound(begin);
  if (at != known.all.begin() && std::prev(at)->second.first > begin) --at;
  while (at != known.all.end() && at->first < end) at = known.all.erase(at);
  if (!name.empty()) known.all.emplace(begin, std::pair(end, std::string(name)));
}

std::vector<named_range> named_ranges() {
  list& known = the_list();
  const std::lock_guard hold(known.mutex);
  std::vector<named_range> found;
  found.reserve(known.all.size());
  for (const auto& [begin, rest] : known.all) found.push_back({begin, rest.first, rest.second});
  return found;
}

}  // namespace jackdaw::numa
