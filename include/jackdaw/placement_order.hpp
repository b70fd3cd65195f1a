#pragma once

#include <string_view>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The order in which workers take the cores of a machine when there are fewer workers than cores.
///
/// Under either order, workers of one package, one NUMA domain and one L3 have consecutive numbers.
enum class placement_order {
  scatter,  ///< Spreads the workers evenly over the packages, then over the NUMA domains and L3 groups in each.
  compact   ///< Fills one package after another, and in it one NUMA domain and one L3 group after another.
};

/// Returns the name of an order: "scatter" or "compact".
std::string_view name_of(placement_order order) noexcept;

/// Returns the order with the given name.
///
/// @param text "scatter" or "compact".
/// @param where Where the text comes from, such as the name of an option or an environment variable. The message of the
/// error contains it.
/// @throws error if `text` is any other text.
placement_order parse_placement_order(std::string_view text, std::string_view where);

}  // namespace jackdaw

JACKDAW_EXPORT_END
