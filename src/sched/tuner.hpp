#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "sched/change_watch.hpp"

namespace jackdaw::sched {

/// How an iteration's tasks are given to the squads.
struct arrangement {
  enum class how : std::uint8_t {
    packed,  ///< in subtrees that a squad runs one at a time; `step` counts from the first packing: below zero larger
             ///< subtrees, above zero smaller ones
    spread,  ///< to the squads of their spans, not packed
    plain,   ///< to no squad: stolen plainly
  };
  how what = how::packed;
  int step = 0;

  friend constexpr auto operator<=>(const arrangement&, const arrangement&) = default;
};

/// Searches for the packing with the shortest iterations (LAWS, Algorithm 1), with additions that the printed algorithm
/// lacks. It ends after at most seven iterations, however long they take. It also tries not packing at all, and plain
/// stealing, and takes a packing or plain stealing only if the gain exceeds the usual variation. It starts over when
/// the times change for good. One iteration is a poor sample, because later ones find what their like has left in the
/// caches, and chance matters if squads help each other. So the median of the first iterations under the choice is its
/// time. If another arrangement then seems better, that one is confirmed by its first iterations too, and so is the
/// alternative to which the choice is compared.
class tuner {
 public:
  /// Steps from -larger to smaller make a difference.
  tuner(int larger, int smaller) noexcept : larger_(larger), smaller_(smaller) {}

  /// Returns the arrangement for the next iteration.
  arrangement next() const noexcept { return settled_ ? best_ : trying_; }
  /// Records the time that it took, in ns.
  void record(double took);
  bool settled() const noexcept { return settled_; }
  int tried() const noexcept { return static_cast<int>(trials_.size()); }

 private:
  struct trial {
    arrangement what;
    double took = 0;
    bool confirmed = false;  // `took` is the median of the iterations that confirm it
  };

  std::optional<double> took(arrangement what) const noexcept;
  trial& trial_of(arrangement what) noexcept;
  bool went_on(int from, int to) const noexcept;
  void choose_next();
  void settle();
  void hold(arrangement what);
  /// Returns the arrangement to use if `what` does not pay.
  arrangement instead_of(arrangement what) const;
  /// Whether an iteration of `took` ns is enough shorter than one of the alternative to `what`.
  bool pays(arrangement what, double took) const;
  void confirm(double took);
  void watch(double took);

  int larger_;
  int smaller_;
  bool settled_ = false;
  arrangement trying_;
  arrangement best_;
  std::vector<double> confirming_;     // the times of the iterations under `best_` that are to confirm it
  std::optional<change_watch> usual_;  // set once the usual time of an iteration under `best_` is known
  std::vector<trial> trials_;
};

}  // namespace jackdaw::sched
