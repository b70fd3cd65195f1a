#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "jackdaw/observer.hpp"
#include "runtime/threads.hpp"
#include "runtime/worker.hpp"
#include "sched/upper_task.hpp"

namespace jackdaw::detail {

using event_kind = worker_event::kind;

inline std::uint64_t nanoseconds_now() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

// What an event is about, by the kinds that need it.

inline worker_event about() noexcept { return {}; }

inline worker_event about(const fiber* stack) noexcept {
  worker_event told;
  told.stack = reinterpret_cast<std::uintptr_t>(stack);
  return told;
}
inline worker_event about(const fiber* stack, bool resumes) noexcept {
  worker_event told = about(stack);
  told.resumes = resumes;
  return told;
}
inline worker_event about(const fiber* stack, worker_event::reason why) noexcept {
  worker_event told = about(stack);
  told.why = why;
  return told;
}

/// `stack`: the one that the task runs on, if that matters.
inline worker_event about(const sched::upper_task& task, const fiber* stack = nullptr) noexcept {
  constexpr auto whole = static_cast<double>(sched::span::one);
  worker_event told = about(stack);
  told.task = reinterpret_cast<std::uintptr_t>(&task);
  told.parent = reinterpret_cast<std::uintptr_t>(task.parent);
  told.is_root = task.parent == nullptr;
  told.first = static_cast<double>(task.whole.begin) / whole;
  told.last = static_cast<double>(task.whole.end) / whole;
  return told;
}
inline worker_event about(const sched::upper_task& task, std::string_view name, std::uint64_t site) noexcept {
  worker_event told = about(task);
  told.name = name;
  told.site = site;
  return told;
}

inline worker_event about(std::uint32_t other) noexcept {
  worker_event told;
  told.other = other;
  return told;
}
inline worker_event about(worker_event::source from, std::uint32_t other) noexcept {
  worker_event told = about(other);
  told.from = from;
  return told;
}

inline worker_event about(std::string_view name, std::int64_t value) noexcept {
  worker_event told;
  told.name = name;
  told.value = value;
  return told;
}

/// Tells the engine's observer, if it has one, that something happens now on worker `self`, the calling thread. If it
/// has none, this costs one test.
template <class... What>
void tell(const threads& home, std::uint32_t self, event_kind kind, const What&... what) noexcept {
  if (observer* const to = home.observed_by()) [[unlikely]] {
    worker_event told = about(what...);
    told.what = kind;
    told.worker = self;
    told.at = nanoseconds_now();
    to->see(told);
  }
}
template <class... What>
void tell(const worker& on, event_kind kind, const What&... what) noexcept {
  tell(on.home, on.id, kind, what...);
}

}  // namespace jackdaw::detail
