#include "sched/way_finder.hpp"

#include <algorithm>

namespace jackdaw::sched {
namespace {

/// A trial ends at once if an iteration takes so many times as long as usual.
constexpr double far_too_long = 1.5;
/// So many iterations tell that a trial is bad.
constexpr std::size_t enough_to_end = 2;
constexpr unsigned most_searches = 5;

struct trial_rules {
  unsigned from;     // iterations before it
  std::size_t skip;  // its first iterations do not count: the times are still being learned, and caches have what the
                     // other way put there
};
constexpr trial_rules rules_of(way tried) noexcept {
  return tried == way::times ? trial_rules{.from = 8, .skip = 3} : trial_rules{.from = 96, .skip = 1};
}

}  // namespace

double way_finder::sample::median() const noexcept {
  std::array<double, measured> sorted = of_;
  const std::size_t count = std::min(count_, of_.size());
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count));
  return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

bool way_finder::record(double took, const idleness& seen) noexcept {
  ++seen_;
  switch (at_) {
    case stage::first:
      at_ = stage::usual;
      return false;
    case stage::usual:
      usual_.add(took);
      idle_.all += seen.all;
      idle_.uneven += seen.uneven;
      return usual_.count() == measured && try_next(way::times);
    case stage::waiting:
      usual_.add(took);
      if (seen_ >= rules_of(tried_).from << searches_) at_ = stage::trial;
      return false;
    case stage::trial:
      return judge_trial(took);
    case stage::settled:
      if (searches_ < most_searches && times_.changed(took)) {
        at_ = stage::usual;
        best_ = way::hints;
        seen_ = 0;
        idle_ = {};
        usual_.clear();
      }
      return false;
    case stage::pinned:
      return false;
  }
  return false;
}

bool way_finder::judge_trial(double took) noexcept {
  if (took > far_too_long * usual_.median()) return end_trial(false);
  if (skipped_ < rules_of(tried_).skip) {
    ++skipped_;
    return false;
  }
  trial_.add(took);
  const bool good = trial_.median() < better * usual_.median();
  if (trial_.count() == measured) return end_trial(good);
  return trial_.count() == enough_to_end && !good ? end_trial(false) : false;
}

/// Another trial follows, or the search ends.
bool way_finder::end_trial(bool kept) noexcept {
  if (best_ == way::hints) by_hints_ = usual_.median();
  if (kept) {
    best_ = tried_;
    usual_ = trial_;
  }
  trial_.clear();
  skipped_ = 0;
  return (tried_ == way::plain ? settle() : try_next(way::plain)) || kept;
}

/// Waits for the next trial that is worth it, from this one on, or ends the search. Returns whether it has ended.
bool way_finder::try_next(way trial) noexcept {
  constexpr double worth = worth_trying * measured;
  if (trial == way::times && idle_.uneven < worth) trial = way::plain;
  if (trial == way::plain && idle_.all < worth) return settle();
  tried_ = trial;
  at_ = stage::waiting;
  return false;
}

bool way_finder::settle() noexcept {
  at_ = stage::settled;
  ++searches_;
  times_ = {};
  return true;
}

}  // namespace jackdaw::sched
