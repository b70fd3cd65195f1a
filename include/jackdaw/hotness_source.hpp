#pragma once

#include <cstdint>
#include <string_view>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The source that tells a scheduler which parts of the program's data are used most (docs/memory.md).
enum class hotness_source : std::uint8_t {
  none,             ///< The scheduler has not observed any data, or no source is available.
  address_samples,  ///< Loads from placed containers that missed the caches, sampled by the processor.
  accessed_bits,    ///< Accessed bits of sampled pages of placed containers, read repeatedly during an iteration.
  declared,         ///< Accesses that tasks declare with reads() and writes().
};

/// Returns a description of the source in a few words, for reports.
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

JACKDAW_EXPORT_END
