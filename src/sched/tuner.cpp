#include "sched/tuner.hpp"

#include <algorithm>

namespace jackdaw::sched {
namespace {

constexpr arrangement spread{arrangement::how::spread}, plain{arrangement::how::plain};
constexpr arrangement packed(int step) { return {arrangement::how::packed, step}; }

constexpr int most_smaller = 2;    // steps tried
constexpr int most_larger = 3;     // steps tried, after one smaller that did not pay
constexpr double worth = 0.98;     // the most of the time without packing that a packing may take
constexpr double carefree = 0.95;  // the most of the time with the tasks at home that plain stealing may take
constexpr std::size_t to_confirm = 4;

}  // namespace

void tuner::record(double took) {
  if (settled_) return watch(took);
  trials_.push_back({.what = trying_, .took = took});
  choose_next();
}

std::optional<double> tuner::took(arrangement what) const noexcept {
  const auto found = std::find_if(trials_.begin(), trials_.end(), [&](const trial& each) { return each.what == what; });
  return found != trials_.end() ? std::optional(found->took) : std::nullopt;
}

tuner::trial& tuner::trial_of(arrangement what) noexcept {
  return *std::find_if(trials_.begin(), trials_.end(), [&](const trial& each) { return each.what == what; });
}

/// Whether step `to` was tried and took less time than step `from`.
bool tuner::went_on(int from, int to) const noexcept {
  const auto after = took(packed(to));
  return after && *after < *took(packed(from));
}

void tuner::choose_next() {
  if (took(plain)) return settle();
  if (took(spread)) {
    trying_ = plain;
    return;
  }
  int down = 0;
  while (went_on(down, down + 1)) ++down;
  if (!took(packed(down + 1)) && down < std::min(smaller_, most_smaller)) {
    trying_ = packed(down + 1);
    return;
  }
  // Larger ones are tried only if no smaller one was better.
  int up = 0;
  while (went_on(-up, -up - 1)) ++up;
  if (down == 0 && !took(packed(-up - 1)) && up < std::min(larger_, most_larger)) {
    trying_ = packed(-up - 1);
    return;
  }
  trying_ = spread;
}

arrangement tuner::instead_of(arrangement what) const {
  if (what != plain) return spread;
  const auto least = std::min_element(trials_.begin(), trials_.end(), [](const trial& a, const trial& b) {
    return (a.what == plain) != (b.what == plain) ? b.what == plain : a.took < b.took;
  });
  return pays(least->what, least->took) ? least->what : spread;
}

bool tuner::pays(arrangement what, double took) const {
  return took < (what == plain ? carefree : worth) * *this->took(instead_of(what));
}

void tuner::settle() {
  settled_ = true;
  hold(pays(plain, *took(plain)) ? plain : instead_of(plain));
}

void tuner::hold(arrangement what) {
  best_ = what;
  confirming_.clear();
  usual_.reset();
}

void tuner::confirm(double took) {
  confirming_.push_back(took);
  if (confirming_.size() != to_confirm) return;
  std::sort(confirming_.begin(), confirming_.end());
  trial& held = trial_of(best_);
  held.took = (confirming_[to_confirm / 2 - 1] + confirming_[to_confirm / 2]) / 2;
  held.confirmed = true;
  // The alternative is confirmed by its first iterations too, and then the best by what is known now; each once.
  if (const arrangement other = instead_of(best_); !trial_of(other).confirmed) return hold(other);
  settle();
  if (const trial& now = trial_of(best_); now.confirmed) usual_.emplace(now.took);
}

void tuner::watch(double took) {
  if (!usual_) return confirm(took);
  if (!usual_->changed(took)) return;
  settled_ = false;
  trying_ = packed(0);
  trials_.clear();
}

}  // namespace jackdaw::sched
