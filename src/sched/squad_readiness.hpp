#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "jackdaw/detail/atomics.hpp"

namespace jackdaw::sched {

/// When squads have run out of what is their own, and may take from others (LAWS 3.4). States, the argument, and why a
/// squad waits for its own part: README-squads.md.
///
/// A worker reads opened(), looks wherever its squad's tasks may be, and then asks none_to_come(). If that is true, all
/// that the squad was given, and all that its own parts forked first, lay there when it looked, or had been taken.
///
/// All accesses are sequentially consistent for the sake of sleepers, which ask after they have said that they sleep:
/// either a sleeper sees the change, or the worker that makes the change sees the sleeper. This implies acquire and
/// release, which make an opened part's rest visible to a worker that has read opened().
template <class P>
class basic_squad_readiness {
 public:
  explicit basic_squad_readiness(std::uint32_t squads) : squads_(new counts[squads]) {}

  /// Another task may place parts, and other tasks: before any of these can be seen.
  void begin_expanding() noexcept { expanding_.fetch_add(1, std::memory_order_seq_cst); }
  /// It places no more. Returns whether no task does: then workers that sleep for want of others' tasks must be woken.
  bool end_expanding() noexcept { return expanding_.fetch_sub(1, std::memory_order_seq_cst) == 1; }

  /// A part is being put into that squad's pool, by a task that expands.
  void place(std::uint32_t squad) noexcept { squads_[squad].placed.fetch_add(1, std::memory_order_seq_cst); }
  /// What it consists of can be found, or it is a single task after all. Whoever sleeps as above must be woken.
  void open(std::uint32_t squad) noexcept { squads_[squad].opened.fetch_add(1, std::memory_order_seq_cst); }
  /// How many of the squad's parts so far.
  std::uint64_t opened(std::uint32_t squad) const noexcept {
    return squads_[squad].opened.load(std::memory_order_seq_cst);
  }

  /// Whether the squad has had `opened` parts and awaits neither these nor others. In this order: when no task expands
  /// any more, all parts have been placed.
  bool none_to_come(std::uint32_t squad, std::uint64_t opened) const noexcept {
    return none_expands() && placed(squad) == opened;
  }

 protected:
  bool none_expands() const noexcept { return expanding_.load(std::memory_order_seq_cst) == 0; }
  std::uint64_t placed(std::uint32_t squad) const noexcept {
    return squads_[squad].placed.load(std::memory_order_seq_cst);
  }

 private:
  struct alignas(64) counts {
    typename P::template atomic<std::uint64_t> placed{0}, opened{0};
  };

  std::unique_ptr<counts[]> squads_;
  alignas(64) typename P::template atomic<std::uint32_t> expanding_{0};
};

using squad_readiness = basic_squad_readiness<detail::hardware>;

}  // namespace jackdaw::sched
