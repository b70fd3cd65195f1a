#include "gomp/pool.hpp"

#include <pthread.h>

#include <algorithm>
#include <new>

#include "gomp/crew.hpp"
#include "gomp/patience.hpp"
#include "gomp/settings.hpp"

namespace jackdaw::gomp {
namespace {

constinit thread_local pool* this_pool = nullptr;

/// Teams of pools whose threads have ended, for other pools. They are never freed: somebody may still be about to leave
/// one's last barrier.
struct left_over {
  lock mutex;
  team* teams = nullptr;
};
constinit left_over unused;

pthread_key_t at_end_of_thread() noexcept {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, &pool::leave);
    return made;
  }();
  return key;
}

team* take_team(unsigned n) {
  {
    const holding hold(unused.mutex);
    for (team** at = &unused.teams; *at != nullptr; at = &(*at)->link) {
      if (team* const found = *at; found->most >= n && found->most <= 2 * n) {
        *at = found->link;
        return found;
      }
    }
  }
  return new team(n);
}

}  // namespace

pool::pool() : alone_(take_team(1)) { pthread_setspecific(at_end_of_thread(), this); }

pool& pool::of_this_thread() noexcept {
  if (this_pool == nullptr) {
    this_pool = new pool;
  }
  return *this_pool;
}

team& pool::open(unsigned n) {
  const auto fits = std::find_if(closed_.begin(), closed_.end(), [n](const team* each) { return each->most >= n; });
  team* found = nullptr;
  if (fits != closed_.end()) {
    found = *fits;
    closed_.erase(fits);
  } else {
    found = take_team(n);
  }
  // The workers go to the first thread that opens a region.
  while (carriers_.size() < used_ + n - 1) {
    carrier* next = crew::of_process().take(*this, static_cast<unsigned>(carriers_.size()) + 1, n);
    carriers_.push_back(next != nullptr ? next : new carrier);
  }
  used_ += n - 1;
  open_.push_back(found);
  found->size = n;
  return *found;
}

void pool::close() noexcept {
  used_ -= last().size - 1;
  // The one that was used last is the first to be used again: its memory is where the caches are.
  closed_.insert(closed_.begin(), open_.back());
  open_.pop_back();
}

void pool::leave(void* of_thread) noexcept {
  pool* const self = static_cast<pool*>(of_thread);
  crew::of_process().retire(*self);
  // Their threads end too, as libgomp's do: those of the next pool have thread-local variables of their own.
  for (carrier* const each : self->carriers_) each->dismiss();
  {
    // Its chain of shares has gone on without its root; the next user's begins there.
    self->alone_->rewind_shares(self->alone_->members[0].at);
    const holding hold(unused.mutex);
    self->closed_.push_back(self->alone_);
    for (team* const each : self->closed_) {
      each->link = unused.teams;
      unused.teams = each;
    }
  }
  if (this_pool == self) {
    this_pool = nullptr;
    current_member = nullptr;
  }
  delete self;
}

void pool::pause() noexcept {
  if (used_ != 0) return;
  // The workers come first in it, and stay: they sleep.
  while (!carriers_.empty() && carriers_.back()->dismiss()) carriers_.pop_back();
}

void pool::forget_all() noexcept {
  new (&unused) left_over;
  threads_awake.store(0, std::memory_order_relaxed);
  if (pool* const mine = this_pool) {
    mine->carriers_.clear();
    mine->used_ = 0;
    mine->closed_.clear();  // a thread may have been about to leave one's last barrier, and is counted there for good
    // The regions that it is in go on without their other members.
    for (team* const each : mine->open_) {
      each->size = 1;
      each->helpers.store(0, std::memory_order_relaxed);
      each->meet.arrived.store(0, std::memory_order_relaxed);
      each->end.arrived.store(0, std::memory_order_relaxed);
    }
  }
  crew::of_process().forget();
}

}  // namespace jackdaw::gomp
