#include "numa/placed_registry.hpp"

#include <pthread.h>

#include <map>
#include <new>

namespace jackdaw::numa {
namespace {

struct list {
  std::mutex mutex;
  std::map<const std::byte*, held_range> all;
};

/// Never destroyed: static objects may own containers.
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

void hold(const held_range& made) {
  list& known = the_list();
  const std::lock_guard keep(known.mutex);
  known.all.insert_or_assign(made.data, made);
}

void let_go(const std::byte* data) noexcept {
  list& known = the_list();
  const std::lock_guard keep(known.mutex);
  known.all.erase(data);
}

held_now all_held() {
  list& known = the_list();
  held_now now{std::unique_lock(known.mutex), {}};
  now.ranges.reserve(known.all.size());
  for (const auto& [data, range] : known.all) now.ranges.push_back(range);
  return now;
}

}  // namespace jackdaw::numa
