#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup c
@{ */

/// What a function of the C API returns.
typedef enum jackdaw_status {
  JACKDAW_OK = 0,              ///< The function has done what it says.
  JACKDAW_ERROR_ARGUMENT = 1,  ///< An argument cannot be used: a null pointer, a size of 0, a choice that is not there.
  JACKDAW_ERROR_HANDLE = 2,    ///< The group, runtime or memory does not exist, or has ended.
  JACKDAW_ERROR_OWNER = 3,     ///< The group belongs to another task or thread, or a task would end its own runtime.
  JACKDAW_ERROR_INPUT = 4,     ///< An option or a file cannot be used, or not here: jackdaw::error.
  JACKDAW_ERROR_NO_MEMORY = 5,  ///< There is no memory. What had begun has ended.
  JACKDAW_ERROR_EXCEPTION = 6,  ///< A function of the program has thrown a C++ exception.
  JACKDAW_ERROR_CANCELLED = 7   ///< A function of the program has thrown jackdaw::cancelled.
} jackdaw_status;

/// Returns the name of a status, such as "JACKDAW_ERROR_OWNER"; "unknown status" for other numbers.
const char* jackdaw_status_name(int status);

/// Returns what was wrong with the last call that failed on the calling thread.
///
/// The message is one line, which names the function. The text belongs to the thread and holds until the next call that
/// fails there. Read it before the task's next fork or wait: the task may resume on another thread then.
const char* jackdaw_last_error(void);

/// A function that a task runs. It gets the pointer that was passed along with it.
typedef void (*jackdaw_function)(void* arg);

/// @name Runtimes
/// @{

/// A set of worker threads and their scheduler: jackdaw::runtime. A null pointer stands for the default runtime, which
/// the first fork outside of a task starts.
///
/// The pointer is a checked name and no address: with one that has ended, or that was never made, each function returns
/// JACKDAW_ERROR_HANDLE.
typedef struct jackdaw_runtime jackdaw_runtime;

/// An option that is left alone, or that says yes or no.
typedef enum jackdaw_choice {
  JACKDAW_DEFAULT = 0,  ///< The environment decides, or else the machine.
  JACKDAW_YES = 1,      ///< Yes.
  JACKDAW_NO = 2        ///< No.
} jackdaw_choice;

/// How workers are laid over sockets: jackdaw::placement_order.
typedef enum jackdaw_order {
  JACKDAW_ORDER_DEFAULT = 0,  ///< The environment decides; otherwise as JACKDAW_SCATTER.
  JACKDAW_SCATTER = 1,        ///< Workers are spread over the sockets.
  JACKDAW_COMPACT = 2         ///< Workers fill one socket after another.
} jackdaw_order;

/// The options of a runtime: jackdaw::options. Call jackdaw_options_init() first, then set what you want.
typedef struct jackdaw_options {
  size_t size;             ///< The size of this type, which jackdaw_options_init() sets: later versions add members.
  const char* scheduler;   ///< The scheduler's name. Null selects `$JACKDAW_SCHEDULER`, or "auto" without that.
  const char* node_order;  ///< How bats fills memory nodes: "adjacent" or "apart". Null: `$JACKDAW_NODE_ORDER`.
  const char* events;      ///< The file for the scheduler's events. Null: `$JACKDAW_EVENTS`, or none.
  const char* record;      ///< The file for a recording of forks and joins. Null: `$JACKDAW_RECORD`, or none.
  const char* stats;       ///< The SQLite file for a record of the run. Null: `$JACKDAW_STATS`, or none.
  const char* trace;       ///< The file for a timeline. Null: `$JACKDAW_TRACE`, or none.
  size_t stack_size;       ///< Bytes of a task's stack. 0: `$JACKDAW_STACK_SIZE`, or 1 MiB without that.
  uint64_t data_size;      ///< Bytes that an iteration works on, for schedulers that ask. 0: `$JACKDAW_DATA_SIZE`.
  uint32_t workers;        ///< Number of workers, 1 to 4096. 0: `$JACKDAW_WORKERS`, or one for each core.
  uint32_t branching;      ///< Children of a task, 2 to 1024, for "cab". 0: `$JACKDAW_BRANCHING`, or it is learned.
  int32_t order;           ///< A jackdaw_order.
  int32_t pin;             ///< A jackdaw_choice: whether each worker is bound to its processor.
  int32_t count_accesses;  ///< A jackdaw_choice: whether local_bytes and remote_bytes count all declared accesses.
  int32_t tied;            ///< A jackdaw_choice: whether tasks are on their threads again after each fork and wait.
} jackdaw_options;

/// Sets all options to their defaults.
///
/// @param options The options; a null pointer is left alone.
static inline void jackdaw_options_init(jackdaw_options* options) {
  if (options != NULL) {
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
  }
}

/// Starts a runtime.
///
/// @param options The options; null selects the defaults.
/// @param made Receives the runtime, or a null pointer if there is none. End it with jackdaw_runtime_destroy(), which
/// also writes the files that the options name.
/// @return JACKDAW_ERROR_INPUT for an option that cannot be used, or if the system refuses that many threads.
jackdaw_status jackdaw_runtime_create(const jackdaw_options* options, jackdaw_runtime** made);

/// Ends a runtime: refuses new tasks, waits for those that run, and ends the workers.
///
/// Other threads may use the runtime meanwhile. Each of their calls either completes or returns JACKDAW_ERROR_HANDLE.
/// A task of another runtime may call it, and blocks its worker; a task must not end a runtime that waits for it.
///
/// @return JACKDAW_ERROR_OWNER, and does nothing, if a task of the runtime calls it.
jackdaw_status jackdaw_runtime_destroy(jackdaw_runtime* runtime);

/// Runs f(arg) as a root task of a runtime and returns when it has ended: jackdaw::runtime::run(). A task of the
/// runtime calls `f` directly.
///
/// @param runtime The runtime; null selects the default one.
/// @param f The function.
/// @param arg Passed to `f`.
jackdaw_status jackdaw_run(jackdaw_runtime* runtime, jackdaw_function f, void* arg);

/// Sets the options of the default runtime: jackdaw::configure(). Call it before the first fork outside of a task.
///
/// @param options The options; null selects the defaults.
jackdaw_status jackdaw_configure(const jackdaw_options* options);

/// Ends the default runtime, if there is one: jackdaw::shutdown(). The next fork outside of a task starts it again.
///
/// @return JACKDAW_ERROR_INPUT, and does nothing, if a task of it calls it.
jackdaw_status jackdaw_shutdown(void);

/// Tells the number of workers of a runtime.
///
/// @param runtime The runtime; null selects the default one, which the call starts if need be.
/// @param workers Receives the number.
jackdaw_status jackdaw_workers(jackdaw_runtime* runtime, uint32_t* workers);

/// Tells the number of workers that share what the caller forks: jackdaw::concurrency().
///
/// @param workers Receives the number.
jackdaw_status jackdaw_concurrency(uint32_t* workers);

/// Returns the number of the worker that runs the calling task, within its runtime; -1 on threads that are no workers.
/// A task may resume on a different worker after any fork or join.
int32_t jackdaw_this_worker(void);

/// Event counts: jackdaw::statistics, which says what each means. Call jackdaw_stats_init() first.
typedef struct jackdaw_stats {
  size_t size;             ///< The size of this type, which jackdaw_stats_init() sets: later versions add members.
  uint64_t steals_local;   ///< Steals from a worker in the thief's own package.
  uint64_t steals_core;    ///< Of steals_local: from a worker on the thief's core.
  uint64_t steals_cache;   ///< Of steals_local: from another core that shares the thief's last-level cache.
  uint64_t steals_remote;  ///< Steals from a worker in another package.
  uint64_t failed_steals;  ///< Steal attempts that found nothing.
  uint64_t failed_remote;  ///< Of failed_steals: those whose victim is in another package.
  uint64_t forced_steals;  ///< Steals that needed a heavy fence because the victim was in a long leaf.
  uint64_t migrations;     ///< Tasks handed to a worker by the scheduler or because of an affinity.
  uint64_t suspensions;    ///< Joins and waits that suspended their task.
  uint64_t sleeps;         ///< Times a worker found no work and went to sleep.
  uint64_t in_place;       ///< Tasks that ran on another task's stack, or serially, for lack of a stack.
  uint64_t rescues;        ///< Tasks that an idle worker took although the scheduler had placed them elsewhere.
  uint64_t turns;          ///< Times a task gave way to another root.
  uint64_t tasks;          ///< Tasks that a worker took up when it had nothing else to run.
  uint64_t roots;          ///< Tasks from outside that a worker has begun.
  uint64_t at_home;        ///< Placed tasks that were taken up where the scheduler or an affinity wanted them.
  uint64_t away;           ///< Placed tasks that were taken up elsewhere.
  uint64_t search_ns;      ///< Nanoseconds in which a worker was awake and had nothing to run.
  uint64_t sleep_ns;       ///< Nanoseconds in which a worker slept.
  uint64_t local_bytes;    ///< Declared bytes that lay on memory nodes of the worker's own squad.
  uint64_t remote_bytes;   ///< Declared bytes that lay on other memory nodes.
  uint64_t moved_bytes;    ///< Bytes of pages that the scheduler has moved to other memory nodes.
} jackdaw_stats;

/// Sets all counts to 0 and the size.
///
/// @param stats The counts; a null pointer is left alone.
static inline void jackdaw_stats_init(jackdaw_stats* stats) {
  if (stats != NULL) {
    memset(stats, 0, sizeof *stats);
    stats->size = sizeof *stats;
  }
}

/// Reads a runtime's event counts. They are exact only while no task runs.
///
/// @param runtime The runtime; null selects the default one, which the call starts if need be.
/// @param stats Receives the counts. jackdaw_stats_init() must have set its size.
jackdaw_status jackdaw_stats_get(jackdaw_runtime* runtime, jackdaw_stats* stats);

/// Reads the event counts of one worker; otherwise as jackdaw_stats_get().
///
/// @param runtime The runtime; null selects the default one.
/// @param worker The worker's number, less than jackdaw_workers().
/// @param stats Receives the counts.
jackdaw_status jackdaw_worker_stats_get(jackdaw_runtime* runtime, uint32_t worker, jackdaw_stats* stats);

/// Sets a runtime's event counts to 0. It must not be called while a task runs.
///
/// @param runtime The runtime; null selects the default one.
jackdaw_status jackdaw_stats_reset(jackdaw_runtime* runtime);

/// @}
/// @name Forking
/// @{

/// Runs f(a) and g(b), possibly in parallel, and returns when both have ended: jackdaw::invoke().
///
/// `f` starts at once; another worker can steal `g` meanwhile. If the worker is alone they run in this order. The
/// caller may resume on a different thread. Outside of tasks both run in the default runtime.
///
/// @param f The first function.
/// @param a Passed to `f`.
/// @param g The second function.
/// @param b Passed to `g`.
/// @return JACKDAW_ERROR_EXCEPTION if one of them throws; `g` is skipped if it has not started by then.
jackdaw_status jackdaw_invoke(jackdaw_function f, void* a, jackdaw_function g, void* b);

/// Runs f(a) and g(b) as jackdaw_invoke() does, with hints: jackdaw::work().
///
/// @param work_f The work of `f` in any unit, at least 0. Only the ratio counts. A number that is no work, such as a
/// NaN, does no harm and says nothing.
/// @param f The first function.
/// @param a Passed to `f`.
/// @param work_g The work of `g`.
/// @param g The second function.
/// @param b Passed to `g`.
jackdaw_status jackdaw_invoke_work(double work_f, jackdaw_function f, void* a, double work_g, jackdaw_function g,
                                   void* b);

/// A group of child tasks that are waited for together: jackdaw::task_group.
///
/// A group belongs to the task that has begun it, or to the thread if that was outside of tasks: each call of a
/// jackdaw_function is a task of its own, except in jackdaw_tied(). Only its owner may use it; for another task or
/// thread each function returns JACKDAW_ERROR_OWNER and does nothing. A group that is open when its owner's function
/// returns, or when its thread ends, is waited for and ended there.
///
/// The pointer is a checked name and no address: with a null pointer each function returns JACKDAW_ERROR_ARGUMENT, and
/// with a group that has ended JACKDAW_ERROR_HANDLE.
typedef struct jackdaw_group jackdaw_group;

/// Which side of a fork runs at once: jackdaw::policy.
typedef enum jackdaw_policy {
  JACKDAW_WORK_FIRST = 0,  ///< The child runs at once. Other workers can steal the rest of the parent.
  JACKDAW_HELP_FIRST = 1   ///< The parent continues. Other workers can steal the child.
} jackdaw_policy;

/// The amount of work that stands for "no hint was given".
#define JACKDAW_UNKNOWN (-1.0)

/// Begins a group: work-first and without hints.
///
/// @param group Receives the group, or a null pointer if there is none.
jackdaw_status jackdaw_group_begin(jackdaw_group** group);

/// Begins a group whose children's work is known.
///
/// @param group Receives the group, or a null pointer if there is none.
/// @param total_work The sum of what jackdaw_group_spawn_work() will be given, in any unit; or JACKDAW_UNKNOWN.
/// @param order A jackdaw_policy: which side of a fork runs at once.
jackdaw_status jackdaw_group_begin_with(jackdaw_group** group, double total_work, int order);

/// Runs f(arg) as a child of the group. The caller may resume on a different thread.
///
/// `arg` must be valid until jackdaw_group_wait() or jackdaw_group_end(). Once a child has thrown, children that have
/// not started are skipped.
///
/// @param group The group.
/// @param f The child.
/// @param arg Passed to `f`.
jackdaw_status jackdaw_group_spawn(jackdaw_group* group, jackdaw_function f, void* arg);

/// Runs f(arg) as a child of the group, with a hint; otherwise as jackdaw_group_spawn().
///
/// @param group The group.
/// @param work The child's part of the group's total work.
/// @param f The child.
/// @param arg Passed to `f`.
jackdaw_status jackdaw_group_spawn_work(jackdaw_group* group, double work, jackdaw_function f, void* arg);

/// Runs f(arg) as a child that prefers the workers near some memory: jackdaw::near(). Otherwise as
/// jackdaw_group_spawn_work().
///
/// @param group The group.
/// @param first The first byte of the memory.
/// @param bytes The memory's length.
/// @param work The child's part of the group's total work, or JACKDAW_UNKNOWN.
/// @param f The child.
/// @param arg Passed to `f`.
jackdaw_status jackdaw_group_spawn_near(jackdaw_group* group, const void* first, size_t bytes, double work,
                                        jackdaw_function f, void* arg);

/// Waits until all children have ended. The group can be used again.
///
/// A task is suspended meanwhile and its worker runs other tasks. A thread outside of tasks sleeps.
///
/// @return JACKDAW_ERROR_EXCEPTION if a child has thrown; the message is that of the first one.
jackdaw_status jackdaw_group_wait(jackdaw_group* group);

/// Waits as jackdaw_group_wait() does, and ends the group, whatever that returns for its children.
jackdaw_status jackdaw_group_end(jackdaw_group* group);

/// Calls f(arg) and returns on the thread that it was called on, whatever `f` forks: jackdaw::tied(). `f` is part of
/// the calling task, and may use its groups.
jackdaw_status jackdaw_tied(jackdaw_function f, void* arg);

/// @}
/// @name Algorithms
/// @{

/// The body of a loop: does the indices of [begin, end).
typedef void (*jackdaw_block)(int64_t begin, int64_t end, void* arg);

/// Calls body(first, last, arg) in parallel for blocks that together make up [begin, end): jackdaw::for_range().
///
/// @param begin The first index.
/// @param end The index after the last one; the loop is empty if `begin >= end`.
/// @param grain The most indices of a block; 0: automatic.
/// @param body The body. Several workers call it at the same time; each call is a task.
/// @param arg Passed to each call.
jackdaw_status jackdaw_for(int64_t begin, int64_t end, size_t grain, jackdaw_block body, void* arg);

/// The body of a reduction: adds the indices of [begin, end) to `partial`.
typedef void (*jackdaw_reduce_block)(int64_t begin, int64_t end, void* partial, void* arg);

/// Combines two partial results: left = left + right, in this order.
typedef void (*jackdaw_combine)(void* left, const void* right, void* arg);

/// Reduces [begin, end): jackdaw::fold_range().
///
/// Each block begins with a copy of the identity. Partial results are combined in the order of their indices, and how
/// the range is divided depends on its length and the grain alone: a floating-point result has the same bits in each
/// run, on any number of workers.
///
/// @param begin The first index.
/// @param end The index after the last one.
/// @param grain The most indices of a block; 0: automatic, at most 512 blocks.
/// @param size The bytes of a partial result, which is copied as bytes and aligned as by malloc().
/// @param identity What changes nothing when it is combined.
/// @param body Called for each block. Several workers call it at the same time.
/// @param combine Combines the results of two adjacent parts. It has to be associative, and need not be commutative.
/// @param arg Passed to each call of both.
/// @param result Receives the result, `size` bytes; the identity if the range is empty. An error leaves it alone.
jackdaw_status jackdaw_reduce(int64_t begin, int64_t end, size_t grain, size_t size, const void* identity,
                              jackdaw_reduce_block body, jackdaw_combine combine, void* arg, void* result);

/// Compares two elements as for qsort(): negative if `a` comes before `b`, positive if it comes behind, 0 otherwise.
typedef int (*jackdaw_compare)(const void* a, const void* b);

/// Compares two elements, with a pointer of the caller's, as for qsort_r() of glibc.
typedef int (*jackdaw_compare_with)(const void* a, const void* b, void* arg);

/// Sorts `count` elements of `size` bytes in parallel, as qsort() does.
///
/// Elements of 4, 8 and 16 bytes that are aligned to their size are sorted in place: jackdaw::sort(). For others the
/// function sorts pointers to the elements and then moves each element twice, which takes memory for all of them.
///
/// @param base The first element. It may be null if `count` is 0.
/// @param count The number of elements.
/// @param size The bytes of an element.
/// @param compare A consistent order. Several workers call it at the same time. It may get copies of elements, and
/// must not fork.
/// @return JACKDAW_ERROR_NO_MEMORY if there is no memory; the elements are then in some order.
jackdaw_status jackdaw_sort(void* base, size_t count, size_t size, jackdaw_compare compare);

/// Sorts with a comparison that gets a pointer; otherwise as jackdaw_sort().
///
/// @param base The first element.
/// @param count The number of elements.
/// @param size The bytes of an element.
/// @param compare A consistent order.
/// @param arg Passed to each call.
jackdaw_status jackdaw_sort_with(void* base, size_t count, size_t size, jackdaw_compare_with compare, void* arg);

/// Sorts and keeps the order of equal elements: jackdaw::stable_sort(). Otherwise as jackdaw_sort_with().
///
/// @param base The first element.
/// @param count The number of elements.
/// @param size The bytes of an element.
/// @param compare A consistent order.
/// @param arg Passed to each call.
jackdaw_status jackdaw_stable_sort(void* base, size_t count, size_t size, jackdaw_compare_with compare, void* arg);

/// @}
/// @name Memory
/// @{

/// Where memory goes: jackdaw::placement::policy.
typedef enum jackdaw_place {
  JACKDAW_FIRST_TOUCH = 0,   ///< Each page goes to the node of the worker that runs that part of a loop over it.
  JACKDAW_ON_NODE = 1,       ///< All pages go to one node.
  JACKDAW_INTERLEAVE = 2,    ///< Pages go to all nodes in turn.
  JACKDAW_BY_BANDWIDTH = 3,  ///< Each node gets a part in proportion to its bandwidth.
  JACKDAW_FASTEST = 4        ///< The nodes of the highest bandwidth fill up first.
} jackdaw_place;

/// The pages that memory consists of: jackdaw::page_choice.
typedef enum jackdaw_pages {
  JACKDAW_PAGES_AUTOMATIC = 0,  ///< Huge pages if each node's part is large enough.
  JACKDAW_PAGES_BASE = 1,       ///< The smallest pages.
  JACKDAW_PAGES_HUGE = 2        ///< Transparent huge pages.
} jackdaw_pages;

/// A wish for where memory should be: jackdaw::placement. Call jackdaw_placement_init() first.
typedef struct jackdaw_placement {
  size_t size;       ///< The size of this type, which jackdaw_placement_init() sets: later versions add members.
  size_t budget;     ///< For JACKDAW_FASTEST: the most bytes that a fast node takes. 0: no limit.
  size_t alignment;  ///< In bytes, a power of two. 0: that of a page, which memory has at least.
  int32_t place;     ///< A jackdaw_place.
  int32_t pages;     ///< A jackdaw_pages.
  uint32_t node;     ///< For JACKDAW_ON_NODE: the operating system's number of the node.
  int32_t reserved;  ///< 0.
} jackdaw_placement;

/// Sets a wish to its defaults: first touch.
///
/// @param placement The wish; a null pointer is left alone.
static inline void jackdaw_placement_init(jackdaw_placement* placement) {
  if (placement != NULL) {
    memset(placement, 0, sizeof *placement);
    placement->size = sizeof *placement;
  }
}

/// Allocates pages of zeros and places them on memory nodes: jackdaw::placed_memory. Meant for large arrays, because
/// each call takes whole pages and system calls. Under first touch the workers touch their parts in parallel.
///
/// @param bytes The size. 0 gives a null pointer.
/// @param how Where the memory goes; null: first touch.
/// @param memory Receives the memory, or a null pointer if there is none.
jackdaw_status jackdaw_alloc(size_t bytes, const jackdaw_placement* how, void** memory);

/// Frees what jackdaw_alloc() has allocated.
///
/// @param memory The memory; a null pointer is left alone.
/// @return JACKDAW_ERROR_HANDLE, and does nothing, for any other pointer.
jackdaw_status jackdaw_free(void* memory);

/// Declares that the calling task reads memory: jackdaw::reads(). It touches nothing, and costs next to nothing unless
/// the program is recorded or profiled.
///
/// @param first The first byte; null declares nothing.
/// @param bytes The length.
void jackdaw_reads(const void* first, size_t bytes);

/// Declares that the calling task writes memory; otherwise as jackdaw_reads().
///
/// @param first The first byte; null declares nothing.
/// @param bytes The length.
void jackdaw_writes(const void* first, size_t bytes);

/// Declares that the calling task reads a block of a matrix; otherwise as jackdaw_reads().
///
/// @param first The first byte of the first row.
/// @param rows The number of rows.
/// @param row_bytes The bytes that are read in each row.
/// @param stride The bytes from the start of one row to the start of the next.
void jackdaw_reads_rows(const void* first, size_t rows, size_t row_bytes, size_t stride);

/// Declares that the calling task writes a block of a matrix; otherwise as jackdaw_reads_rows().
///
/// @param first The first byte of the first row.
/// @param rows The number of rows.
/// @param row_bytes The bytes that are written in each row.
/// @param stride The bytes from the start of one row to the start of the next.
void jackdaw_writes_rows(const void* first, size_t rows, size_t row_bytes, size_t stride);

/// Names memory for reports: jackdaw::name_memory().
///
/// @param first The first byte. It may be null if `bytes` is 0.
/// @param bytes The length; 0 does nothing.
/// @param name The name, which is copied. An empty one only ends earlier names.
jackdaw_status jackdaw_name_memory(const void* first, size_t bytes, const char* name);

/// @}
/** @} */

#ifdef __cplusplus
}
#endif

JACKDAW_EXPORT_END
