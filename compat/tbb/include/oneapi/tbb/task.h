// In place of libtbb's header of this name: the context is that of jackdaw's tasks.
#ifndef JACKDAW_TBB_task_H
#define JACKDAW_TBB_task_H

#include <oneapi/tbb/task_group.h>

#ifdef __TBB_task_H
#error "libtbb's task.h comes before compat/tbb's, expected the folder of compat/tbb before oneTBB's"
#endif
#define __TBB_task_H

#include <jackdaw_tbb/scope.hpp>

namespace tbb {
namespace detail::d1 {
inline namespace on_jackdaw {

/// Of the innermost call of an algorithm, or group, that the calling code is a part of.
inline task_group_context* context_of_task() {
  place* const here = this_place();
  return here != nullptr ? &here->of().context() : r1::current_context();
}

}  // namespace on_jackdaw
}  // namespace detail::d1

inline namespace v1 {
namespace task {
#if __TBB_RESUMABLE_TASKS
using detail::d1::resume;
using detail::d1::suspend;
using detail::d1::suspend_point;
#endif
inline detail::d1::task_group_context* current_context() { return detail::d1::context_of_task(); }
}  // namespace task
}  // namespace v1
}  // namespace tbb

#endif
