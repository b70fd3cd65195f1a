#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/data_report.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/door.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/root.hpp"
#include "jackdaw/future.hpp"
#include "jackdaw/machine.hpp"
#include "jackdaw/options.hpp"
#include "jackdaw/profile_source.hpp"
#include "jackdaw/statistics.hpp"

// Of the inside: not exported by a shared library.
namespace jackdaw::trace {
class recorder;
}
namespace jackdaw::detail {
class runtime_access;
class threads;
class worker;
}  // namespace jackdaw::detail

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

class affinity;
struct arena_options;

namespace detail {
void end_default() noexcept;
}  // namespace detail

/// A set of worker threads and the scheduler that assigns tasks to them.
///
/// Most programs make none: the first fork outside of a task starts instance(). Any number of runtimes may exist, one
/// after another or at the same time.
///
/// A runtime has ended once its destructor has begun. After that the noexcept functions end the program, and all other
/// functions throw error.
/// @par Thread safety
/// Any thread and any task may call all functions at the same time, except where a function says otherwise.
class runtime {
 public:
  /// Starts the workers.
  ///
  /// @param how The options. Members that keep their defaults come from the environment, and otherwise from the
  /// machine.
  /// @throws error with a message of one line if an option cannot be used, or if the system refuses to start that many
  /// threads.
  /// @throws std::bad_alloc if there is no memory for the workers.
  explicit runtime(const options& how);
  /// Starts the workers with default options; otherwise as runtime(const options&).
  runtime() : runtime(options{}) {}
  /// Refuses new tasks, waits for all accepted tasks, and ends the workers.
  ///
  /// Other threads may be inside run() meanwhile. Each such call either completes or throws error. So does each later
  /// call, as long as the object exists.
  ///
  /// A task of this runtime must not destroy it. A task of another runtime waits for its tasks as in a join, and then
  /// blocks its own worker until the workers have ended.
  ///
  /// Once exit() has begun, or main() has returned, the destructor leaves a runtime that has run tasks as it is. Its
  /// tasks and other threads then continue until the process ends.
  ~runtime();
  /// Not copyable.
  runtime(const runtime&) = delete;
  /// Not assignable.
  runtime& operator=(const runtime&) = delete;

  /// Runs `f()` as a root task and returns its result.
  ///
  /// A calling thread waits until the task has ended. If its root is the only one and a worker sleeps, the thread runs
  /// tasks of this root in that worker's place (docs/roots.md). A task of another runtime is suspended, as in a join.
  /// On a worker of this runtime `f` is called directly. While a root waits, no worker stays idle for longer than the
  /// bound in docs/roots.md; while all workers are busy, roots take turns. In the child process of a fork() the first
  /// call starts new workers.
  ///
  /// @param f A function without parameters. It is referred to, not copied.
  /// @return What `f` returns, which may be nothing, a reference, or a value that can be moved.
  /// @throws error, without calling `f`, if the runtime has ended.
  /// @throws anything that `f` throws.
  template <class F>
  auto run(F&& f) -> std::invoke_result_t<F&> {
    static_assert(detail::check_root<F>());
    if (on_own_worker()) {
      return f();
    }
    detail::root_of<std::remove_reference_t<F>> root(f);
    submit(root);
    return root.result();
  }

  /// Starts `f()` as a root task and does not wait for it.
  ///
  /// No thread has to wait for the task. It runs beside the caller, and when all workers are busy it takes turns with
  /// other roots. If a task of a runtime that records calls this, `f` is called at once.
  ///
  /// @param f A function without parameters, which is copied or moved into the task.
  /// @return The future of what `f` returns: docs/roots.md. Destroying it does not wait.
  /// @throws error if the runtime has ended.
  /// @throws std::bad_alloc
  template <class F>
  auto async(F&& f) {
    static_assert(detail::check_async<F>());
    using function = std::decay_t<F>;
    using of = future<std::invoke_result_t<function&>>;
    auto made = std::make_unique<detail::async_root_of<function>>(link_, std::forward<F>(f));
    made->start();
    return of(typename of::pointer(made.release()));
  }

  /// Sets the label of the next root task in a recording of this runtime, such as "prepare".
  ///
  /// Later root tasks are labelled "root" again. In a runtime that does not record, the call has no effect.
  ///
  /// @throws error if the runtime has ended.
  void label_next_root(std::string label);

  /// Returns the number of workers. For a runtime that records, this is the number that the program is told.
  unsigned workers() const noexcept;
  /// Returns the scheduler's name, as in options::scheduler.
  std::string_view scheduler() const noexcept;
  /// Returns the machine as it was when the runtime was made. The reference is valid until the runtime ends.
  const machine& where() const noexcept;
  /// Returns the place of a worker. The reference is valid until the runtime ends.
  ///
  /// @param i The worker's number, less than workers().
  /// @throws std::out_of_range for other numbers.
  const worker_place& place(unsigned i) const;

