#pragma once

/// Everything: runtimes, the two ways to fork, and the algorithms.
#include "jackdaw/invoke.hpp"
#include "jackdaw/machine.hpp"
#include "jackdaw/runtime.hpp"
#include "jackdaw/task_group.hpp"
