#pragma once

#include <atomic>
#include <cstdint>

#include "jackdaw/jackdaw.h"
#include "jackdaw/task_group.hpp"

namespace jackdaw::c_api {

class scope;

/// A place for a group of the C API. Places are never freed, and used again and again: a handle, which is the number of
/// a place and how often it has been used, is checked without following it. So any pointer may be passed for a group.
class alignas(64) group_slot {
 public:
  group_slot() noexcept {}
  ~group_slot() {}
  group_slot(const group_slot&) = delete;
  group_slot& operator=(const group_slot&) = delete;

  /// Begins a group that belongs to the caller. Throws std::bad_alloc.
  static group_slot& begin(double total, policy order);
  /// Returns the place of a group that the caller may use; throws misuse.
  static group_slot& used(jackdaw_group* handle);

  jackdaw_group* handle() const noexcept {
    return reinterpret_cast<jackdaw_group*>(id_.load(std::memory_order_relaxed));
  }

  /// Called before a child is forked.
  void expect_child();
  /// Waits for the children; throws what one has thrown.
  void wait();
  /// Waits and frees the place; throws what a child has thrown. If the group cannot be waited for, it stays.
  void end();
  /// The group belongs to no scope any more, and stays.
  void lose() noexcept { scope_ = nullptr; }

  union {
    task_group group;  // while the place is in use
  };
  // In the scope's list; `next` also in a list of free places.
  group_slot* next = nullptr;
  group_slot* previous = nullptr;

 private:
  friend class group_table;

  void free() noexcept;

  std::atomic<std::uintptr_t> id_{0};        // the handle; 0: free. Another thread with a handle may look at any time
  std::atomic<const void*> owner_{nullptr};  // the scope; without one, the fiber or what stands for the thread
  scope* scope_ = nullptr;
  std::uint32_t index_ = 0;
  std::uint32_t uses_ = 0;
  std::uint32_t process_ = 0;  // which process has forked the children
  bool waits_ = false;         // children have been forked since the last wait
};

}  // namespace jackdaw::c_api
