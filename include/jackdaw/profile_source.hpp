#pragma once

#include <cstdint>
#include <string_view>

#pragma GCC visibility push(default)

namespace jackdaw {

/// What a scheduler that profiles tasks (docs/counters.md) knows of the data that they use.
enum class profile_source : std::uint8_t {
  none,       ///< nothing has been profiled
  counters,   ///< misses of the last private cache, by the processor's counters
  declared,   ///< what tasks declare to read and write, where counters are refused
  data_size,  ///< options.data_size split along the tree, where nothing is declared either
};

/// In a few words, for reports.
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

#pragma GCC visibility pop
