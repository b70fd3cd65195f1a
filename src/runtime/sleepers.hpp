#pragma once

#include <bit>
#include <cstdint>
#include <memory>

#include "jackdaw/detail/atomics.hpp"
#include "sched/span.hpp"
#include "sched/vigil.hpp"

namespace jackdaw::detail {

/// Who sleeps, who searches, and who must be woken for what. Protocol, states and races: src/runtime/README-sleep.md.
///
/// Invariant: while something that a sleeper could take is exposed, either somebody searches, and whoever is the last
/// to stop will see to it; or somebody who has asked its owner is about to look at it. While nothing is, every owner in
/// a sleeper's scope has been asked since he last looked, and wakes somebody at his next push, or somebody searches.
template <class P>
class basic_sleepers {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  explicit basic_sleepers(std::uint32_t workers)
      : workers_(workers),
        words_((workers + 63) / 64),
        asleep_(new typename P::template atomic<std::uint64_t>[words_]),
        scopes_(new typename P::template atomic<std::uint64_t>[workers]) {
    for (std::uint32_t i = 0; i < words_; ++i) {
      asleep_[i].store(0, std::memory_order_relaxed);
    }
    for (std::uint32_t i = 0; i < workers; ++i) {
      set_scope(i, {0, workers - 1});
    }
  }

  // ---- a worker, of itself ----------------------------------------------------------------------------------------

  void begin_search() noexcept { searching_.fetch_add(1, std::memory_order_seq_cst); }

  /// Ends a search that found something, and passes it on: calls wake(sleeper) for up to two, unless enough search. At
  /// least one searches after this, or nobody sleeps: others have woken nobody because this one searched. The nearest
  /// with this worker in its scope comes first; if none would come for its sake then any.
  template <class Wake>
  void end_search(std::uint32_t self, Wake wake) noexcept {
    std::int64_t searching = searching_.fetch_sub(1, std::memory_order_seq_cst) - 1;
    const std::int64_t enough = sched::searchers_for(workers_ - sleeping() - searching);
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
    awake,  ///< something is in reach: the worker searches again
    sleep,  ///< park until woken
    doze,   ///< the same, but there was no heavy fence: look again from time to time
    watch,  ///< the same, but something is there for others: look from time to time whether they have come for it
  };

  /// From searching to sleeping, in the order in which no wake-up is lost: says that it sleeps, asks everybody (ask()),
  /// fences heavily, and looks once more (in_sight(worker): whether there is something to take at that worker; for
  /// `self` also whether it is wanted for anything else). In reach is what it would take now. The last to search looks
  /// on behalf of other sleepers too, and calls wake(sleeper) for one of them.
  template <class Ask, class InSight, class Wake>
  [[nodiscard]] rest lie_down(std::uint32_t self, sched::worker_range reach, Ask ask, InSight in_sight, Wake wake) {
    asleep_[self / 64].fetch_or(bit(self), std::memory_order_seq_cst);
    bool last = searching_.fetch_sub(1, std::memory_order_seq_cst) == 1;
    ask();
    const bool certain = P::heavy_fence();
    // From here on whoever exposes something sees either the sleeper or the question, or it is in sight below.
    for (std::uint32_t at = 0; at < workers_; ++at) {
      if ((at == self || reach.contains(at)) && in_sight(at)) {
        // False: somebody has made it rise, and the wake-up, which is on its way, must be taken.
        return rise(self) ? rest::awake : rest::sleep;
      }
    }
    bool watches = false;
    for (std::uint32_t at = 0; at < workers_; ++at) {
      if (at != self && !reach.contains(at) && in_sight(at)) {
        watches = true;
        if (const std::uint32_t who = last ? notice(at, false) : none; who != none) {
          wake(who);  // and it will be the last in its turn
          last = false;
        }
      }
    }
    return !certain ? rest::doze : watches ? rest::watch : rest::sleep;
  }

  /// Who has lain down to watch says so, and again when it has been woken or got up.
  void begin_watch() noexcept { watching_.fetch_add(1, std::memory_order_seq_cst); }
  void end_watch() noexcept { watching_.fetch_sub(1, std::memory_order_seq_cst); }
  bool anyone_watches() const noexcept { return watching_.load(std::memory_order_seq_cst) != 0; }

