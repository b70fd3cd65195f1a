#pragma once

/// Everything: runtimes, the two ways to fork, and the algorithms.
#include "jackdaw/access.hpp"
#include "jackdaw/affinity.hpp"
#include "jackdaw/copy_if.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/for_each.hpp"
#include "jackdaw/invoke.hpp"
#include "jackdaw/machine.hpp"
#include "jackdaw/reduce.hpp"
#include "jackdaw/region.hpp"
#include "jackdaw/rounding.hpp"
#include "jackdaw/runtime.hpp"
#include "jackdaw/scan.hpp"
#include "jackdaw/sort.hpp"
#include "jackdaw/task_group.hpp"
