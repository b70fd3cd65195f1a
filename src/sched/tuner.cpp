#include "sched/tuner.hpp"

#include <algorithm>

namespace jackdaw::sched {
namespace {

constexpr arrangement spread{arrangement::how::spread}, plain{arrangement::how::plain};
constexpr arrangement packed(int step) { return {arrangement::how::packed, step}; }

constexpr int most_smaller = 2, most_larger = 3;  // steps tried
constexpr double worth = 0.98;                    // the most of the time without packing that a packing may take
constexpr double carefree = 0.95;  // the most of the time with the tasks at home that plain stealing may take
/// While two packings or more take above `hopeless` of the time without, another one is tried only if the last one took
/// at most `promising` of the time of those before.
constexpr double hopeless = 1.1, promising = 0.8;
/// In the second iteration caches hold what others of their kind left.
constexpr std::size_t to_see = 2, to_confirm = 4;

}  // namespace

tuner::tuner(int larger, int smaller) noexcept
    : packings_(std::min(larger, most_larger), std::min(smaller, most_smaller)) {}

double tuner::trial::median() const {
  std::vector<double> sorted = took;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

const tuner::trial* tuner::find(arrangement what) const noexcept {
  const auto found = std::find_if(trials_.begin(), trials_.end(), [&](const trial& each) { return each.what == what; });
  return found != trials_.end() ? &*found : nullptr;
}

tuner::trial& tuner::trial_of(arrangement what) {
  const auto found = std::find_if(trials_.begin(), trials_.end(), [&](const trial& each) { return each.what == what; });
  return found != trials_.end() ? *found : trials_.emplace_back(trial{.what = what, .took = {}});
}

bool tuner::record(double took, prospects seen) {
  if (settled()) return usual_->changed(took);
  trial& made = trial_of(next_);
  made.took.push_back(took);
  ++iterations_;
  if (next_ == spread && made.took.size() == to_see) seen_ = seen;
  if (made.took.size() == 1 && next_.what == arrangement::how::packed) packings_.record(took);
  choose_next();
  return false;
}

/// Returns what has prospects and has not been tried.
std::optional<arrangement> tuner::untried() const {
  const bool hopeful =
      packings_.tries() < 2 || packings_.least() <= hopeless * median_of(spread) || packings_.gained() <= promising;
  if (const auto step = packings_.next(); seen_->packing && step && hopeful) return packed(*step);
  if (seen_->plain && find(plain) == nullptr) return plain;
  return std::nullopt;
}

arrangement tuner::best_at_home() const {
  const trial* least = &trials_.front();
  for (const trial& each : trials_) {
    if (each.what.what == arrangement::how::packed && (least->what == spread || each.median() < least->median())) {
      least = &each;
    }
  }
  return least->median() < worth * median_of(spread) ? least->what : spread;
}

arrangement tuner::best() const {
  const arrangement home = best_at_home();
  return find(plain) != nullptr && median_of(plain) < carefree * median_of(home) ? plain : home;
}

void tuner::choose_next() {
  if (!seen_) return;
  if (const auto more = untried()) {
    next_ = *more;
    return;
  }
  const arrangement found = best(), instead = found == plain ? best_at_home() : spread;
  for (const arrangement each : {found, instead}) {
    next_ = each;
    if (find(each)->took.size() < to_confirm) return;
  }
  next_ = found;
  usual_.emplace(median_of(found));
}

}  // namespace jackdaw::sched
