// parallel_for and parallel_invoke, as programs of oneTBB call them.
#include <gtest/gtest.h>
#include <oneapi/tbb/blocked_range2d.h>
#include <oneapi/tbb/blocked_range3d.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tbb_headers/which.hpp"

namespace {

using range = tbb::blocked_range<int>;

/// How often each index has come.
class visits {
 public:
  explicit visits(int n) : times_(static_cast<std::size_t>(n)) {}
  void add(int i) { times_[static_cast<std::size_t>(i)].fetch_add(1, std::memory_order_relaxed); }
  void add(const range& part) {
    for (int i = part.begin(); i != part.end(); ++i) add(i);
  }
  bool all(int expected) const {
    return std::all_of(times_.begin(), times_.end(), [&](const auto& each) { return each == expected; });
  }

 private:
  std::vector<std::atomic<int>> times_;
};

template <class... Tail>
void every_form(Tail&&... tail) {
  constexpr int n = 5000;
  visits seen(n);
  tbb::parallel_for(range(0, n), [&](const range& part) { seen.add(part); }, tail...);
  tbb::parallel_for(0, n, [&](int i) { seen.add(i); }, tail...);
  tbb::parallel_for(0, n, 7, [&](int i) { seen.add(i); }, tail...);
  for (int first = 1; first < 7; ++first) tbb::parallel_for(first, n, 7, [&](int i) { seen.add(i); }, tail...);
  tbb::parallel_for(n, 0, [&](int i) { seen.add(i); }, tail...);
  EXPECT_TRUE(seen.all(3));
}

TEST(TbbLoops, EachFormWithEachPartitionerVisitsEachIndexOnce) {
  tbb::affinity_partitioner affinity;
  tbb::task_group_context context;
  every_form();
  every_form(tbb::simple_partitioner());
  every_form(tbb::auto_partitioner());
  every_form(tbb::static_partitioner());
  every_form(affinity);
  every_form(context);
  every_form(tbb::simple_partitioner(), context);
  every_form(tbb::auto_partitioner(), context);
  every_form(tbb::static_partitioner(), context);
  every_form(affinity, context);
}

TEST(TbbLoops, IndexTypesAreThoseOfTheCall) {
  std::atomic<unsigned long> sum{0};
  tbb::parallel_for<std::size_t>(0, 100, [&](std::size_t i) { sum += i; });
  tbb::parallel_for(static_cast<short>(-10), static_cast<short>(10), static_cast<short>(4),
                    [&](short i) { sum += static_cast<unsigned long>(i + 10); });
  EXPECT_EQ(sum, 4950u + 40u);
  EXPECT_THROW(tbb::parallel_for(0, 10, 0, [](int) {}), std::invalid_argument);
  EXPECT_THROW(tbb::parallel_for(0, 10, -1, [](int) {}), std::invalid_argument);
}

TEST(TbbLoops, ASimplePartitionerDividesToTheGrain) {
  std::atomic<int> parts{0};
  tbb::parallel_for(
      range(0, 1 << 12, 16),
      [&](const range& part) {
        EXPECT_EQ(part.size(), 16u);
        ++parts;
      },
      tbb::simple_partitioner());
  EXPECT_EQ(parts, 1 << 8);
  std::atomic<int> large{0};
  tbb::parallel_for(range(0, 1000, 300), [&](const range& part) { large += part.size() > 150 ? 1 : 0; });
  EXPECT_GE(large, 1);
}

// From the specification: a matrix multiplication in tiles.
TEST(TbbLoops, MatricesAreMultipliedInTiles) {
  constexpr int n = 60;
  std::vector<double> a(n * n), b(n * n), c(n * n), expected(n * n);
  for (int i = 0; i < n * n; ++i) a[std::size_t(i)] = i % 7, b[std::size_t(i)] = i % 5;
  const auto cell = [&](int row, int column) {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += a[std::size_t(row * n + k)] * b[std::size_t(k * n + column)];
    return sum;
  };
  for (int i = 0; i < n * n; ++i) expected[std::size_t(i)] = cell(i / n, i % n);
  tbb::parallel_for(tbb::blocked_range2d<int>(0, n, 8, 0, n, 16), [&](const tbb::blocked_range2d<int>& tile) {
    for (int row = tile.rows().begin(); row != tile.rows().end(); ++row) {
      for (int column = tile.cols().begin(); column != tile.cols().end(); ++column) {
        c[std::size_t(row * n + column)] = cell(row, column);
      }
    }
  });
  EXPECT_EQ(c, expected);

  std::atomic<int> cells{0};
  tbb::parallel_for(tbb::blocked_range3d<int>(0, 10, 0, 11, 0, 12), [&](const auto& box) {
    cells += static_cast<int>(box.pages().size() * box.rows().size() * box.cols().size());
  });
  EXPECT_EQ(cells, 10 * 11 * 12);
}

TEST(TbbLoops, ATimeLoopWithAnAffinityPartitionerIsThatOfSerialCode) {
  constexpr int n = 2000, steps = 30;
  std::vector<double> now(n), next(n), serial(n), serial_next(n);
  for (int i = 0; i < n; ++i) now[std::size_t(i)] = serial[std::size_t(i)] = std::sin(i);
  const auto smooth = [](const std::vector<double>& from, std::vector<double>& to, int begin, int end) {
    for (int i = std::max(begin, 1); i < std::min(end, n - 1); ++i) {
      to[std::size_t(i)] = (from[std::size_t(i - 1)] + from[std::size_t(i)] + from[std::size_t(i + 1)]) / 3;
    }
  };
  tbb::affinity_partitioner affinity;
  for (int step = 0; step < steps; ++step) {
    tbb::parallel_for(range(0, n), [&](const range& part) { smooth(now, next, part.begin(), part.end()); }, affinity);
    smooth(serial, serial_next, 0, n);
    std::swap(now, next);
    std::swap(serial, serial_next);
  }
  EXPECT_EQ(now, serial);
}

/// A range of one's own, that can be copied and divided and nothing else.
class evens {
 public:
  evens(int first, int last) : first_(first), last_(last) {}
  evens(evens& left, tbb::split) : first_((left.first_ + left.last_) / 4 * 2), last_(left.last_) {
    left.last_ = first_;
  }
  evens(const evens&) = default;
  evens& operator=(const evens&) = delete;
  bool empty() const { return first_ >= last_; }
  bool is_divisible() const { return last_ - first_ > 4; }
  int sum() const {
    int sum = 0;
    for (int i = first_; i < last_; i += 2) sum += i;
    return sum;
  }

