#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {
/// Returns an address that no two tasks share that run at the same time: of the worker that runs the calling task, or,
/// on other threads, of the thread. Opaque to the optimiser, because a task may change threads.
const void* this_seat() noexcept;
}  // namespace detail

/// One object of type T for each worker that asks for one: an accumulator that a loop's tasks need no lock for.
///
///     jackdaw::per_worker<std::vector<int>> found;
///     jackdaw::for_index(0, n, [&](int i) {
///       if (is_good(i)) found.local().push_back(i);
///     });
///     std::size_t sum = found.combine(std::size_t{0}, [](std::size_t sum, auto& each) { return sum + each.size(); });
///
/// A thread that is no worker has an object of its own, too. So the same code is right in a task, outside of tasks, and
/// in tasks of several runtimes at the same time. Each object is made by the worker that asks for it first, so its
/// memory is on that worker's node where first touch decides, and it shares no cache line with another.
///
/// Which worker runs what is not determined, and neither is what each object gets. Combine with an operation for which
/// that does not matter, or use reduce(), whose result is the same in each run.
///
/// The objects live as long as the per_worker, whatever becomes of the runtimes.
template <class T>
class per_worker {
 public:
  /// Each object is `T()`.
  per_worker()
    requires std::default_initializable<T>
      : make_([] { return T(); }) {}
  /// Each object is what `make()` returns; several workers may call it at the same time.
  template <class Make>
    requires std::is_invocable_r_v<T, Make&>
  explicit per_worker(Make make) : make_(std::move(make)) {}
  ~per_worker() { clear(); }
  /// Not copyable.
  per_worker(const per_worker&) = delete;
  /// Not assignable.
  per_worker& operator=(const per_worker&) = delete;

  /// Returns the calling worker's, or thread's, object; makes it if there is none.
  ///
  /// Do not use the reference after a fork or join of the same task: the task may resume on another worker, while a
  /// task of the first one uses its object. Call local() anew.
  ///
  /// @throws anything that making the object throws; std::bad_alloc.
  T& local() {
    if (seat* const found = find(detail::this_seat())) {
      return found->value;
    }
    auto made = std::make_unique<seat>(make_);  // may fork; then the task may be on another worker now
    const void* const here = detail::this_seat();
    if (seat* const found = find(here)) {
      return found->value;
    }
    made->of = here;
    std::atomic<seat*>& list = list_of(here);
    made->next = list.load(std::memory_order_relaxed);
    // Release: publishes the object to combine() and to find(), which passes it on its way to others.
    while (!list.compare_exchange_weak(made->next, made.get(), std::memory_order_release, std::memory_order_relaxed)) {
    }
    return made.release()->value;
  }

  /// Calls `f` with each object, in no particular order. No task may use them meanwhile.
  template <class F>
  void for_each(F f) {
    for (std::atomic<seat*>& list : lists_) {
      for (seat* at = list.load(std::memory_order_acquire); at != nullptr; at = at->next) {
        f(at->value);
      }
    }
  }

  /// Returns `op(...op(op(initial, a), b)..., z)` for all objects, in no particular order. No task may use them
  /// meanwhile.
  template <class Sum, class Op>
  Sum combine(Sum initial, Op op) {
    for_each([&](T& each) { initial = op(std::move(initial), each); });
    return initial;
  }

  /// Returns the number of objects. No task may use them meanwhile.
  std::size_t size() {
    return combine(std::size_t{0}, [](std::size_t sum, T&) { return sum + 1; });
  }

  /// Destroys all objects; the next local() makes a new one. No task may use them meanwhile.
  void clear() {
    for (std::atomic<seat*>& list : lists_) {
      seat* at = list.exchange(nullptr, std::memory_order_acquire);
      while (at != nullptr) {
        delete std::exchange(at, at->next);
      }
    }
  }

 private:
  struct alignas(64) seat {
    explicit seat(std::function<T()>& make) : value(make()) {}
    T value;
    const void* of = nullptr;
    seat* next = nullptr;
  };

  std::atomic<seat*>& list_of(const void* of) noexcept {
    return lists_[(reinterpret_cast<std::uintptr_t>(of) * 0x9e3779b97f4a7c15u) >> 58];
  }
  /// No other thread can add a seat for the caller's address meanwhile.
  seat* find(const void* of) noexcept {
    seat* at = list_of(of).load(std::memory_order_acquire);
    while (at != nullptr && at->of != of) {
      at = at->next;
    }
    return at;
  }

  std::function<T()> make_;
  std::array<std::atomic<seat*>, 64> lists_{};
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
