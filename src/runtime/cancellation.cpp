#include "jackdaw/cancellation.hpp"

namespace jackdaw {

cancelled::~cancelled() = default;

const char* cancelled::what() const noexcept { return "cancelled: a stop was requested"; }

}  // namespace jackdaw
