#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "sched/change_watch.hpp"

namespace jackdaw::sched {

/// How an iteration's tasks go to the squads.
struct arrangement {
  enum class how : std::uint8_t {
    packed,  ///< in subtrees that a squad runs one at a time; `step` from the first packing: larger ones below zero,
             ///< smaller ones above
    spread,  ///< to the squads of their spans, not packed
    plain,   ///< nowhere: stolen plainly
  };
  how what = how::packed;
  int step = 0;

  friend constexpr auto operator<=>(const arrangement&, const arrangement&) = default;
};

/// Searches the packing under which an iteration takes the shortest time (LAWS, Algorithm 1), with what the printed
/// algorithm lacks: it ends after seven iterations whatever they take, it knows that not packing at all may be best, or
/// plain stealing, it takes neither a packing nor plain stealing unless that gains more than times differ anyhow, and
/// it starts over when the times change for good. One iteration tells little of how long those after it will take,
/// which find in the caches what their like has left there, and chance counts where squads help each other: so the
/// median of the first iterations under what was chosen says how long it really takes, and if something else seems
/// better then, that has its first iterations to show it, and so has what it is better than.
class tuner {
 public:
  /// Steps that make a difference are -larger to smaller.
  tuner(int larger, int smaller) noexcept : larger_(larger), smaller_(smaller) {}

  /// What the next iteration is to run under.
  arrangement next() const noexcept { return settled_ ? best_ : trying_; }
  /// What it took, in ns.
  void record(double took);
  bool settled() const noexcept { return settled_; }
  int tried() const noexcept { return static_cast<int>(trials_.size()); }

 private:
  struct trial {
    arrangement what;
    double took = 0;
    bool confirmed = false;  // `took` is the median of the iterations that were to confirm it
  };

  std::optional<double> took(arrangement what) const noexcept;
  trial& trial_of(arrangement what) noexcept;
  bool went_on(int from, int to) const noexcept;
  void choose_next();
  void settle();
  void hold(arrangement what);
  /// What holds if `what` turns out not to pay.
  arrangement instead_of(arrangement what) const;
  /// Whether an iteration of `took` ns is so much shorter than what it is instead of.
  bool pays(arrangement what, double took) const;
  void confirm(double took);
  void watch(double took);

  int larger_;
  int smaller_;
  bool settled_ = false;
  arrangement trying_;
  arrangement best_;
  std::vector<double> confirming_;     // what the iterations under `best_` took that are to confirm it
  std::optional<change_watch> usual_;  // once it is known what an iteration under `best_` takes
  std::vector<trial> trials_;
};

}  // namespace jackdaw::sched
