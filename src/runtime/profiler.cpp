#include "runtime/profiler.hpp"

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <new>
#include <utility>

#include "jackdaw/access.hpp"

namespace jackdaw::detail {
namespace {

/// In ns. The operating system is asked for page faults at most this often. If there was one since it was last asked,
/// only the last step does not count as work.
constexpr std::uint64_t asked_every = 20'000;

void say_refused(const profile::worker_counters& counters) noexcept {
  try {
    std::fprintf(stderr, "jackdaw: hardware counters: %s; declared accesses are counted instead\n",
                 counters.failure()->what.c_str());
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): not said then
  }
}

}  // namespace

profiler::~profiler() {
  if (listening()) access_listeners.fetch_sub(1, std::memory_order_relaxed);
}

bool profiler::counts(std::uint32_t self) {
  if (counters_ == nullptr || !counters_->good()) {
    return false;
  }
  return std::exchange(seats_[self].opened, true) || counters_->open(self);
}

sched::evidence profiler::listen(std::uint32_t self, bool on) {
  if (!looked_) {
    look_for_counters();
    looked_ = true;
  }
  // If there was no memory for an iteration, it has begun to count and never ended it.
  if (on != listening()) {
    // Relaxed, like the load of access_is_heard: a thread that sees this late counts a little less or more.
    access_listeners.fetch_add(on ? 1U : ~0U, std::memory_order_relaxed);
  }
  generation_.fetch_add(1, std::memory_order_relaxed);
  // Release: a worker that sees this sees the counters.
  listening_.store(on, std::memory_order_release);
  const bool good = counts(self);
  if (!on && by_counters_ && !good) {
    say_refused(*counters_);
  }
  by_counters_ = good;
  return good ? sched::evidence::counters : sched::evidence::declared;
}

void profiler::look_for_counters() {
  if (!profile::counts_instructions(*kernel_)) return;
  profile::counter_survey found = profile::survey_counters(*kernel_);
  if (!found.events || found.failure) return;
  if (!pinned_) found.events->memory.reset();
  counters_ = std::make_unique<profile::worker_counters>(static_cast<unsigned>(seats_.size()), std::move(*found.events),
                                                         *kernel_);
}

void profiler::read(std::uint32_t self) {
  seat& mine = seats_[self];
  if (!listening_.load(std::memory_order_acquire)) {
    return;
  }
  if (!counts(self)) {
    time(mine, true);
  } else if (const auto now = counters_->read(self)) {
    mine.misses.set(now->misses);
    mine.instructions.set(now->instructions);
    mine.local.set(now->local);
    mine.remote.set(now->remote);
  }
}

void profiler::resume(std::uint32_t self) {
  if (listening_.load(std::memory_order_acquire) && !counts(self)) {
    time(seats_[self], false);
  }
}

void profiler::time(seat& mine, bool working) {
  using ns = std::chrono::duration<std::uint64_t, std::nano>;
  const std::uint64_t now = std::chrono::duration_cast<ns>(std::chrono::steady_clock::now().time_since_epoch()).count();
  // Relaxed: listen() changed it before it stored listening_, which the caller has loaded with acquire.
  const std::uint32_t generation = generation_.load(std::memory_order_relaxed);
  const bool same = mine.generation == generation;
  const std::uint64_t took = now - mine.since;
  mine.since = now;
  if (same && now - mine.asked < asked_every) {
    if (working) mine.worked.add(took);
    return;
  }
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  if (working && same && mine.faults == used.ru_minflt) mine.worked.add(took);
  mine.generation = generation;
  mine.asked = now;
  mine.faults = used.ru_minflt;
}

void profiler::declare(std::uint32_t self, const declared_access& what) noexcept {
  seat& mine = seats_[self];
  // Relaxed: a profile that has just begun may miss an access.
  const std::uint32_t generation = generation_.load(std::memory_order_relaxed);
  if (std::exchange(mine.recent_of, generation) != generation) mine.recent.forget();
  mine.declared.add(mine.recent.missed(what));
}

sched::counts profiler::last(std::uint32_t worker) const noexcept {
  const seat& of = seats_[worker];
  if (counters_ != nullptr && counters_->good()) {
    return {of.misses.get(), of.instructions.get(), of.local.get(), of.remote.get()};
  }
  return {of.declared.get(), of.worked.get()};
}

bool profiler::counts_memory() const noexcept {
  return counters_ != nullptr && counters_->good() && counters_->events().memory;
}

}  // namespace jackdaw::detail
