#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>

#include "jackdaw/detail/atomics.hpp"
#include "sched/span.hpp"
#include "sched/vigil.hpp"

namespace jackdaw::detail {

/// Which workers sleep, which search, and which must be woken for what. Protocol, states and races:
/// src/runtime/README-sleep.md.
///
/// Invariant: while something that a sleeper could take is exposed, either a worker searches, and the last searcher to
/// stop will take care of it; or a worker that has asked its owner is about to look at it. While nothing is exposed,
/// either every owner in a sleeper's scope has been asked since it last looked, and wakes a worker at its next push; or
/// a worker searches.
template <class P>
class basic_sleepers {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// `most_searchers`: a search that finds something adds none beyond that; at least 1.
  explicit basic_sleepers(std::uint32_t workers, std::int64_t most_searchers = std::numeric_limits<std::int64_t>::max())
      : workers_(workers),
        most_searchers_(most_searchers),
        words_((workers + 63) / 64),
        asleep_(new typename P::template atomic<std::uint64_t>[words_]),
        away_(new typename P::template atomic<std::uint64_t>[words_]),
        scopes_(new typename P::template atomic<std::uint64_t>[workers]) {
    for (std::uint32_t i = 0; i < words_; ++i) {
      asleep_[i].store(0, std::memory_order_relaxed);
      away_[i].store(0, std::memory_order_relaxed);
    }
    for (std::uint32_t i = 0; i < workers; ++i) {
      set_scope(i, {0, workers - 1});
    }
  }

  /// All workers sleep. Called before any thread is in a worker's place.
  void begin_asleep() noexcept {
    for (std::uint32_t i = 0; i < workers_; ++i) {
      asleep_[i / 64].fetch_or(bit(i), std::memory_order_seq_cst);
    }
  }

  // ---- a worker, about itself -------------------------------------------------------------------------------------

  void begin_search() noexcept { searching_.fetch_add(1, std::memory_order_seq_cst); }

  /// Ends a search that found something, and passes it on: calls wake(sleeper) for up to two sleepers, unless enough
  /// workers search. After this at least one searches, or none sleeps: other workers have woken no sleeper because this
  /// one searched. It wakes the nearest sleeper with this worker in its scope; if there is none, the nearest of all.
  template <class Wake>
  void end_search(std::uint32_t self, Wake wake) noexcept {
    std::int64_t searching = searching_.fetch_sub(1, std::memory_order_seq_cst) - 1;
    const std::int64_t enough = std::min(sched::searchers_for(workers_ - sleeping() - searching), most_searchers_);
    for (int woken = 0; woken < sched::woken_by_a_find && searching < enough; ++woken, ++searching) {
      const std::uint32_t near = choose(self, [&](std::uint32_t sleeper) { return scope(sleeper).contains(self); });
      const std::uint32_t who = near != none ? near : choose(self, [](std::uint32_t) { return true; });
      if (who == none) {
        return;
      }
      wake(who);
    }
  }

  enum class rest : std::uint8_t {
    awake,  ///< something is in its reach: the worker searches again
    sleep,  ///< park until woken
    doze,   ///< the same, but there was no heavy fence: the worker looks again from time to time
    watch,  ///< the same, but others have not taken something that is theirs: the worker looks again from time to time
  };

  /// Changes from searching to sleeping, in the order in which no wake-up is lost. It sets the worker's bit, asks all
  /// workers (ask()), executes a heavy fence and looks once more. in_sight(worker) says whether there is something to
  /// take at that worker; for `self` also whether it is wanted for anything else. `reach` is the range from which the
  /// worker would take something now. The last searcher also looks on behalf of other sleepers, and calls wake(sleeper)
  /// for one of them.
  template <class Ask, class InSight, class Wake>
  [[nodiscard]] rest lie_down(std::uint32_t self, sched::worker_range reach, Ask ask, InSight in_sight, Wake wake) {
    asleep_[self / 64].fetch_or(bit(self), std::memory_order_seq_cst);
    bool last = searching_.fetch_sub(1, std::memory_order_seq_cst) == 1;
    ask();
    const bool certain = P::heavy_fence();
    // From here on a worker that exposes something sees the sleeper or the question, or the thing is in sight below.
    for (std::uint32_t at = 0; at < workers_; ++at) {
      if ((at == self || reach.contains(at)) && in_sight(at)) {
        // False: another worker has made it rise, and its wake-up, which is on its way, must be awaited.
        return rise(self) ? rest::awake : rest::sleep;
      }
    }
    bool watches = false;
    for (std::uint32_t at = 0; at < workers_; ++at) {
      if (at != self && !reach.contains(at) && in_sight(at)) {
        watches = true;
        if (const std::uint32_t who = last ? notice(at, false) : none; who != none) {
          wake(who);  // it will be the last in its turn
          last = false;
        }
      }
    }
    return !certain ? rest::doze : watches ? rest::watch : rest::sleep;
  }

