#pragma once

#include "runtime/cpu_mask.hpp"

namespace jackdaw::detail {

/// While it lives, the calling thread is held on some processors by the runtime, and the threads that it makes are not:
/// they get `own`, not the mask that the kernel would hand on. That holds while the thread has the mask that it has
/// now. One that a task has given it is the program's, and is handed on as everywhere.
///
/// It works where the program's calls of pthread_create reach the definition beside this class.
class held_thread {
 public:
  /// `own` outlives this object.
  explicit held_thread(const cpu_mask& own) noexcept;
  ~held_thread();
  held_thread(const held_thread&) = delete;
  held_thread& operator=(const held_thread&) = delete;

  /// The calling thread's innermost one; null: it is held nowhere.
  static const held_thread* innermost() noexcept;

  const cpu_mask& own() const noexcept { return own_; }
  /// Whether the calling thread, whose innermost one this is, still has the runtime's mask.
  bool holds() const noexcept;
  /// Gives it that mask again.
  void hold() const noexcept { held_.give_to_this_thread(); }

 private:
  const cpu_mask& own_;
  const held_thread* const around_;
  cpu_mask held_;
};

}  // namespace jackdaw::detail
