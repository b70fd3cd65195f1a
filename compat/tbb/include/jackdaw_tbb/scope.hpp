#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/shared_group.hpp"
#include "jackdaw/detail/task_slot.hpp"

namespace tbb::detail::d1 {

// In a namespace of its own, so that no symbol has the name of one of libtbb's headers: other libraries of the program
// may be compiled with those.
inline namespace on_jackdaw {

bool is_bound(const task_group_context& context) noexcept;
template <auto Traits>
struct reads_traits {
  friend bool is_bound(const task_group_context& context) noexcept { return (context.*Traits).bound; }
};
// In an explicit instantiation a private name is allowed.
template struct reads_traits<&task_group_context::my_traits>;

class place;
place* this_place() noexcept;

/// What one cancellation reaches: a call of an algorithm, or a group, and all that is called in it. It keeps the first
/// exception of its code.
class scope {
 public:
  scope() noexcept : made_in_(this_place()), around_(made_in_ == nullptr ? context_of_libtbb() : nullptr) {}
  explicit scope(task_group_context& given) noexcept : scope() {
    context_.store(&given, std::memory_order_relaxed);
    given_ = true;
    bound_ = is_bound(given);
  }
  ~scope() {
    if (!given_) delete context_.load(std::memory_order_relaxed);
  }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

  place* made_in() const noexcept { return made_in_; }

  /// Whether it, or what it is bound to, is cancelled.
  bool cancelled() noexcept {
    if (is_requested()) return true;
    if (!bound_ || !is_cancelled_around()) return false;
    cancel();  // who looks at the given context sees it, too
    return true;
  }

  /// Returns whether it was not cancelled before.
  bool cancel() noexcept {
    // Sequentially consistent, as in context(): either a new context is seen here, or the request is seen there.
    const bool first = !requested_.exchange(true);
    task_group_context* const known = context_.load();
    return known != nullptr ? known->cancel_group_execution() : first;
  }

  /// In a handler: cancels all, and keeps the exception if nothing had been cancelled before.
  void fail() noexcept {
    const bool late = cancelled();
    if (cancel() && !late) thrown_ = jackdaw::detail::caught();
  }

  /// Once all has ended.
  void rethrow() {
    if (thrown_) [[unlikely]] {
      std::rethrow_exception(std::exchange(thrown_, nullptr));
    }
  }

  /// Once all has ended: makes it as if it were new.
  void reset() noexcept {
    requested_.store(false, std::memory_order_relaxed);
    if (task_group_context* const known = context_.load(std::memory_order_relaxed)) known->reset();
  }

  /// The given context, or one that is made now and lives as long as this.
  task_group_context& context() {
    task_group_context* known = context_.load();
    if (known == nullptr) {
      auto made = std::make_unique<task_group_context>(task_group_context::isolated);
      if (context_.compare_exchange_strong(known, made.get())) known = made.release();
      if (requested_.load()) known->cancel_group_execution();
    }
    return *known;
  }

 private:
  bool is_requested() const noexcept {
    if (requested_.load(std::memory_order_relaxed)) return true;
    task_group_context* const known = context_.load(std::memory_order_acquire);
    return known != nullptr && known->is_group_execution_cancelled();
  }

  bool is_cancelled_around() const noexcept;

  /// Of the task of libtbb's that this thread runs, if it runs one.
  static task_group_context* context_of_libtbb() noexcept {
    return r1::execution_slot(nullptr) == slot_id(-1) ? nullptr : r1::current_context();
  }

  place* const made_in_;
  task_group_context* const around_;
  std::atomic<task_group_context*> context_{nullptr};
  std::exception_ptr thrown_;
  std::atomic<bool> requested_{false};
  bool given_ = false;
  bool bound_ = true;
};

/// What the calling code is a part of, while it lives: a scope, and perhaps a group's child. The innermost place is in
/// the task's slot. That belongs to the task, or to a thread that is no worker, so it is the same one at the end.
class place {
 public:
  enum class kind : bool { usual, isolated };

  explicit place(scope& of, kind how = kind::usual) noexcept : place(of, nullptr, nullptr, how) {}
  /// In a child of a group. `adds_to`: where what runs here adds more children of that group.
  place(scope& of, const void* group, jackdaw::detail::shared_group* adds_to, kind how = kind::usual) noexcept
      : of_(of), group_(group), adds_to_(adds_to), how_(how), slot_(jackdaw::detail::task_slot()), before_(slot_) {
    slot_ = this;
  }
  ~place() { slot_ = before_; }
  place(const place&) = delete;
  place& operator=(const place&) = delete;

  scope& of() const noexcept { return of_; }

  /// Where the code here adds children of the group; null: it runs in none of its children. What is forked in isolated
  /// code does not stay behind when that has ended, so it goes nowhere from there either.
  jackdaw::detail::shared_group* adds_to(const void* group) const noexcept {
    for (const place* each = this; each != nullptr && each->how_ == kind::usual; each = each->of_.made_in()) {
      if (each->group_ == group) return each->adds_to_;
    }
    return nullptr;
  }

 private:
  scope& of_;
  const void* const group_;
  jackdaw::detail::shared_group* const adds_to_;
  const kind how_;
  void*& slot_;
  void* const before_;
};

/// The innermost place of the calling code; null: it is no part of anything here.
inline place* this_place() noexcept { return static_cast<place*>(jackdaw::detail::task_slot()); }

inline bool scope::is_cancelled_around() const noexcept {
  return made_in_ != nullptr ? made_in_->of().cancelled()
                             : around_ != nullptr && around_->is_group_execution_cancelled();
}

/// Calls f(); the scope keeps what it throws.
template <class F>
void guarded(scope& of, F&& f) noexcept {
  JACKDAW_TRY { std::forward<F>(f)(); }
  JACKDAW_CATCH { of.fail(); }
}

/// Calls f() as a part of the scope.
template <class F>
void run_in(scope& of, F&& f) noexcept {
  const place here(of);
  guarded(of, f);
}

}  // namespace on_jackdaw
}  // namespace tbb::detail::d1
