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
/// bad. One that looks good is followed by iterations in the old way again, because work may have become less, or
/// something else may have ended. The new way is kept if it takes less than `better` of the time before and after it,
/// in the median, and the times hardly overlap. When iterations change their time for good, the search begins again
/// from the way that was best, and waits twice as long before each trial.
class way_finder {
 public:
  constexpr way_finder() noexcept = default;
  /// A way to run all iterations, from the first on, without any search.
  constexpr explicit way_finder(way always) noexcept : at_(stage::pinned), best_(always) {}
  /// One that takes turns with those of the regions that it is for: it leaves plain stealing to them.
  static constexpr way_finder of_a_set() noexcept {
    way_finder made;
    made.tries_plain_ = false;
    return made;
  }
  /// One that begins from a way that has been found, and what that saves. `final`: without a search, until the times of
  /// iterations change.
  static constexpr way_finder from(way found, double saves, bool final) noexcept {
    way_finder made;
    made.at_ = final ? stage::settled : stage::usual;
    made.best_ = made.first_ = found;
    made.saves_ = saves;
    return made;
  }
  /// Returns how the next iteration is to be run.
  way next() const noexcept { return on_trial() ? tried_ : best_; }
  /// Whether that is a trial.
  bool on_trial() const noexcept { return at_ == stage::trial; }
  /// Whether a trial goes on: iterations in one way or the other are compared.
  bool compares() const noexcept { return at_ == stage::trial || at_ == stage::check; }
  /// Whether a trial will begin soon.
  bool waits() const noexcept { return at_ == stage::waiting; }
  /// Whether no search goes on.
  bool settled() const noexcept { return at_ == stage::settled || at_ == stage::pinned; }
  /// The best way so far.
  way best() const noexcept { return best_; }
  /// How many trials went well.
  unsigned kept() const noexcept { return kept_; }
  /// Whether the next iteration's idleness is wanted.
  bool looks() const noexcept { return at_ == stage::first || at_ == stage::usual; }
  /// Takes the ns of an iteration that ran as next() said, and its idleness if that was wanted. Returns whether it has
  /// been decided how iterations are run from now on.
  bool record(double took, const idleness& seen) noexcept;
  /// An iteration was disturbed, or something has changed since the last one: times before and after do not compare.
  void disturb() noexcept;
  /// Plain stealing is likely to be the best: it comes first, and laying out by hints is tried in any case, unless an
  /// iteration has shown already that it takes much longer. Does nothing once the usual time has been measured.
  void expect_plain() noexcept;
  /// Ends the search with the best way so far.
  void give_up() noexcept;
  /// Iterations have come to be run in another way than the best one that was found: searches whether that is better
  /// after all, unless there have been too many searches.
  void doubt() noexcept;
  /// Whether it searches that.
  bool doubts() const noexcept { return doubts_; }
  /// For what part of the time the mean worker idled when that was asked last.
  double idle() const noexcept { return idle_.all / measured; }
  /// The part of the time that the way that was kept last saved, against the one before it; 0 if none was.
  double saves() const noexcept { return saves_; }

  static constexpr double worth_trying = 0.05;
  static constexpr double better = 0.97;

 private:
  /// So many iterations tell the usual time, or that of a trial.
  static constexpr std::size_t measured = 5;

  enum class stage : std::uint8_t {
    first,    // it is not judged
    usual,    // the usual time is measured, and how workers idle
    waiting,  // for the time of the next trial
    trial,
    check,  // the trial went well: the old way again
    settled,
    pinned,
  };
  /// The last iterations of one way.
  class sample {
   public:
    void clear() noexcept { count_ = 0; }
    void add(double took) noexcept { of_[count_++ % of_.size()] = took; }
    std::size_t count() const noexcept { return count_; }
    bool full() const noexcept { return count_ >= of_.size(); }
    /// Of the last ones; there must be one.
    double median() const noexcept;
    /// Whether the times of both, which are full, differ by more than they vary.
    bool clearly_below(const sample& other) const noexcept;

   private:
    std::array<double, measured> sorted() const noexcept;
    std::array<double, measured> of_{};
    std::size_t count_ = 0;
  };

  bool judge_trial(double took) noexcept;
  bool check_trial(double took) noexcept;
  bool end_trial(bool kept) noexcept;
  bool try_from(way first) noexcept;
  bool worth(way trial) const noexcept;
  bool settle() noexcept;
  void begin() noexcept;

  stage at_ = stage::first;
  bool tries_plain_ = true;
  bool doubts_ = false;  // only the best way is tried
  bool expects_plain_ = false;
  double last_ = 0, by_hints_ = 0;  // ns: the last iteration, and the last one before plain stealing; 0: none
  way best_ = way::hints, tried_ = way::times;
  way first_ = way::hints;          // the best when the search began
  unsigned seen_ = 0;               // iterations since the search began
  unsigned kept_ = 0;               // trials
  unsigned searches_ = 0;           // that have ended
  std::size_t skipped_ = 0;         // iterations of the trial, or the check, that did not count
  idleness idle_;                   // sums of the usual iterations
  sample usual_, trial_, checked_;  // ns
  double saves_ = 0;
  change_watch times_;
};

}  // namespace jackdaw::sched