  /// Changes from searching to sleeping for a worker whose own thread is parked, when its place is given back.
  /// is_quiet() says, once the worker's bit is set and all have been asked, whether no root is under way that could
  /// have missed that. False: the worker has risen and counts as searching, and the caller must wake its thread.
  template <class Ask, class Quiet>
  [[nodiscard]] bool lie_down_again(std::uint32_t self, Ask ask, Quiet is_quiet) {
    asleep_[self / 64].fetch_or(bit(self), std::memory_order_seq_cst);
    searching_.fetch_sub(1, std::memory_order_seq_cst);
    ask();
    P::full_fence();
    return is_quiet() || !rise(self);  // no rise: another worker's wake-up is on its way
  }

  /// Ends a search without a wake-up for others: `others_run()`, asked once this one no longer counts, says whether
  /// there is anybody who could have relied on it. False: the search goes on.
  template <class OthersRun>
  [[nodiscard]] bool end_search_alone(OthersRun others_run) {
    searching_.fetch_sub(1, std::memory_order_seq_cst);
    if (!others_run()) {
      return true;
    }
    begin_search();
    return false;
  }

  /// A worker calls begin_watch() when it has lain down to watch, and end_watch() when it has been woken or has got up.
  void begin_watch() noexcept { watching_.fetch_add(1, std::memory_order_seq_cst); }
  void end_watch() noexcept { watching_.fetch_sub(1, std::memory_order_seq_cst); }
  bool anyone_watches() const noexcept { return watching_.load(std::memory_order_seq_cst) != 0; }

  /// Changes from dozing back to searching by itself. False: another worker was faster and its wake-up is on its way.
  [[nodiscard]] bool get_up(std::uint32_t self) noexcept { return rise(self); }

  bool asleep(std::uint32_t worker) const noexcept {
    return (asleep_[worker / 64].load(std::memory_order_seq_cst) & bit(worker)) != 0;
  }

  void set_scope(std::uint32_t worker, sched::worker_range scope) noexcept {
    const std::uint64_t packed = static_cast<std::uint64_t>(scope.first) << 32 | scope.last;
    if (scopes_[worker].load(std::memory_order_relaxed) != packed) {
      scopes_[worker].store(packed, std::memory_order_relaxed);
    }
  }
  sched::worker_range scope(std::uint32_t worker) const noexcept {
    const std::uint64_t packed = scopes_[worker].load(std::memory_order_relaxed);
    return {static_cast<std::uint32_t>(packed >> 32), static_cast<std::uint32_t>(packed)};
  }

  // ---- a worker that has exposed something, after a full fence ----------------------------------------------------

  /// Returns the sleeper to wake because `at` has something to take: the nearest with `at` in its scope; if there is
  /// none and `any` is set, the nearest of all. Returns none if none is needed. The caller must wake the sleeper.
  [[nodiscard]] std::uint32_t notice(std::uint32_t at, bool any) noexcept {
    if (searching_.load(std::memory_order_seq_cst) != 0) {
      return none;
    }
    const std::uint32_t near = choose(at, [&](std::uint32_t sleeper) { return scope(sleeper).contains(at); });
    return near != none || !any ? near : choose(at, [](std::uint32_t) { return true; });
  }

  /// Returns the nearest sleeper that will do, even if others search: for things that only some workers may take, so
  /// that each of these has to be asked. The caller has published the thing sequentially consistently, and must wake
  /// the sleeper.
  template <class Accept>
  [[nodiscard]] std::uint32_t summon(std::uint32_t at, Accept will_do) noexcept {
    return choose(at, will_do);
  }

  /// Returns the sleeper to wake for things that any worker may take. `waiting` of them are there, counted sequentially
  /// consistently before. It is the nearest that `is_best` accepts; if there is none, the nearest of all, unless as
  /// many workers search already. The caller must wake the sleeper. src/runtime/README-near.md.
  template <class Best>
  [[nodiscard]] std::uint32_t summon_any(std::uint32_t at, std::int64_t waiting, Best is_best) noexcept {
    const std::uint32_t best = choose(at, is_best);
    if (best != none || searching_.load(std::memory_order_seq_cst) >= waiting) {
      return best;
    }
    return choose(at, [](std::uint32_t) { return true; });
  }

