#pragma once

#include <chrono>

#include "jackdaw/runtime.hpp"

namespace jackdaw {

/// While this lives, a runtime's engine does not end. It lives only for a hand-over, or while an arena is made, because
/// a thread that ends the runtime waits for it. The constructor throws error if the runtime has ended.
class runtime::visit {
 public:
  explicit visit(runtime& to);
  /// Calls runtime::look_after() of the default runtime, but does not start it.
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
