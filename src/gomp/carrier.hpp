#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "gomp/futex.hpp"
#include "jackdaw/detail/entry.hpp"
#include "jackdaw/detail/queued.hpp"

namespace jackdaw::detail {
class threads;
}  // namespace jackdaw::detail

namespace jackdaw::gomp {

struct member;

/// A thread that is one member after another of regions: a worker of the runtime, or a thread of its own where no
/// worker is free. README.md, Hand-over.
class alignas(64) carrier : detail::entry {
 public:
  /// On that worker's own thread, from the time when it is first called.
  carrier(detail::threads& home, std::uint32_t worker) noexcept;
  /// On a thread of its own, which this starts. Throws std::system_error.
  carrier();
  carrier(const carrier&) = delete;
  carrier& operator=(const carrier&) = delete;

  /// Lets the thread be that member. It is none now, or is about to go on to its next call.
  void call(member& next) noexcept;
  /// Ends a thread of its own, and frees the carrier. False: it is on a worker, and stays. It is no member now.
  bool dismiss() noexcept;
  /// Binds the thread to the processors of that place before it is its next member; -1: to those it began with.
  void bind(int place) noexcept { wanted_place_ = place; }

 private:
  enum : std::uint32_t { waits, called, sleeps };

  void live() noexcept;
  void hand_over(member* next) noexcept;
  member* await() noexcept;
  void go_to_place() noexcept;

  word state_{waits};
  member* next_ = nullptr;  // written before `called`; null: it is dismissed
  int caller_cpu_ = -1;
  int wanted_place_ = -1;
  int place_ = -1;

  // Of one on a worker.
  detail::threads* const home_ = nullptr;
  const std::uint32_t worker_ = 0;
  bool begun_ = false;   // used by who calls
  detail::queued turn_;  // in the worker's queue before it has begun
};

/// Runs the member's part of its region on the calling thread.
void take_part(member& self) noexcept;

}  // namespace jackdaw::gomp
