#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sched/change_watch.hpp"
#include "sched/packing_search.hpp"

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

/// Which arrangements may take less time than spreading, as far as counts tell.
struct prospects {
  bool packing = false;  ///< the caches miss what a packing could save
  bool plain = false;    ///< some squads idle while others work
};

/// Decides how a region's tasks are arranged. Spreads them first, which costs nothing to try; tries packings
/// (Algorithm 1) and plain stealing only where these have prospects; and holds to one of them only if it saves more
/// than the usual variation. One iteration is a poor sample, because later ones find what their like has left in the
/// caches, and chance matters if squads help each other. So the choice, and the alternative to which it is compared,
/// are confirmed by the median of several iterations each before the search ends.
class tuner {
 public:
  /// Steps from -larger to smaller make a difference.
  tuner(int larger, int smaller) noexcept;

  /// Returns the arrangement for the next iteration.
  arrangement next() const noexcept { return next_; }
  /// Records the time that it took, in ns, and the prospects of others if it was spread. Returns whether the times have
  /// changed for good since the search ended: then nothing of what was found may hold any longer.
  bool record(double took, prospects seen);
  /// Whether the next iteration tells of prospects.
  bool looks() const noexcept { return !seen_; }
  bool settled() const noexcept { return usual_.has_value(); }
  /// How many iterations the search has taken so far.
  int iterations() const noexcept { return iterations_; }

 private:
  struct trial {
    arrangement what;
    std::vector<double> took;
    double median() const;
  };

  trial& trial_of(arrangement what);
  const trial* find(arrangement what) const noexcept;
  double median_of(arrangement what) const { return find(what)->median(); }
  std::optional<arrangement> untried() const;
  arrangement best_at_home() const;
  arrangement best() const;
  void choose_next();

  arrangement next_{arrangement::how::spread};
  packing_search packings_;
  std::optional<prospects> seen_;  // once tasks have been spread often enough
  std::vector<trial> trials_;      // the first one is spread
  int iterations_ = 0;
  std::optional<change_watch> usual_;  // once the search has ended
};

}  // namespace jackdaw::sched
