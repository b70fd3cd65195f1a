#pragma once

#include <cstdint>

#include "jackdaw/detail/atomics.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// The meeting point of a branch that runs elsewhere and the task that needs it. Each comes once. The second one sees
/// the first: a task that comes second need not wait, and a branch that comes second resumes the task. The branch's
/// exchange is its last access to the latch. src/runtime/README-join.md; model: tests/model.
template <class P, class Waiter>
class basic_join_latch {
 public:
  enum class result : std::uintptr_t { ended = 1, threw = 3 };  // odd, so never a waiter's address

  /// The branch has ended. Returns the waiter that is to be resumed, if there is one.
  Waiter* settle(result how) noexcept {
    // Release: what the branch did. Acquire: the waiter's saved context.
    return reinterpret_cast<Waiter*>(word_.exchange(static_cast<std::uintptr_t>(how), std::memory_order_acq_rel));
  }

  /// Called off the waiter's stack. False: it need not wait.
  [[nodiscard]] bool wait(Waiter* waiter) noexcept {
    std::uintptr_t none = 0;
    // Release: the waiter's context. Acquire on failure: what the branch did.
    return word_.compare_exchange_strong(none, reinterpret_cast<std::uintptr_t>(waiter), std::memory_order_acq_rel,
                                         std::memory_order_acquire);
  }

  /// For the task that would wait: whether the branch has ended. Acquire: what the branch did.
  bool settled() const noexcept { return word_.load(std::memory_order_acquire) != 0; }
  bool threw() const noexcept {
    return word_.load(std::memory_order_acquire) == static_cast<std::uintptr_t>(result::threw);
  }

 private:
  typename P::template atomic<std::uintptr_t> word_{0};
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
