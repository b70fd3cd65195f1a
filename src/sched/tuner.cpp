#include "sched/tuner.hpp"

#include <algorithm>

namespace jackdaw::sched {
namespace {

constexpr int most_smaller = 2;   // steps tried
constexpr int most_larger = 3;    // steps tried, after one smaller that did not pay
constexpr double worth = 0.98;    // of the time without packing, that a packing may take at most
constexpr double slower = 1.25;   // of the expected time: times have changed
constexpr double faster = 0.5;    //
constexpr unsigned for_good = 8;  // iterations in a row
constexpr unsigned to_confirm = 4;

}  // namespace

void tuner::record(double took) {
  if (settled_) return watch(took);
  trials_.push_back({trying_, took});
  choose_next();
}

std::optional<double> tuner::took(packing what) const noexcept {
  const auto found = std::find_if(trials_.begin(), trials_.end(), [&](const trial& each) { return each.what == what; });
  return found != trials_.end() ? std::optional(found->took) : std::nullopt;
}

/// Whether step `to` was tried and took less than step `from`.
bool tuner::went_on(int from, int to) const noexcept {
  const auto after = took(to);
  return after && *after < *took(from);
}

void tuner::choose_next() {
  if (took(std::nullopt)) return settle();
  int down = 0;
  while (went_on(down, down + 1)) ++down;
  if (!took(down + 1) && down < std::min(smaller_, most_smaller)) {
    trying_ = down + 1;
    return;
  }
  // Larger ones only if no smaller one was better.
  int up = 0;
  while (went_on(-up, -up - 1)) ++up;
  if (down == 0 && !took(-up - 1) && up < std::min(larger_, most_larger)) {
    trying_ = -up - 1;
    return;
  }
  trying_ = std::nullopt;
}

void tuner::settle() {
  const trial best =
      *std::min_element(trials_.begin(), trials_.end(), [](const trial& a, const trial& b) { return a.took < b.took; });
  const double unpacked = *took(std::nullopt);
  const bool pays = best.took < worth * unpacked;
  best_ = pays ? best.what : std::nullopt;
  settled_ = true;
  confirmed_ = 0;
  off_ = 0;
}

void tuner::confirm(double took) {
  expected_ = confirmed_ == 0 ? took : std::min(expected_, took);
  if (++confirmed_ == to_confirm && best_ && expected_ >= worth * *this->took(std::nullopt)) {
    best_ = std::nullopt;
    confirmed_ = 0;
  }
}

void tuner::watch(double took) {
  if (confirmed_ < to_confirm) return confirm(took);
  const bool off = took > slower * expected_ || took < faster * expected_;
  off_ = off ? off_ + 1 : 0;
  if (off_ == for_good) {
    settled_ = false;
    trying_ = 0;
    trials_.clear();
  }
}

}  // namespace jackdaw::sched
