#pragma once

#include "trace/task_tree.hpp"

namespace jackdaw::trace {

/// Gives the data of a recording addresses that do not depend on where the operating system put them, which differs
/// from run to run: two recordings of the same serial run then have the same accesses.
///
/// What lies together stays together: accesses that overlap or have less than a page of 4 KiB between them are one
/// object, which moves as a whole. So neither its place within a page nor which of its parts share one depends on where
/// the heap begins; `jackdaw record` keeps allocations further apart (src/cli/allocations.cpp). Objects get addresses
/// in the order in which they are touched first, each at the beginning of the small page after the last one, so that on
/// machines with large pages they fill these as allocations do. What is touched sparsely may be several objects, in the
/// order of first touches. An access whose rows lie in different allocations makes one object of these and of all
/// between. Named memory moves with the objects that it belongs to; what no access touches is left out.
///
/// If the objects are too large, or there is not enough memory, nothing changes.
void relocate(task_tree& tree) noexcept;

}  // namespace jackdaw::trace
