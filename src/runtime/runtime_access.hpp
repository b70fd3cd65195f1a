#pragma once

#include <memory>
#include <string>

#include "jackdaw/runtime.hpp"

namespace jackdaw::trace {
class recorder;
}

namespace jackdaw::detail {

/// The access of the rest of the library to a runtime.
class runtime_access {
 public:
  /// Returns the number of workers of the default runtime. Starts it if necessary; other threads may end it meanwhile.
  static unsigned default_workers();
  /// Whether the default runtime has started, all of its workers are busy, and a client need not wait for one of them
  /// to begin its root (threads::all_at_work).
  static bool default_is_busy() noexcept;
  /// Whether the caller is a task of this runtime.
  static bool runs_caller(const runtime& of) noexcept { return of.on_own_worker(); }
  /// Returns the name of the scheduler that the default runtime has when it starts. Does not start it.
  static std::string default_scheduler();
  /// Sends a root that the caller does not wait for. Throws error if the runtime has ended.
  static void send(runtime& to, root& task) { to.send(task, false); }
  /// Runs a root and waits for it. Throws error if the runtime has ended.
  static void run(runtime& in, root& task) { in.submit(task); }
  /// The same, but not even a part of it on the calling thread, which is no worker.
  static void run_elsewhere(runtime& in, root& task);
  /// Runs a root apart, for a thread that is no worker and takes part (threads::isolate()). A runtime that records runs
  /// it as any other.
  static void isolate(runtime& in, root& task);
  /// Runs a root of an arena for a task of another engine, whose thread is in the arena meanwhile (threads::join()).
  static void join(runtime& in, root& task);
  /// Returns the engine of an arena; null if the runtime records. `holds`: as threads::hold_threads().
  static std::unique_ptr<runtime> arena_of(runtime& host, const arena_options& how, bool holds = false);
  /// Returns a runtime that records into `into`, which must outlive it. options.record and $JACKDAW_RECORD have no
  /// effect. It has one worker, but reports as many as `into` does.
  static runtime recording(const options& how, trace::recorder& into) { return runtime(how, &into); }
};

}  // namespace jackdaw::detail
