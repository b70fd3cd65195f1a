#pragma once

#include <string_view>

#pragma GCC visibility push(default)

namespace jackdaw {

/// In which order the cores of a machine are taken when there are fewer workers than cores. Either way the workers
/// are then numbered so that those of one package, one NUMA domain and one L3 are neighbours.
enum class placement_order {
  scatter,  ///< the same number of workers for every package, then for every NUMA domain and every L3 in it
  compact   ///< one package after another is filled, and in it one NUMA domain and one L3 after another
};

/// "scatter" or "compact".
std::string_view name_of(placement_order order) noexcept;

/// The order called `text`; throws jackdaw::error, which names `where` (an option or an environment variable), for
/// anything but "scatter" and "compact".
placement_order parse_placement_order(std::string_view text, std::string_view where);

}  // namespace jackdaw

#pragma GCC visibility pop
