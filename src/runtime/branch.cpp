#include "jackdaw/detail/branch.hpp"

#include <chrono>
#include <utility>

#include "runtime/moving.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {

std::exception_ptr branch::join() noexcept {
  if (!latch_.settled()) {
    this_worker()->suspend(
        [](worker&, fiber* left, void* self) noexcept -> fiber* {
          return static_cast<branch*>(self)->latch_.wait(left) ? nullptr : left;
        },
        this);
  }
  acquires(this);
  acquires(&latch_);  // settle() itself, after which this frame may be used again
  if (!latch_.threw()) {
    return nullptr;
  }
  auto* const error = std::launder(reinterpret_cast<std::exception_ptr*>(error_));
  std::exception_ptr thrown = std::move(*error);
  error->~exception_ptr();
  return thrown;
}

namespace {

bool popped(branch& later) noexcept {
  lane* const now = this_lane();
  return now != nullptr && now->deque.pop(&later);
}

/// Called when another thread has asked: the running task makes way for a task in the mailbox, or for another root.
/// `published`: something may have become public. Returns whether it made way.
bool make_way(worker& on, bool published) noexcept {
  if (on.stranded) {
    return false;
  }
  if (published) {
    on.home.notice(on.id);
  }
  if (on.mailbox.full()) {
    // A task of the upper tier runs first; the rest of this one can be taken meanwhile.
    on.leave(
        [](worker& on, fiber* left, void*) noexcept -> fiber* {
          on.expose(left);
          if (on.gives_way.load(std::memory_order_relaxed)) {
            on.summon();  // that question is withdrawn, but not answered yet
          }
          return nullptr;
        },
        nullptr);
  } else if (on.owes_a_turn() || moving()) {
    on.give_way();
  } else {
    return false;
  }
  return true;
}

/// Whether a head start does not want anything to be exposed yet.
bool holds_back(worker& on) noexcept {
  if (on.holds_back_until == 0) [[likely]] {
    return false;
  }
  const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  if (now.count() < on.holds_back_until) {
    return true;
  }
  on.holds_back_until = 0;
  return false;
}

}  // namespace

bool take_back(branch& later) {
  if (popped(later)) {
    return true;
  }
  if (std::exception_ptr thrown = later.join()) {
    std::rethrow_exception(std::move(thrown));
  }
  return false;
}

void abandon(branch& later, std::exception_ptr* first) {
  const std::exception_ptr thrown = std::move(*first);
  first->~exception_ptr();
  if (!popped(later)) {
    later.join();
  }
  std::rethrow_exception(thrown);
}

bool attend(lane* at) noexcept {
  using attention = decltype(at->deque)::attention;
  if (holds_back(*at->owner) && !at->deque.seems_full()) {
    return true;  // the question stays
  }
  const bool full = at->deque.attend() == attention::full;
  make_way(*at->owner, true);
  return !full;
}

bool look_up(lane* at) noexcept { return !holds_back(*at->owner) && make_way(*at->owner, at->deque.answer()); }

}  // namespace jackdaw::detail
