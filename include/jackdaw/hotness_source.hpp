#pragma once

#include <cstdint>
#include <string_view>

#pragma GCC visibility push(default)

namespace jackdaw {

/// How it was found out which parts of a program's data are used most (docs/memory.md).
enum class hotness_source : std::uint8_t {
  none,             ///< nobody has asked, or nothing could be seen
  address_samples,  ///< addresses in placed containers of loads that missed the caches, as the processor samples them
  accessed_bits,    ///< accessed bits of sampled pages of placed containers, again and again during an iteration
  declared,         ///< what tasks declare to read and write
};

/// In a few words, for reports.
constexpr std::string_view describe(hotness_source source) noexcept {
  switch (source) {
    case hotness_source::address_samples:
      return "sampled addresses of misses";
    case hotness_source::accessed_bits:
      return "accessed bits of sampled pages";
    case hotness_source::declared:
      return "declared accesses";
    case hotness_source::none:
      break;
  }
  return "nothing";
}

}  // namespace jackdaw

#pragma GCC visibility pop
