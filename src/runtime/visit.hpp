#pragma once

#include <chrono>

#include "jackdaw/runtime.hpp"

namespace jackdaw {

/// While this lives, a runtime's engine does not end. Only to hand something over: whoever ends the runtime waits.
/// Throws error if the runtime has ended.
class runtime::visit {
 public:
  explicit visit(runtime& to);
  /// runtime::look_after() of the default runtime, if it is there: it is not started.
  static std::chrono::milliseconds look_after_default() noexcept;
  ~visit() { to_.door_.leave(); }
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;

 private:
  runtime& to_;

 public:
  detail::threads& engine;
};

}  // namespace jackdaw
