#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jackdaw/runtime.hpp"
#include "runtime/run_log.hpp"
#include "runtime/threads.hpp"
#include "sched/logging_scheduler.hpp"
#include "sched/settings.hpp"
#include "trace/observed.hpp"
#include "trace/recording_file.hpp"
#include "trace/timeline.hpp"

namespace jackdaw {
namespace detail {

/// A file to write. An empty path: none is to be written.
struct wanted_file {
  std::string path;
  const char* where;         ///< the option or variable that names it
  bool by_variable = false;  ///< where is a variable
};

/// The files that a runtime is to write.
struct wanted_files {
  /// `recorded`: the caller has a recorder; then the runtime records neither tasks nor itself. Throws error for paths
  /// that cannot be used, and if two are the same.
  wanted_files(const options& how, bool recorded);
  /// Chooses the names of the files of events and timelines: the second runtime's end in .2. Throws error if one cannot
  /// be written.
  void resolve();

  wanted_file record, events, stats, trace;
};

/// What options ask for, or the environment if they are not set.
struct wishes {
  /// Throws error for options that cannot be used.
  explicit wishes(const options& how);

  sched::settings settings;
  std::string scheduler;
  unsigned workers;  ///< 0: as many as the machine has cores for
  placement_order order;
  std::optional<bool> pin;  ///< none: if it helps
  std::size_t stack_size;
  bool count_accesses;
  bool tied;
};

/// A scheduler, and its log if one is to be written when the runtime ends.
struct watched_scheduler {
  watched_scheduler(std::unique_ptr<sched::scheduler> made, const wanted_file& into);
  /// Writes the log, once; reports a failure in a line on stderr.
  void write() noexcept;

  std::unique_ptr<sched::scheduler> scheduler;  // until the engine has it
  sched::logging_scheduler* log = nullptr;      // alive as long as the engine
  std::filesystem::path file;
};

}  // namespace detail

/// What a runtime has between its start and its end.
struct runtime::parts {
  /// Makes the parts. If the system refuses threads or memory for as many workers as the environment or the machine
  /// asks for, there are fewer, as a line on stderr says.
  static parts* make(const options& how, trace::recorder* into);
  parts(const detail::wishes& wanted, const machine& on, unsigned workers, trace::recorder* into,
        const detail::wanted_files& files);
  /// Makes those of an arena.
  static parts* make(runtime& host, const arena_options& how);
  parts(const detail::wishes& wanted, detail::threads& host, std::vector<worker_place> places, priority urgency);
  /// Called in the child of a fork(): makes the same as the parent's, but without recording and events. Reads only
  /// those of the parent's parts that never change. `host`: of an arena.
  parts(const parts& of_parent, detail::threads* host);

  bool of_this_process() const noexcept;
  void write_files() noexcept;
  /// Writes what the runtime has recorded of itself; once.
  void write_log() noexcept;
  /// Called before the workers' counts are cleared.
  void keep_counts();

  const std::uint32_t generation;  // the process that the engine's threads are in
  const detail::wishes wanted;
  const machine where;
  const std::vector<worker_place> places;             // a recorded program is told of all, but only one worker runs
  const std::unique_ptr<trace::recording_file> file;  // written after the engine has stopped
  trace::recorder* const recorder;                    // null if nothing records
  detail::watched_scheduler watched;
  const std::unique_ptr<detail::run_log> log;  // null if the runtime does not record itself
  // Null if none is wanted. Written after the engine has stopped.
  const std::unique_ptr<trace::timeline> timeline;
  trace::observers seen_by;                   // lives longer than the engine, whose workers it is shown
  const priority urgency = priority::normal;  // of an arena
  detail::threads engine;
  parts* left = nullptr;  // the next of the parts that are kept until the process ends

 private:
  /// Returns what sees what the workers do: the timeline, and observe()'s observer. Null: nothing.
  observer* make_observers();
};

}  // namespace jackdaw
