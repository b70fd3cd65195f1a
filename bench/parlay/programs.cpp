// Programs on parlaylib's algorithms, to be recorded: they know nothing of work hints or declared accesses.
//   JACKDAW_WORKERS=112 JACKDAW_RECORD=bfs.trace parlay_programs bfs
#include "scheduler.hpp"
//
#include <parlay/primitives.h>
#include <parlay/random.h>
#include <parlay/sequence.h>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace {

using parlay::sequence;
using number = unsigned long;

sequence<number> random_numbers(std::size_t count, number range) {
  const parlay::random_generator generator(1);
  return parlay::tabulate(count, [&](std::size_t i) {
    auto random = generator[i];
    return static_cast<number>(random()) % range;
  });
}

/// Breadth-first search of a random graph: each round maps, filters and flattens its frontier.
number search_breadth_first(const sequence<number>& ends) {
  constexpr std::size_t degree = 8;
  const std::size_t vertices = ends.size() / degree / 8;  // few, because each vertex of a round is tasks of its own
  auto visited = parlay::tabulate<std::atomic<bool>>(vertices, [](std::size_t i) { return i == 0; });
  sequence<number> frontier(1, 0);
  number rounds = 0;
  for (; !frontier.empty(); ++rounds) {
    auto next = parlay::map(frontier, [&](number from) {
      auto neighbours =
          parlay::tabulate(degree, [&](std::size_t i) { return ends[from * degree + i] % vertices; }, degree);
      return parlay::filter(neighbours, [&](number to) { return !visited[to].exchange(true); });
    });
    frontier = parlay::flatten(next);
  }
  return rounds;
}

/// Lloyd's algorithm on a line: each round finds the nearest centre and sums by centre.
number cluster(const sequence<number>& points, int rounds) {
  constexpr std::size_t clusters = 10;
  sequence<number> centres(points.begin(), points.begin() + clusters);
  for (int round = 0; round < rounds; ++round) {
    auto nearest = parlay::map(points, [&](number point) {
      const auto distance = [&](number centre) { return point < centre ? centre - point : point - centre; };
      std::size_t best = 0;
      for (std::size_t i = 1; i < clusters; ++i) {
        if (distance(centres[i]) < distance(centres[best])) best = i;
      }
      return std::pair(best, point);
    });
    auto sums = parlay::reduce_by_index(nearest, clusters, parlay::plus<number>());
    auto counts =
        parlay::histogram_by_index(parlay::map(nearest, [](const auto& each) { return each.first; }), clusters);
    for (std::size_t i = 0; i < clusters; ++i) {
      if (counts[i] > 0) centres[i] = sums[i] / counts[i];
    }
  }
  return centres[0];
}

struct point {
  double x, y;
};

double area(const point& a, const point& b, const point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Quickhull: the corners of the hull of `points` to the left of the line from `begin` to `end`.
number corners(const sequence<point>& points, point begin, point end) {
  if (points.size() < 2) return points.size();
  const auto nearer = [&](const point& a, const point& b) { return area(begin, end, a) < area(begin, end, b); };
  const point farthest = *parlay::max_element(points, nearer);
  const auto half = [&](point from, point to) {
    return corners(parlay::filter(points, [&](const point& each) { return area(from, to, each) > 0; }), from, to);
  };
  number left = 0, right = 0;
  parlay::par_do([&] { left = half(begin, farthest); }, [&] { right = half(farthest, end); });
  return left + right + 1;
}

number hull(const sequence<number>& numbers) {
  auto points = parlay::map(numbers, [](number each) {
    const double angle = static_cast<double>(each % 6'283'185) * 1e-6;
    const double radius = std::sqrt(static_cast<double>(each / 6'283'185 % 1000) / 1000);
    return point{radius * std::cos(angle), radius * std::sin(angle)};
  });
  return corners(points, {-1.1, 0}, {1.1, 0});
}

/// The primes up to `limit`, sieved with those up to its root.
sequence<std::size_t> primes(std::size_t limit) {
  if (limit < 2) return {};
  const auto small = primes(static_cast<std::size_t>(std::sqrt(limit)));
  sequence<char> prime(limit + 1, 1);
  prime[0] = prime[1] = 0;
  parlay::parallel_for(
      0, small.size(),
      [&](std::size_t i) {
        parlay::parallel_for(2, limit / small[i] + 1, [&](std::size_t j) { prime[small[i] * j] = 0; }, 1000);
      },
      1);
  return parlay::pack_index(prime);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, std::function<number(const sequence<number>&)>> programs{
      {"sample-sort", [](const auto& numbers) { return parlay::sort(numbers)[0]; }},
      {"integer-sort", [](const auto& numbers) { return parlay::integer_sort(numbers)[0]; }},
      {"permutation", [](const auto& numbers) { return parlay::random_permutation<number>(numbers.size())[0]; }},
      {"bfs", search_breadth_first},
      {"kmeans", [](const auto& numbers) { return cluster(numbers, 40); }},
      {"quickhull", hull},
      {"primes", [](const auto& numbers) { return number{primes(4 * numbers.size()).size()}; }}};
  const auto chosen = programs.find(argc == 2 ? argv[1] : "");
  if (chosen == programs.end()) {
    std::fprintf(stderr, "parlay_programs: expected one argument, one of");
    for (const auto& [name, program] : programs) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  auto& runtime = jackdaw::runtime::instance();
  runtime.label_next_root("prepare");
  const auto numbers = runtime.run([] { return random_numbers(1'000'000, number{1} << 40U); });
  runtime.label_next_root("run");
  std::printf("%s: %lu\n", chosen->first.c_str(), runtime.run([&] { return chosen->second(numbers); }));
}
