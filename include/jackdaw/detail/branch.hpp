#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/control_word.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/join_latch.hpp"
#include "jackdaw/detail/lane.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// A branch of an invoke that waits in its caller's frame for its turn, or for a thief.
///
/// After the thief's settle() the record may be gone. src/runtime/README-join.md.
class branch : public entry {
 public:
  explicit branch(body how) noexcept : entry(how) {}
  branch(const branch&) = delete;
  branch& operator=(const branch&) = delete;

  /// Suspends this fiber until the branch, which is not in this worker's deque any more, has ended elsewhere.
  /// Returns what it threw.
  std::exception_ptr join() noexcept;

  /// The branch has ended, on a thief's fiber. Returns the fiber that waits for it.
  fiber* end() noexcept {
    JACKDAW_RELEASES(this);
    return latch_.settle(join_latch::result::ended);
  }
  fiber* end(std::exception_ptr thrown) noexcept {
    ::new (static_cast<void*>(error_)) std::exception_ptr(std::move(thrown));
    JACKDAW_RELEASES(this);
    return latch_.settle(join_latch::result::threw);
  }

 private:
  using join_latch = basic_join_latch<hardware, fiber>;

  join_latch latch_;
  alignas(std::exception_ptr) std::byte error_[sizeof(std::exception_ptr)];  // lives only when latch_.threw()
};

/// Whether a record may keep a copy of a function in its place: of a small temporary, which cannot be told from its
/// copy. If the copy is in memory, the original can stay in registers.
template <class F>
inline constexpr bool copied = !std::is_lvalue_reference_v<F> && std::is_trivially_copyable_v<std::remove_cv_t<F>> &&
                               std::is_copy_constructible_v<F> && sizeof(std::decay_t<F>) <= 64 &&
                               alignof(std::decay_t<F>) <= alignof(std::max_align_t);

/// How a record keeps a function: as a copy, or by reference. F as in a forwarding reference.
template <class F>
using kept = std::conditional_t<copied<F>, std::remove_cv_t<F>, std::remove_reference_t<F>&>;

/// A branch with its function.
template <class G>
class branch_of final : public branch {
 public:
  explicit branch_of(std::remove_reference_t<G>& function) noexcept : branch(&run), function_(function) {}

 private:
  /// Only a thief calls this; the owner calls the function itself.
  static fiber* run(entry* self) noexcept {
    auto* const me = static_cast<branch_of*>(self);
    if constexpr (knows_control<std::remove_cvref_t<G>>) {
      me->function_.control().set();
    }
    std::exception_ptr thrown;
    JACKDAW_TRY { me->function_(); }
    JACKDAW_CATCH { thrown = caught(); }
    return thrown ? me->end(std::move(thrown)) : me->end();
  }

  kept<G> function_;
};

/// Called after a push that returned false: answers the thread that asked, and lets a task in the mailbox run first.
/// False: the deque is full and the entry is not on it.
[[gnu::noinline]] bool attend(lane* at) noexcept;
/// The same between two tasks, or between two steps of a task, when another thread has asked and nothing was pushed.
/// Returns whether the running task made way for another one.
[[gnu::noinline]] bool look_up(lane* at) noexcept;
inline bool look_up_if_asked() noexcept {
  if (lane* const at = this_lane(); at != nullptr && at->deque.asked()) [[unlikely]] {
    return look_up(at);
  }
  return false;
}

/// Takes back a branch that is not where it was pushed. True: it was in this worker's deque all the same, and the
/// caller has to run it. False: it was stolen and has ended elsewhere; throws what it threw.
[[gnu::noinline]] bool take_back(branch& later);
/// The same after the elder sibling of `later` has thrown *first, which takes precedence: destroys *first and rethrows
/// its exception.
[[noreturn, gnu::noinline, gnu::cold]] void abandon(branch& later, std::exception_ptr* first);

/// Runs `first`, exposing `later` meanwhile. True: `later` was not taken, and the caller has to run it now. False: it
/// has ended elsewhere. If `first` throws, `later` is skipped if it has not been started. `at` is this thread's lane
/// and not null.
template <class F>
[[nodiscard, gnu::always_inline]] inline bool run_exposing(lane* at, F&& first, branch& later) {
  entry_slot* where = nullptr;
  JACKDAW_RELEASES(static_cast<entry*>(&later));
  if (!at->deque.push(&later, where)) [[unlikely]] {
    if (!attend(at)) {
      first();
      return true;
    }
  }
  alignas(std::exception_ptr) std::byte thrown[sizeof(std::exception_ptr)];
  JACKDAW_TRY { first(); }
  JACKDAW_CATCH {
    // There is no join in this handler: the C++ runtime keeps per thread which exceptions are being handled, and a join
    // may move this fiber to another thread.
    ::new (static_cast<void*>(thrown)) std::exception_ptr(caught());
    goto failed;
  }
  // The lane is null if `first` has waited for a group of the caller's and this task has been in the upper tier since.
  if (lane* const now = this_lane(); now != nullptr && now->deque.pop(&later, where)) [[likely]] {
    return true;
  }
  return take_back(later);

failed:
  // Not by reinterpret_cast: users' -Wcast-align. NOLINTNEXTLINE(bugprone-casting-through-void)
  abandon(later, std::launder(static_cast<std::exception_ptr*>(static_cast<void*>(thrown))));
}

/// Runs `first`, exposing `second` meanwhile. Then runs `second`, or, if it was taken, waits for its end.
template <class F, class G>
[[gnu::always_inline]] inline void fork_join(lane* at, F&& first, G&& second) {
  branch_of<G> later(second);
  if (detail::run_exposing(at, first, later)) [[likely]] {
    second();
  }
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
