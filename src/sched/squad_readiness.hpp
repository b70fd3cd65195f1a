#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "jackdaw/detail/atomics.hpp"

namespace jackdaw::sched {

/// Counts by which a squad knows that it has run out of its own tasks and may take from others (LAWS 3.4). States, the
/// argument, and why a squad waits for its own part: README-squads.md.
///
/// A worker reads opened(), looks wherever its squad's tasks may be, and then asks none_to_come(). If that is true, all
/// tasks that the squad was given, and all that its own parts forked first, lay there when it looked, or had been
/// taken.
///
/// All accesses are sequentially consistent for the sake of sleepers, which ask after they have set their bits: either
/// a sleeper sees the change, or the worker that makes the change sees the sleeper. This implies acquire and release,
/// which make the continuation of an opened part visible to a worker that has read opened().
template <class P>
class basic_squad_readiness {
 public:
  explicit basic_squad_readiness(std::uint32_t squads) : squads_(new counts[squads]) {}

  /// Another task may place parts and other tasks. Called before any of these can be seen.
  void begin_expanding() noexcept { expanding_.fetch_add(1, std::memory_order_seq_cst); }
  /// A task places no more. Returns whether no task does any more: then workers that sleep because others' tasks were
  /// forbidden must be woken.
  bool end_expanding() noexcept { return expanding_.fetch_sub(1, std::memory_order_seq_cst) == 1; }

  /// A task that expands is putting a part into that squad's pool.
  void place(std::uint32_t squad) noexcept { squads_[squad].placed.fetch_add(1, std::memory_order_seq_cst); }
  /// The tasks of a part can be found, or it is a single task after all. Workers that sleep as above must be woken.
  void open(std::uint32_t squad) noexcept { squads_[squad].opened.fetch_add(1, std::memory_order_seq_cst); }
  /// Returns how many of the squad's parts have been opened so far.
  std::uint64_t opened(std::uint32_t squad) const noexcept {
    return squads_[squad].opened.load(std::memory_order_seq_cst);
  }

  /// Whether the squad has had `opened` parts and no more of these nor other tasks will come. The order matters: once
  /// no task expands, all parts have been placed.
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
