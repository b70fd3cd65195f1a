#pragma once

#include <atomic>
#include <cfenv>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/control_word.hpp"
#include "jackdaw/detail/shared_group.hpp"
#include "jackdaw/detail/task_slot.hpp"

namespace tbb::detail::d1 {

// In a namespace of its own, so that no symbol has the name of one of libtbb's headers: other libraries of the program
// may be compiled with those.
inline namespace on_jackdaw {

bool is_bound(const task_group_context& context) noexcept;
std::uint64_t captured_by(const task_group_context& context) noexcept;
template <auto Traits, auto Captured>
struct reads_private {
  friend bool is_bound(const task_group_context& context) noexcept { return (context.*Traits).bound; }
  friend std::uint64_t captured_by(const task_group_context& context) noexcept { return context.*Captured; }
};
// In an explicit instantiation private names are allowed.
template struct reads_private<&task_group_context::my_traits, &task_group_context::my_cpu_ctl_env>;

/// While it lives, code runs under the floating-point settings that the context has captured, if there is a context and
/// it has. What is forked meanwhile runs under them, too.
class settings_of {
 public:
  explicit settings_of(const task_group_context* context) noexcept {
    if (context == nullptr || (context->traits() & task_group_context::fp_settings) == 0) return;
    before_.emplace();
    set(captured_by(*context));
  }
  ~settings_of() {
    if (before_) before_->set();
  }
  settings_of(const settings_of&) = delete;
  settings_of& operator=(const settings_of&) = delete;

 private:
  /// As libtbb keeps them.
  static void set(std::uint64_t captured) noexcept {
#if defined(__x86_64__)
    const auto sse = static_cast<std::uint32_t>(captured);
    const auto x87 = static_cast<std::uint16_t>(captured >> 32);
    asm volatile("ldmxcsr %0\n\tfldcw %1" ::"m"(sse), "m"(x87) : "memory");
#else
    std::fesetenv(reinterpret_cast<const std::fenv_t*>(captured));
#endif
  }

  std::optional<jackdaw::detail::control_word> before_;
};

class place;
place* this_place() noexcept;

/// What one cancellation reaches: a call of an algorithm, or a group, and all that is called in it. It keeps the first
/// exception of its code. Visible, so that a library which hides its symbols counts with the program.
class [[gnu::visibility("default")]] scope {
 public:
  scope() noexcept;
  explicit scope(task_group_context& given) noexcept : scope() {
    context_.store(&given, std::memory_order_relaxed);
    given_ = true;
    bound_ = is_bound(given);
    watched_ = this;
  }
  ~scope() {
    if (!given_) delete context_.load(std::memory_order_relaxed);
  }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

  place* made_in() const noexcept { return made_in_; }
  /// For one that may outlive what it was made in. Before anything runs in it.
  void come_loose() noexcept {
    made_in_ = nullptr;
    around_ = nullptr;
    watched_ = given_ ? this : nullptr;
  }

  /// Whether it, or what it is bound to, is cancelled.
  bool cancelled() noexcept {
    if (requested_.load(std::memory_order_relaxed)) return true;
    // Acquire: whoever sees a new number sees the requests that it counts.
    const unsigned now = requests.load(std::memory_order_acquire);
    if (seen_.load(std::memory_order_relaxed) == now && !is_any_context_cancelled()) [[likely]] {
      return false;
    }
    return look_around(now);
  }

  /// Returns whether it is the first time.
  bool cancel() noexcept {
    // Sequentially consistent, as in context(): either a new context is seen here, or the request is seen there.
    const bool first = !requested_.exchange(true);
    requests.fetch_add(1, std::memory_order_release);
    if (task_group_context* const known = context_.load()) known->cancel_group_execution();
    return first;
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

  const task_group_context* given() const noexcept {
    return given_ ? context_.load(std::memory_order_relaxed) : nullptr;
  }
  /// The given context, or one that is made now and lives as long as this.
  task_group_context& context() {
    task_group_context* known = context_.load();
    if (known == nullptr) {
      are_any_made.store(true, std::memory_order_relaxed);
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

  [[gnu::noinline]] bool look_around(unsigned now) noexcept {
    if (is_requested()) return true;
    if (bound_ && is_cancelled_around()) {
      cancel();  // who looks at the given context sees it, too
      return true;
    }
    seen_.store(now, std::memory_order_relaxed);
    return false;
  }

  /// The program cancels contexts itself: those that it gives, libtbb's, and those that it has asked for.
  bool is_any_context_cancelled() const noexcept {
    if (are_any_made.load(std::memory_order_relaxed)) return true;  // perhaps
    for (const scope* each = watched_; each != nullptr; each = each->watched_outside()) {
      if (each->is_requested() || (each->around_ != nullptr && each->around_->is_group_execution_cancelled())) {
        return true;
      }
    }
    return false;
  }
  const scope* watched_outside() const noexcept;

  /// Of the task of libtbb's that this thread runs, if it runs one.
  static task_group_context* context_of_libtbb() noexcept {
    return r1::execution_slot(nullptr) == slot_id(-1) ? nullptr : r1::current_context();
  }

  // How often any scope has been cancelled. As long as that is what a scope has seen when it last looked around, there
  // is nothing new around it, so that the depth of calls within calls costs nothing.
  static inline std::atomic<unsigned> requests{0};
  static inline std::atomic<bool> are_any_made{false};  // by context(), in any scope

  place* made_in_;
  task_group_context* around_;
  std::atomic<task_group_context*> context_{nullptr};
  std::exception_ptr thrown_;
  const scope* watched_;  // the innermost of this and those that it is in that has a context of others
  std::atomic<unsigned> seen_;
  std::atomic<bool> requested_{false};
  bool given_ = false;
  bool bound_ = true;
};

/// What the calling code is a part of, while it lives: a scope, and perhaps a group's child, or isolated code. The
/// innermost place is in the task's slot. That belongs to the task, or to a thread that is no worker, so it is the same
/// one at the end.
class place {
 public:
  explicit place(scope& of) noexcept : place(of, nullptr, nullptr) {}
  /// In a child of a group. `adds_to`: where what runs here adds more children of that group.
  place(scope& of, const void* group, jackdaw::detail::shared_group* adds_to) noexcept
      : of_(of),
        group_(group),
        adds_to_(adds_to),
        apart_(group == &isolated || (of.made_in() != nullptr && of.made_in()->apart_)),
        slot_(jackdaw::detail::task_slot()),
        before_(slot_) {
    slot_ = this;
  }
  struct isolated_code {};
  place(scope& of, isolated_code) noexcept : place(of, &isolated, nullptr) {}
  ~place() { slot_ = before_; }
  place(const place&) = delete;
  place& operator=(const place&) = delete;

  scope& of() const noexcept { return of_; }
  bool is_isolated() const noexcept { return group_ == &isolated; }
  /// Whether it is within isolated code, at any depth.
  bool is_apart() const noexcept { return apart_; }
  jackdaw::detail::shared_group* adds_to() const noexcept { return adds_to_; }

  /// The innermost place around the code here that is a child of the group, or isolated; null: there is none.
  const place* find(const void* group) const noexcept {
    const place* each = this;
    while (each != nullptr && each->group_ != group && !each->is_isolated()) each = each->of_.made_in();
    return each;
  }

 private:
  static constexpr char isolated = 0;  // in place of a group

  scope& of_;
  const void* const group_;
  jackdaw::detail::shared_group* const adds_to_;
  const bool apart_;
  void*& slot_;
  void* const before_;
};

/// The innermost place of the calling code; null: it is no part of anything here.
inline place* this_place() noexcept { return static_cast<place*>(jackdaw::detail::task_slot()); }

// Not seen: one look shows what is around it.
inline scope::scope() noexcept
    : made_in_(this_place()),
      around_(made_in_ == nullptr ? context_of_libtbb() : nullptr),
      watched_(around_ != nullptr    ? this
               : made_in_ != nullptr ? made_in_->of().watched_
                                     : nullptr),
      seen_(requests.load(std::memory_order_relaxed) - 1) {}

inline const scope* scope::watched_outside() const noexcept {
  return bound_ && made_in_ != nullptr ? made_in_->of().watched_ : nullptr;
}

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
