#include "sched/steal_ranges.hpp"

#include <algorithm>
#include <stdexcept>

namespace jackdaw::sched {

steal_ranges::ref steal_ranges::open(ref parent, worker_range workers) {
  const std::lock_guard hold(mutex_);
  std::uint32_t place = 0;
  if (!free_.empty()) {
    place = free_.back();
    free_.pop_back();
  } else {
    place = used_;
    if (place / per_chunk >= chunks) {
      throw std::length_error("jackdaw: more nested groups in searches than steal ranges (262144)");
    }
    if (free_.capacity() <= used_) {
      free_.reserve(std::max<std::size_t>(2 * std::size_t{used_}, 64));  // so that close() cannot fail
    }
    if (place % per_chunk == 0) {
      owned_.push_back(std::make_unique<node[]>(per_chunk));
      chunks_[place / per_chunk].store(owned_.back().get(), std::memory_order_release);
    }
    ++used_;
  }
  const node::version made = at(static_cast<ref>(place) << 32).open(parent, workers);
  return static_cast<ref>(place) << 32 | made;
}

void steal_ranges::close(ref range) noexcept {
  const std::lock_guard hold(mutex_);
  at(range).close(version_of(range));
  free_.push_back(static_cast<std::uint32_t>(range >> 32));
}

void steal_ranges::activate(ref range) noexcept { at(range).activate(version_of(range)); }

bool steal_ranges::active(ref range) const noexcept { return at(range).active(version_of(range)); }

bool steal_ranges::alive(ref range) const noexcept { return at(range).alive(version_of(range)); }

bool steal_ranges::read(ref range, ref& parent, worker_range& workers) const noexcept {
  return at(range).read(version_of(range), parent, workers);
}

}  // namespace jackdaw::sched
