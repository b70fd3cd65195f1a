#pragma once

#include <memory>

#include "base/own_mapping.hpp"

namespace jackdaw::detail {

/// While one of these lives, a task that overflows its stack ends the program with a message that says so. Other
/// faults, and signals of the same kinds that are sent, have the effect that they would have without this: handlers
/// that were set before the first of these was made are called as the kernel calls them, but on the worker's stack for
/// handlers. The last one of these restores them, unless the program has since put other handlers before ours.
class overflow_handlers {
 public:
  overflow_handlers() noexcept;
  ~overflow_handlers();
  overflow_handlers(const overflow_handlers&) = delete;
  overflow_handlers& operator=(const overflow_handlers&) = delete;
};

/// Memory for a stack on which the fault handler runs; none, if there was none.
class overflow_memory {
 public:
  overflow_memory();

 private:
  friend class overflow_stack;

  std::unique_ptr<own_mapping> mapped_;
};

/// Gives the fault handler a stack of its own on the calling thread, as long as this lives, unless the thread has one.
class overflow_stack {
 public:
  explicit overflow_stack(const overflow_memory& memory) noexcept;
  ~overflow_stack();
  overflow_stack(const overflow_stack&) = delete;
  overflow_stack& operator=(const overflow_stack&) = delete;

 private:
  bool given_ = false;
};

}  // namespace jackdaw::detail
