#pragma once

#include <cstdint>
#include <exception>

#include "jackdaw/detail/caught.hpp"

namespace jackdaw::detail {

/// Whether this thread is the worker of a runtime that records what it does.
bool recording() noexcept;

/// The branches of an invoke in such a runtime: they run one after another where they are forked.
class recorded_group {
 public:
  recorded_group(double total, const void* site) noexcept;
  recorded_group(const recorded_group&) = delete;
  recorded_group& operator=(const recorded_group&) = delete;

  /// Skips the branch if an earlier one threw.
  template <class F>
  void run(F&& branch, double amount) {
    if (thrown_) {
      return;
    }
    fork(amount);
    try {
      branch();
    } catch (...) {
      thrown_ = caught();
    }
    end();
  }

  /// Throws what a branch threw.
  void wait();

 private:
  void fork(double amount) const noexcept;
  static void end() noexcept;

  std::uint32_t index_;
  std::exception_ptr thrown_;
};

}  // namespace jackdaw::detail
