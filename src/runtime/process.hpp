#pragma once

#include <cstdint>

namespace jackdaw::detail {

/// Events of the process that the library is in: it forks, exits, or unloads the library. src/runtime/README-life.md.
namespace process {

/// Called before a runtime is made: from then on forks and the library's end are handled.
void join();

/// Returns the number of this process: in the child of a fork() one more than in its parent. A runtime that was made
/// under another number has no threads here.
std::uint32_t generation() noexcept;

struct beginning {
  std::uint64_t at = 0;      ///< ns of std::chrono::steady_clock
  std::uint64_t cpu_ns = 0;  ///< processor time of all threads of the process until then
};

/// Returns when this process loaded the library, or was forked.
beginning began() noexcept;
/// Returns the processor time of all threads of this process until now, in ns.
std::uint64_t processor_time() noexcept;

/// Called when a runtime has been made: its destructor may be registered after this to run at exit.
void expect_exit() noexcept;
/// Called before a task is sent: when exit() destroys what was made before this call, exiting() is true.
void notice_exit();
/// Whether exit() has begun. Other threads continue while static objects are destroyed, so nothing that they use may be
/// ended. False while a library is unloaded.
bool exiting() noexcept;

}  // namespace process

/// Called when the library is unloaded or the process exits: ends the default runtime, or only writes its files.
void end_default() noexcept;

// Called in the child of a fork(), where the calling thread is the only one. Locks may be held by threads that do not
// exist here.
void forget_default() noexcept;
void forget_outside_groups() noexcept;
void forget_engines() noexcept;
void forget_handlers() noexcept;

/// keep_*() are called before a fork(), so that no other thread is reading the machine, which takes locks of hwloc too,
/// or naming a region. release_*() are called afterwards, in parent and child.
void keep_machine() noexcept;
void release_machine() noexcept;
void keep_region_names() noexcept;
void release_region_names() noexcept;

}  // namespace jackdaw::detail
