#include "sched/region_set.hpp"

namespace jackdaw::sched {
namespace {

/// A round of more iterations tells nothing of how its regions suit each other: most of them follow their like.
constexpr unsigned most_iterations = 64;
/// A search is given up after so many rounds that do not count.
constexpr unsigned most_spoiled = 64;
constexpr unsigned most_lost = 4;

}  // namespace

std::optional<region_set::finding> region_set::begin(member& region) noexcept {
  if (lost_ == most_lost) return {};
  std::optional<finding> found;
  if (now_.first == &region && now_.has_others) {
    found = end_round();
    now_ = {};
  } else if (!paced_ && has(region)) {
    now_ = {};
    paced_ = true;
    ++number_;
  } else if (now_.iterations == most_iterations) {
    lose();
  }
  if (now_.first == nullptr) now_.first = &region;
  now_.has_others |= now_.first != &region;
  ++now_.iterations;
  region.within = number_;
  return found;
}

std::optional<way> region_set::tries() const noexcept {
  return exists_ && how_.on_trial() ? std::optional(how_.next()) : std::nullopt;
}

void region_set::end(member& region, double took, const idleness& seen, bool alone) noexcept {
  if (region.ran && region.usual == 0 && !tries()) region.usual = took;
  region.ran = true;
  now_.spoiled |= alone;
  if (region.usual == 0) return;
  now_.took += took;
  now_.usual += region.usual;
  now_.idle.all += seen.all * took;
  now_.idle.uneven += seen.uneven * took;
}

void region_set::doubt() noexcept {
  if (exists_) how_.doubt();
}

void region_set::disturb() noexcept {
  now_.spoiled = true;
  how_.disturb();
}

std::optional<region_set::finding> region_set::end_round() noexcept {
  exists_ = paced_ = true;
  if (now_.spoiled) {
    if (!how_.settled() && ++spoiled_ == most_spoiled) how_.give_up();
    return {};
  }
  const double parts = now_.took > 0 ? 1 / now_.took : 0;
  const unsigned before = how_.kept();
  const bool doubted = how_.doubts();
  how_.record(now_.usual > 0 ? now_.took / now_.usual : 0, {now_.idle.all * parts, now_.idle.uneven * parts});
  if (how_.settled()) spoiled_ = 0;
  if (how_.kept() == before) return {};
  return finding{how_.best(), how_.saves(), doubted};
}

/// The round does not end, so what it belongs to is no set.
void region_set::lose() noexcept {
  if (exists_) {
    ++lost_;
    how_ = way_finder::of_a_set();
    spoiled_ = 0;
  }
  ++number_;
  exists_ = paced_ = false;
  now_ = {};
}

}  // namespace jackdaw::sched
