#pragma once

#include "trace/task_tree.hpp"

namespace jackdaw::trace {

/// Gives the data of a recording addresses that do not depend on where the operating system put them, which differs
/// from run to run: two recordings of the same serial run then have the same accesses.
///
/// What adjoins stays together: accesses that overlap or have at most 7 bytes between them are one object, which moves
/// as a whole. Allocations are farther apart, by the C library's header at least, so what is one object depends neither
/// on which of them are neighbours nor on where the heap begins. Objects get addresses in the order in which they are
/// touched first: those of a small page (4 KiB) or more each at the beginning of a small page that nothing else has, so
/// that on machines with large pages they fill these as allocations do, and smaller ones each at the beginning of a
/// cache line (64 B). What is touched with gaps may be several objects. An access whose rows lie in different
/// allocations makes one object of these and of all between.
///
/// If the objects are too large, or there is not enough memory, nothing changes.
void relocate(task_tree& tree) noexcept;

}  // namespace jackdaw::trace
