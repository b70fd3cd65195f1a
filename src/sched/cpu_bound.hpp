#pragma once

#include <atomic>
#include <memory>

#include "sched/engine.hpp"

namespace jackdaw::sched {

/// The number of bytes that a miss brings in.
inline constexpr std::uint64_t cache_line = 64;

/// The most misses an instruction of work that misses so little that the place of its data does not matter (LAWS 6.6):
/// a line in a hundred instructions, about half of what each core of a full machine gets from memory. Declared accesses
/// say nothing of what caches keep, and time stands for instructions: the limit is a line in 25 ns, a quarter of what
/// one core streams.
constexpr double cpu_bound_limit(evidence source) noexcept { return source == evidence::declared ? 0.04 : 0.01; }

/// If nothing was counted, no place is better than another.
inline bool is_cpu_bound(const counts& spent, evidence source) noexcept {
  return static_cast<double>(spent.misses) <= cpu_bound_limit(source) * static_cast<double>(spent.instructions);
}

/// Judges whether most tasks of an iteration are CPU-bound (LAWS 6.6). What a worker does between two events of the
/// scheduler counts as a task, and is judged by itself.
///
/// "Most" is by time, because half of the tasks of a tree only fork. A task's time is estimated by its counts: a miss
/// stands for as many instructions as there are between two misses at the limit.
class task_census {
 public:
  explicit task_census(std::uint32_t workers) : seats_(std::make_unique<seat[]>(workers)) {}

  /// Forgets all tasks. `source`: where the counts of those to come are from.
  void restart(evidence source) noexcept {
    source_.store(source, std::memory_order_relaxed);
    for (auto* const sum : {&little_, &much_}) sum->store(0, std::memory_order_relaxed);
    instructions_.store(0, std::memory_order_relaxed);
    misses_.store(0, std::memory_order_relaxed);
    census_.fetch_add(1, std::memory_order_relaxed);
  }
  /// Counts what that worker has done since the last call for it in this census, as one task. Called by that worker, or
  /// while it has none of the tasks.
  void add(worker_id self, const counts& now) noexcept {
    seat& mine = seats_[self];
    const unsigned census = census_.load(std::memory_order_relaxed);
    if (mine.census == census) count(now - mine.seen);
    mine.census = census;
    mine.seen = now;
  }
  /// Of all tasks.
  std::uint64_t instructions() const noexcept { return instructions_.load(std::memory_order_relaxed); }
  /// Whether nothing is known of their accesses: there are no counters, and the program declares none.
  bool saw_no_access() const noexcept {
    return source() == evidence::declared && misses_.load(std::memory_order_relaxed) == 0;
  }
  bool most_are_cpu_bound() const noexcept {
    return little_.load(std::memory_order_relaxed) >= much_.load(std::memory_order_relaxed);
  }
  /// Whether that is clear: all together miss a quarter of what the limit allows. A region that touches data for the
  /// first time runs once, often with much computing, and decides where the data are for as long as they live. So it
  /// must not run anywhere on less evidence.
  bool all_are_clearly_cpu_bound() const noexcept {
    const double limit = cpu_bound_limit(source()) * static_cast<double>(instructions());
    const double misses = little_.load(std::memory_order_relaxed) + much_.load(std::memory_order_relaxed) - limit;
    return most_are_cpu_bound() && misses <= limit / 4;
  }
  evidence source() const noexcept { return source_.load(std::memory_order_relaxed); }

 private:
  struct alignas(64) seat {
    unsigned census = 0;  // the last one that it took part in
    counts seen;
  };

  void count(const counts& spent) noexcept {
    const double limit = cpu_bound_limit(source());
    const double took = static_cast<double>(spent.misses) + limit * static_cast<double>(spent.instructions);
    (is_cpu_bound(spent, source()) ? little_ : much_).fetch_add(took, std::memory_order_relaxed);
    instructions_.fetch_add(spent.instructions, std::memory_order_relaxed);
    if (spent.misses != 0) misses_.fetch_add(spent.misses, std::memory_order_relaxed);
  }

  std::unique_ptr<seat[]> seats_;
  std::atomic<evidence> source_{evidence::declared};
  std::atomic<unsigned> census_{0};
  std::atomic<double> little_{0}, much_{0};  // time of both kinds of tasks, in misses
  std::atomic<std::uint64_t> instructions_{0}, misses_{0};
};

}  // namespace jackdaw::sched
