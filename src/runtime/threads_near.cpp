#include "jackdaw/memory/affinity.hpp"

#include <new>

#include "runtime/threads.hpp"
#include "runtime/visit.hpp"
#include "runtime/worker.hpp"

namespace jackdaw::detail {

/// If tasks wait that any worker may take, wakes a sleeper if one is needed for them.
template <class Best>
void threads::wake_for_placed(std::uint32_t at, Best is_best) noexcept {
  if (const std::int64_t items = waiting(); items > 0) {
    if (const std::uint32_t who = sleepers_.summon_any(at, items, is_best); who != sleepers_.none) {
      unpark(who);
    }
  }
}

void threads::wake_for_queued() noexcept {
  wake_for_placed(0, [](std::uint32_t) { return false; });
}

std::optional<near_pools::domain> threads::domain_of(const affinity& wish) const {
  if (!wish.node()) {
    return {};
  }
  if (wish.named()) {
    near_.check(*wish.node(), recorder_ == nullptr);
  }
  return recorder_ == nullptr ? near_.nearest(*wish.node()) : std::nullopt;
}

void threads::place_near(near_pools::domain where, sched::item what) {
  near_.put(where, what);
  wake_for_placed(near_.first_of(where), [&](std::uint32_t each) { return near_.of(each) == where; });
}

bool threads::place_near_worker(std::uint32_t self, std::uint32_t who, sched::item what) noexcept {
  if (near_.of(who) == near_.of(self)) {
    return false;
  }
  try {
    place_near(near_.of(who), what);
  } catch (const std::bad_alloc&) {
    return false;
  }
  workers_[self]->counts.migrations.add();
  return true;
}

/// Takes a task that has a wish, from any domain.
sched::item threads::take_near(worker& self, bool shared) noexcept {
  sched::item found = near_.take_own(self.id, shared);
  if (found) {
    self.counts.at_home.add();
  } else if ((found = near_.take_other(self.id))) {
    self.counts.away.add();
  }
  return taken(self.id, worker_event::source::near, 0, found);
}

/// Wakes the workers that are needed now that `self` no longer searches.
void threads::end_search(worker& self) noexcept {
  sleepers_.end_search(self.id, [&](std::uint32_t next) {
    // Short patience is about the time of a wake-up: what was posted for a worker that wakes is left to it.
    workers_[next]->heard = impatient() ? 0 : self.waits.sighted();
    unpark(next);
  });
  wake_for_placed(self.id, [](std::uint32_t) { return false; });
  wake_spare();
}

}  // namespace jackdaw::detail
