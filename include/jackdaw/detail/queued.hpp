#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

struct entry;

/// The run queue's link, which is part of what is queued, so that queueing takes no memory and cannot fail.
struct queued {
  queued* next = nullptr;
  std::int64_t since = 0;     ///< ns of the steady clock
  std::uintptr_t handle = 0;  ///< the item, as the scheduler's interface names it
  /// For a task that gave way: the entries that it and the tasks around it had exposed, the oldest first. They go along
  /// with it, so that each task finds its own entries on top of the deque again.
  std::unique_ptr<entry*[]> exposed;
  std::size_t count = 0;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
