// Programs on parlaylib's primitives, on jackdaw's workers, against serial code.
#include "parlay/programs.hpp"

#include <gtest/gtest.h>
#include <parlay/random.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/sanitized.hpp"

namespace programs {
bool operator==(const point& a, const point& b) { return a.x == b.x && a.y == b.y; }
}  // namespace programs

namespace {

using jackdaw::test::sanitized;
using programs::edge;
using programs::point;

constexpr std::size_t fewer = sanitized ? 20 : 1;

template <class T>
std::vector<T> numbers(std::size_t count, std::uint32_t below) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<T> made(count);
  for (T& each : made) each = static_cast<T>(random() % below);
  return made;
}

/// Their coordinates are whole numbers, so that sums do not depend on their order.
std::vector<point> points(std::size_t count) {
  std::mt19937 random(7);
  std::vector<point> made(count);
  for (point& each : made) each = {static_cast<double>(random() >> 12), static_cast<double>(random() >> 12)};
  return made;
}

std::string text(std::size_t words) {
  std::string made;
  for (const auto each : numbers<unsigned>(words, 30'000)) {
    for (unsigned rest = each % (1 + each % 3000); rest > 0; rest /= 7) made += static_cast<char>('a' + rest % 7);
    made += each % 5 == 0 ? ", " : " ";
  }
  return made;
}

struct how {
  const char* scheduler;
  unsigned workers;
};
void PrintTo(const how& given, std::ostream* out) { *out << given.scheduler << " on " << given.workers; }

class parlay_programs : public testing::TestWithParam<how> {
 protected:
  /// As a program calls that knows nothing of jackdaw, twice; then twice by two threads at the same time.
  template <class F>
  void expect(const F& program, const decltype(program())& right) {
    jackdaw::configure({.scheduler = GetParam().scheduler, .workers = GetParam().workers, .pin = false});
    for (int i = 0; i != 2; ++i) EXPECT_TRUE(program() == right);
    std::thread other([&] { EXPECT_TRUE(program() == right); });
    EXPECT_TRUE(program() == right);
    other.join();
    jackdaw::shutdown();
  }
};

TEST_P(parlay_programs, primes) {
  const long n = 200'000 / static_cast<long>(fewer);
  std::vector<bool> composite(static_cast<std::size_t>(n));
  std::vector<long> right;
  for (long p = 2; p < n; ++p) {
    if (composite[static_cast<std::size_t>(p)]) continue;
    right.push_back(p);
    for (long each = p * p; each < n; each += p) composite[static_cast<std::size_t>(each)] = true;
  }
  expect([&] { return programs::primes_below(n); }, right);
}

TEST_P(parlay_programs, quicksort) {
  const auto in = numbers<double>(100'000 / fewer, 50'000);
  auto right = in;
  std::sort(right.begin(), right.end());
  expect([&] { return programs::quicksorted(in); }, right);
}

TEST_P(parlay_programs, mergesort) {
  const auto in = numbers<int>(100'000 / fewer, 5000);
  std::vector<std::pair<int, std::size_t>> right;
  for (const int each : in) right.emplace_back(each, right.size());
  std::sort(right.begin(), right.end());
  expect([&] { return programs::mergesorted(in); }, right);
}

TEST_P(parlay_programs, random_permutation) {
  const std::size_t n = 50'000 / fewer;
  const parlay::random random(3);
  std::vector<std::size_t> right(n);
  std::iota(right.begin(), right.end(), std::size_t{0});
  for (std::size_t i = n; i-- > 0;) std::swap(right[i], right[random.ith_rand(i) % (i + 1)]);
  expect([&] { return programs::permuted(n, 3); }, right);
}

TEST_P(parlay_programs, histogram) {
  const auto in = numbers<std::uint32_t>(300'000 / fewer, 1000);
  std::vector<std::size_t> right(1000);
  for (const std::uint32_t each : in) ++right[each];
  expect([&] { return programs::histogram_of(in, 1000); }, right);
}

TEST_P(parlay_programs, sums_of_workers) {
  const auto in = numbers<std::uint32_t>(300'000 / fewer, 1000);
  expect([&] { return programs::sum_by_workers(in); }, std::accumulate(in.begin(), in.end(), std::uint64_t{0}));
}

TEST_P(parlay_programs, list_of_pooled_nodes) {
  const std::size_t n = 100'000 / fewer;
  expect([&] { return programs::sum_of_list(n); }, std::uint64_t{n} * (n - 1) / 2);
}

TEST_P(parlay_programs, word_counts) {
  const std::string in = text(60'000 / fewer);
  std::map<std::string, std::size_t> counts;
  std::string word;
  for (const char c : in + ' ') {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      word += c;
    } else if (!word.empty()) {
      ++counts[std::exchange(word, {})];
    }
  }
  expect([&] { return programs::word_counts(in); }, {counts.begin(), counts.end()});
}

TEST_P(parlay_programs, suffix_array) {
  const std::string in = text(10'000 / fewer);
  std::vector<std::size_t> right(in.size());
  std::iota(right.begin(), right.end(), std::size_t{0});
  std::sort(right.begin(), right.end(),
            [&](std::size_t a, std::size_t b) { return in.compare(a, in.npos, in, b, in.npos) < 0; });
  expect([&] { return programs::suffix_array(in); }, right);
}

TEST_P(parlay_programs, breadth_first_search) {
  const std::uint32_t n = 20'000 / fewer;
  std::vector<std::vector<std::uint32_t>> graph(n);
  const auto ends = numbers<std::uint32_t>(4 * std::size_t{n}, n);
  for (std::size_t i = 0; i != ends.size(); i += 2) {
    graph[ends[i]].push_back(ends[i + 1]);
    graph[ends[i + 1]].push_back(ends[i]);
  }
  std::vector<std::uint32_t> right(n, programs::unreached);
  std::queue<std::uint32_t> next({0});
  for (right[0] = 0; !next.empty(); next.pop()) {
    for (const std::uint32_t w : graph[next.front()]) {
      if (right[w] != programs::unreached) continue;
      right[w] = right[next.front()] + 1;
      next.push(w);
    }
  }
  expect([&] { return programs::distances(graph, 0); }, right);
}

TEST_P(parlay_programs, minimum_spanning_forest) {
  const std::uint32_t n = 10'000 / fewer;
  const auto ends = numbers<std::uint32_t>(8 * std::size_t{n}, n);
  std::vector<edge> edges;
  for (std::size_t i = 0; i != ends.size(); i += 2) {
    edges.push_back({ends[i], ends[i + 1], static_cast<float>((ends[i] * 7919u + ends[i + 1]) % 1000)});
  }
  std::vector<std::size_t> order(edges.size()), right;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(edges[a].weight, a) < std::pair(edges[b].weight, b);
  });
  std::vector<std::uint32_t> parents(n);
  std::iota(parents.begin(), parents.end(), std::uint32_t{0});
  const auto root = [&](std::uint32_t of) {
    while (parents[of] != of) of = parents[of] = parents[parents[of]];
    return of;
  };
  for (const std::size_t each : order) {
    const std::uint32_t a = root(edges[each].from), b = root(edges[each].to);
    if (a == b) continue;
    parents[a] = b;
    right.push_back(each);
  }
  std::sort(right.begin(), right.end());
  expect([&] { return programs::minimum_forest(edges, n); }, right);
}

TEST_P(parlay_programs, convex_hull) {
  const auto in = points(50'000 / fewer);
  std::vector<std::size_t> order(in.size()), right;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(in[a].x, in[a].y) < std::pair(in[b].x, in[b].y); });
  for (int side = 0; side != 2; ++side, std::reverse(order.begin(), order.end())) {
    std::vector<point> chain;
    std::vector<std::size_t> corners;
    for (const std::size_t each : order) {
      const auto turns_right = [&] {
        const point &a = chain[chain.size() - 2], &b = chain.back(), &c = in[each];
        return (b.x - a.x) * (c.y - a.y) <= (b.y - a.y) * (c.x - a.x);
      };
      while (chain.size() > 1 && turns_right()) chain.pop_back(), corners.pop_back();
      chain.push_back(in[each]);
      corners.push_back(each);
    }
    right.insert(right.end(), corners.begin(), corners.end() - 1);
  }
  std::sort(right.begin(), right.end());
  expect([&] { return programs::convex_hull(in); }, right);
}

TEST_P(parlay_programs, k_means) {
  const auto in = points(20'000 / fewer);
  const std::vector<point> start(in.begin(), in.begin() + 7);
  std::vector<point> right = start;
  for (int round = 0; round != 5; ++round) {
    std::vector<point> sums(7);
    std::vector<double> counts(7);
    for (const point& p : in) {
      const auto far = [&](const point& c) { return (p.x - c.x) * (p.x - c.x) + (p.y - c.y) * (p.y - c.y); };
      const auto nearest =
          std::min_element(right.begin(), right.end(), [&](auto& a, auto& b) { return far(a) < far(b); });
      const auto c = static_cast<std::size_t>(nearest - right.begin());
      sums[c] = {sums[c].x + p.x, sums[c].y + p.y};
      ++counts[c];
    }
    for (std::size_t c = 0; c != 7; ++c) {
      if (counts[c] > 0) right[c] = {sums[c].x / counts[c], sums[c].y / counts[c]};
    }
  }
  expect([&] { return programs::k_means(in, start, 5); }, right);
}

std::uint64_t serial_queens(int n, unsigned columns, unsigned rising, unsigned falling) {  // NOLINT(misc-no-recursion)
  if (columns == (1u << n) - 1) return 1;
  std::uint64_t ways = 0;
  for (unsigned here = 1; here != 1u << n; here <<= 1) {
    if (((columns | rising | falling) & here) != 0) continue;
    ways += serial_queens(n, columns | here, (rising | here) << 1, (falling | here) >> 1);
  }
  return ways;
}

TEST_P(parlay_programs, queens) {
  const int n = sanitized ? 7 : 9;
  const std::uint64_t right = serial_queens(n, 0, 0, 0);
  EXPECT_EQ(right, sanitized ? 40u : 352u);
  expect([&] { return programs::queens(n); }, right);
}

std::vector<how> ways() {
  if (sanitized) return {{"random", 5}, {"adws", 2}, {"auto", 5}};
  std::vector<how> all;
  for (const char* scheduler : {"random", "adws", "auto"}) {
    for (const unsigned workers : {1, 2, 5}) all.push_back({scheduler, workers});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(all, parlay_programs, testing::ValuesIn(ways()), [](const auto& given) {
  return std::string(given.param.scheduler) + "_on_" + std::to_string(given.param.workers);
});

}  // namespace
