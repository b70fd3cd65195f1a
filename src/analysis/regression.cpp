#include "analysis/regression.hpp"

#include <jackdaw/error.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace jackdaw::analysis {
namespace {

void check_finite(std::span<const double> values, const char* what) {
  if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) {
    throw error(std::string("regression: ") + what + " is not a finite number, expected finite numbers only");
  }
}

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double each : values) sum += each;
  return sum / static_cast<double>(values.size());
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void subtract(std::vector<double>& from, double times, const std::vector<double>& what) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= times * what[i];
}

}  // namespace

line_fit fit_from_sums(std::size_t count, double mean_x, double mean_y, double squares_x, double products,
                       double squares_y) {
  if (count < 3) throw error("regression: " + std::to_string(count) + " points, expected at least 3");
  if (!(squares_x > 0)) throw error("regression: all x are equal, expected at least two different ones");
  line_fit made{.count = count};
  made.slope = products / squares_x;
  made.intercept = mean_y - made.slope * mean_x;
  if (squares_y > 0) made.correlation = std::clamp(products / std::sqrt(squares_x * squares_y), -1.0, 1.0);
  // Of points on a line, rounding may leave a sum slightly below 0.
  const double residual = std::max(0.0, squares_y - made.slope * products);
  made.rmse = std::sqrt(residual / static_cast<double>(count));
  made.slope_error = std::sqrt(residual / static_cast<double>(count - 2) / squares_x);
  return made;
}

line_fit fit_line(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) {
    throw error("regression: " + std::to_string(x.size()) + " x and " + std::to_string(y.size()) +
                " y, expected as many of both");
  }
  check_finite(x, "an x");
  check_finite(y, "a y");
  if (x.size() < 3) throw error("regression: " + std::to_string(x.size()) + " points, expected at least 3");
  // Means of equal numbers may differ from them by rounding.
  if (std::all_of(x.begin(), x.end(), [&](double each) { return each == x[0]; })) {
    throw error("regression: all x are equal, expected at least two different ones");
  }
  const double mean_x = mean(x), mean_y = mean(y);
  double squares_x = 0, products = 0, squares_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    squares_x += (x[i] - mean_x) * (x[i] - mean_x);
    products += (x[i] - mean_x) * (y[i] - mean_y);
    squares_y += (y[i] - mean_y) * (y[i] - mean_y);
  }
  return fit_from_sums(x.size(), mean_x, mean_y, squares_x, products, squares_y);
}

std::vector<double> fit_columns(const std::vector<std::vector<double>>& rows, std::span<const double> y) {
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  if (rows.size() != y.size() || columns == 0 || rows.size() <= columns) {
    throw error("regression: " + std::to_string(rows.size()) + " rows of " + std::to_string(columns) + " columns for " +
                std::to_string(y.size()) + " y, expected more rows than columns and a y for each");
  }
  check_finite(y, "a y");
  for (const std::vector<double>& row : rows) {
    if (row.size() != columns) throw error("regression: rows of different lengths, expected equal ones");
    check_finite(row, "an x");
  }
  // Modified Gram-Schmidt: rows = Q R with orthonormal columns in Q; R c = Q^T y.
  std::vector<std::vector<double>> q(columns, std::vector<double>(rows.size())), r(columns);
  std::vector<double> left(y.begin(), y.end()), factors(columns);
  for (std::size_t at = 0; at < columns; ++at) {
    for (std::size_t i = 0; i < rows.size(); ++i) q[at][i] = rows[i][at];
    const double whole = std::sqrt(dot(q[at], q[at]));
    r[at].resize(columns);
    for (std::size_t before = 0; before < at; ++before) {
      r[before][at] = dot(q[before], q[at]);
      subtract(q[at], r[before][at], q[before]);
    }
    r[at][at] = std::sqrt(dot(q[at], q[at]));
    constexpr double nothing = 1e-10;
    if (!(r[at][at] > nothing * whole)) {
      throw error("regression: column " + std::to_string(at + 1) +
                  " follows from those before it, expected independent ones");
    }
    for (double& each : q[at]) each /= r[at][at];
    factors[at] = dot(q[at], left);
    subtract(left, factors[at], q[at]);
  }
  for (std::size_t at = columns; at-- > 0;) {
    for (std::size_t after = at + 1; after < columns; ++after) factors[at] -= r[at][after] * factors[after];
    factors[at] /= r[at][at];
  }
  return factors;
}

}  // namespace jackdaw::analysis