  /// From dozing back to searching, of one's own accord. False: somebody was faster and the wake-up is on its way.
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

  // ---- whoever has exposed something, after a full fence ----------------------------------------------------------

  /// The sleeper to wake because `at` has something to take: the nearest with `at` in its scope; failing that, if `any`
  /// will do, the nearest. none: none is needed. The caller must wake the one that is returned.
  [[nodiscard]] std::uint32_t notice(std::uint32_t at, bool any) noexcept {
    if (searching_.load(std::memory_order_seq_cst) != 0) {
      return none;
    }
    const std::uint32_t near = choose(at, [&](std::uint32_t sleeper) { return scope(sleeper).contains(at); });
    return near != none || !any ? near : choose(at, [](std::uint32_t) { return true; });
  }

  /// The nearest sleeper that will do, whoever searches: for what few may take, who must all be asked. The caller has
  /// published that thing sequentially consistently, and must wake the one that is returned.
  template <class Accept>
  [[nodiscard]] std::uint32_t summon(std::uint32_t at, Accept will_do) noexcept {
    return choose(at, will_do);
  }

  /// The sleeper to wake for what anybody may take, of which `waiting` are there, counted sequentially consistently
  /// before: the nearest that `is_best` accepts; failing that the nearest of all, unless as many search already. The
  /// caller must wake the one that is returned. src/runtime/README-near.md.
  template <class Best>
  [[nodiscard]] std::uint32_t summon_any(std::uint32_t at, std::int64_t waiting, Best is_best) noexcept {
    const std::uint32_t best = choose(at, is_best);
    if (best != none || searching_.load(std::memory_order_seq_cst) >= waiting) {
      return best;
    }
    return choose(at, [](std::uint32_t) { return true; });
  }

  /// True: `worker` slept, and the caller must wake it.
  [[nodiscard]] bool rise(std::uint32_t worker) noexcept {
    const std::uint64_t mask = bit(worker);
    if ((asleep_[worker / 64].load(std::memory_order_seq_cst) & mask) == 0) {
      return false;
    }
    // It counts as searching from here on, before it runs, so that nobody else is woken for the same thing.
    searching_.fetch_add(1, std::memory_order_seq_cst);
    if ((asleep_[worker / 64].fetch_and(~mask, std::memory_order_seq_cst) & mask) != 0) {
      return true;
    }
    searching_.fetch_sub(1, std::memory_order_seq_cst);
    return false;
  }

  bool anyone_idle() const noexcept { return searching_.load(std::memory_order_seq_cst) != 0 || anyone_asleep(); }

  bool anyone_asleep() const noexcept {
    for (std::uint32_t i = 0; i < words_; ++i) {
      if (asleep_[i].load(std::memory_order_seq_cst) != 0) {
        return true;
      }
    }
    return false;
  }

 private:
  std::int64_t sleeping() const noexcept {
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < words_; ++i) {
      sum += std::popcount(asleep_[i].load(std::memory_order_relaxed));
    }
    return sum;
  }

  static constexpr std::uint64_t bit(std::uint32_t worker) noexcept { return std::uint64_t{1} << (worker % 64); }

  /// The sleeper nearest to `at` among those that will do, made to rise. Adjacent numbers are near:
  /// machine::place_workers.
  template <class Accept>
  std::uint32_t choose(std::uint32_t at, Accept will_do) noexcept {
    if (!anyone_asleep()) {
      return none;
    }
    for (std::uint32_t step = 0; step <= workers_; ++step) {
      for (const bool up : {false, true}) {
        if (up ? at + step >= workers_ : step > at) {
          continue;
        }
        const std::uint32_t candidate = up ? at + step : at - step;
        if (asleep(candidate) && will_do(candidate) && rise(candidate)) {
          return candidate;
        }
      }
    }
    return none;
  }

  const std::uint32_t workers_;
  const std::uint32_t words_;
  std::unique_ptr<typename P::template atomic<std::uint64_t>[]> asleep_;
  std::unique_ptr<typename P::template atomic<std::uint64_t>[]> scopes_;
  alignas(64) typename P::template atomic<std::int64_t> searching_{0};
  typename P::template atomic<std::int64_t> watching_{0};  // of the sleepers
};

}  // namespace jackdaw::detail
