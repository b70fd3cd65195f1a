// bench_parlay, bench_parlay_own [ROUNDS]: programs on parlaylib's primitives, on jackdaw or on parlaylib's own
// scheduler. In ms: the median of the rounds, the fastest and the slowest. The same sources twice, because one program
// cannot have both schedulers: start them in turn. $PARLAY_NUM_THREADS sets the workers of both.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "programs.hpp"

namespace {

using clock_type = std::chrono::steady_clock;

std::mt19937_64 source(1);

std::vector<std::uint32_t> numbers(std::size_t count, std::uint32_t below) {
  std::vector<std::uint32_t> made(count);
  for (auto& each : made) each = static_cast<std::uint32_t>(source() % below);
  return made;
}

struct inputs {
  std::vector<double> reals;
  std::vector<int> wholes;
  std::vector<std::uint32_t> small = numbers(10'000'000, 1000);
  std::string text;
  std::vector<std::vector<std::uint32_t>> graph{500'000};
  std::vector<programs::edge> edges;
  std::vector<programs::point> points;

  inputs() {
    for (const auto each : numbers(2'000'000, 1'000'000'000)) reals.push_back(each);
    for (const auto each : numbers(2'000'000, 1'000'000'000)) wholes.push_back(static_cast<int>(each));
    for (const auto each : numbers(4'000'000, 27)) text += each == 26 ? ' ' : static_cast<char>('a' + each % 7);
    const auto ends = numbers(5'000'000, 500'000);
    for (std::size_t i = 0; i != ends.size(); i += 2) {
      graph[ends[i]].push_back(ends[i + 1]);
      graph[ends[i + 1]].push_back(ends[i]);
      edges.push_back({ends[i], ends[i + 1], static_cast<float>(source() % 1'000'000)});
    }
    for (int i = 0; i != 2'000'000; ++i) {
      points.push_back({static_cast<double>(source() >> 44), static_cast<double>(source() >> 44)});
    }
  }
};

struct program {
  const char* name;
  std::function<bool(const inputs&)> is_right;  // runs it; looks at little of the result, which the tests check
};

const program list[] = {
    {"primes", [](const inputs&) { return programs::primes_below(10'000'000).size() == 664'579; }},
    {"quicksort", [](const inputs& in) { return std::ranges::is_sorted(programs::quicksorted(in.reals)); }},
    {"mergesort", [](const inputs& in) { return programs::mergesorted(in.wholes).size() == in.wholes.size(); }},
    {"permutation", [](const inputs&) { return programs::permuted(1'000'000, 1).size() == 1'000'000; }},
    {"histogram", [](const inputs& in) { return programs::histogram_of(in.small, 1000).size() == 1000; }},
    {"pooled list", [](const inputs&) { return programs::sum_of_list(2'000'000) == 1'999'999'000'000; }},
    {"word counts", [](const inputs& in) { return programs::word_counts(in.text).size() > 1000; }},
    {"suffix array",
     [](const inputs& in) { return programs::suffix_array(in.text.substr(0, 400'000)).size() == 400'000; }},
    {"BFS", [](const inputs& in) { return programs::distances(in.graph, 0)[0] == 0; }},
    {"Kruskal", [](const inputs& in) { return programs::minimum_forest(in.edges, 500'000).size() > 400'000; }},
    {"convex hull", [](const inputs& in) { return programs::convex_hull(in.points).size() > 10; }},
    {"k-means",
     [](const inputs& in) {
       return programs::k_means(in.points, {in.points.begin(), in.points.begin() + 10}, 5).size() == 10;
     }},
    {"queens", [](const inputs&) { return programs::queens(11) == 2680; }},
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  if (argc > 2 || rounds < 1) {
    std::fprintf(stderr, "%s: expected one number of rounds, at least 1\n", argv[0]);
    return 2;
  }
  const inputs in;
  for (const program& each : list) {
    std::vector<double> took;
    for (int round = 0; round <= rounds; ++round) {
      const clock_type::time_point start = clock_type::now();
      const bool right = each.is_right(in);
      const double ms = std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
      if (!right) {
        std::fprintf(stderr, "%s: %s computed something else\n", argv[0], each.name);
        return 1;
      }
      if (round != 0) took.push_back(ms);  // the first touches memory and starts workers
    }
    std::sort(took.begin(), took.end());
    std::printf("%-14s %8.1f [%.1f, %.1f]\n", each.name, took[took.size() / 2], took.front(), took.back());
    std::fflush(stdout);
  }
  return 0;
}
