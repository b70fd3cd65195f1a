#include "jackdaw/detail/head_start.hpp"

#include <algorithm>
#include <chrono>

#include "runtime/runtime_access.hpp"
#include "runtime/worker.hpp"

namespace jackdaw::detail {
namespace {

constexpr std::chrono::nanoseconds in_all = std::chrono::microseconds(100), short_step = std::chrono::microseconds(10);

}  // namespace

std::size_t head_start::next(std::size_t most) noexcept {
  if (this_worker() != nullptr || !runtime_access::default_is_busy()) {
    return 0;
  }
  const std::int64_t now = std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  if (begun_ == 0) {
    begun_ = now;
  } else if (now - begun_ >= in_all.count()) {
    return 0;
  } else if (now - last_ < short_step.count()) {
    step_ *= 2;
  }
  last_ = now;
  step_ = std::min(step_, most);
  return step_;
}

}  // namespace jackdaw::detail
