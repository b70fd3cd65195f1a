// libtbb's header of this name, with this_task_arena on jackdaw.
#ifndef JACKDAW_TBB_task_arena_H
#define JACKDAW_TBB_task_arena_H
// #include_next is an extension.
#pragma GCC system_header

#include <oneapi/tbb/task_group.h>

#ifdef __TBB_task_arena_H
#error "libtbb's task_arena.h comes before compat/tbb's, expected the folder of compat/tbb before oneTBB's"
#endif

#define this_task_arena jackdaw_tbb_libtbb_arena
#include_next <oneapi/tbb/task_arena.h>
#undef this_task_arena

#include <algorithm>
#include <jackdaw_tbb/scope.hpp>
#include <type_traits>

#include "jackdaw/isolate.hpp"
#include "jackdaw/runtime.hpp"

namespace tbb {
namespace detail::d1::inline on_jackdaw {
// Not seen by libtbb's headers, which mean their own functions of these names.
namespace arena {

/// In a task of jackdaw's the number of its worker, elsewhere what libtbb says.
inline int current_thread_index() {
  const jackdaw::detail::thread_seat seat = jackdaw::detail::seat_of_thread();
  return seat.places > 0 ? static_cast<int>(seat.index) : jackdaw_tbb_libtbb_arena::current_thread_index();
}

/// Above all that current_thread_index() is in tasks.
inline int max_concurrency() {
  const unsigned places = jackdaw::detail::seat_of_thread().places;
  const unsigned workers = places > 0 ? places : jackdaw::concurrency();
  return std::max(static_cast<int>(workers), jackdaw_tbb_libtbb_arena::max_concurrency());
}

/// The same as isolate(), also outside of tasks.
template <class F>
auto isolate_on_jackdaw(F&& f) -> decltype(f()) {
  scope part_of;
  return jackdaw::isolate([&]() -> decltype(f()) {
    const place here(part_of, place::isolated_code());
    return f();
  });
}

/// Calls f(). Until it returns, on this thread, the thread runs nothing but f() and what that forks.
template <class F>
auto isolate(F&& f) -> decltype(f()) {
  if (!jackdaw::this_worker()) return jackdaw_tbb_libtbb_arena::isolate(f);
  return isolate_on_jackdaw(f);
}

}  // namespace arena
}  // namespace detail::d1::inline on_jackdaw

inline namespace v1 {
namespace this_task_arena {
using namespace jackdaw_tbb_libtbb_arena;
using detail::d1::on_jackdaw::arena::current_thread_index;
using detail::d1::on_jackdaw::arena::isolate;
using detail::d1::on_jackdaw::arena::max_concurrency;
}  // namespace this_task_arena
}  // namespace v1
}  // namespace tbb

#endif
