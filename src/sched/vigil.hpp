#pragma once

#include <algorithm>
#include <cstdint>

namespace jackdaw::sched {

/// How many workers may search before a search that found something wakes no more of them: half as many as run, for
/// each of those may have something for one. Such a search wakes up to `woken_by_a_find`, so that while much is there
/// the running workers become half as many again within the time of a wake-up, and while little is there they do not.
constexpr std::int64_t searchers_for(std::int64_t running) noexcept { return std::max<std::int64_t>(1, running / 2); }
constexpr int woken_by_a_find = 2;

/// What a worker that has nothing to do knows of things that wait for others: since when it has seen, at every look,
/// that there are some. From that follows when it may take them (scheduler::patience). src/runtime/README-roots.md.
///
/// All times in ns. Used by one worker.
class vigil {
 public:
  /// It looks at all the others about so often: often enough for what it must not leave waiting, seldom enough for
  /// those whose lines it reads.
  static constexpr double between_looks = 20'000;
  /// Where it leaves things to others for longer than this it sleeps meanwhile, and looks about so often.
  static constexpr long between_watches = 20'000'000;
  /// The same of one that has seen things which it would take, and did not get them.
  static constexpr long between_glances = 1'000'000;
  static bool sleeps(double patience) noexcept { return patience >= between_watches; }

  enum class verdict {
    leave,   ///< them to those they were put there for
    rob,     ///< take what was placed with workers that run something else
    insist,  ///< take whatever there is
  };

  void begin(double now) noexcept {
    sighted_ = 0;
    next_ = now + between_looks;
  }

  /// in_sight() says whether anything waits anywhere; it is asked if it is time to look again.
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

  /// For how long it has seen something by now.
  double seen_for(double now) const noexcept { return sighted_ == 0 ? 0 : now - sighted_; }

 private:
  double sighted_ = 0;  // since when; 0: it has not
  double next_ = 0;     // look
};

}  // namespace jackdaw::sched
