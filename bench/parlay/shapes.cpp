#include <parlay/delayed.h>
#include <parlay/monoid.h>
#include <parlay/parallel.h>
#include <parlay/primitives.h>
#include <parlay/sequence.h>

#include "programs.hpp"

namespace programs {
namespace {

double area(const point& a, const point& b, const point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

using places = parlay::sequence<std::size_t>;

/// The corners of what lies to the left of the way from a to b, all of `left`, without both.
places quickhull(const std::vector<point>& points, places left, std::size_t a, std::size_t b) {  // NOLINT
  if (left.size() < 2) return left;
  const auto heights = parlay::delayed::tabulate(
      left.size(), [&](std::size_t i) { return area(points[a], points[b], points[left[i]]); });
  const std::size_t top = left[static_cast<std::size_t>(parlay::max_element(heights) - heights.begin())];
  auto to_left_of = [&](std::size_t from, std::size_t to) {
    return parlay::filter(left, [&, from, to](std::size_t i) { return area(points[from], points[to], points[i]) > 0; });
  };
  places before, after;
  parlay::par_do([&] { before = quickhull(points, to_left_of(a, top), a, top); },
                 [&] { after = quickhull(points, to_left_of(top, b), top, b); });
  before.push_back(top);
  return parlay::append(before, after);
}

struct placed {  // a board's columns and diagonals that are taken
  unsigned columns = 0, rising = 0, falling = 0;
};

std::uint64_t queens_below(int n, int row, const placed& taken) {  // NOLINT(misc-no-recursion)
  if (row == n) return 1;
  const auto ways = parlay::tabulate(
      static_cast<std::size_t>(n),
      [&](std::size_t column) -> std::uint64_t {
        const unsigned here = 1u << column;
        if (((taken.columns | taken.rising | taken.falling) & here) != 0) return 0;
        return queens_below(n, row + 1,
                            {taken.columns | here, (taken.rising | here) << 1, (taken.falling | here) >> 1});
      },
      row < n / 2 ? 1 : static_cast<std::size_t>(n));
  return parlay::reduce(ways);
}

}  // namespace

std::vector<std::size_t> convex_hull(const std::vector<point>& points) {
  const auto order = [&](const point& a, const point& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); };
  const auto [least, greatest] = parlay::minmax_element(points, order);
  const auto first = static_cast<std::size_t>(least - points.begin());
  const auto last = static_cast<std::size_t>(greatest - points.begin());
  const auto all = parlay::iota<std::size_t>(points.size());
  places above = parlay::filter(all, [&](std::size_t i) { return area(points[first], points[last], points[i]) > 0; });
  places below = parlay::filter(all, [&](std::size_t i) { return area(points[last], points[first], points[i]) > 0; });
  parlay::par_do([&] { above = quickhull(points, std::move(above), first, last); },
                 [&] { below = quickhull(points, std::move(below), last, first); });
  places corners = parlay::append(above, below);
  corners.push_back(first);
  if (last != first) corners.push_back(last);
  parlay::sort_inplace(corners);
  return {corners.begin(), corners.end()};
}

std::vector<point> k_means(const std::vector<point>& points, std::vector<point> centres, int rounds) {
  struct part {
    double x, y;
    std::size_t count;
  };
  const auto add = [](const part& a, const part& b) { return part{a.x + b.x, a.y + b.y, a.count + b.count}; };
  for (int round = 0; round != rounds; ++round) {
    const auto nearest = parlay::delayed::map(points, [&](const point& p) {
      std::size_t best = 0;
      double least = 1e300;
      for (std::size_t c = 0; c != centres.size(); ++c) {
        const double x = p.x - centres[c].x, y = p.y - centres[c].y, far = x * x + y * y;
        if (far < least) least = far, best = c;
      }
      return std::pair(best, part{p.x, p.y, 1});
    });
    const auto sums = parlay::reduce_by_index(nearest, centres.size(), parlay::binary_op(add, part{0, 0, 0}));
    for (std::size_t c = 0; c != centres.size(); ++c) {
      const auto count = static_cast<double>(sums[c].count);
      if (sums[c].count != 0) centres[c] = {sums[c].x / count, sums[c].y / count};
    }
  }
  return centres;
}

std::uint64_t queens(int n) { return queens_below(n, 0, {}); }

}  // namespace programs