  /// Makes a worker rise. True: `worker` slept, and the caller must wake it.
  [[nodiscard]] bool rise(std::uint32_t worker) noexcept {
    const std::uint64_t mask = bit(worker);
    if ((asleep_[worker / 64].load(std::memory_order_seq_cst) & mask) == 0) {
      return false;
    }
    // It counts as searching from here on, before it runs, so that no other sleeper is woken for the same thing.
    searching_.fetch_add(1, std::memory_order_seq_cst);
    if ((asleep_[worker / 64].fetch_and(~mask, std::memory_order_seq_cst) & mask) != 0) {
      return true;
    }
    searching_.fetch_sub(1, std::memory_order_seq_cst);
    return false;
  }

  /// A worker that has been made to rise does not count as searching until it calls begin_search(): its thread is away,
  /// and has been called (README-arena.md).
  void await() noexcept { searching_.fetch_sub(1, std::memory_order_seq_cst); }
  /// Says whether a sleeping worker's thread is away, so that others are woken before it.
  void set_away(std::uint32_t worker, bool away) noexcept {
    if (away) {
      away_[worker / 64].fetch_or(bit(worker), std::memory_order_relaxed);
    } else {
      away_[worker / 64].fetch_and(~bit(worker), std::memory_order_relaxed);
    }
  }
  /// Makes a worker rise whose thread is away, and returns it; none: there is none.
  [[nodiscard]] std::uint32_t call_one(std::uint32_t at) noexcept {
    return anyone_away() ? choose(at, [this](std::uint32_t each) { return is_away(each); }) : none;
  }
  /// Returns a sleeper to wake for things that it will only see once it has found nothing else. `waiting` of them are
  /// there, counted before the caller's full fence. Not `except`. The caller must wake it.
  [[nodiscard]] std::uint32_t summon_spare(std::int64_t waiting, std::uint32_t except = none) noexcept {
    if (searching_.load(std::memory_order_seq_cst) >= waiting) {
      return none;
    }
    return choose(0, [&](std::uint32_t each) { return each != except && !is_away(each); });
  }

  bool anyone_idle() const noexcept { return anyone_searches() || anyone_asleep(); }
  bool anyone_searches() const noexcept { return searching_.load(std::memory_order_seq_cst) != 0; }

  bool anyone_asleep() const noexcept {
    for (std::uint32_t i = 0; i < words_; ++i) {
      if (asleep_[i].load(std::memory_order_seq_cst) != 0) {
        return true;
      }
    }
    return false;
  }

  bool anyone_away() const noexcept {
    for (std::uint32_t i = 0; i < words_; ++i) {
      if (away_[i].load(std::memory_order_relaxed) != 0) {
        return true;
      }
    }
    return false;
  }

 private:
  bool is_away(std::uint32_t worker) const noexcept {
    return (away_[worker / 64].load(std::memory_order_relaxed) & bit(worker)) != 0;
  }
  std::int64_t sleeping() const noexcept {
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < words_; ++i) {
      sum += std::popcount(asleep_[i].load(std::memory_order_relaxed));
    }
    return sum;
  }

  static constexpr std::uint64_t bit(std::uint32_t worker) noexcept { return std::uint64_t{1} << (worker % 64); }

  /// Makes the sleeper nearest to `at` rise, among those that will do, and returns it. Those whose threads are away
  /// come last. Adjacent numbers are near: machine::place_workers.
  template <class Accept>
  std::uint32_t choose(std::uint32_t at, Accept will_do) noexcept {
    if (!anyone_asleep()) {
      return none;
    }
    const bool some_away = anyone_away();
    const auto try_all = [&](bool passes_over) {
      for (std::uint32_t step = 0; step <= workers_; ++step) {
        for (const bool up : {false, true}) {
          if (up ? at + step >= workers_ : step > at) {
            continue;
          }
          const std::uint32_t candidate = up ? at + step : at - step;
          if (asleep(candidate) && !(passes_over && is_away(candidate)) && will_do(candidate) && rise(candidate)) {
            return candidate;
          }
        }
      }
      return none;
    };
    const std::uint32_t at_home = try_all(some_away);
    return at_home != none || !some_away ? at_home : try_all(false);  // all: one may have come home meanwhile
  }

  const std::uint32_t workers_;
  const std::int64_t most_searchers_;
  const std::uint32_t words_;
  std::unique_ptr<typename P::template atomic<std::uint64_t>[]> asleep_;
  std::unique_ptr<typename P::template atomic<std::uint64_t>[]> away_;  // sleepers whose threads are elsewhere
  std::unique_ptr<typename P::template atomic<std::uint64_t>[]> scopes_;
  alignas(64) typename P::template atomic<std::int64_t> searching_{0};
  typename P::template atomic<std::int64_t> watching_{0};  // how many sleepers watch
};

}  // namespace jackdaw::detail
