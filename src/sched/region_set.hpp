#pragma once

#include <cstdint>
#include <optional>

#include "sched/way_finder.hpp"

namespace jackdaw::sched {

/// Finds out whether the regions of a program are better laid out in another way together.
///
/// Regions that use the same data suit each other: each finds in its caches what the others have put there. If one of
/// them is laid out in another way alone, it loses that, and so do the others, although the new way may be the best for
/// all of them. So a way is tried in all regions, and judged by the time of rounds. The first region that begins twice
/// begins them: a round lasts until that region begins again, another one having run in between. A time step is one,
/// say. Its time is counted in usual times of its iterations, so that rounds compare in which regions run more or less
/// often. Plain stealing keeps nothing in caches, so it is for each region to try alone.
///
/// While this searches, regions begin no trials of their own. A search ends at the latest when too many rounds were of
/// no use to it. When a region has found another way alone, the way that all were run in before is tried once more:
/// what the region gains may cost the others more. If rounds do not end, the regions are no set, and the next ones may
/// become one, a few times. A program of one region has no set.
class region_set {
 public:
  /// What is known of a region.
  class member {
    friend region_set;
    bool ran = false;          // the first iteration is not judged
    double usual = 0;          // ns of an iteration; 0: not known
    std::uint32_t within = 0;  // the number of the set that it was in last
  };

  /// How all regions of the set are run from now on.
  struct finding {
    way how;
    double saves;  ///< the part of their time
    bool final;    ///< regions have been searched alone already, and are not again
  };

  /// An iteration of this region, which must outlive this, begins. Returns what has just been found out, if anything.
  std::optional<finding> begin(member& region) noexcept;
  /// Returns how the iteration that has begun is to be run; nothing: as its region says.
  std::optional<way> tries() const noexcept;
  /// Whether its idleness is wanted.
  bool looks() const noexcept { return exists_ && how_.looks(); }
  /// Whether regions begin no trials.
  bool searches() const noexcept { return exists_ && !how_.settled(); }
  /// It has ended, after so many ns. `alone`: its region was on trial.
  void end(member& region, double took, const idleness& seen, bool alone) noexcept;
  /// It was disturbed, or something has changed since the last one: times before and after do not compare.
  void disturb() noexcept;
  /// A region has found another way alone. What that costs the others, it has not seen.
  void doubt() noexcept;
  bool has(const member& region) const noexcept { return region.within == number_; }

 private:
  struct round {
    const member* first = nullptr;  // the region that began it
    unsigned iterations = 0;
    bool has_others = false;     // than that region
    bool spoiled = false;        // it does not count
    double took = 0, usual = 0;  // ns, of the iterations whose usual time is known
    idleness idle;               // ns, of the mean worker
  };
  std::optional<finding> end_round() noexcept;
  void lose() noexcept;

  way_finder how_ = way_finder::of_a_set();
  round now_;
  bool paced_ = false;        // the region that began the round has run before: it is not one that runs only once
  bool exists_ = false;       // a round has ended
  std::uint32_t number_ = 1;  // of the set, or of what may become one
  unsigned lost_ = 0;         // sets
  unsigned spoiled_ = 0;      // rounds, since the search began
};

}  // namespace jackdaw::sched
