#include "jackdaw/algorithm/reduce.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithm/on_workers.hpp"

namespace {

using jackdaw::grain;
using jackdaw::work_of;

class reduce_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(reduce_test);

const std::vector<std::size_t> sizes_of_reduce = {0, 1, 2, 3, 4, 5, 6, 255, 256, 257, 511, 513, 1000, 20000};
const std::vector<std::size_t> grains_of_reduce = {0, 1, 2, 3, 256, 1000000};

/// 2x2 matrices modulo 2^32: the product is associative and does not commute.
struct matrix {
  std::uint32_t a, b, c, d;
  matrix() = delete;
  matrix(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) : a(a), b(b), c(c), d(d) {}
  bool operator==(const matrix&) const = default;
};
matrix operator*(const matrix& x, const matrix& y) {
  return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
}

TEST_P(reduce_test, sums_as_std) {
  run([&] {
    for (const std::size_t count : sizes_of_reduce) {
      std::vector<int> xs(count);
      jackdaw::testing::numbers random(count);
      for (int& x : xs) x = int(random() % 1000) - 500;
      const long expected = std::accumulate(xs.begin(), xs.end(), 77L);
      for (const std::size_t size : grains_of_reduce) {
        EXPECT_EQ(jackdaw::reduce(xs.begin(), xs.end(), 77L, grain{size}), expected) << count << ", grain " << size;
        EXPECT_EQ(jackdaw::reduce(xs.begin(), xs.end(), 77L, std::plus<>{}, grain{size}), expected);
      }
      EXPECT_EQ(jackdaw::reduce(xs.begin(), xs.end(), 77L), expected);
    }
  });
}

TEST_P(reduce_test, keeps_the_order_of_strings_and_matrices) {
  run([&] {
    for (const std::size_t count : {0, 1, 2, 3, 5, 256, 257, 1000}) {
      std::deque<std::string> words(count);
      std::vector<matrix> factors;
      std::string text = "<";
      matrix product{1, 1, 1, 0};
      jackdaw::testing::numbers random(count);
      for (std::string& word : words) {
        word = std::to_string(random() % 100);
        text += word;
        factors.emplace_back(random(), random(), random(), random());
        product = product * factors.back();
      }
      const auto weigh = [](std::size_t first, std::size_t last) { return double(last * last - first * first); };
      for (const std::size_t size : grains_of_reduce) {
        EXPECT_EQ(jackdaw::reduce(words.begin(), words.end(), std::string("<"), grain{size}), text);
        EXPECT_EQ(jackdaw::reduce(words.begin(), words.end(), std::string("<"), work_of{weigh}, grain{size}), text);
        EXPECT_EQ(jackdaw::reduce(factors.begin(), factors.end(), matrix{1, 1, 1, 0}, std::multiplies<>{}, grain{size}),
                  product);
      }
    }
  });
}

TEST_P(reduce_test, does_not_modify_the_elements) {
  run([&] {
    std::vector<std::string> words(1000, std::string(40, 'x'));
    const auto before = words;
    EXPECT_EQ(jackdaw::reduce(words.begin(), words.end(), std::string(), grain{3}).size(), 40000u);
    EXPECT_EQ(words, before);
  });
}

TEST_P(reduce_test, transforms_one_range_and_two) {
  run([&] {
    for (const std::size_t count : sizes_of_reduce) {
      std::vector<int> xs(count), ys(count);
      std::iota(xs.begin(), xs.end(), 1);
      std::iota(ys.begin(), ys.end(), -7);
      const long dot = std::inner_product(xs.begin(), xs.end(), ys.begin(), 5L);
      const long squares = std::inner_product(xs.begin(), xs.end(), xs.begin(), 5L);
      const auto square = [](long x) { return x * x; };
      const auto times = [](long x, long y) { return x * y; };
      for (const std::size_t size : grains_of_reduce) {
        EXPECT_EQ(jackdaw::transform_reduce(xs.begin(), xs.end(), 5L, std::plus<>{}, square, grain{size}), squares);
        EXPECT_EQ(jackdaw::transform_reduce(xs.begin(), xs.end(), ys.begin(), 5L, grain{size}), dot);
        EXPECT_EQ(jackdaw::transform_reduce(xs.begin(), xs.end(), ys.begin(), 5L, std::plus<>{}, times, grain{size}),
                  dot);
      }
      EXPECT_EQ(jackdaw::transform_reduce(xs.begin(), xs.end(), 5L, std::plus<>{}, square), squares);
      EXPECT_EQ(jackdaw::transform_reduce(xs.begin(), xs.end(), ys.begin(), 5L), dot);
      EXPECT_EQ(jackdaw::transform_reduce(xs.begin(), xs.end(), ys.begin(), 5L, std::plus<>{}, times), dot);
    }
  });
}

TEST_P(reduce_test, takes_move_only_results) {
  run([&] {
    std::vector<int> xs(1000);
    std::iota(xs.begin(), xs.end(), 0);
    const auto box = [](int x) { return std::make_unique<int>(x); };
    const auto add = [](std::unique_ptr<int> x, std::unique_ptr<int> y) {
      *x += *y;
      return x;
    };
    for (const std::size_t size : grains_of_reduce)
      EXPECT_EQ(*jackdaw::transform_reduce(xs.begin(), xs.end(), box(1), add, box, grain{size}), 499501);
  });
}

/// The bits, so that -0 and 0 differ and rounding shows.
std::uint64_t bits(double x) {
  std::uint64_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

std::vector<double> awkward_doubles(std::size_t count) {
  std::vector<double> xs(count);
  jackdaw::testing::numbers random(3);
  for (double& x : xs) x = std::ldexp(double(random() >> 11), -int(random() % 100));
  return xs;
}

TEST_P(reduce_test, floating_point_depends_on_size_and_grain_alone) {
  // Each instance of this test compares with a runtime of one worker, so all of them agree with each other.
  for (const std::size_t count : {1000, 33333}) {
    const std::vector<double> xs = awkward_doubles(count);
    for (const std::size_t size : {0, 7, 1000}) {
      const auto sum = [&] { return bits(jackdaw::reduce(xs.begin(), xs.end(), 0.1, grain{std::size_t(size)})); };
      jackdaw::options alone;
      alone.workers = 1;
      alone.pin = false;
      const std::uint64_t expected = jackdaw::runtime(alone).run(sum);
      for (int again = 0; again != 20; ++again) EXPECT_EQ(run(sum), expected) << count << ", grain " << size;
    }
  }
}

TEST_P(reduce_test, an_exception_reaches_the_caller) {
  run([&] {
    std::vector<int> xs(1000);
    std::iota(xs.begin(), xs.end(), 0);
    const auto bad = [](int x) { return x == 700 ? throw std::runtime_error("700") : x; };
    EXPECT_THROW(jackdaw::transform_reduce(xs.begin(), xs.end(), 0, std::plus<>{}, bad, grain{3}), std::runtime_error);
    const auto bad_op = [](int x, int y) { return y == 30 ? throw std::runtime_error("30") : x + y; };
    EXPECT_THROW(jackdaw::reduce(xs.begin(), xs.begin() + 31, 0, bad_op, grain{1000}), std::runtime_error);
  });
}

}  // namespace
