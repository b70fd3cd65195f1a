// libtbb's header of this name, with a function that is isolated on jackdaw.
#pragma once
#pragma GCC system_header

#include <jackdaw_tbb/all.hpp>

#define collaborative_call_once jackdaw_tbb_libtbb_call_once
#include_next <oneapi/tbb/collaborative_call_once.h>
#undef collaborative_call_once

#include <oneapi/tbb/task_arena.h>

#include <utility>

namespace tbb {
namespace detail::d1::inline on_jackdaw {

/// Calls f(args...) unless it has been called for this flag; threads that come meanwhile wait. While it waits for what
/// it has forked, its thread runs nothing else: that might wait for the flag.
template <class F, class... Args>
void collaborative_call_once(collaborative_once_flag& flag, F&& f, Args&&... args) {
  jackdaw_tbb_libtbb_call_once(flag, [&] { arena::isolate_on_jackdaw([&] { f(std::forward<Args>(args)...); }); });
}

}  // namespace detail::d1::inline on_jackdaw

using detail::d1::on_jackdaw::collaborative_call_once;
}  // namespace tbb
