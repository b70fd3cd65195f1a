#include "sched/steal_ranges.hpp"

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
    if (place % per_chunk == 0) {
      owned_.push_back(std::make_unique<node[]>(per_chunk));
      chunks_[place / per_chunk].store(owned_.back().get(), std::memory_order_release);
    }
    ++used_;
    free_.reserve(used_);  // so that close() cannot fail
  }
  node& made = at(static_cast<ref>(place) << 32);
  // Release: who reads one of these also sees that the last version had been closed before.
  made.parent.store(parent, std::memory_order_release);
  made.workers.store(static_cast<std::uint64_t>(workers.first) << 32 | workers.last, std::memory_order_release);
  const auto version = static_cast<std::uint32_t>((made.state.load(std::memory_order_relaxed) >> 1) + 1);
  // Release: who sees the version sees the fields.
  made.state.store(static_cast<std::uint64_t>(version) << 1, std::memory_order_release);
  return static_cast<ref>(place) << 32 | version;
}

void steal_ranges::close(ref range) noexcept {
  const std::lock_guard hold(mutex_);
  at(range).state.store(static_cast<std::uint64_t>(version_of(range) + 1) << 1, std::memory_order_release);
  free_.push_back(static_cast<std::uint32_t>(range >> 32));
}

void steal_ranges::activate(ref range) noexcept {
  std::uint64_t expected = static_cast<std::uint64_t>(version_of(range)) << 1;
  // Fails if it is active already, or closed; either is fine.
  at(range).state.compare_exchange_strong(expected, expected | 1, std::memory_order_relaxed);
}

bool steal_ranges::active(ref range) const noexcept {
  return at(range).state.load(std::memory_order_relaxed) == (static_cast<std::uint64_t>(version_of(range)) << 1 | 1);
}

bool steal_ranges::alive(ref range) const noexcept {
  return at(range).state.load(std::memory_order_relaxed) >> 1 == version_of(range);
}

bool steal_ranges::read(ref range, ref& parent, worker_range& workers) const noexcept {
  const node& from = at(range);
  if (from.state.load(std::memory_order_acquire) >> 1 != version_of(range)) {
    return false;
  }
  const ref found_parent = from.parent.load(std::memory_order_acquire);
  const std::uint64_t found_workers = from.workers.load(std::memory_order_acquire);
  // If a field was a later version's, its acquire makes that version's predecessor visibly closed here.
  if (from.state.load(std::memory_order_relaxed) >> 1 != version_of(range)) {
    return false;
  }
  parent = found_parent;
  workers = {static_cast<std::uint32_t>(found_workers >> 32), static_cast<std::uint32_t>(found_workers)};
  return true;
}

}  // namespace jackdaw::sched
