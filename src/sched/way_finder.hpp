#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sched/change_watch.hpp"

namespace jackdaw::sched {

/// How an iteration of a region is run.
enum class way : std::uint8_t {
  hints,  ///< laid out over the workers by the given work hints, as under `adws`
  times,  ///< laid out by what earlier iterations took, as under `adws:hints=both`
  plain,  ///< all tasks are stolen by whoever is idle, as under `random`
};

/// For what part of an iteration workers had nothing to do.
struct idleness {
  double all = 0;     ///< the mean worker
  double uneven = 0;  ///< the mean worker beyond the busiest one
};

/// Finds out how the iterations of one region are best run, by their times.
///
/// They are laid out by hints first. The first iteration touches data that no cache has and is not judged. The next
/// ones tell which other way could save something: the times of earlier iterations where some workers are busier than
/// others, plain stealing where workers idle at all. Each is tried if that is `worth_trying`: times early, because that
/// costs next to nothing; plain stealing, which can cost as much again as an iteration of a program that lives from its
/// caches, when it can cost only a small part of what the region has taken so far. A trial ends as soon as it looks
/// bad. Another way is kept if it takes less than `better` of the time, in the median. When iterations change their
/// time for good, the search begins again, and then waits twice as long before each trial.
class way_finder {
 public:
  /// A way to run all iterations, from the first on, without any search.
  constexpr way_finder(way always) noexcept : at_(stage::pinned), best_(always) {}
  constexpr way_finder() noexcept = default;

  /// Returns how the next iteration is to be run.
  way next() const noexcept { return at_ == stage::trial ? tried_ : best_; }
  /// Whether the next iteration's idleness is wanted.
  bool looks() const noexcept { return at_ == stage::first || at_ == stage::usual; }
  /// Takes the ns of an iteration that ran as next() said, and its idleness if that was wanted. Returns whether it has
  /// been decided how iterations are run from now on.
  bool record(double took, const idleness& seen) noexcept;

  /// For what part of the time the mean worker idled while work hints laid the region out.
  double idle() const noexcept { return idle_.all / measured; }
  /// The part of that time that next() saves, once it is decided.
  double saves() const noexcept { return by_hints_ > 0 ? 1 - usual_.median() / by_hints_ : 0; }

  static constexpr double worth_trying = 0.05;
  static constexpr double better = 0.97;

 private:
  /// So many iterations tell the usual time, or that of a trial.
  static constexpr std::size_t measured = 5;

  enum class stage : std::uint8_t {
    first,    // it is not judged
    usual,    // the usual time is measured
    waiting,  // for the time of the next trial
    trial,
    settled,
    pinned,
  };
  /// The last iterations of one way.
  class sample {
   public:
    void clear() noexcept { count_ = 0; }
    void add(double took) noexcept { of_[count_++ % of_.size()] = took; }
    std::size_t count() const noexcept { return count_; }
    /// Of the last ones; there must be one.
    double median() const noexcept;

   private:
    std::array<double, measured> of_{};
    std::size_t count_ = 0;
  };

  bool judge_trial(double took) noexcept;
  bool end_trial(bool kept) noexcept;
  bool try_next(way trial) noexcept;
  bool settle() noexcept;

  stage at_ = stage::first;
  way best_ = way::hints, tried_ = way::times;
  unsigned seen_ = 0;        // iterations since the search began
  unsigned searches_ = 0;    // that have ended
  std::size_t skipped_ = 0;  // iterations of the trial that did not count
  idleness idle_;            // sums of the usual iterations
  sample usual_, trial_;     // ns
  double by_hints_ = 0;      // ns, the median
  change_watch times_;
};

}  // namespace jackdaw::sched
