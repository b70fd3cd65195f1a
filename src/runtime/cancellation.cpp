#include "jackdaw/cancellation.hpp"

namespace jackdaw {

cancelled::~cancelled() = default;

const char* cancelled::what() const noexcept { return "cancelled: a stop was requested"; }

namespace detail {

void throw_if_stopped(const std::stop_token& stop) {
  if (stop.stop_requested()) {
    throw cancelled();
  }
}

}  // namespace detail
}  // namespace jackdaw
