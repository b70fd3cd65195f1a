#include "profile/hotness/hotness.hpp"

#include <time.h>

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <utility>

#include "jackdaw/memory/page_locations.hpp"
#include "numa/census.hpp"
#include "numa/mapped_pages.hpp"
#include "profile/hotness/declared_heat.hpp"

namespace jackdaw::profile {
namespace {

std::vector<data_area> as_areas(const std::vector<numa::held_range>& held) {
  std::vector<data_area> ranges;
  ranges.reserve(held.size());
  for (const numa::held_range& each : held) {
    const auto begin = reinterpret_cast<std::uintptr_t>(each.data);
    ranges.push_back({begin, begin + each.bytes, each.page, each.number});
  }
  return ranges;
}

/// Whether [begin, end) lies in one of `ranges`, which are ascending.
bool lies_in(const std::vector<numa::held_range>& ranges, std::uintptr_t begin, std::uintptr_t end) {
  const auto at = [](const numa::held_range& each) { return reinterpret_cast<std::uintptr_t>(each.data); };
  const auto beyond =
      std::partition_point(ranges.begin(), ranges.end(), [&](const auto& each) { return at(each) <= begin; });
  return beyond != ranges.begin() && end <= at(beyond[-1]) + beyond[-1].bytes;
}

std::size_t bytes_of(const std::vector<data_area>& ranges) {
  return std::accumulate(ranges.begin(), ranges.end(), std::size_t{0},
                         [](std::size_t sum, const data_area& each) { return sum + each.bytes(); });
}

std::vector<data_area> divided(std::vector<data_area> ranges, std::uint32_t parts) {
  std::sort(ranges.begin(), ranges.end(), [](const data_area& a, const data_area& b) { return a.begin < b.begin; });
  std::vector<data_area> areas;
  const std::size_t length = area_length(ranges, parts);
  for (const data_area& each : ranges) divide(each, length, areas);
  return areas;
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

auto hotness::is_in(const numa::held_now& now) const {
  return [this, &now](const accessed_bits::page& each) {
    // Where there was other memory, other memory may be now: what is done to it does no harm.
    return lies_in(now.ranges, each.at, each.at + each.bytes) ||
           std::any_of(others_.begin(), others_.end(),
                       [&](const data_area& other) { return other.begin <= each.at && each.at < other.end; });
  };
}

hotness::~hotness() {
  if (watching_) forget_all(numa::all_held());
}

void hotness::forget_all(const numa::held_now& now) {
  bits_.leave(is_in(now));
  sampled_.forget();
  by_samples_ = false;
  known_.clear();
  areas_.clear();
  watched_.clear();
  sweeps_ = 0;
  length_ = divided_ = 0;
}

void hotness::find_others() {
  others_.clear();
  if (all_of_ == nullptr) return;
  numa::census now(*all_of_);
  now.look(0);
  std::vector<numa::mapping> found;
  for (const numa::census::piece& each : now.pieces()) {
    if (!found.empty() && found.back().end == each.begin) {
      found.back().end += each.bytes;
    } else {
      found.push_back({each.begin, each.begin + each.bytes});
    }
  }
  std::vector<detail::own_range> held;
  for (const data_area& each : as_areas(numa::all_held().ranges)) held.push_back({each.begin, each.end});
  for (const numa::mapping& each : numa::without(found, held)) {
    if (each.end - each.begin >= least_range) others_.push_back({each.begin, each.end, base_page_size(), 0});
  }
}

std::vector<data_area> hotness::data_of(const numa::held_now& now) const {
  std::vector<data_area> all = as_areas(now.ranges);
  all.insert(all.end(), others_.begin(), others_.end());
  return all;
}

void hotness::begin(std::uint32_t parts) {
  const std::lock_guard hold(mutex_);
  samples_.close();
  forget_all(numa::all_held());
  find_others();
  const numa::held_now now = numa::all_held();
  sweep_seconds_ = 0;
  parts_ = std::clamp(parts, 1u, most_areas);
  watching_ = true;
  adopt(now);
}

void hotness::sample(std::span<const pid_t> threads) {
  const std::lock_guard hold(mutex_);
  if (!watching_) return;
  samples_.open(threads);  // before the list of held ranges is locked, because changes of it would wait
  adopt(numa::all_held());
}

/// Gives new containers areas. Divides all data anew when there is twice as much as at the last division.
void hotness::adopt(const numa::held_now& now) {
  const std::vector<data_area> held = data_of(now);
  const std::size_t bytes = bytes_of(held);
  if (bytes < least_data || (refusal_ != 0 && !samples_.opened())) return;
  if (bytes > 2 * divided_) {
    forget_all(now);
    length_ = std::max(least_area, area_length(held, parts_));
    divided_ = bytes;
  }
  for (const data_area& range : held) {
    if (std::find(known_.begin(), known_.end(), range) != known_.end()) continue;
    const std::size_t first = areas_.size();
    divide(range, length_, areas_);
    for (std::size_t i = first; i < areas_.size(); ++i) sampled_.add(areas_[i]);
    known_.push_back(range);
    if (refusal_ != 0 || by_samples_) continue;
    refusal_ = watch_pages(range, first);
    if (refusal_ == 0) continue;
    if (!samples_.opened()) return forget_all(now);
    bits_.leave(is_in(now));
  }
}

/// Watches sampled pages of the areas from `first` on, all in one range. Returns the errno of the kernel's refusal.
int hotness::watch_pages(const data_area& range, std::size_t first) {
  std::vector<accessed_bits::page> pages;
  for (std::size_t i = first; i < areas_.size(); ++i) {
    const auto chosen = sampled_pages(areas_[i], samples, seed_ + i * samples);
    for (const std::uintptr_t at : chosen) {
      pages.push_back({.at = at, .bytes = range.page, .area = static_cast<std::uint32_t>(i)});
    }
    watched_.push_back(static_cast<std::uint32_t>(chosen.size()));
  }
  return bits_.add(std::move(pages));
}

/// Adds samples to the current areas. Once there are enough of them, end() reports samples, and sweeps over bits, which
/// cost more, are no longer needed.
void hotness::take_samples(const numa::held_now& now) {
  sampled_.see(samples_.drain());
  if (by_samples_ || !sampled_.tells()) return;
  by_samples_ = true;
  bits_.leave(is_in(now));
}

void hotness::sweep_held() {
  const double began = processor_seconds();
  const numa::held_now now = numa::all_held();
  if (!bits_.pages().empty()) {
    refusal_ = bits_.sweep(is_in(now));
    if (refusal_ != 0) bits_.leave(is_in(now));
    ++sweeps_;
  }
  adopt(now);
  take_samples(now);
  sweep_seconds_ += processor_seconds() - began;
}

void hotness::sweep() {
  const std::lock_guard hold(mutex_);
  if (watching_ && (refusal_ == 0 || samples_.opened())) sweep_held();
}

hotness_found hotness::end(const std::vector<access_log::entry>& declared) {
  const std::lock_guard hold(mutex_);
  if (!watching_) return {};
  if (refusal_ == 0 && !by_samples_ && sweeps_ < few_sweeps) sweep_held();
  watching_ = false;
  const numa::held_now now = numa::all_held();
  take_samples(now);
  std::vector<data_area> ranges = data_of(now);
  std::sort(ranges.begin(), ranges.end(), [](const data_area& a, const data_area& b) { return a.begin < b.begin; });
  const std::vector<data_area> elsewhere = written_elsewhere(declared, ranges, base_page_size(), least_range);
  const bool all_seen = bytes_of(elsewhere) <= bytes_of(ranges) / 8;
  const auto seen = [&] {
    return by_samples_ ? by_samples(ranges) : refusal_ == 0 ? by_bits(ranges) : hotness_found{};
  };
  hotness_found found;
  if (all_seen && (by_samples_ || sweeps_ >= few_sweeps)) found = seen();
  if (found.source == hotness_source::none && !declared.empty()) {
    std::vector<data_area> all = ranges;
    all.insert(all.end(), elsewhere.begin(), elsewhere.end());
    found = by_declarations(declared, std::move(all));
  }
  if (found.source == hotness_source::none) found = seen();
  found.samples = sampled_.samples();
  found.lost_samples = samples_.lost();
  samples_.close();
  forget_all(now);
  found.sweep_seconds = sweep_seconds_;
  return found;
}

hotness_found hotness::by_samples(const std::vector<data_area>& held) const {
  hotness_found found{.source = hotness_source::address_samples, .sweeps = sweeps_};
  fill(found, held, sampled_.heat());
  return found;
}

hotness_found hotness::by_bits(const std::vector<data_area>& held) const {
  hotness_found found{.source = hotness_source::accessed_bits, .sweeps = sweeps_};
  std::vector<double> seen(areas_.size(), 0);
  for (const accessed_bits::page& each : bits_.pages()) seen[each.area] += each.seen;
  if (std::all_of(seen.begin(), seen.end(), [](double each) { return each == 0; })) return {};
  for (std::size_t i = 0; i < seen.size(); ++i) {
    seen[i] = heat_of(areas_[i], seen[i] / watched_[i], base_page_size());
  }
  fill(found, held, seen);
  return found;
}

/// Reports the areas that still exist, ascending, with their heat.
void hotness::fill(hotness_found& found, const std::vector<data_area>& held, const std::vector<double>& heat) const {
  std::vector<std::size_t> order(areas_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return areas_[a].begin < areas_[b].begin; });
  for (const std::size_t i : order) {
    const bool there = std::any_of(held.begin(), held.end(), [&](const data_area& range) {
      return range.begin <= areas_[i].begin && areas_[i].end <= range.end;
    });
    if (!there) continue;
    found.areas.push_back(areas_[i]);
    found.heat.push_back(heat[i]);
  }
}

hotness_found hotness::by_declarations(const std::vector<access_log::entry>& declared,
                                       std::vector<data_area> ranges) const {
  hotness_found found{
      .source = hotness_source::declared, .areas = divided(std::move(ranges), parts_), .heat = {}, .sweeps = sweeps_};
  found.heat = declared_heat(declared, found.areas);
  if (std::all_of(found.heat.begin(), found.heat.end(), [](double each) { return each == 0; })) return {};
  return found;
}

std::vector<data_area> declared_areas(const std::vector<access_log::entry>& declared, std::uint32_t parts) {
  numa::held_now now = numa::all_held();
  now.kept.unlock();
  std::vector<data_area> ranges;
  if (!now.placed_elsewhere) {
    ranges = written_elsewhere(declared, as_areas(now.ranges), base_page_size(), hotness::least_range);
  }
  std::erase_if(now.ranges, [](const numa::held_range& each) { return each.placed; });
  const std::vector<data_area> held = as_areas(now.ranges);
  ranges.insert(ranges.end(), held.begin(), held.end());
  return divided(std::move(ranges), std::min(parts, hotness::most_areas));
}

std::uint32_t hotness::sweeps() const {
  const std::lock_guard hold(mutex_);
  return sweeps_;
}

int hotness::refusal() const {
  const std::lock_guard hold(mutex_);
  return refusal_;
}

namespace {

/// Tries accessed bits on new pages: 0 or an errno; ENOTSUP if the bits are wrong.
int try_accessed_bits(page_calls& kernel) {
  const std::size_t page = base_page_size();
  const numa::mapped_pages three(3 * page, page, page);
  volatile std::byte* const middle = three.data() + page;
  accessed_bits bits(kernel);
  for (std::size_t at = 0; at < three.size(); at += page) three.data()[at] = std::byte{1};
  if (const int code = bits.add({{.at = reinterpret_cast<std::uintptr_t>(three.data() + page), .bytes = page}})) {
    return code;
  }
  const auto always = [](const accessed_bits::page&) { return true; };
  const auto seen = [&] { return bits.pages().front().seen; };
  int code = bits.sweep(always);
  const double at_rest = seen();
  if (code == 0) {
    *middle = std::byte{2};
    code = bits.sweep(always);
  }
  const bool works = at_rest == 0 && seen() == 1;
  bits.leave(always);
  return code != 0 ? code : works ? 0 : ENOTSUP;
}

}  // namespace

int survey_accessed_bits(page_calls& kernel) {
  // MADV_COLD skips pages that the kernel has not put on its lists yet, and it puts them there only for the processor
  // that asks. A thread that moves to another processor just after its first touch therefore sees bits that nothing
  // clears. Pages of watched data are older.
  constexpr unsigned most_tries = 4;
  int code = ENOTSUP;
  for (unsigned tries = 0; code == ENOTSUP && tries < most_tries; ++tries) code = try_accessed_bits(kernel);
  return code;
}

}  // namespace jackdaw::profile
