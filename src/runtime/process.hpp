#pragma once

#include <cstdint>

namespace jackdaw::detail {

/// What happens to the process that the library is in: it forks, it exits, or it unloads the library.
/// src/runtime/README-life.md.
namespace process {

/// Before a runtime is made: forks are seen to from now on, and so is the library's end.
void join();

/// Which process this is: one more in the child of a fork() than in its parent. What was made under another number has
/// no threads here.
std::uint32_t generation() noexcept;

/// A runtime has been made: its destructor may be registered to be run at exit after this.
void expect_exit() noexcept;
/// Before a task is sent: whatever exit() destroys later, exiting() is known by then.
void notice_exit();
/// Whether exit() has begun. Threads go on while static objects are destroyed, so that nothing may be ended under them.
/// False while a library is unloaded.
bool exiting() noexcept;

}  // namespace process

/// The library is being unloaded, or the process exits: the default runtime ends, or writes what it has to write.
void end_default() noexcept;

// In the child of a fork(), where the calling thread is the only one: locks may be held by threads that are not there.
void forget_default() noexcept;
void forget_outside_groups() noexcept;
void forget_engines() noexcept;
void forget_handlers() noexcept;

/// Before a fork(): no other thread reads the machine then, which takes locks of hwloc's as well, or gives a region its
/// name. And afterwards, in parent and child.
void keep_machine() noexcept;
void release_machine() noexcept;
void keep_region_names() noexcept;
void release_region_names() noexcept;

}  // namespace jackdaw::detail
