#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "c/group_slot.hpp"

namespace jackdaw::c_api {

/// All places for groups. A thread keeps some free ones for itself, so that most groups take no lock.
class group_table {
 public:
  /// Returns a free place. Throws std::bad_alloc.
  static group_slot& take();
  static void give(group_slot& unused) noexcept;
  /// Returns the place that a handle names; null for a handle that no group has now.
  static group_slot* find(std::uintptr_t handle) noexcept;
  /// The handle of the place's next use.
  static std::uintptr_t next_id(group_slot& of) noexcept;

  std::mutex mutex;  // of what follows; locked while the process forks

 private:
  friend struct spare_slots;

  void grow();

  group_slot* free_ = nullptr;
};

}  // namespace jackdaw::c_api
