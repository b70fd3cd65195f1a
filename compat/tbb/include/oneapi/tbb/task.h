// In place of libtbb's header of this name: the context is that of jackdaw's tasks.
#ifndef JACKDAW_TBB_task_H
#define JACKDAW_TBB_task_H

#include <oneapi/tbb/task_group.h>

#ifdef __TBB_task_H
#error "libtbb's task.h comes before compat/tbb's, expected the folder of compat/tbb before oneTBB's"
#endif
#define __TBB_task_H

#include <cstdint>
#include <jackdaw_tbb/scope.hpp>
#include <utility>

#include "jackdaw/runtime.hpp"
#include "jackdaw/semaphore.hpp"
#include "jackdaw/tied.hpp"

namespace tbb {
namespace detail::d1 {
inline namespace on_jackdaw {

/// Of the innermost call of an algorithm, or group, that the calling code is a part of.
inline task_group_context* context_of_task() {
  place* const here = this_place();
  return here != nullptr ? &here->of().context() : r1::current_context();
}

#if __TBB_RESUMABLE_TASKS
// In a task of jackdaw's a suspend_point is the address of a semaphore, and odd, which none of libtbb's is.
inline constexpr std::uintptr_t of_jackdaw = 1;

template <class F>
void suspend_task(F f) {
  if (!jackdaw::this_worker()) {
    d1::suspend(f);
    return;
  }
  const jackdaw::detail::tie back;
  jackdaw::semaphore resumed(0);
  f(reinterpret_cast<suspend_point>(reinterpret_cast<std::uintptr_t>(&resumed) | of_jackdaw));
  resumed.acquire();
}

inline void resume_task(suspend_point where) {
  const auto address = reinterpret_cast<std::uintptr_t>(where);
  if ((address & of_jackdaw) == 0) {
    d1::resume(where);
  } else {
    reinterpret_cast<jackdaw::semaphore*>(address & ~of_jackdaw)->release();
  }
}
#endif

}  // namespace on_jackdaw
}  // namespace detail::d1

inline namespace v1 {
namespace task {
#if __TBB_RESUMABLE_TASKS
using detail::d1::suspend_point;

/// Calls f(point), and suspends the calling task until resume(point).
template <class F>
void suspend(F f) {
  detail::d1::suspend_task(std::move(f));
}
inline void resume(suspend_point where) { detail::d1::resume_task(where); }
#endif
inline detail::d1::task_group_context* current_context() { return detail::d1::context_of_task(); }
}  // namespace task
}  // namespace v1
}  // namespace tbb

#endif
