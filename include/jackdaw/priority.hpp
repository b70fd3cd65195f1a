#pragma once

#include <cstdint>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// How urgent the roots of an arena are, beside those of its runtime and of other arenas.
enum class priority : std::uint8_t {
  /// Workers come only when they would sleep otherwise. They go back, at their next fork, when there is something to do
  /// in their runtime or in an arena of higher priority.
  low,
  /// As a root of the runtime: workers take turns.
  normal,
  /// Workers come before they take up another root of the runtime, and those that are busy give way at their next fork.
  /// They do not leave for what is less urgent as long as they find work.
  high,
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
