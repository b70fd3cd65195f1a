// libtbb's header of this name, which includes others by paths of its own: jackdaw's come first.
#pragma once
#pragma GCC system_header

#include <oneapi/tbb/task.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include_next <oneapi/tbb/partitioner.h>
