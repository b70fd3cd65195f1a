#pragma once

#include <atomic>
#include <exception>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// The first exception of several forks that pass none on. Joins order everything: what keep() writes is read after the
/// join with the fork that called it.
class first_exception {
 public:
  /// In a handler.
  void keep() noexcept {
    if (!claimed_.test_and_set(std::memory_order_relaxed)) error_ = caught();
    failed_.store(true, std::memory_order_relaxed);
  }
  /// True for every later step of the caller and of its forks; for other forks at some time.
  bool any() const noexcept { return failed_.load(std::memory_order_relaxed); }
  /// After all joins.
  void rethrow() const {
    if (any()) std::rethrow_exception(error_);
  }

 private:
  std::atomic_flag claimed_ = ATOMIC_FLAG_INIT;
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
