#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/root.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

class runtime;
template <class T>
class future;

namespace detail {

/// Where a runtime is, for those who may outlive it.
struct runtime_link {
  std::mutex mutex;
  runtime* to;  ///< guarded by the mutex; null: it has ended
};

/// A root that nobody waits for when it is sent. Its engine and its future own it together.
///
/// What it has returned or thrown is destroyed in the task, if the future has let go by then, or else where the future
/// lets go, because that destructor may fork: never by the engine.
class async_root : public root {
 public:
  /// Null: it is the default runtime's, which is always there.
  explicit async_root(std::shared_ptr<runtime_link> on) noexcept;

  /// Sends it to its runtime, or runs it here if the caller's tasks run in place. Throws error if the runtime has
  /// ended; then it has not begun and still has two owners.
  void start();
  /// Called by the engine: wakes who waits, starts the continuation, and lets go.
  void end() final;
  /// The future waits: a thread blocks, a task is suspended as in a join. Throws error in the child of a fork(), where
  /// the parent's tasks do not end.
  void wait_for_end();
  /// Starts `next` once this one has ended. `next` keeps this one alive. Throws error as start() and wait_for_end() do;
  /// then nothing has changed.
  void continue_with(async_root& next);
  /// The future lets go.
  void drop() noexcept;
  const std::shared_ptr<runtime_link>& on() const noexcept { return on_; }

 protected:
  /// It cannot be run.
  virtual void fail(std::exception_ptr why) noexcept = 0;
  /// Destroys what it has returned or thrown.
  virtual void clear() noexcept = 0;
  /// Called by the future that lets go, and at the end of the task, in the task: the second one clears.
  void meet() noexcept;

 private:
  void start_on(threads& engine) noexcept;
  void let_go() noexcept;
  void check_process() const;

  const std::shared_ptr<runtime_link> on_;
  const std::uint32_t generation_;  // the process that it runs in
  std::atomic<int> owners_{2};
  std::atomic<bool> met_{false};   // the task has ended, or the future has let go
  threads* resumes_on_ = nullptr;  // the engine of the task that waits; set before that waits on the latch
  async_root* next_ = nullptr;     // guarded by the mutex
};

struct drops {
  void operator()(async_root* of) const noexcept { of->drop(); }
};

/// An async_root that will have a value.
template <class T>
class async_value : public async_root {
 public:
  using async_root::async_root;
  T result() { return value_->result(); }

 protected:
  void fail(std::exception_ptr why) noexcept final {
    value_->fail(std::move(why));
    meet();
  }
  void clear() noexcept final { value_.reset(); }
  std::optional<root_value<T>> value_{std::in_place};
};

template <class F>
class async_root_of final : public async_value<std::invoke_result_t<F&>> {
 public:
  template <class... Args>
  explicit async_root_of(std::shared_ptr<runtime_link> on, Args&&... function)
      : async_value<std::invoke_result_t<F&>>(std::move(on)),
        function_(std::in_place, std::forward<Args>(function)...) {}

  void run() override {
    this->value_->take_from(*function_);
    function_.reset();  // in the task, because this destructor may fork
    this->meet();
  }
  /// Before it is started.
  F& function() noexcept { return *function_; }

 private:
  std::optional<F> function_;
};

}  // namespace detail

/// The result of a task that runtime::async() has started, once there is one.
///
/// A future is owned by one thread or task at a time. It may be moved to another. One that is destroyed without get()
/// leaves the task to itself: the task goes on, and its result, or exception, is dropped. The runtime's destructor
/// waits for the task.
template <class T>
class [[nodiscard]] future {
 public:
  /// Refers to no task.
  future() noexcept = default;

  /// Whether it refers to a task: it comes from async() or then(), and neither get() nor then() has been called.
  bool valid() const noexcept { return of_ != nullptr; }

  /// Returns whether the task has ended, so that get() would not wait. Does not block.
  ///
  /// @throws error if it refers to no task.
  bool ready() const { return checked().ended(); }

  /// Waits until the task has ended. A thread sleeps. A task is suspended, as in a join: its worker does other work. A
  /// task that waits for itself waits forever.
  ///
  /// @throws error if it refers to no task, and in the child of a fork() if the task is its parent's and has not ended.
  void wait() const { checked().wait_for_end(); }

  /// Waits as wait() does, and returns what the task has returned. The future refers to no task afterwards.
  ///
  /// @throws error if it refers to no task.
  /// @throws anything that the task has thrown.
  T get() {
    checked().wait_for_end();
    const auto of = std::move(of_);
    return of->result();
  }

  /// Runs `f(value)`, or `f()` if there is no value, as a root once the task has ended, on the same runtime.
  ///
  /// Does not wait. If the task throws, `f` is not called, and the new future throws the same. This future refers to no
  /// task afterwards, unless then() itself throws.
  ///
  /// @return The future of what `f` returns.
  /// @throws error if it refers to no task, or if the task has ended and so has its runtime; in the child of a fork()
  /// as wait().
  /// @throws std::bad_alloc, and anything that copying `f` throws.
  template <class F>
  auto then(F&& f) {
    detail::async_value<T>& before = checked();
    using function = continuation<std::decay_t<F>>;
    using result = std::invoke_result_t<function&>;
    auto made = std::make_unique<detail::async_root_of<function>>(before.on(), std::forward<F>(f));
    made->function().of = std::move(of_);
    JACKDAW_TRY { before.continue_with(*made); }
    JACKDAW_CATCH {
      of_ = std::move(made->function().of);
      JACKDAW_RETHROW;
    }
    return future<result>(typename future<result>::pointer(made.release()));
  }

 private:
  friend class runtime;
  template <class U>
  friend class future;

  using pointer = std::unique_ptr<detail::async_value<T>, detail::drops>;
  explicit future(pointer of) noexcept : of_(std::move(of)) {}

  detail::async_value<T>& checked() const {
    if (of_ == nullptr) {
      detail::throw_error("this future refers to no task: it was made without one, moved from, or used up");
    }
    return *of_;
  }

  template <class F>
  struct continuation {
    template <class G>
    explicit continuation(G&& then) : function(std::forward<G>(then)) {}
    pointer of;
    F function;
    decltype(auto) operator()() {
      if constexpr (std::is_void_v<T>) {
        of->result();
        return function();
      } else {
        return function(of->result());
      }
    }
  };

  pointer of_;
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
