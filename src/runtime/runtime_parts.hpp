#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jackdaw/runtime.hpp"
#include "runtime/threads.hpp"
#include "sched/logging_scheduler.hpp"
#include "sched/settings.hpp"
#include "trace/recording_file.hpp"

namespace jackdaw {
namespace detail {

/// A file that is to be written, and who says so; an empty path: nobody does.
using wanted_file = std::pair<std::string, const char*>;

/// What options, and the environment where they say nothing, ask for.
struct wishes {
  /// Throws error for what cannot be used.
  explicit wishes(const options& how);

  std::string scheduler;
  sched::settings settings;
  std::size_t stack_size;
};

/// A scheduler, and the log of it that is to be written when the runtime ends, if any is.
struct watched_scheduler {
  watched_scheduler(std::unique_ptr<sched::scheduler> made, const wanted_file& into);
  /// Once; what goes wrong is said in a line on stderr.
  void write() noexcept;

  std::unique_ptr<sched::scheduler> scheduler;  // until the engine has it
  sched::logging_scheduler* log = nullptr;      // alive as long as the engine
  std::filesystem::path file;
};

}  // namespace detail

/// A runtime between its start and its end.
struct runtime::parts {
  parts(const options& how, trace::recorder* into);
  /// In the child of a fork(): as the parent's, but that nothing is recorded and no events are kept. Of the parent's
  /// parts only what never changes is read.
  parts(const parts& of_parent);

  bool of_this_process() const noexcept;
  void write_files() noexcept;

  const std::uint32_t generation;  // the process that the engine's threads are in
  const detail::wishes wanted;
  const machine where;
  const std::vector<worker_place> places;             // also those of workers that a recorded program only believes in
  const std::unique_ptr<trace::recording_file> file;  // written after the engine has stopped
  trace::recorder* const recorder;                    // null if nothing records
  detail::watched_scheduler watched;
  detail::threads engine;
  parts* left = nullptr;  // the next of those that are left to the end of the process

 private:
  parts(const options& how, trace::recorder* into, const detail::wanted_file& record);
};

}  // namespace jackdaw
