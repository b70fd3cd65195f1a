#pragma once

#include <type_traits>

#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/root.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {
/// Runs the task, and on the calling thread nothing else than what belongs to it.
void run_isolated(root& task);
}  // namespace detail

/// Calls f() and returns its result. Until then the calling thread runs nothing but f() and what f() forks, and it
/// returns on that thread.
///
///     const std::lock_guard hold(cache_lock);                    // a lock that belongs to this thread
///     jackdaw::isolate([&] { jackdaw::for_index(0, n, refill); });
///
/// Without this, a task that waits in a join makes room on its thread for any other task, which may want the lock that
/// the first one holds, or change the thread_local variables that it is about to read; jackdaw::tied() alone does not
/// prevent that. Other workers help with f() as far as they are idle or take turns. Within f() tasks go from thread to
/// thread as always; f() itself may, too.
///
/// The price: the calling worker waits for f() instead of doing something else, and other tasks that must run on its
/// thread wait. So f() must not wait for what only this thread, or the holder of such a lock, can bring about, nor for
/// roots of the runtime that have been started elsewhere or by async(), or of its arenas: all workers may be isolated.
/// Placement is that of an arena of the runtime (docs/roots.md): this_worker() and concurrency() in f() count its
/// places. If very many tasks are isolated at once, and in an arena that has fewer workers than its runtime, one thread
/// at a time runs f() and what it forks.
///
/// Outside of tasks the default runtime's workers help in the same way, and the calling thread runs f() and what it
/// forks itself, also if all workers are busy, or block on a lock that it holds. In a runtime that records it is
/// run(f).
///
/// @param f A function without parameters. It is referred to, not copied.
/// @return What f() returns.
/// @throws anything that f() throws; std::bad_alloc; and outside of tasks what runtime::instance() throws.
/// @par Complexity
/// Less than a microsecond. The first call, and each that finds all earlier ones under way, makes the places.
template <class F>
auto isolate(F&& f) -> std::invoke_result_t<F&> {
  static_assert(detail::check_root<F>());
  detail::root_of<std::remove_reference_t<F>> task(f);
  detail::run_isolated(task);
  return task.result();
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
