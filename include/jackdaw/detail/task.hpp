#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/control_word.hpp"
#include "jackdaw/detail/export.hpp"

// Internal: not exported by a shared library.
namespace jackdaw::sched {
class upper_task;
}
namespace jackdaw::detail {
class group_access;
class sited_group;
struct upper_group;
}  // namespace jackdaw::detail

JACKDAW_EXPORT_BEGIN

namespace jackdaw {
class task_group;
}

namespace jackdaw::detail {

class shared_group;

/// Memory for tasks. A small task's memory comes from a list of the lane that allocates it and goes to the list of the
/// lane that ends the task. Each list keeps at most `most` blocks, so what one lane allocates and another one frees
/// goes through the allocator. Sanitizers see every allocation.
struct task_memory {
  static constexpr std::size_t small = 128;  // bytes, with the task's own 56
  static constexpr unsigned most = 64;       // per lane

  /// `at` is this thread's lane, or null.
  static void* take(std::size_t size, lane* at) {
    if (announced || size > small) {
      return ::operator new(size > small ? size : small);  // others may put it into a list
    }
    if (at == nullptr || at->blocks == nullptr) [[unlikely]] {
      return ::operator new(small);
    }
    void* const block = at->blocks;
    at->blocks = *static_cast<void**>(block);
    --at->block_count;
    return block;
  }

  static void give(void* block, std::size_t size) noexcept {
    lane* const at = announced || size > small ? nullptr : this_lane();
    if (at == nullptr || at->block_count >= most) [[unlikely]] {
      ::operator delete(block);
      return;
    }
    *static_cast<void**>(block) = at->blocks;
    at->blocks = block;
    ++at->block_count;
  }
};

/// A child of a group in memory of its own: one that is pushed help-first, or that the scheduler sends elsewhere.
class task : public entry {
 public:
  virtual ~task() = default;
  task(const task&) = delete;
  task& operator=(const task&) = delete;
  virtual void run() = 0;
  /// Runs the task and destroys it, even if it throws, with one virtual call.
  virtual void run_out() = 0;

  static void* operator new(std::size_t size, lane* at) { return task_memory::take(size, at); }
  static void operator delete(void* block, lane*) noexcept { operator delete(block, task_memory::small); }
  // Frees all that the operator new above returns, which takes a lane as well.
  // NOLINTNEXTLINE(misc-new-delete-overloads)
  static void operator delete(void* block, std::size_t size) noexcept { task_memory::give(block, size); }
  static void* operator new(std::size_t size, std::align_val_t align, lane*) { return ::operator new(size, align); }
  static void operator delete(void* block, std::align_val_t align, lane*) noexcept { ::operator delete(block, align); }
  static void operator delete(void* block, std::size_t, std::align_val_t align) noexcept {
    ::operator delete(block, align);
  }

  /// The body that distinguishes a task from the other entries of a deque.
  static body starter() noexcept { return &start_on_fiber; }

  task_group* group = nullptr;
  sched::upper_task* upper = nullptr;  ///< what the scheduler knows of it; null below the upper tier
  bool searching = false;              ///< the task starts in the upper tier
  const control_word control;          ///< of the task that forked this one, which runs under it

 protected:
  task() noexcept : entry(&start_on_fiber) {}

 private:
  static fiber* start_on_fiber(entry* self) noexcept;
};

template <class F>
class task_of final : public task {
 public:
  template <class A>
  explicit task_of(std::in_place_t, A&& f) : function_(std::forward<A>(f)) {}
  void run() override { function_(); }
  void run_out() override {
    const std::unique_ptr<task_of> ends_here(this);
    function_();
  }

 private:
  F function_;
};

/// `at` is this thread's lane, or null.
template <class F>
task* make_task(F&& function, lane* at) {
  return new (at) task_of<std::decay_t<F>>(std::in_place, std::forward<F>(function));
}
template <class F>
task* make_task(F&& function) {
  return make_task(std::forward<F>(function), this_lane());
}

/// Called on the child's stack, right after a work-first spawn: lets other workers take the parent. If the deque is
/// full it does not, and the parent waits for this child like any caller.
inline void expose(fiber* child) noexcept {
  lane* const at = this_lane();
  child->parent.claimed.store(false, std::memory_order_relaxed);
  if (!at->deque.push(&child->parent) && !attend(at)) [[unlikely]] {
    child->parent.claimed.store(true, std::memory_order_relaxed);
    child->exposed = false;
  }
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
