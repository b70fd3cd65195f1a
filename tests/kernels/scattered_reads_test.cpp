#include "kernels/common/scattered_reads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <vector>

#include "kernels/common/drawn_graph.hpp"
#include "trace/recorded.hpp"

namespace jackdaw::kernels {
namespace {

constexpr std::size_t per_line = 64 / sizeof(double);

/// The lines of an array that f() declares as read, once per declaration.
template <class F>
std::vector<std::size_t> lines_read(const buffer<double>& array, const F& f) {
  std::vector<std::size_t> result;
  const trace::task_tree tree = test::recorded(f, 1);
  for (const trace::access& a : tree.accesses) {
    EXPECT_FALSE(a.write);
    EXPECT_EQ(a.length, sizeof(double));
    for (std::size_t row = 0; row != a.rows; ++row) {
      const std::size_t offset = a.address + row * a.stride - reinterpret_cast<std::uint64_t>(array.data());
      EXPECT_LT(offset, array.size() * sizeof(double));
      result.push_back(offset / 64);
    }
  }
  std::ranges::sort(result);
  return result;
}

std::vector<std::size_t> lines_declared(std::size_t elements, const std::vector<vertex>& indices) {
  const buffer<double> array(elements);
  return lines_read(array, [&] { scattered_reads(indices, per_line).declare(array.data()); });
}

using lines = std::vector<std::size_t>;

TEST(scattered_reads, a_few_are_exact) {
  EXPECT_EQ(lines_declared(64, {}), lines{});
  EXPECT_EQ(lines_declared(64, {63}), lines{7});
  EXPECT_EQ(lines_declared(4096, {4095, 17, 16, 800, 23, 0, 17}), (lines{0, 2, 100, 511}));
}

TEST(scattered_reads, contiguous_lines_are_exact) {
  std::vector<vertex> indices;
  lines expected;
  for (vertex line = 100; line != 377; ++line) {
    indices.push_back(line * per_line + line % per_line);
    expected.push_back(line);
  }
  EXPECT_EQ(lines_declared(8192, indices), expected);
}

TEST(scattered_reads, the_number_of_lines_is_exact_and_their_places_are_close) {
  constexpr vertex n = 1 << 16;
  const graph g = drawn_graph({.vertices = n, .least = 1, .most = 10, .skewed = true});
  const auto targets = g.targets(1000, 3000);
  std::set<std::size_t> exact;
  for (const vertex v : targets) exact.insert(v / per_line);
  const lines found = lines_declared(n, {targets.begin(), targets.end()});
  EXPECT_EQ(found.size(), exact.size());
  EXPECT_EQ(std::ranges::adjacent_find(found), found.end());
  // In no stretch of the array does it differ by more than a group can be wrong within.
  for (std::size_t end = 512; end <= n / per_line; end += 512) {
    const auto below = [=](const auto& in) {
      return std::ranges::count_if(in, [=](std::size_t l) { return l < end; });
    };
    EXPECT_NEAR(static_cast<double>(below(found)), static_cast<double>(below(exact)),
                static_cast<double>(exact.size()) / scattered_reads::most_groups / 2)
        << end;
  }
}

TEST(scattered_reads, skewed_graphs_have_hot_beginnings) {
  constexpr vertex n = 1 << 16;
  const graph g = drawn_graph({.vertices = n, .least = 1, .most = 10, .skewed = true});
  const buffer<double> array(n);
  neighbour_reads<double> reads;
  std::size_t exactly_hot = 0, exactly_cold = 0;
  const std::size_t all = n / per_line, hot = all / 64, cold = all / 2;
  const lines found = lines_read(array, [&] {
    for (vertex first = 0; first < n; first += 256) {
      // Some leaves were learnt before, others are looked at now.
      if (first % 512 == 0) reads.learn(g, first, first + 256);
      reads.declare(g, first, first + 256, array.data());
      std::set<std::size_t> exact;
      for (const vertex v : g.targets(first, first + 256)) exact.insert(v / per_line);
      exactly_hot += static_cast<std::size_t>(std::distance(exact.begin(), exact.lower_bound(hot)));
      exactly_cold += static_cast<std::size_t>(std::distance(exact.lower_bound(cold), exact.end()));
    }
  });
  const auto below = [&](std::size_t line) {
    return static_cast<double>(std::ranges::lower_bound(found, line) - found.begin());
  };
  const double read_hot = below(hot), read_cold = static_cast<double>(found.size()) - below(cold);
  EXPECT_NEAR(read_hot / static_cast<double>(exactly_hot), 1, 0.02);
  EXPECT_NEAR(read_cold / static_cast<double>(exactly_cold), 1, 0.08);  // a group lies across the border
  // Of a line in the first 64th over one in the second half.
  EXPECT_GT(read_hot * 32, 15 * read_cold);
}

TEST(scattered_reads, nothing_is_learnt_unless_accesses_are_recorded) {
  const graph g = drawn_graph({.vertices = 100, .least = 1, .most = 3, .skewed = false});
  neighbour_reads<double> reads;
  reads.learn(g, 0, 100);
  const buffer<double> array(100);
  EXPECT_NO_THROW(reads.declare(g, 0, 100, array.data()));
}

}  // namespace
}  // namespace jackdaw::kernels
