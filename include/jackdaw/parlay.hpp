#pragma once

/// @file
/// parlaylib, and programs that are written with it, such as those of PBBS, on jackdaw's workers.
///
/// Compile every file of the program with `-include jackdaw/parlay.hpp`, or include this header before all of
/// parlaylib's; the program is not changed. The header takes the place of parlaylib's scheduler, so that `par_do`,
/// `parallel_for` and all that is built on them fork on jackdaw. Files with different schedulers must not be linked
/// into one program, as parlaylib gives the same names to both.
///
/// What is called from a task runs in that task's runtime, anything else in the default runtime, for which
/// `$PARLAY_NUM_THREADS` has the meaning of `$JACKDAW_WORKERS` where that is not set. Exceptions pass through, which
/// they do not under parlaylib's own scheduler.
///
/// Threads. Under parlaylib's own scheduler a function stays on its thread, whatever it forks, and parlaylib relies on
/// that. `my_thread_id()`, and the places of a `ThreadSpecific` by it, come from `thread_local` variables in inline
/// functions. `block_allocator`, from which small sequences, `type_allocator` and hash tables' nodes come, keeps its
/// local lists of free blocks in one, and changes them without a lock; hazard pointers (`hazptr_stack`, the pool of
/// large blocks) keep announcements and retired nodes in others. None of these forks between looking up its place and
/// leaving it. But a function that allocates, forks and frees again has all of it inlined, and the compiler may look up
/// the address of a `thread_local` once, before the fork. If the function went on elsewhere, two threads would change
/// one list. Therefore
/// - each fork is tied: after `par_do` and `parallel_for` the caller is on the thread that it was on before, also after
///   an exception (jackdaw::tied());
/// - branches and parts of loops are functions of their own, never inlined into the one that forks: a task may go to
///   another thread between a fork and its first branch. As all of their forks are tied, they begin and end on one
///   thread.
///
/// So within any function that the program wrote no thread changes, and that holds for the program's own
/// `thread_local` variables, too. While a fork waits, its thread runs other tasks, which may use the same variables;
/// this is so under parlaylib's own scheduler.
///
/// Locks. A fork with `conservative` promises to run no other task while it waits, so that a lock may be held across
/// it. In a task its branches run one after the other on the caller's thread.
///
/// Ids. In a task `worker_id()` is the number of its worker. On threads that are no workers it is 0, as it is under
/// parlaylib's own scheduler: there, too, each thread from outside is the first of workers of its own. So no two of
/// one thread's tasks, nor a task and the thread itself, have the same id at the same time; and any number of such
/// threads may call parlaylib at the same time. What several of them share must not be told apart by ids, a
/// `WorkerSpecific` for example. If a program does that, compile all of it with `-DJACKDAW_PARLAY_CLIENTS=n`. Then n
/// threads that are no workers have ids of their own behind those of the workers, from their first call of
/// `worker_id()` until they end, `num_workers()` is greater by n, and one thread more gets an error. Tasks of different
/// runtimes have the same ids in any case. Ask for the id, or a WorkerSpecific's place, again after a fork: a client's
/// thread that runs tasks in a worker's place may be in another worker's place then.
///
/// For versions of parlaylib whose `parallel_for` takes its body as `F&&`.

#if __cplusplus < 202002L
#error "jackdaw/parlay.hpp needs C++20, expected -std=c++20 or later"
#endif

#if defined(PARLAY_PARALLEL_H_)
#error "include <jackdaw/parlay.hpp> before <parlay/parallel.h>, which has chosen the scheduler"
#endif

#if defined(PARLAY_CILKPLUS) || defined(PARLAY_OPENCILK) || defined(PARLAY_OPENMP) || defined(PARLAY_SEQUENTIAL)
#error "jackdaw/parlay.hpp is a scheduler of parlaylib, and a macro such as PARLAY_OPENMP asks for another one"
#endif

#if !__has_include(<parlay/parallel.h>)
#error "jackdaw/parlay.hpp needs parlaylib, expected -I and the folder in which parlay/parallel.h lies"
#endif

#if !defined(JACKDAW_PARLAY_CLIENTS)
/// How many threads that are no workers have a `parlay::worker_id()` of their own.
#define JACKDAW_PARLAY_CLIENTS 0
#endif

#include "jackdaw/detail/parlay_scheduler.hpp"

#include <parlay/parallel.h>

#include <cstddef>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace parlay {

/// Returns the number of ids that worker_id() may return; without JACKDAW_PARLAY_CLIENTS the number of workers of the
/// calling task's runtime, elsewhere of the default runtime, which the call starts if need be.
inline size_t num_workers() { return jackdaw::detail::parlay_ids<JACKDAW_PARLAY_CLIENTS>(); }

/// Returns the id of the calling task's worker, or of the calling thread, less than num_workers().
///
/// @throws jackdaw::error if more threads that are no workers ask at the same time than JACKDAW_PARLAY_CLIENTS, unless
/// that is 0.
inline size_t worker_id() { return jackdaw::detail::parlay_id<JACKDAW_PARLAY_CLIENTS>(); }

/// Calls `f(i)` for each i of [start, end), possibly in parallel, and returns on the thread that it was called on.
///
/// @param start The first index.
/// @param end The index after the last one.
/// @param f The body. Several workers call it at the same time.
/// @param granularity The most steps that are not divided. 0: as many as take a microsecond, measured by the first
/// steps, or a 128th of a worker's share.
/// @param conservative Runs no other task while it waits: in a task all steps run here, in order.
/// @throws anything that `f` throws; of several exceptions the first. Steps that have not started by then are skipped.
template <typename F>
inline void parallel_for(size_t start, size_t end, F&& f, long granularity, bool conservative) {
  static_assert(std::is_invocable_v<F&, size_t>);
  jackdaw::detail::parlay_loop(start, end, f, static_cast<size_t>(granularity), conservative);
}

/// Calls both functions, possibly in parallel, and returns on the thread that it was called on.
///
/// @param left The first function, which starts at once.
/// @param right The second one, which another worker may take.
/// @param conservative Runs no other task while it waits: in a task both run here, one after the other.
/// @throws anything that a function throws; the exception of `left` goes first. `right` is skipped if it has not
/// started by then.
template <typename Lf, typename Rf>
inline void par_do(Lf&& left, Rf&& right, bool conservative) {
  static_assert(std::is_invocable_v<Lf&&>);
  static_assert(std::is_invocable_v<Rf&&>);
  jackdaw::detail::parlay_fork(std::forward<Lf>(left), std::forward<Rf>(right), conservative);
}

/// Calls `f()` in a runtime of its own with that many workers, which ends before this returns.
///
/// @param p The number of workers.
/// @param f A function without parameters.
/// @throws anything that `f` throws, and what the constructor of a runtime throws.
template <typename F>
void execute_with_scheduler(unsigned int p, F&& f) {
  jackdaw::detail::parlay_run_elsewhere(p, std::forward<F>(f));
}

}  // namespace parlay

JACKDAW_EXPORT_END
