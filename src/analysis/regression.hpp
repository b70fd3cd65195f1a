#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Ordinary least squares, as the paper on prediction uses it (section III-B, Eq. 3). Whoever reads a fit has to judge
/// it: a slope has the unit of y over that of x, and says nothing about causes.
namespace jackdaw::analysis {

/// The line that fits points best: y = slope x + intercept.
struct line_fit {
  std::size_t count = 0;   ///< of points
  double slope = 0;        ///< b: the sum of products over the sum of squares of x, both about the means
  double intercept = 0;    ///< a
  double correlation = 0;  ///< Pearson's r; 0 if all y are equal
  double rmse = 0;         ///< the root of the mean squared residual, in the unit of y
  double slope_error = 0;  ///< the slope's standard error, with count - 2 degrees of freedom

  double at(double x) const noexcept { return slope * x + intercept; }
};

/// Throws error unless there are as many x as y, at least three, all finite, and not all x are equal.
line_fit fit_line(std::span<const double> x, std::span<const double> y);

/// The same from the sums that papers print: of squares of x, of products, of squares of y (about the means), and the
/// means. Throws error for fewer than three points, and if `squares_x` is not positive.
line_fit fit_from_sums(std::size_t count, double mean_x, double mean_y, double squares_x, double products,
                       double squares_y);

/// The factors c that minimise the sum of (y - c x)^2 over the rows. There is no intercept unless a column is constant.
/// `rows`: the x of each y, all of one length. Throws error unless there are more rows than columns, all values are
/// finite, and no column follows from the others.
std::vector<double> fit_columns(const std::vector<std::vector<double>>& rows, std::span<const double> y);

}  // namespace jackdaw::analysis
