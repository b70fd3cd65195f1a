#pragma once

#include <algorithm>
#include <cstdint>

namespace jackdaw::sched {

/// Returns how many workers may search before a successful search wakes no more of them: half as many as run, because
/// each of those may have work for one. Such a search wakes up to `woken_by_a_find`. So while there is much work, the
/// number of running workers grows by half within the time of a wake-up; while there is little, it does not.
constexpr std::int64_t searchers_for(std::int64_t running) noexcept { return std::max<std::int64_t>(1, running / 2); }
constexpr int woken_by_a_find = 2;

/// An idle worker's knowledge of things that wait for others: since when each look has seen some. It decides when the
/// worker may take them (scheduler::patience). src/runtime/README-roots.md.
///
/// All times in ns. Used by one worker.
class vigil {
 public:
  /// The time between two looks at all others: short enough for what must not be left waiting, long enough for the
  /// workers whose cache lines it reads.
  static constexpr double between_looks = 20'000;
  /// A worker that leaves things to others for longer than this sleeps meanwhile, and looks about this often.
  static constexpr long between_watches = 20'000'000;
  /// The same for a worker that has seen things that it would take, but did not get them.
  static constexpr long between_glances = 1'000'000;
  static constexpr bool sleeps(double patience) noexcept { return patience >= between_watches; }
  /// The longest time, in ns, for which a worker is idle while something waits anywhere, if patience stays as it is and
  /// the processor runs the worker: until it insists, the look at which it first sees something and that at which it
  /// insists. To wake a worker, and its looks, come on top. docs/schedulers.md, "Greed".
  static constexpr double longest(double patience) noexcept {
    return 2 * patience + 2 * (sleeps(patience) ? between_watches : between_looks);
  }

  enum class verdict {
    leave,   ///< leave them to the workers for which they were put there
    rob,     ///< take what was placed with workers that run something else
    insist,  ///< take whatever there is
  };

  /// The worker has nothing to run from now on.
  void begin(double now) noexcept {
    begun_ = now;
    sighted_ = 0;
    next_ = now + between_looks;
  }

  /// Decides whether to take things. Calls in_sight(), which says whether anything waits, only when a look is due.
  template <class InSight>
  verdict look(double now, double patience, InSight in_sight) {
    if (now < next_) return verdict::leave;
    next_ = now + between_looks;
    if (!in_sight()) {
      sighted_ = 0;
      return verdict::leave;
    }
    if (sighted_ == 0) sighted_ = now;
    const double seen_for = now - sighted_;
    return seen_for < patience || seen_for == 0 ? verdict::leave
           : seen_for < 2 * patience            ? verdict::rob
                                                : verdict::insist;
  }

  /// Returns for how long it has seen something by now.
  double seen_for(double now) const noexcept { return sighted_ == 0 ? 0 : now - sighted_; }
  /// Since when it has seen something; 0 if it has not.
  double sighted() const noexcept { return sighted_; }
  /// The worker has slept, and is woken by one that has seen something since `sighted`, unless that is 0. It need not
  /// wait that long again.
  void hear(double sighted) noexcept {
    if (sighted == 0) return;
    sighted = std::max(sighted, begun_);
    if (sighted_ == 0 || sighted < sighted_) sighted_ = sighted;
    next_ = 0;
  }

 private:
  double begun_ = 0;    // since when it has had nothing to run
  double sighted_ = 0;  // since when it has seen something; 0: it has not
  double next_ = 0;     // when the next look is due
};

}  // namespace jackdaw::sched
