#pragma once

// Of the inside: not exported by a shared library.
namespace jackdaw::sched {
class upper_task;
}

#pragma GCC visibility push(default)

namespace jackdaw::detail {

/// While it lives, a scheduler that hands the parts of a span to workers (ADWS) leaves what the running task forks to
/// them: nobody steals it. For loops that are over before somebody who is a little late has come, and after which that
/// matters for long: the first touch of data. The flag is the task's own: only it reads and writes it, and its children
/// take it over when they are forked, before anybody else knows of them.
class unshared {
 public:
  unshared() noexcept;
  ~unshared();
  unshared(const unshared&) = delete;
  unshared& operator=(const unshared&) = delete;

 private:
  sched::upper_task* task_;  // null: nobody would hear of it
  bool before_;
};

}  // namespace jackdaw::detail

#pragma GCC visibility pop
