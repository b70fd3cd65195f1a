// In place of libtbb's header of this name: task_group on jackdaw. What else that declares is as it is there.
#ifndef JACKDAW_TBB_task_group_H
#define JACKDAW_TBB_task_group_H
// #include_next is an extension.
#pragma GCC system_header

#include <jackdaw_tbb/version.hpp>

#ifdef __TBB_task_group_H
#error "libtbb's task_group.h comes before compat/tbb's, expected the folder of compat/tbb before oneTBB's"
#endif

// libtbb's own classes get other names, which nothing refers to.
#define task_group jackdaw_tbb_unused_task_group
#define is_current_task_group_canceling jackdaw_tbb_libtbb_is_canceling
#include_next <oneapi/tbb/task_group.h>
#undef task_group
#undef is_current_task_group_canceling

#include <jackdaw_tbb/group.hpp>

#endif
