#pragma once

#include "jackdaw/detail/export.hpp"

// Internal: not exported by a shared library.
namespace jackdaw::sched {
class upper_task;
}

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// While it lives, a scheduler that assigns the parts of a span to workers (ADWS) lets no other worker steal what the
/// running task forks. It is meant for short loops with lasting effects, such as the first touch of data, in which a
/// late worker would lose its share to thieves. The flag belongs to the task: only the task reads and writes it.
/// Children inherit it when they are forked, before any other thread knows of them.
class unshared {
 public:
  unshared() noexcept;
  ~unshared();
  unshared(const unshared&) = delete;
  unshared& operator=(const unshared&) = delete;

 private:
  sched::upper_task* task_;  // null: no scheduler needs to know
  bool before_;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
