#pragma once

#include <cstddef>

namespace jackdaw::detail {

/// From now on, a task that runs out of its stack ends the program with a message that says so. Other faults go where
/// they went before. Once a process; later calls do nothing.
void catch_stack_overflow();

/// A stack of its own for the fault handler of the calling thread, for as long as this lives.
class overflow_stack {
 public:
  overflow_stack();
  ~overflow_stack();
  overflow_stack(const overflow_stack&) = delete;
  overflow_stack& operator=(const overflow_stack&) = delete;

 private:
  void* memory_;
  std::size_t size_;
};

}  // namespace jackdaw::detail
