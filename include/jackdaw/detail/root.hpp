#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <variant>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/control_word.hpp"
#include "jackdaw/detail/entry.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/join_latch.hpp"
#include "jackdaw/detail/queued.hpp"

// Internal: not exported by a shared library.
namespace jackdaw::sched {
class upper_task;
}
namespace jackdaw::detail {
class threads;
}

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// A task that comes from outside: it lives on the stack of the thread, or of the task of another runtime, that waits
/// for it.
class root : public entry {
 public:
  root(const root&) = delete;
  root& operator=(const root&) = delete;
  virtual ~root() = default;
  virtual void run() = 0;

  /// Waits for at most that time. Returns whether the root has ended.
  [[nodiscard]] bool wait(std::chrono::milliseconds at_most) {
    return wait(at_most, [] { return false; });
  }
  /// The same, but for less long if `called()`, which is asked when call() has been.
  template <class Called>
  bool wait(std::chrono::milliseconds at_most, Called called) {
    std::unique_lock hold(mutex_);
    ended_.wait_for(hold, at_most, [&] { return ended() || called(); });
    return ended();
  }
  /// Waits for at most that time, or until `called()`, whether the root has ended or not.
  template <class Called>
  void wait_for_call(std::chrono::milliseconds at_most, Called called) {
    std::unique_lock hold(mutex_);
    ended_.wait_for(hold, at_most, called);
  }
  /// Does something and makes the thread that waits look. The root does not end meanwhile, and that thread does not
  /// leave it.
  template <class F>
  void call(F does) {
    const std::lock_guard hold(mutex_);
    does();
    ended_.notify_one();
  }
  void wait() {
    std::unique_lock hold(mutex_);
    ended_.wait(hold, [this] { return ended(); });
  }
  /// Called off the stack of the waiting fiber, which is a task of `waited_in`. False: it need not wait.
  [[nodiscard]] bool wait(fiber* waiting) noexcept { return latch_.wait(waiting); }
  /// A worker has started the root. Relaxed: a hint.
  void begin() noexcept;
  bool begun() const noexcept { return begun_.load(std::memory_order_relaxed); }
  /// Whether it has ended; the thread that waits for it must still call wait() before it destroys it. Acquire: sees
  /// what the root did.
  bool ended() const noexcept { return done_.load(std::memory_order_acquire); }
  /// The last access to the root: the waiting thread or task may destroy it as soon as it learns of the end.
  virtual void end();

  sched::upper_task* upper = nullptr;  ///< of the runtime, while the root is under way
  bool searching = false;              ///< the root starts in the upper tier
  const control_word control;          ///< of the thread that sends the root, which runs under it
  bool unattended = false;             ///< no thread waits for it that would ask for turns
  threads* waited_in = nullptr;        ///< the engine of the task that waits for it; null: a thread waits
  queued turn;                         ///< in the run queue

 protected:
  root() noexcept : entry(&start_on_fiber) {}

  basic_join_latch<hardware, fiber> latch_;  // where a task waits
  std::mutex mutex_;                         // where a thread waits
  std::condition_variable ended_;
  std::atomic<bool> done_{false};  // set under the mutex

 private:
  static fiber* start_on_fiber(entry* self) noexcept;

  std::atomic<bool> begun_{false};
};

/// What a root's function returns or throws.
template <class T>
class root_value {
 public:
  /// Calls the function, once.
  template <class F>
  void take_from(F& function) {
    JACKDAW_TRY {
      if constexpr (std::is_void_v<T>) {
        function();
      } else if constexpr (std::is_reference_v<T>) {
        T value = function();
        value_ = std::addressof(value);
      } else {
        value_.emplace(function());
      }
    }
    JACKDAW_CATCH { thrown_ = caught(); }
  }
  void fail(std::exception_ptr why) noexcept { thrown_ = std::move(why); }

  T result() {
    if (thrown_) {
      std::rethrow_exception(thrown_);
    }
    if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(*value_);
    } else if constexpr (!std::is_void_v<T>) {
      return std::move(*value_);
    }
  }

 private:
  using storage = std::conditional_t<
      std::is_void_v<T>, std::monostate,
      std::conditional_t<std::is_reference_v<T>, std::remove_reference_t<T>*,
                         std::optional<std::conditional_t<std::is_void_v<T>, int, std::remove_cv_t<T>>>>>;
  storage value_{};
  std::exception_ptr thrown_;
};

/// The root of runtime::run(): refers to the function.
template <class F>
class root_of final : public root {
 public:
  using type = std::invoke_result_t<F&>;

  explicit root_of(F& function) noexcept : function_(function) {}

  void run() override { value_.take_from(function_); }
  type result() { return value_.result(); }

 private:
  F& function_;
  root_value<type> value_;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
