#include "jackdaw/detail/algorithm/head_start.hpp"

#include <chrono>

#include "runtime/runtime_access.hpp"
#include "runtime/worker.hpp"

namespace jackdaw::detail {
namespace {

constexpr std::chrono::nanoseconds most = std::chrono::microseconds(100);

}  // namespace

bool head_start::goes_on() noexcept {
  if (this_worker() != nullptr || !runtime_access::default_is_busy()) {
    return false;
  }
  const std::int64_t now = std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  if (until_ == 0) {
    until_ = now + most.count();
  }
  return now < until_;
}

}  // namespace jackdaw::detail
