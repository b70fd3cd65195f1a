#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/data_report.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/door.hpp"
#include "jackdaw/detail/root.hpp"
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
}  // namespace jackdaw::detail

#pragma GCC visibility push(default)

namespace jackdaw {

class affinity;

namespace detail {
void end_default() noexcept;
}  // namespace detail

/// Workers, and the scheduler that tells them what to do. Most programs need not make one: the first fork outside a
/// task starts instance(). Any number may be made, one after another or side by side.
class runtime {
 public:
  /// Starts the workers. Throws jackdaw::error, with a message of one line, if an option or an environment variable
  /// that stands in for it cannot be used.
  explicit runtime(const options& how);
  runtime() : runtime(options{}) {}
  /// Refuses further tasks, waits for those that have been accepted, and ends the workers. Calls of run() on other
  /// threads may be under way: each either completes or throws error, as do those that come later, as long as there is
  /// an object to call them on. One of the runtime's own tasks must not call this. A task of another runtime that does
  /// holds its worker meanwhile, which must not be the only one that could run what this waits for.
  ///
  /// Once exit() has begun, or main() has returned, a runtime that has run tasks is left as it is instead: its tasks
  /// and other threads go on until the process ends.
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  /// Runs f() as a task and returns what it returns, or throws what it throws. The calling thread sleeps meanwhile; on
  /// a worker of this runtime f is simply called, and a task of another runtime is suspended, as in a join. Any number
  /// of threads may call it at once: no worker is idle for longer than docs/roots.md says while one of their tasks
  /// waits, and where all workers are busy the tasks take turns. Throws error, without calling f, if the runtime has
  /// ended. In the child of a fork() the first run starts workers anew.
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

  /// How the next root task is called in a recording of this runtime, such as "prepare"; later ones are "root" again.
  void label_next_root(std::string label);

  // If the runtime has ended, what follows ends the program where it is noexcept, and throws error elsewhere.

  /// How many workers it has; of a runtime that records, how many the program is told.
  unsigned workers() const noexcept;
  /// The scheduler's name, as in options.scheduler.
  std::string_view scheduler() const noexcept;
  /// The machine as it was when the runtime was made; it stays until the runtime ends, and so does a worker's place.
  const machine& where() const noexcept;
  /// Where worker i is. Throws std::out_of_range unless i < workers().
  const worker_place& place(unsigned i) const;

  /// Sums since the start or the last reset. Exact only while nothing runs.
  statistics stats() const noexcept;
  /// Sets all sums to 0. Not while anything runs.
  void reset_stats() noexcept;

  /// What the scheduler's latest profile of tasks was made of.
  profile_source profiled_by() const noexcept;

  /// What the scheduler has done about the program's data so far.
  data_report data() const;

  /// The default runtime, started with default options by the first use, and again by the first one after shutdown().
  static runtime& instance();

 private:
  friend class task_group;
  friend class detail::runtime_access;

  friend void detail::end_default() noexcept;
  friend void shutdown();

  struct parts;
  class visit;

  runtime(const options& how, trace::recorder* into);
  struct not_started {};
  explicit constexpr runtime(not_started) noexcept {}

  bool on_own_worker() const noexcept;
  parts* mine() const noexcept;
  void send(detail::root& task);
  parts& enter();
  template <class Answer>
  decltype(auto) ask(const Answer& answer) const;
  bool is_of_this_process() const noexcept;
  void start();
  static void end(parts* last) noexcept;
  static parts* take_default() noexcept;
  /// Runs a task and waits for it, on a thread that is none of its workers. A worker of another runtime does other
  /// things meanwhile. src/runtime/README-roots.md.
  void submit(detail::root& task);
  /// Whoever waits for something here calls this after a millisecond, and again after what it returns: where others
  /// have waited for long a worker looks up. `begun`: what the caller waits for is under way.
  std::chrono::milliseconds look_after(bool begun) noexcept;

  union immortal;
  static immortal the_default;

  // The door is part of the object, which outlives all calls of its functions, as the parts do not.
  detail::door door_;
  std::atomic<parts*> parts_{nullptr};        // null: it has ended, or, the default one, is not started
  std::atomic<std::uint32_t> generation_{0};  // the process that the parts' threads are in
};

/// Ends the default runtime, if there is one: waits for the tasks that have been sent to it, then ends its workers.
/// None of its threads, and no signal handler of the library's unless other runtimes are there, is left. The next fork
/// outside a task starts it anew. Throws error on a worker. Once exit() has begun nothing is done.
///
/// Unloading a library that jackdaw is part of (dlclose) does the same. The dynamic linker never unloads one that
/// exports symbols of GNU's unique kind, as inline variables and statics of templates are in C++: link such a plugin so
/// that it exports its own interface only (-fvisibility=hidden and -Wl,--exclude-libs,ALL, or a version script).
void shutdown();

/// Index of the worker that runs the calling task, within its runtime; none on other threads.
std::optional<unsigned> this_worker() noexcept;

/// Number of workers that share what the caller forks: its runtime's, or instance()'s on other threads.
unsigned concurrency();

/// What options.scheduler may be.
std::vector<std::string> scheduler_names();

}  // namespace jackdaw

#pragma GCC visibility pop
