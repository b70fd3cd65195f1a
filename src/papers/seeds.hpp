#pragma once

#include <optional>
#include <string>
#include <vector>

#include "papers/reproduction.hpp"

namespace jackdaw::cli {

/// What a figure comes to at each seed, ascending.
struct over_seeds {
  std::vector<double> figures;

  double least() const { return figures.front(); }
  double most() const { return figures.back(); }
  double median() const;
  /// The median with so many digits, and the least and the most if they differ from one another.
  std::string text(int digits) const;
};

/// Returns the figure with one factor of the links, or nothing if it is of a program that was left out.
std::optional<over_seeds> find_over_seeds(const reproduction::figure& of, const reproduction::results& found,
                                          std::size_t link = 0);

}  // namespace jackdaw::cli