 private:
  const int first_;
  int last_;
};

/// One that counts how it is divided.
struct counted : range {
  counted(int first, int last, std::atomic<int>& whole, std::atomic<int>& parts)
      : range(first, last), in_half(&whole), in_parts(&parts) {}
  counted(counted& left, tbb::split how) : range(left, how), in_half(left.in_half), in_parts(left.in_parts) {
    ++*in_half;
  }
  counted(counted& left, tbb::proportional_split& how)
      : range(left, how), in_half(left.in_half), in_parts(left.in_parts) {
    ++*in_parts;
  }
  std::atomic<int>* in_half;
  std::atomic<int>* in_parts;
};

TEST(TbbLoops, RangesOfOnesOwnAreDividedAsTheyCan) {
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> sum{0};
    const auto add = [&](const evens& part) { sum += part.sum(); };
    if (round == 0) tbb::parallel_for(evens(0, 1000), add);
    if (round == 1) tbb::parallel_for(evens(0, 1000), add, tbb::simple_partitioner());
    if (round == 2) tbb::parallel_for(evens(0, 1000), add, tbb::static_partitioner());
    EXPECT_EQ(sum, 249500);
  }
  std::atomic<int> in_half{0}, in_parts{0}, elements{0};
  const auto add = [&](const counted& part) { elements += static_cast<int>(part.size()); };
  tbb::parallel_for(counted(0, 64, in_half, in_parts), add, tbb::simple_partitioner());
  EXPECT_EQ(in_half, 63);
  EXPECT_EQ(in_parts, 0);
  tbb::affinity_partitioner affinity;
  tbb::parallel_for(counted(0, 64, in_half, in_parts), add, affinity);
  EXPECT_GT(in_parts, 0);
  EXPECT_EQ(elements, 128);
}

