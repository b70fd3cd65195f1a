#pragma once

#include <cstdint>
#include <string_view>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The source from which a profiling scheduler learns how much data tasks use (docs/counters.md).
enum class profile_source : std::uint8_t {
  none,       ///< No task has been profiled.
  counters,   ///< Misses of the last private cache, counted by the processor.
  declared,   ///< Accesses that tasks declare with reads() and writes(); used where counters are refused.
  data_size,  ///< options::data_size, divided along the task tree; used where tasks declare nothing either.
};

/// Returns a description of the source in a few words, for reports.
constexpr std::string_view describe(profile_source source) noexcept {
  switch (source) {
    case profile_source::counters:
      return "the processor's counters";
    case profile_source::declared:
      return "declared accesses";
    case profile_source::data_size:
      return "the data size, split along the tree";
    case profile_source::none:
      break;
  }
  return "nothing";
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
