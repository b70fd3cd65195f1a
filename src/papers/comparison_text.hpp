#pragma once

#include <string>

#include "papers/reproduction.hpp"

namespace jackdaw::cli {

/// Returns the page's first paragraph: a sentence for each comparison, worded by its figures. Differences of at most 5%
/// count as none. Empty if there are none.
std::string comparisons_text(const reproduction& what, const reproduction::results& found);

/// Returns the tables of figures that are no claims, without rows on programs that were left out.
std::string tables_text(const reproduction& what, const reproduction::results& found);

}  // namespace jackdaw::cli
