#pragma once

#include <new>

#include "jackdaw/detail/entry.hpp"
#include "tbb/layout.hpp"

namespace jackdaw::onetbb {

/// What the library keeps of a task that waits for its turn, in the task's own reserved bytes. So a spawn allocates
/// nothing, and a deque of jackdaw's holds the task itself.
struct record : detail::entry {
  record(body how, context& group, arena* in, slot_id origin, slot_id wish) noexcept
      : entry(how), group(&group), in(in), origin(origin), wish(wish) {}

  context* group;
  arena* in;                    ///< where its own children go
  record* next = nullptr;       ///< in an inbox
  std::uint64_t isolation = 0;  ///< in an inbox: the isolated task that it is a part of; 0: none
  slot_id origin;               ///< the slot that spawned it
  slot_id wish;                 ///< the slot that it would like to run in; no_slot: any

  static record& of(d1::task& it) noexcept {
    return *std::launder(reinterpret_cast<record*>(r1::task_accessor::reserved(it)));
  }
  d1::task& task() noexcept { return r1::task_accessor::of(this); }
};
static_assert(sizeof(record) <= r1::task_accessor::reserved_bytes);

}  // namespace jackdaw::onetbb
