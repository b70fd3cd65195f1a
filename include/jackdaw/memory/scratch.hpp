#pragma once

#include <cstddef>
#include <memory_resource>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Returns a pool of temporary memory on the memory node that the caller works from: this_node().
///
///     std::pmr::vector<double> row(columns, &jackdaw::scratch());
///
/// For buffers that a task fills and drops. What is freed is kept, up to blocks of 4 MiB, and reused by tasks of the
/// same node. So such a buffer is on the right node whichever task had it before, and costs no page faults after the
/// first time, where malloc() hands memory from node to node. A task may free what it has after it has gone on on
/// another worker, and another task or thread may: the memory goes back to its own pool. Where the node's memory may
/// not be used, the pool takes its memory from operator new.
///
/// The pools live as long as the process. The child of a fork() has pools of its own; what it frees of its parent's
/// memory is not reused.
/// @throws std::bad_alloc if there is no memory for the pool; so does an allocation.
/// @par Thread safety
/// Any number of threads may use a pool at the same time. The workers of a node share its pools by sixteenths, so that
/// they seldom wait for each other.
/// @par Complexity
/// Constant, amortised. A block takes a power of two of bytes, at least its alignment. Those above 4 MiB, or aligned to
/// more than a page, are mapped and unmapped each time.
std::pmr::memory_resource& scratch();

/// Gives the memory of pools in which nothing is allocated at the moment back to the system.
///
/// One block that is in use keeps the whole pool. So call it between phases of a program, not within one.
/// @return How many bytes that was.
std::size_t release_scratch() noexcept;

}  // namespace jackdaw

JACKDAW_EXPORT_END
