#pragma once

#include "jackdaw/detail/lane.hpp"
#include "jackdaw/tied.hpp"
#include "tbb/layout.hpp"

namespace jackdaw::onetbb {

/// What the code that runs is a part of: the innermost task, or arena, that it has been called in. On the stack of the
/// dispatcher that called it. A fiber refers to its innermost frame (fiber::frame), so frames go with it from thread to
/// thread; a thread that is no worker refers to its own by a thread_local variable.
struct frame {
  execution_data now;      ///< of the task; context is null outside of tasks
  arena* in = nullptr;     ///< where what the code forks goes
  frame* outer = nullptr;  ///< of the same stack
  /// What the thread counted ties in when the task began there (src/runtime/README-arena.md).
  int* ties = jackdaw_open_ties;
  const void* thread = detail::this_thread();  ///< that is; null: it has been suspended since
};

/// The innermost frame of a thread that is no worker, or of a fiber whose lane is closed. Read anew each time.
[[gnu::noinline]] void*& slow_frame() noexcept;

/// Where the calling stack keeps its innermost frame.
inline void*& frame_slot() noexcept {
  if (detail::lane* const at = detail::this_lane()) [[likely]] {
    return at->current->frame;
  }
  return slow_frame();
}
inline frame* this_frame() noexcept { return static_cast<frame*>(frame_slot()); }

/// What counts the ties of the calling task. One that has been suspended has begun where it is, as far as its ties go.
inline int* ties_of_task() noexcept {
  const frame& innermost = *this_frame();
  return innermost.thread == detail::this_thread() ? innermost.ties : jackdaw_open_ties;
}

/// Called before the calling task leaves its stack with nobody waiting for it: what counts the ties of this stack's
/// tasks may be gone when it goes on.
inline void forget_ties() noexcept {
  for (frame* each = this_frame(); each != nullptr; each = each->outer) each->thread = nullptr;
}

/// While it lives, `of` is the innermost frame of the calling stack, whose slot is the same all the time: it belongs to
/// the fiber, or to the thread of the caller, which is the same at the end.
class inside {
 public:
  explicit inside(frame& of) noexcept : slot_(frame_slot()) {
    of.outer = static_cast<frame*>(slot_);
    slot_ = &of;
  }
  ~inside() { slot_ = static_cast<frame*>(slot_)->outer; }
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;

 private:
  void*& slot_;
};

}  // namespace jackdaw::onetbb