  /// Returns the event counts since the start, or since the last reset_stats(). They are exact only while no task runs.
  statistics stats() const noexcept;
  /// Returns the event counts of each worker, by its number; their sum is stats().
  ///
  /// @throws std::bad_alloc
  std::vector<statistics> counters() const;
  /// Sets all event counts to 0. It must not be called while a task runs.
  void reset_stats() noexcept;

  /// Returns the source of the scheduler's most recent profile of tasks.
  profile_source profiled_by() const noexcept;

  /// Returns what the scheduler has done with the program's data so far.
  ///
  /// @throws error if the runtime has ended.
  data_report data() const;

  /// Returns the default runtime.
  ///
  /// The first use starts it with the options that configure() was given, or with default options. The first use after
  /// shutdown() starts it again.
  ///
  /// @throws anything that the constructor of a runtime throws, if the default runtime cannot start.
  static runtime& instance();

 private:
  friend class task_group;
  friend class detail::runtime_access;

  friend void detail::end_default() noexcept;
  friend void configure(const options& how);
  friend void shutdown();

  struct parts;
  class visit;

  runtime(const options& how, trace::recorder* into);
  runtime(runtime& host, const arena_options& how);
  struct not_started {
    explicit constexpr not_started(int) noexcept {}  // so that {} means options
  };
  explicit constexpr runtime(not_started) noexcept {}

  bool on_own_worker() const noexcept;
  parts* mine() const noexcept;
  detail::worker* send(detail::root& task, bool waits);
  parts& enter();
  template <class Answer>
  decltype(auto) ask(const Answer& answer) const;
  bool is_of_this_process() const noexcept;
  bool are_of_this_process(const parts* these) const noexcept;
  void start();
  static void end(parts* last) noexcept;
  static parts* take_default(bool with_arenas);
  /// Runs a task and waits for it, on a thread that is none of its workers. A worker of another runtime does other
  /// things meanwhile. src/runtime/README-roots.md.
  void submit(detail::root& task);
  /// A thread that waits for something here calls this after a millisecond, and again after the returned time: where
  /// others have waited for long a worker looks up. `begun`: what the caller waits for is under way.
  std::chrono::milliseconds look_after(bool begun) noexcept;
  bool all_at_work() noexcept;

  union immortal;
  static immortal the_default;

  runtime* host_ = nullptr;                     // whose workers an arena has; null: it is no arena
  std::shared_ptr<detail::runtime_link> link_;  // null: the default one
  // The door is part of the object, which outlives all calls of its functions, as the parts do not.
  detail::door door_;
  std::atomic<parts*> parts_{nullptr};        // null: it has ended, or, the default one, is not started
  std::atomic<std::uint32_t> generation_{0};  // the process that the parts' threads are in
};

/// Sets the options of the default runtime, which the first fork outside of a task starts.
///
/// Members that keep their defaults come from the environment when the default runtime starts. A later call replaces
/// the options. They also apply when the default runtime starts again after shutdown(). The child of a fork() keeps the
/// parent's.
///
/// @param how The options.
/// @throws error if an option cannot be used, or if the default runtime has started: call it before the first fork
/// outside of a task, or after shutdown().
void configure(const options& how);

/// Starts `f()` as a root task of the default runtime: runtime::async().
template <class F>
auto async(F&& f) {
  return runtime::instance().async(std::forward<F>(f));
}

/// Ends the default runtime, if there is one.
///
/// The call waits for all tasks that the default runtime has accepted, and then ends its workers. None of its threads
/// remains. The library's signal handlers remain only while other runtimes exist. The next fork outside of a task
/// starts the default runtime again. Once exit() has begun, the call has no effect.
///
/// Unloading a library that contains jackdaw (dlclose) ends the default runtime as well. The dynamic linker never
/// unloads a library that exports symbols of GNU's unique kind, as inline variables and static members of templates are
/// in C++. Link such a plugin so that it exports only its own interface: with `-fvisibility=hidden` and
/// `-Wl,--exclude-libs,ALL`, or with a version script.
///
/// @throws error if a worker calls it, or if an arena has the default runtime's workers.
void shutdown();

/// Returns the event counts of each worker of the runtime that runs the calling task; elsewhere, those of the default
/// runtime. Their sum is runtime::stats().
///
/// @throws anything that the constructor of a runtime throws, if the default runtime cannot start.
std::vector<statistics> counters();

/// Returns the number of the worker that runs the calling task, within its runtime; empty on threads that are no
/// workers.
///
/// A task may resume on a different worker after any fork or join. In an algorithm that is called outside of tasks it
/// may be empty, too: the calling thread may run the first elements, or all of them, itself.
std::optional<unsigned> this_worker() noexcept;

/// Returns the number of workers that share what the caller forks.
///
/// In a task these are the workers of its runtime. On other threads they are the workers of runtime::instance(), which
/// the call starts if need be.
///
/// @throws anything that runtime::instance() throws.
unsigned concurrency();

/// Returns all names that options::scheduler accepts. Some accept more: "cab:3" is "cab" with that boundary
/// level, "laws:-1" and "constrained:relws=2" are explained in docs/schedulers.md.
std::vector<std::string> scheduler_names();

}  // namespace jackdaw

JACKDAW_EXPORT_END
