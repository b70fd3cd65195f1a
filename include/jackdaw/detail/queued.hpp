#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

struct entry;

/// The place of something in the run queue, inside of it, so that to queue it takes no memory and cannot fail.
struct queued {
  queued* next = nullptr;
  std::int64_t since = 0;     ///< ns of the steady clock
  std::uintptr_t handle = 0;  ///< the item, as the scheduler's interface names it
  /// Of a task that gave way: what it and those around it had exposed, the oldest first. It goes with it, so that each
  /// task finds its own on top of the deque again.
  std::unique_ptr<entry*[]> exposed;
  std::size_t count = 0;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
