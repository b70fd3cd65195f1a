// The algorithms: each loop with each partitioner, reductions, scans, sorts, invokes, pipelines.
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/blocked_range3d.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <list>
#include <numeric>
#include <vector>

#include "tbb/chapter.hpp"

namespace {

using chapter::say;
using range = tbb::blocked_range<int>;

template <class Partitioner>
void loops(const char* name, Partitioner&& by) {
  constexpr int n = 20000;
  std::vector<std::atomic<int>> times(n);
  for (int round = 0; round < 5; ++round) {
    tbb::parallel_for(
        range(0, n),
        [&](const range& part) {
          for (int i = part.begin(); i < part.end(); ++i) ++times[i];
        },
        by);
    tbb::parallel_for(0, n, [&](int i) { ++times[i]; }, by);
  }
  CHECK(std::all_of(times.begin(), times.end(), [](const auto& each) { return each == 10; }));
  const long long sum = tbb::parallel_reduce(
      range(0, n), 0ll,
      [](const range& part, long long so_far) {
        for (int i = part.begin(); i < part.end(); ++i) so_far += i;
        return so_far;
      },
      std::plus<>(), by);
  say(std::string("loops and sum, ") + name, sum);
}

void deterministic() {
  const auto sum = [] {
    return tbb::parallel_deterministic_reduce(
        tbb::blocked_range<int>(1, 100000, 64), 0.0,
        [](const range& part, double so_far) {
          for (int i = part.begin(); i < part.end(); ++i) so_far += 1.0 / i;
          return so_far;
        },
        std::plus<>());
  };
  const double first = sum();
  for (int i = 0; i < 10; ++i) CHECK(sum() == first);
  say("deterministic sum, 1e12", static_cast<long long>(first * 1e12));
}

void scans() {
  std::vector<long long> in(100001), out(in.size());
  std::iota(in.begin(), in.end(), 1);
  const long long total = tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, in.size()), 0ll,
      [&](const auto& part, long long sum, bool last) {
        for (std::size_t i = part.begin(); i < part.end(); ++i) {
          sum += in[i];
          if (last) out[i] = sum;
        }
        return sum;
      },
      std::plus<>());
  std::vector<long long> expected(in.size());
  std::partial_sum(in.begin(), in.end(), expected.begin());
  CHECK(out == expected);
  say("scan", total);
}

void sorts() {
  std::vector<unsigned> numbers(200000);
  unsigned next = 7;
  for (unsigned& each : numbers) each = next = next * 1664525u + 1013904223u;
  std::vector<unsigned> expected = numbers;
  std::sort(expected.begin(), expected.end());
  tbb::parallel_sort(numbers.begin(), numbers.end());
  CHECK(numbers == expected);
  say("sort", numbers[numbers.size() / 2]);
}

void nested() {
  std::atomic<long long> sum{0};
  tbb::parallel_for(0, 60, [&](int i) {
    tbb::parallel_for(0, 60, [&](int j) {
      sum += tbb::parallel_reduce(
          range(0, 20), 0ll,
          [&](const range& part, long long so_far) { return so_far + static_cast<long long>(part.size()) * (i + j); },
          std::plus<>(), tbb::simple_partitioner());
    });
  });
  say("three levels", sum);
  std::atomic<int> blocks{0};
  tbb::parallel_for(tbb::blocked_range2d<int>(0, 300, 0, 200),
                    [&](const auto& part) { blocks += static_cast<int>(part.rows().size() * part.cols().size()); });
  tbb::parallel_for(tbb::blocked_range3d<int>(0, 20, 0, 30, 0, 40), [&](const auto& part) {
    blocks += static_cast<int>(part.pages().size() * part.rows().size() * part.cols().size());
  });
  say("blocks", blocks);
}

int fib(int n) {
  if (n < 2) return n;
  int a = 0, b = 0;
  tbb::parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
  return a + b;
}

void for_each() {
  std::list<int> items(1000);
  std::iota(items.begin(), items.end(), 0);
  std::atomic<int> seen{0};
  tbb::parallel_for_each(items.begin(), items.end(), [&](int i, tbb::feeder<int>& more) {
    seen += 1;
    if (i >= 500 && i < 1000) more.add(i + 1000);
  });
  say("for each, with items added", seen);
}

void pipelines() {
  for (const std::size_t tokens : {1, 4, 16}) {
    int next = 0, last = -1;
    long long sum = 0;
    tbb::parallel_pipeline(
        tokens, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& ends) {
                  if (next == 2000) ends.stop();
                  return next++;
                }) & tbb::make_filter<int, long long>(tbb::filter_mode::parallel, [](int i) {
                  return tbb::parallel_reduce(
                      range(0, i), 0ll,
                      [](const range& part, long long so_far) { return so_far + static_cast<long long>(part.size()); },
                      std::plus<>());
                }) & tbb::make_filter<long long, long long>(tbb::filter_mode::serial_out_of_order, [&](long long i) {
                  sum += i;
                  return i;
                }) & tbb::make_filter<long long, void>(tbb::filter_mode::serial_in_order, [&](long long i) {
                  CHECK(i == last + 1);
                  last = static_cast<int>(i);
                }));
    say("pipeline with tokens " + std::to_string(tokens), sum);
  }
}

}  // namespace

int main() {
  loops("auto", tbb::auto_partitioner());
  loops("simple", tbb::simple_partitioner());
  loops("static", tbb::static_partitioner());
  tbb::affinity_partitioner affinity;
  loops("affinity", affinity);
  deterministic();
  scans();
  sorts();
  nested();
  say("fib by invoke", fib(20));
  for_each();
  if (chapter::sees_libtbb) pipelines();
  chapter::tell_who_ran();
}
