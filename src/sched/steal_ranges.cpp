#include "sched/steal_ranges.hpp"

#include <stdexcept>

namespace jackdaw::sched {

steal_ranges::ref steal_ranges::open(places& from, ref parent, worker_range workers) {
  if (from.count_ == 0) fetch(from);
  const ref place = static_cast<ref>(from.free_[--from.count_]) << 32;
  return place | at(place).open(parent, workers);
}

void steal_ranges::close(places& to, ref range) noexcept {
  if (to.count_ == places::most) give_back(to);
  at(range).close(version_of(range));
  to.free_[to.count_++] = static_cast<std::uint32_t>(range >> 32);
}

/// Gets half of what fits, so that neither opening nor closing soon leads here again.
void steal_ranges::fetch(places& to) {
  const std::lock_guard hold(mutex_);
  if (free_.empty()) grow();
  while (to.count_ < places::most / 2 && !free_.empty()) {
    to.free_[to.count_++] = free_.back();
    free_.pop_back();
  }
}

void steal_ranges::give_back(places& from) noexcept {
  const std::lock_guard hold(mutex_);
  while (from.count_ > places::most / 2) free_.push_back(from.free_[--from.count_]);
}

void steal_ranges::grow() {
  if (owned_.size() == chunks)
    throw std::length_error("jackdaw: no steal range is left of 262144: too many nested groups in searches");
  const auto first = static_cast<std::uint32_t>(owned_.size()) * per_chunk;
  free_.reserve(std::size_t{first} + per_chunk);  // for all places that there are, so that give_back() cannot fail
  owned_.push_back(std::make_unique<node[]>(per_chunk));
  chunks_[first / per_chunk].store(owned_.back().get(), std::memory_order_release);
  for (std::uint32_t i = per_chunk; i > 0; --i) free_.push_back(first + i - 1);
}

void steal_ranges::activate(ref range) noexcept { at(range).activate(version_of(range)); }

bool steal_ranges::active(ref range) const noexcept { return at(range).active(version_of(range)); }

bool steal_ranges::alive(ref range) const noexcept { return at(range).alive(version_of(range)); }

bool steal_ranges::read(ref range, ref& parent, worker_range& workers) const noexcept {
  return at(range).read(version_of(range), parent, workers);
}

}  // namespace jackdaw::sched
