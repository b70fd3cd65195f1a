#include "sched/way_finder.hpp"

#include <algorithm>

namespace jackdaw::sched {
namespace {

/// A trial ends at once if an iteration takes so many times as long as usual.
constexpr double far_too_long = 1.5;
/// So many iterations tell that a trial is bad.
constexpr std::size_t enough_to_end = 2;
constexpr unsigned most_searches = 5;
/// In the order in which they are tried.
constexpr std::array tries{way::times, way::hints, way::plain};

struct trial_rules {
  unsigned from;     // iterations before it
  std::size_t skip;  // its first iterations do not count: the times are still being learned, and caches have what the
                     // other way put there
};
constexpr trial_rules rules_of(way tried) noexcept {
  if (tried == way::plain) return {.from = 96, .skip = 1};
  return {.from = 8, .skip = tried == way::times ? 3U : 1U};
}

}  // namespace

std::array<double, way_finder::measured> way_finder::sample::sorted() const noexcept {
  std::array<double, measured> all = of_;
  std::sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(count_, measured)));
  return all;
}

double way_finder::sample::median() const noexcept {
  const std::size_t count = std::min(count_, measured);
  const auto all = sorted();
  return (all[(count - 1) / 2] + all[count / 2]) / 2;
}

bool way_finder::sample::clearly_below(const sample& other) const noexcept {
  return median() < better * other.median() && sorted()[measured - 2] < other.sorted()[1];
}

bool way_finder::record(double took, const idleness& seen) noexcept {
  ++seen_;
  last_ = took;
  switch (at_) {
    case stage::first:
      at_ = stage::usual;
      return false;
    case stage::usual:
      usual_.add(took);
      idle_.all += seen.all;
      idle_.uneven += seen.uneven;
      return usual_.full() && try_from(tries.front());
    case stage::waiting:
      usual_.add(took);
      if (usual_.full() && seen_ >= rules_of(tried_).from << searches_) at_ = stage::trial;
      return false;
    case stage::trial:
      return judge_trial(took);
    case stage::check:
      return check_trial(took);
    case stage::settled:
      if (searches_ < most_searches && times_.changed(took)) begin();
      return false;
    case stage::pinned:
      return false;
  }
  return false;
}

void way_finder::disturb() noexcept {
  if (at_ == stage::first || at_ == stage::settled || at_ == stage::pinned) return;
  for (sample* const each : {&usual_, &trial_, &checked_}) each->clear();
  skipped_ = 0;
  if (at_ == stage::usual) idle_ = {};
  if (at_ != stage::usual) at_ = stage::waiting;
}

void way_finder::expect_plain() noexcept {
  const bool begins = at_ == stage::first || (at_ == stage::usual && searches_ == 0);
  if (!begins || expects_plain_ || !tries_plain_) return;
  expects_plain_ = true;
  by_hints_ = last_;
  best_ = first_ = way::plain;
  usual_.clear();
  idle_ = {};
}

void way_finder::give_up() noexcept {
  disturb();
  settle();
}

void way_finder::doubt() noexcept {
  if (searches_ == most_searches) return;
  disturb();
  begin();
  doubts_ = true;
}

/// Begins another search, from the best way so far.
void way_finder::begin() noexcept {
  at_ = stage::usual;
  first_ = best_;
  seen_ = 0;
  idle_ = {};
  usual_.clear();
}

bool way_finder::judge_trial(double took) noexcept {
  if (took > far_too_long * usual_.median()) return end_trial(false);
  if (skipped_ < rules_of(tried_).skip) {
    ++skipped_;
    return false;
  }
  trial_.add(took);
  if (trial_.count() >= enough_to_end && trial_.median() >= better * usual_.median()) return end_trial(false);
  if (!trial_.full()) return false;
  if (!trial_.clearly_below(usual_)) return end_trial(false);
  at_ = stage::check;
  skipped_ = 0;
  return false;
}

bool way_finder::check_trial(double took) noexcept {
  if (skipped_ == 0) {
    ++skipped_;
    return false;
  }
  checked_.add(took);
  return checked_.full() && end_trial(trial_.clearly_below(checked_));
}

/// Another trial follows, or the search ends.
bool way_finder::end_trial(bool kept) noexcept {
  if (kept) {
    ++kept_;
    best_ = tried_;
    saves_ = 1 - trial_.median() / checked_.median();
    usual_ = trial_;
  }
  trial_.clear();
  checked_.clear();
  skipped_ = 0;
  const auto next = std::ranges::find(tries, tried_) + 1;
  return (next == tries.end() || doubts_ ? settle() : try_from(*next)) || kept;
}

/// Waits for the next trial that is worth it, from this one on, or ends the search. Returns whether it has ended.
bool way_finder::try_from(way first) noexcept {
  for (auto next = std::ranges::find(tries, first); next != tries.end(); ++next) {
    if (doubts_ ? *next != best_ : !worth(*next)) continue;
    tried_ = *next;
    at_ = stage::waiting;
    return false;
  }
  return settle();
}

bool way_finder::worth(way trial) const noexcept {
  constexpr double least = worth_trying * measured;
  if (trial == first_ || (trial == way::plain && !tries_plain_)) return false;
  if (trial == way::hints && expects_plain_ && searches_ == 0) return by_hints_ < far_too_long * usual_.median();
  return (trial == way::times && first_ != way::plain ? idle_.uneven : idle_.all) >= least;
}

bool way_finder::settle() noexcept {
  at_ = stage::settled;
  doubts_ = false;
  ++searches_;
  times_ = {};
  return true;
}

}  // namespace jackdaw::sched
