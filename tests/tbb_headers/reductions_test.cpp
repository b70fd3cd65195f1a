// parallel_reduce and parallel_deterministic_reduce, as programs of oneTBB call them.
#include <gtest/gtest.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <atomic>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using elements = tbb::blocked_range<std::size_t>;

// From the specification: the sum of an array, and the index of its least element.
struct sum_body {
  const std::vector<double>& values;
  double sum = 0;
  explicit sum_body(const std::vector<double>& of) : values(of) {}
  sum_body(sum_body& left, tbb::split) : values(left.values) {}
  void operator()(const elements& part) {
    for (std::size_t i = part.begin(); i != part.end(); ++i) sum += values[i];
  }
  void join(const sum_body& right) { sum += right.sum; }
};

class least_body {
 public:
  explicit least_body(const std::vector<double>& of) : values_(of) {}
  least_body(least_body& left, tbb::split) : values_(left.values_) {}
  void operator()(const elements& part) {
    for (std::size_t i = part.begin(); i != part.end(); ++i) {
      if (values_[i] < least) least = values_[i], index = i;
    }
  }
  void join(const least_body& right) {
    if (right.least < least) least = right.least, index = right.index;
  }

  double least = std::numeric_limits<double>::max();
  std::size_t index = 0;

 private:
  const std::vector<double>& values_;
};

std::vector<double> some_values(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>((i * 7919) % 10007);
  return values;
}

template <class... Tail>
void sum_and_least(Tail&&... tail) {
  const std::vector<double> values = some_values(20000);
  sum_body sum(values);
  tbb::parallel_reduce(elements(0, values.size()), sum, tail...);
  EXPECT_EQ(sum.sum, std::accumulate(values.begin(), values.end(), 0.0));
  least_body least(values);
  tbb::parallel_reduce(elements(0, values.size(), 10), least, tail...);
  EXPECT_EQ(least.index, 0u);
  const double functional = tbb::parallel_reduce(
      elements(0, values.size()), 0.0,
      [&](const elements& part, double so_far) {
        return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(part.begin()),
                               values.begin() + static_cast<std::ptrdiff_t>(part.end()), so_far);
      },
      std::plus<double>(), tail...);
  EXPECT_EQ(functional, sum.sum);
}

TEST(TbbReduce, EachFormWithEachPartitioner) {
  tbb::affinity_partitioner affinity;
  tbb::task_group_context context;
  sum_and_least();
  sum_and_least(tbb::simple_partitioner());
  sum_and_least(tbb::auto_partitioner());
  sum_and_least(tbb::static_partitioner());
  sum_and_least(affinity);
  sum_and_least(context);
  sum_and_least(tbb::simple_partitioner(), context);
  sum_and_least(affinity, context);
}

TEST(TbbReduce, BodiesJoinInTheOrderOfTheRange) {
  std::string expected;
  for (int i = 0; i < 3000; ++i) expected += static_cast<char>('a' + i % 26);
  for (int round = 0; round < 20; ++round) {
    const std::string found = tbb::parallel_reduce(
        tbb::blocked_range<int>(0, 3000), std::string(),
        [](const tbb::blocked_range<int>& part, std::string so_far) {
          for (int i = part.begin(); i != part.end(); ++i) so_far += static_cast<char>('a' + i % 26);
          return so_far;
        },
        [](const std::string& left, const std::string& right) { return left + right; });
    ASSERT_EQ(found, expected);
  }
}

/// Writes down how it was split and joined.
struct shape_body {
  std::string shape;
  shape_body() = default;
  shape_body(shape_body&, tbb::split) {}
  void operator()(const tbb::blocked_range<int>& part) {
    shape += std::to_string(part.begin()) + "-" + std::to_string(part.end());
  }
  void join(const shape_body& right) { shape = "(" + shape + " " + right.shape + ")"; }
};

TEST(TbbReduce, ADeterministicReductionHasOneShape) {
  shape_body small;
  tbb::parallel_deterministic_reduce(tbb::blocked_range<int>(0, 8, 2), small);
  EXPECT_EQ(small.shape, "((0-2 2-4) (4-6 6-8))");
  shape_body first, again;
  tbb::parallel_deterministic_reduce(tbb::blocked_range<int>(0, 1000, 3), first, tbb::simple_partitioner());
  tbb::parallel_deterministic_reduce(tbb::blocked_range<int>(0, 1000, 3), again);
  EXPECT_EQ(first.shape, again.shape);
  shape_body parts, same_parts;
  tbb::parallel_deterministic_reduce(tbb::blocked_range<int>(0, 1000), parts, tbb::static_partitioner());
  tbb::parallel_deterministic_reduce(tbb::blocked_range<int>(0, 1000), same_parts, tbb::static_partitioner());
  EXPECT_EQ(parts.shape, same_parts.shape);
}

TEST(TbbReduce, ADeterministicSumIsTheSameEachTime) {
  tbb::task_group_context context;
  const auto sum = [&] {
    return tbb::parallel_deterministic_reduce(
        tbb::blocked_range<int>(1, 100000, 64), 0.0,
        [](const tbb::blocked_range<int>& part, double so_far) {
          for (int i = part.begin(); i != part.end(); ++i) so_far += 1.0 / i;
          return so_far;
        },
        std::plus<double>(), tbb::simple_partitioner(), context);
  };
  const double first = sum();
  for (int round = 0; round < 10; ++round) EXPECT_EQ(sum(), first);
}

TEST(TbbReduce, ReductionsWithinLoopsAndExceptions) {
  const auto count = [](int n) {
    return tbb::parallel_reduce(
        tbb::blocked_range<int>(0, n), 0,
        [](const tbb::blocked_range<int>& part, int so_far) { return so_far + static_cast<int>(part.size()); },
        std::plus<>());
  };
  const int nested = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, 50), 0,
      [&](const tbb::blocked_range<int>& part, int so_far) {
        for (int i = part.begin(); i != part.end(); ++i) so_far += count(i);
        return so_far;
      },
      std::plus<>());
  EXPECT_EQ(nested, 1225);
  EXPECT_EQ(count(0), 0);
  EXPECT_THROW(tbb::parallel_reduce(
                   tbb::blocked_range<int>(0, 1000), 0,
                   [](const tbb::blocked_range<int>& part, int) -> int {
                     if (part.begin() >= 500) throw std::runtime_error("half");
                     return 0;
                   },
                   std::plus<>()),
               std::runtime_error);
}

}  // namespace
