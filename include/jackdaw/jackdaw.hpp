#pragma once

// Everything but placed memory: runtimes, the two ways to fork, the algorithms, affinities, and accumulators.
#include "jackdaw/access.hpp"
#include "jackdaw/algorithm/copy_if.hpp"
#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/algorithm/reduce.hpp"
#include "jackdaw/algorithm/scan.hpp"
#include "jackdaw/algorithm/sort.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/invoke.hpp"
#include "jackdaw/machine.hpp"
#include "jackdaw/memory/affinity.hpp"
#include "jackdaw/per_worker.hpp"
#include "jackdaw/region.hpp"
#include "jackdaw/rounding.hpp"
#include "jackdaw/runtime.hpp"
#include "jackdaw/task_group.hpp"
