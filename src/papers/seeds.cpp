#include "papers/seeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cli/median.hpp"

namespace jackdaw::cli {

double over_seeds::median() const { return cli::median(figures); }

std::string over_seeds::text(int digits) const {
  const auto with_digits = [digits](double x) {
    const std::string made = fmt::format("{:.{}f}", x, digits);
    return made.find_first_not_of("-0.") == made.npos ? fmt::format("{:.{}f}", 0.0, digits) : made;  // no "-0"
  };
  const std::string middle = with_digits(median()), low = with_digits(least()), high = with_digits(most());
  return low == high ? middle : fmt::format("{} ({} to {})", middle, low, high);
}

std::optional<over_seeds> find_over_seeds(const reproduction::figure& of, const reproduction::results& found,
                                          std::size_t link) {
  over_seeds made;
  try {
    for (std::size_t seed = 0; seed < found.size(); ++seed) made.figures.push_back(of({found, seed, link}));
  } catch (const std::out_of_range&) {
    return std::nullopt;
  }
  std::sort(made.figures.begin(), made.figures.end());
  return made;
}

}  // namespace jackdaw::cli
