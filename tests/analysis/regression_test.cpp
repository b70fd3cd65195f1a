#include "analysis/regression.hpp"

#include <gtest/gtest.h>
#include <jackdaw/error.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "support/error_of.hpp"

namespace jackdaw::analysis {
namespace {

using std::vector;

TEST(fit_line, is_what_a_hand_calculates) {
  // Means 2.5 and 5; squares of x 5, products 9.5, squares of y 18.5.
  const line_fit fit = fit_line(vector<double>{1, 2, 3, 4}, vector<double>{2, 4.5, 5.5, 8});
  EXPECT_EQ(fit.count, 4u);
  EXPECT_DOUBLE_EQ(fit.slope, 1.9);
  EXPECT_DOUBLE_EQ(fit.intercept, 0.25);
  EXPECT_NEAR(fit.correlation, 9.5 / std::sqrt(5 * 18.5), 1e-12);
  // Residuals -0.15, 0.45, -0.45, 0.15: squares 0.45 in all.
  EXPECT_NEAR(fit.rmse, std::sqrt(0.45 / 4), 1e-12);
  EXPECT_NEAR(fit.slope_error, std::sqrt(0.45 / 2 / 5), 1e-12);
  EXPECT_NEAR(fit.at(10), 19.25, 1e-12);
}

TEST(fit_line, of_points_on_a_line_is_that_line) {
  const vector<double> x{71.1, 20, 86, 1e6};
  vector<double> y, down;
  for (const double each : x) {
    y.push_back(1.60991 * each + 1723.2356);
    down.push_back(5 - 2 * each);
  }
  const line_fit up = fit_line(x, y), falls = fit_line(x, down);
  EXPECT_NEAR(up.slope, 1.60991, 1e-9);
  EXPECT_NEAR(up.intercept, 1723.2356, 1e-6);
  EXPECT_NEAR(up.correlation, 1, 1e-12);
  EXPECT_NEAR(up.rmse, 0, 1e-2);
  EXPECT_DOUBLE_EQ(falls.slope, -2);
  EXPECT_NEAR(falls.correlation, -1, 1e-12);
}

TEST(fit_line, has_the_units_of_y_over_x) {
  const vector<double> x{3, 1, 4, 1, 5}, y{9, 2, 6, 5, 3};
  vector<double> thousand;
  for (const double each : y) thousand.push_back(1000 * each);
  const line_fit in_us = fit_line(x, y), in_ns = fit_line(x, thousand);
  EXPECT_NEAR(in_ns.slope, 1000 * in_us.slope, 1e-9);
  EXPECT_NEAR(in_ns.rmse, 1000 * in_us.rmse, 1e-9);
  EXPECT_NEAR(in_ns.correlation, in_us.correlation, 1e-12);
}

TEST(fit_line, of_equal_times_is_flat) {
  const line_fit fit = fit_line(vector<double>{1, 2, 3}, vector<double>{7, 7, 7});
  EXPECT_EQ(fit.slope, 0);
  EXPECT_EQ(fit.intercept, 7);
  EXPECT_EQ(fit.correlation, 0);
  EXPECT_EQ(fit.rmse, 0);
}

TEST(fit_line, refuses_what_has_no_line) {
  const auto refusal = [](const vector<double>& x, const vector<double>& y) {
    return error_of([&] { fit_line(x, y); });
  };
  EXPECT_EQ(refusal({1, 2}, {1, 2}), "regression: 2 points, expected at least 3");
  EXPECT_EQ(refusal({}, {}), "regression: 0 points, expected at least 3");
  EXPECT_EQ(refusal({1, 2, 3}, {1, 2}), "regression: 3 x and 2 y, expected as many of both");
  const char* const equal = "regression: all x are equal, expected at least two different ones";
  EXPECT_EQ(refusal({0, 0, 0}, {1, 2, 3}), equal);
  EXPECT_EQ(refusal({0.1, 0.1, 0.1}, {1, 2, 3}), equal);  // whose mean is not 0.1
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal({1, nan, 3}, {1, 2, 3}), "regression: an x is not a finite number, expected finite numbers only");
  EXPECT_EQ(refusal({1, 2, 3}, {1, infinite, 3}),
            "regression: a y is not a finite number, expected finite numbers only");
}

TEST(fit_from_sums, gives_the_papers_line_and_error) {
  // Section III-B prints these sums; r = 0.9123 gives the squares of y.
  const double squares_x = 127796.5, products = 205740.5, r = 0.9123;
  const double squares_y = products * products / squares_x / (r * r);
  const line_fit fit = fit_from_sums(50, 3555.0 / 50, 91885.0 / 50, squares_x, products, squares_y);
  EXPECT_NEAR(fit.slope, 1.60991, 5e-6);
  EXPECT_NEAR(fit.intercept, 1723.2356, 5e-4);
  EXPECT_NEAR(fit.correlation, r, 1e-12);
  EXPECT_NEAR(fit.rmse, 36.5, 0.05);
  EXPECT_NEAR(fit.rmse / std::sqrt(50), 5.1683, 0.002);  // what it prints: the root of the squares, over n
  EXPECT_NEAR(1966 - fit.at(74), 123.6, 0.1);
}

TEST(fit_from_sums, refuses_what_has_no_line) {
  EXPECT_THROW(fit_from_sums(2, 0, 0, 1, 1, 1), error);
  EXPECT_THROW(fit_from_sums(50, 0, 0, 0, 0, 1), error);
  EXPECT_THROW(fit_from_sums(50, 0, 0, std::numeric_limits<double>::quiet_NaN(), 0, 1), error);
}

TEST(fit_columns, finds_the_factors_that_made_the_y) {
  const vector<vector<double>> rows{{1, 1e6, 1e-3}, {2, 1e6, 5e-3}, {3, 4e6, 0}, {5, 9e6, 2e-3}, {8, 2e6, 1e-3}};
  vector<double> y;
  for (const auto& row : rows) y.push_back(3 * row[0] - 2e-6 * row[1] + 4e3 * row[2]);
  const vector<double> factors = fit_columns(rows, y);
  ASSERT_EQ(factors.size(), 3u);
  EXPECT_NEAR(factors[0], 3, 1e-9);
  EXPECT_NEAR(factors[1], -2e-6, 1e-15);
  EXPECT_NEAR(factors[2], 4e3, 1e-6);
}

TEST(fit_columns, agrees_with_the_line) {
  const vector<double> x{3, 1, 4, 1, 5}, y{9, 2, 6, 5, 3};
  vector<vector<double>> rows;
  for (const double each : x) rows.push_back({each, 1});
  const vector<double> factors = fit_columns(rows, y);
  const line_fit line = fit_line(x, y);
  EXPECT_NEAR(factors[0], line.slope, 1e-12);
  EXPECT_NEAR(factors[1], line.intercept, 1e-12);
}

TEST(fit_columns, refuses_what_it_cannot_tell_apart) {
  const auto refusal = [](const vector<vector<double>>& rows, const vector<double>& y) {
    return error_of([&] { fit_columns(rows, y); });
  };
  EXPECT_EQ(refusal({{1, 2}, {2, 4}, {3, 6}}, {1, 2, 3}),
            "regression: column 2 follows from those before it, expected independent ones");
  EXPECT_EQ(refusal({{0}, {0}}, {1, 2}),
            "regression: column 1 follows from those before it, expected independent ones");
  for (const auto& rows : {vector<vector<double>>{}, {{1, 2}, {2, 1}}, {{}, {}}}) {
    EXPECT_NE(refusal(rows, {1, 2}).find("expected more rows than columns"), std::string::npos);
  }
  EXPECT_EQ(refusal({{1}, {2, 3}, {1}}, {1, 2, 3}), "regression: rows of different lengths, expected equal ones");
}

}  // namespace
}  // namespace jackdaw::analysis
