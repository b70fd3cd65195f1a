#pragma once

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

struct fiber;

/// What a deque holds: something that a worker can run. It lives in the frame, or on the stack, of the task that
/// exposed it; the worker that takes it off the deque may use it until it reports that it has ended.
struct entry {
  /// Runs the entry to its end on a fiber of its own. Returns the fiber, if any, that waited for this and can resume. A
  /// null body: the entry is not a beginning but a continuation, the rest of a suspended fiber (struct continuation).
  using body = fiber* (*)(entry*) noexcept;

  explicit entry(body how) noexcept : start(how) {}
  body start;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
