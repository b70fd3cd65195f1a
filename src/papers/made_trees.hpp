#pragma once

#include <cstdint>

#include "trace/task_tree.hpp"

namespace jackdaw::cli {

/// Task trees that are computed instead of recorded: of programs that are too large to record, and of schedules that
/// are no program of jackdaw's. Steps that declare accesses take no time until the caller sets it.

/// Returns kernel matmul's tree, shape `group`, for n x n matrices of floats: n is 128 times a power of two. Its
/// matrices are stored by tiles of 128 x 128, each of which is one access, where the kernel's are stored by rows. So
/// leaves move the same bytes, and a simulation with blocks of 4 KiB is exact. Throws std::invalid_argument for
/// another n.
trace::task_tree matmul_by_tiles(std::uint64_t n);

/// Returns kernel fib's tree, shape `group`, in which calls of fib(`below`) and smaller ones are single steps. Such a
/// step takes `per_call` ns for each call that it stands for: the time of a call that forks, waits and meets no thief.
/// Throws std::invalid_argument unless 2 <= below < n <= 60.
trace::task_tree coarse_fib(unsigned n, unsigned below, double per_call);

/// Returns how many calls fib(n) makes, itself among them.
double calls_of_fib(unsigned n);

/// Returns what OpenMP's static schedule makes of a recorded program: instead of each group that a root's own code
/// opens, a group in which each of `workers` workers has one task. The leaves of the old group, in the order of what
/// they write, are dealt out in contiguous shares, which differ by one leaf at most. Groups fork by halves, with hints,
/// so that scheduler adws:no-steal gives each worker its task. Throws std::invalid_argument for 0 workers.
trace::task_tree static_schedule(const trace::task_tree& of, unsigned workers);

}  // namespace jackdaw::cli
