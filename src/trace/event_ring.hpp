#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "base/own_mapping.hpp"
#include "jackdaw/observer.hpp"

namespace jackdaw::trace {

/// The latest events of one worker. The worker adds; any thread may read meanwhile, without holding the worker up. Its
/// pages get memory as it fills, on the node of the worker, and none once it is full: then each new event replaces the
/// oldest one.
class event_ring {
 public:
  /// `most`: how many events are kept, rounded up to a multiple of 1024. Throws std::bad_alloc.
  explicit event_ring(std::size_t most) : capacity_(std::max<std::size_t>(1, (most + each - 1) / each) * each) {
    if (!memory_.map(capacity_ * sizeof(slot), PROT_READ | PROT_WRITE, MAP_NORESERVE)) throw std::bad_alloc();
    madvise(memory_.data(), memory_.bytes(), MADV_NOHUGEPAGE);  // most workers fill a small part
    slots_ = static_cast<slot*>(memory_.data());
  }

  std::size_t capacity() const noexcept { return capacity_; }

  /// Called by the worker only.
  void add(const worker_event& fresh) noexcept {
    const std::uint64_t number = added_.load(std::memory_order_relaxed);
    const words packed = pack(fresh);
    slot& to = slots_[number % capacity_];
    // Release: a reader that sees a word of this event also sees that added_ has reached `number`, so it knows that the
    // event whose place this is may be gone.
    for (std::size_t i = 0; i < packed.size(); ++i) to[i].store(packed[i], std::memory_order_release);
    added_.store(number + 1, std::memory_order_release);
  }

  /// Gives the memory back. Nothing is added or read any more.
  void release() noexcept { memory_.unmap(); }

  struct contents {
    std::vector<worker_event> events;  ///< the oldest first
    std::uint64_t lost = 0;            ///< how many events are not there, all of them older
  };
  /// Called by any thread. Throws std::bad_alloc.
  contents read(std::uint32_t worker) const {
    const std::uint64_t end = added_.load(std::memory_order_acquire);
    const std::uint64_t begin = first_whole(end);
    contents found;
    found.events.reserve(static_cast<std::size_t>(end - begin));
    for (std::uint64_t number = begin; number < end; ++number) {
      const slot& from = slots_[number % capacity_];
      words copy;
      for (std::size_t i = 0; i < copy.size(); ++i) copy[i] = from[i].load(std::memory_order_acquire);
      found.events.push_back(unpack(copy, worker));
    }
    // What has been replaced meanwhile is no event any more.
    const std::uint64_t whole = std::min(end, std::max(begin, first_whole(added_.load(std::memory_order_acquire))));
    found.lost = whole;
    found.events.erase(found.events.begin(), found.events.begin() + static_cast<std::ptrdiff_t>(whole - begin));
    return found;
  }

 private:
  using words = std::array<std::uint64_t, 8>;
  using slot = std::array<std::atomic<std::uint64_t>, 8>;
  static constexpr std::size_t each = 1024;

  /// Returns the first event that is whole for sure when so many were added: the next one may be half written in the
  /// place of the one before it.
  std::uint64_t first_whole(std::uint64_t added) const noexcept {
    return added >= capacity() ? added - capacity() + 1 : 0;
  }

  /// Events that place a task have a span and no site, value or name.
  static bool has_span(worker_event::kind what) noexcept {
    return what == worker_event::kind::begin || what == worker_event::kind::end;
  }
  static words pack(const worker_event& of) noexcept {
    const std::uint64_t head = static_cast<std::uint64_t>(of.what) | static_cast<std::uint64_t>(of.why) << 8 |
                               static_cast<std::uint64_t>(of.from) << 16 |
                               static_cast<std::uint64_t>(of.resumes) << 24 |
                               static_cast<std::uint64_t>(of.is_root) << 25 | std::uint64_t{of.other} << 32;
    const bool span = has_span(of.what);
    return {of.at,
            head,
            of.stack,
            of.task,
            span ? std::bit_cast<std::uint64_t>(of.first) : of.site,
            span ? std::bit_cast<std::uint64_t>(of.last) : std::bit_cast<std::uint64_t>(of.value),
            reinterpret_cast<std::uintptr_t>(of.name.data()),
            of.name.size()};
  }
  static worker_event unpack(const words& from, std::uint32_t worker) noexcept {
    worker_event of;
    of.at = from[0];
    of.what = static_cast<worker_event::kind>(from[1] & 255);
    of.why = static_cast<worker_event::reason>(from[1] >> 8 & 255);
    of.from = static_cast<worker_event::source>(from[1] >> 16 & 255);
    of.resumes = (from[1] >> 24 & 1) != 0;
    of.is_root = (from[1] >> 25 & 1) != 0;
    of.other = static_cast<std::uint32_t>(from[1] >> 32);
    of.worker = worker;
    of.stack = from[2];
    of.task = from[3];
    if (has_span(of.what)) {
      of.first = std::bit_cast<double>(from[4]);
      of.last = std::bit_cast<double>(from[5]);
    } else {
      of.site = from[4];
      of.value = std::bit_cast<std::int64_t>(from[5]);
    }
    if (from[7] != 0) {
      of.name = {reinterpret_cast<const char*>(static_cast<std::uintptr_t>(from[6])),
                 static_cast<std::size_t>(from[7])};
    }
    return of;
  }

  const std::size_t capacity_;
  detail::own_mapping memory_;
  slot* slots_ = nullptr;
  std::atomic<std::uint64_t> added_{0};
};

}  // namespace jackdaw::trace
