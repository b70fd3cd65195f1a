#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <new>

#include "jackdaw/detail/lane.hpp"

namespace jackdaw::detail {

/// A branch of an invoke that waits in its caller's frame for its turn, or for a thief.
///
/// The join: `joint` is 0 until the branch has ended somewhere else, then `ended` or `threw`; or the fiber that
/// waits, put there by that fiber's worker once the fiber is off its stack. Whoever comes second sees the first.
/// After the thief's exchange the record may be gone. src/task/README-join.md.
class branch : public entry {
 public:
  explicit branch(body start) noexcept : entry(start) {}
  branch(const branch&) = delete;
  branch& operator=(const branch&) = delete;

  /// Suspends this fiber until the branch, which is not in this worker's deque any more, has ended elsewhere.
  /// Returns what it threw.
  [[gnu::noinline]] std::exception_ptr join() noexcept;

  /// The branch has ended, on a thief's fiber. Returns the fiber that waits for it.
  fiber* end() noexcept { return settle(ended); }
  fiber* end(std::exception_ptr thrown) noexcept {
    new (error_) std::exception_ptr(std::move(thrown));
    return settle(threw);
  }

  /// Called off the waiting fiber's stack. False: it need not wait.
  bool wait(fiber* waiter) noexcept {
    std::uintptr_t none = 0;
    // Release: the fiber's saved context. Acquire on failure: what the branch did.
    return joint_.compare_exchange_strong(none, reinterpret_cast<std::uintptr_t>(waiter), std::memory_order_acq_rel,
                                          std::memory_order_acquire);
  }

 private:
  static constexpr std::uintptr_t ended = 1;
  static constexpr std::uintptr_t threw = 3;

  fiber* settle(std::uintptr_t how) noexcept {
    // Release: what the branch did. Acquire: the waiting fiber's context.
    const std::uintptr_t before = joint_.exchange(how, std::memory_order_acq_rel);
    return reinterpret_cast<fiber*>(before);
  }

  std::atomic<std::uintptr_t> joint_{0};
  alignas(std::exception_ptr) std::byte error_[sizeof(std::exception_ptr)];  // lives only when joint_ is `threw`
};

/// A branch with its function, which it refers to.
template <class G>
class branch_of final : public branch {
 public:
  explicit branch_of(G& function) noexcept : branch(&run), function_(function) {}

 private:
  static fiber* run(entry* self) noexcept {
    auto* const me = static_cast<branch_of*>(self);
    std::exception_ptr thrown;
    try {
      me->function_();
    } catch (...) {
      thrown = std::current_exception();
    }
    return thrown ? me->end(std::move(thrown)) : me->end();
  }

  G& function_;
};

/// After a push that returned false: answers whoever asked, and lets a task in the mailbox go first. False: the deque
/// is full and the entry is not on it.
[[gnu::noinline]] bool attend(lane* at) noexcept;

/// Runs `first`, exposing `second` meanwhile, then `second`, unless somebody took it: then waits for that. If `first`
/// throws, `second` is skipped if it has not been started. Only on a thread that has a lane.
template <class F, class G>
inline void fork_join(F&& first, G&& second) {
  branch_of<std::remove_reference_t<G>> later(second);
  lane* at = this_lane();
  if (!at->deque.push(&later)) [[unlikely]] {
    if (!attend(at)) {
      first();
      second();
      return;
    }
  }
  std::exception_ptr thrown;
  try {
    first();
  } catch (...) {
    // Not joined here: inside a handler the fiber must not move to another thread.
    thrown = std::current_exception();
    goto failed;
  }
  at = this_lane();
  if (at->deque.pop(&later)) [[likely]] {
    second();
    return;
  }
  thrown = later.join();
  if (thrown) {
    std::rethrow_exception(std::move(thrown));
  }
  return;

failed:
  at = this_lane();
  if (!at->deque.pop(&later)) {
    later.join();
  }
  std::rethrow_exception(std::move(thrown));
}

}  // namespace jackdaw::detail