/// A body whose copies have something of their own that a call writes to.
class with_scratch {
 public:
  explicit with_scratch(std::atomic<long>& sum) : sum_(sum) {}
  void operator()(const range& part) const {
    for (int i = part.begin(); i != part.end(); ++i) {
      scratch_[0] = i;
      scratch_[1] = scratch_[0] * 2;
      sum_ += scratch_[1] - scratch_[0];
    }
  }

 private:
  std::atomic<long>& sum_;
  mutable std::array<int, 2> scratch_{};
};

TEST(TbbLoops, NoTwoThreadsUseOneCopyOfABody) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<long> sum{0};
    tbb::parallel_for(range(0, 2000), with_scratch(sum), tbb::simple_partitioner());
    EXPECT_EQ(sum, 1999000);
  }
}

TEST(TbbLoops, LoopsWithinLoopsReturnOnTheirThread) {
  visits seen(20 * 20 * 20);
  tbb::parallel_for(0, 20, [&](int i) {
    const auto thread = std::this_thread::get_id();
    tbb::parallel_for(0, 20, [&](int j) {
      const auto inner = std::this_thread::get_id();
      tbb::parallel_for(range(0, 20), [&](const range& part) {
        for (int k = part.begin(); k != part.end(); ++k) seen.add((i * 20 + j) * 20 + k);
      });
      EXPECT_EQ(std::this_thread::get_id(), inner);
    });
    EXPECT_EQ(std::this_thread::get_id(), thread);
  });
  EXPECT_TRUE(seen.all(1));
}

TEST(TbbLoops, ThreadsCallAtTheSameTime) {
  std::atomic<int> sum{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&] {
      for (int i = 0; i < 50; ++i) tbb::parallel_for(0, 100, [&](int) { ++sum; });
    });
  }
  for (std::thread& each : callers) each.join();
  EXPECT_EQ(sum, 4 * 50 * 100);
}

TEST(TbbLoops, PartsRunOnJackdawsWorkers) {
  if (!on_jackdaw) GTEST_SKIP();
  std::atomic<int> elsewhere{0};
  tbb::parallel_for(0, 1000, [&](int) { elsewhere += is_worker() ? 0 : 1; });
  EXPECT_EQ(elsewhere, 0);
}

TEST(TbbInvoke, AnyNumberOfFunctionsWithOrWithoutAContext) {
  std::array<std::atomic<int>, 10> ran{};
  const auto f = [&](std::size_t i) { return [&ran, i] { ++ran[i]; }; };
  tbb::parallel_invoke(f(0), f(1));
  tbb::parallel_invoke(f(0), f(1), f(2));
  tbb::parallel_invoke(f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8), f(9));
  tbb::task_group_context context;
  tbb::parallel_invoke(f(0), f(1), context);
  const auto named = f(2);
  tbb::parallel_invoke(f(0), f(1), named, f(3), f(4), context);
  const std::array<int, 10> expected{5, 5, 3, 2, 2, 1, 1, 1, 1, 1};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(ran[i], expected[i]) << i;
  EXPECT_TRUE(context.cancel_group_execution());
  tbb::parallel_invoke(f(0), f(1), context);
  EXPECT_EQ(ran[0], 5);
}

TEST(TbbInvoke, FunctionsNeedNotBeCopyable) {
  auto one = std::make_unique<int>(1);
  std::atomic<int> sum{0};
  const auto moved = [one = std::move(one), &sum] { sum += *one; };
  tbb::parallel_invoke(moved, [two = std::make_unique<int>(2), &sum] { sum += *two; });
  EXPECT_EQ(sum, 3);
}

int fib(int n) {
  if (n < 2) return n;
  int x = 0, y = 0;
  tbb::parallel_invoke([&] { x = fib(n - 1); }, [&] { y = fib(n - 2); });
  return x + y;
}

TEST(TbbInvoke, Recursion) { EXPECT_EQ(fib(18), 2584); }

}  // namespace
