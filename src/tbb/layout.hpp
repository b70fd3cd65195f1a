#pragma once

#ifndef TBB_PREVIEW_TASK_ARENA_CONSTRAINTS_EXTENSION
#define TBB_PREVIEW_TASK_ARENA_CONSTRAINTS_EXTENSION 1  // all members of `constraints`
#endif
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/task_scheduler_observer.h>

#include <atomic>
#include <cstdint>
#include <exception>

// oneTBB's own classes, as its headers lay them out, and the inside of them that the library may use: the headers name
// these classes as friends. Nothing here is exported.
namespace tbb::detail::r1 {

/// What a context keeps of the first exception of its group.
class tbb_exception_ptr {
 public:
  std::exception_ptr thrown;
};

struct task_accessor {
  /// 48 bytes of every task, which belong to the library from spawn() until the task runs.
  static std::uint64_t* reserved(d1::task& of) noexcept { return of.m_reserved; }
  static constexpr std::size_t reserved_bytes = sizeof(d1::task::m_reserved);
  /// The reserved bytes are a task's last ones.
  static d1::task& of(void* reserved) noexcept {
    return *reinterpret_cast<d1::task*>(static_cast<char*>(reserved) - (sizeof(d1::task) - reserved_bytes));
  }
};

struct task_group_context_impl {
  using context = d1::task_group_context;
  using state = context::state;
  static context& actual(context& of) noexcept { return of.actual_context(); }
  static std::atomic<std::uint32_t>& cancelled(context& of) noexcept { return of.my_cancellation_requested; }
  static std::atomic<tbb_exception_ptr*>& exception(context& of) noexcept { return of.my_exception; }
  static std::atomic<state>& state_of(context& of) noexcept { return of.my_state; }
  static std::atomic<std::uint8_t>& may_have_children(context& of) noexcept { return of.my_may_have_children; }
  static context*& parent(context& of) noexcept { return of.my_parent; }
  static d1::intrusive_list_node& node(context& of) noexcept { return of.my_node; }
  /// Which of the library's lists it is in; null: in none.
  static context_list*& list(context& of) noexcept { return of.my_context_list; }
  static void*& itt_caller(context& of) noexcept { return of.my_itt_caller; }
  static std::uint64_t& control(context& of) noexcept { return of.my_cpu_ctl_env; }
  static bool has_control(const context& of) noexcept { return of.my_traits.fp_settings; }
  static void set_has_control(context& of) noexcept { of.my_traits.fp_settings = true; }
  static bool is_bound(const context& of) noexcept { return of.my_traits.bound; }
};

/// The count that a wait waits for.
class external_waiter {
 public:
  /// Acquire: what the tasks that counted themselves off have done.
  static bool is_over(const d1::wait_context& of) noexcept { return !of.continue_execution(); }
};

struct task_arena_impl {
  using base = d1::task_arena_base;
  static std::atomic<arena*>& inside(base& of) noexcept { return of.my_arena; }
  static arena* inside(const base& of) noexcept { return of.my_arena.load(std::memory_order_acquire); }
  static int& limit(base& of) noexcept { return of.my_max_concurrency; }
  static int limit(const base& of) noexcept { return of.my_max_concurrency; }
  static unsigned& reserved_slots(base& of) noexcept { return of.my_num_reserved_slots; }
  static base::priority urgency(const base& of) noexcept { return of.my_priority; }
  static int numa_node(const base& of) noexcept { return of.my_numa_id; }
  static int core_type(const base& of) noexcept { return of.core_type(); }
};

struct global_control_impl {
  static std::size_t value(const d1::global_control& of) noexcept { return of.my_value; }
  static d1::global_control::parameter parameter(const d1::global_control& of) noexcept { return of.my_param; }
};

/// An observer that observes. It lives from observe(true) to observe(false).
class observer_proxy {
 public:
  using observer = d1::task_scheduler_observer;
  static std::atomic<observer_proxy*>& proxy(observer& of) noexcept { return of.my_proxy; }
  static d1::task_arena* where(const observer& of) noexcept { return of.my_task_arena; }

  observer* of = nullptr;
  arena* in = nullptr;
  std::atomic<int> calls{0};  ///< of the observer, under way
};

}  // namespace tbb::detail::r1

namespace jackdaw::onetbb {

namespace d1 = tbb::detail::d1;
namespace r1 = tbb::detail::r1;
using d1::execution_data;
using d1::slot_id;
using d1::wait_context;
using context = d1::task_group_context;
using r1::external_waiter;
using context_inside = r1::task_group_context_impl;
using arena = r1::arena;

}  // namespace jackdaw::onetbb
