#pragma once

#include <cstddef>

namespace jackdaw::detail {

/// While one of these lives, a task that runs out of its stack ends the program with a message that says so. Other
/// faults go where they went before the first one was made; the last one restores that, unless somebody has since put
/// handlers of their own before ours.
class overflow_handlers {
 public:
  overflow_handlers() noexcept;
  ~overflow_handlers();
  overflow_handlers(const overflow_handlers&) = delete;
  overflow_handlers& operator=(const overflow_handlers&) = delete;
};

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
