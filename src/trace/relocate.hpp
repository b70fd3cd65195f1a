#pragma once

#include "trace/task_tree.hpp"

namespace jackdaw::trace {

/// Gives the data of a recording addresses that do not depend on where the operating system put them, which differs
/// from run to run: two recordings of the same serial run then have the same accesses.
///
/// What lies together stays together: accesses that overlap, adjoin or share a page of 4 KiB are one object, which
/// moves as a whole and keeps its place within its first page. Objects get addresses in the order in which they are
/// touched first, each on the small page after the last one, so that on machines with large pages they fill these as
/// allocations do. What is touched sparsely may be several objects, in the order of first touches. An access whose rows
/// lie in different allocations makes one object of these and of all between.
///
/// If the objects are too large, or there is not enough memory, nothing changes.
void relocate(task_tree& tree) noexcept;

}  // namespace jackdaw::trace
