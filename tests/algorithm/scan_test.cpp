#include "jackdaw/algorithm/scan.hpp"

#include <cmath>
#include <cstdint>
#include <deque>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithm/on_workers.hpp"

namespace {

using jackdaw::grain;
using jackdaw::work_of;

class scan_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(scan_test);

const std::vector<std::size_t> sizes_of_scan = {0, 1, 2, 3, 4, 5, 7, 8, 9, 255, 256, 257, 1000, 10000};
const std::vector<std::size_t> grains_of_scan = {0, 1, 2, 4, 256, 1000000};

template <class T>
struct made;
template <>
struct made<std::uint32_t> {
  static std::uint32_t from(std::uint64_t x) { return std::uint32_t(x); }
};
template <>
struct made<std::string> {
  static std::string from(std::uint64_t x) { return std::string(1, char('a' + x % 26)); }
};

template <class T, class... Options>
void compare_with_std(std::size_t count, const T& init, const Options&... options) {
  std::vector<T> in;
  jackdaw::testing::numbers random(count);
  for (std::size_t i = 0; i != count; ++i) in.push_back(made<T>::from(random()));
  std::vector<T> expected(count), out(count);
  const std::plus<> plus;

  std::inclusive_scan(in.begin(), in.end(), expected.begin());
  EXPECT_EQ(jackdaw::inclusive_scan(in.begin(), in.end(), out.begin(), options...), out.end());
  EXPECT_EQ(out, expected) << count;
  EXPECT_EQ(jackdaw::inclusive_scan(in.begin(), in.end(), out.begin(), plus, options...), out.end());
  EXPECT_EQ(out, expected) << count;
  out = in;
  jackdaw::inclusive_scan(out.begin(), out.end(), out.begin(), options...);
  EXPECT_EQ(out, expected) << "in place";

  std::inclusive_scan(in.begin(), in.end(), expected.begin(), plus, init);
  EXPECT_EQ(jackdaw::inclusive_scan(in.begin(), in.end(), out.begin(), plus, init, options...), out.end());
  EXPECT_EQ(out, expected) << count;

  std::exclusive_scan(in.begin(), in.end(), expected.begin(), init);
  EXPECT_EQ(jackdaw::exclusive_scan(in.begin(), in.end(), out.begin(), init, options...), out.end());
  EXPECT_EQ(out, expected) << count;
  EXPECT_EQ(jackdaw::exclusive_scan(in.begin(), in.end(), out.begin(), init, plus, options...), out.end());
  EXPECT_EQ(out, expected) << count;
  out = in;
  jackdaw::exclusive_scan(out.begin(), out.end(), out.begin(), init, options...);
  EXPECT_EQ(out, expected) << "in place";
}

TEST_P(scan_test, integers_as_std) {
  run([&] {
    for (const std::size_t count : sizes_of_scan) {
      compare_with_std<std::uint32_t>(count, 12345u);
      for (const std::size_t size : grains_of_scan) compare_with_std<std::uint32_t>(count, 12345u, grain{size});
    }
  });
}

TEST_P(scan_test, strings_as_std) {
  run([&] {
    const auto weigh = [](std::size_t first, std::size_t last) { return double(last * last - first * first); };
    for (const std::size_t count : {0, 1, 2, 3, 5, 8, 300}) {
      compare_with_std<std::string>(count, "init:");
      for (const std::size_t size : grains_of_scan) {
        compare_with_std<std::string>(count, "init:", grain{size});
        compare_with_std<std::string>(count, "init:", grain{size}, work_of{weigh});
      }
    }
  });
}

TEST_P(scan_test, the_sum_type_is_that_of_init) {
  run([&] {
    const std::vector<std::uint8_t> in(3000, 200);
    std::deque<std::uint64_t> out(in.size());
    jackdaw::exclusive_scan(in.begin(), in.end(), out.begin(), std::uint64_t{1} << 40);
    for (std::size_t i = 0; i != in.size(); ++i) ASSERT_EQ(out[i], (std::uint64_t{1} << 40) + 200 * i);
    jackdaw::inclusive_scan(in.begin(), in.end(), out.begin(), std::plus<>{}, std::uint64_t{1} << 40, grain{10});
    for (std::size_t i = 0; i != in.size(); ++i) ASSERT_EQ(out[i], (std::uint64_t{1} << 40) + 200 * (i + 1));
  });
}

/// Composition of maps x -> m x + c: associative, does not commute, no default.
struct affine {
  std::uint32_t m, c;
  affine(std::uint32_t m, std::uint32_t c) : m(m), c(c) {}
  bool operator==(const affine&) const = default;
};

TEST_P(scan_test, an_operation_that_does_not_commute) {
  run([&] {
    const auto then = [](const affine& f, const affine& g) { return affine(g.m * f.m, g.m * f.c + g.c); };
    jackdaw::testing::numbers random(1);
    std::vector<affine> in;
    for (int i = 0; i != 2000; ++i) in.emplace_back(std::uint32_t(random()), std::uint32_t(random()));
    std::vector<affine> expected(in), out(in);
    std::inclusive_scan(in.begin(), in.end(), expected.begin(), then);
    for (const std::size_t size : grains_of_scan) {
      jackdaw::inclusive_scan(in.begin(), in.end(), out.begin(), then, grain{size});
      EXPECT_EQ(out, expected);
    }
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), affine(3, 4), then);
    for (const std::size_t size : grains_of_scan) {
      jackdaw::exclusive_scan(in.begin(), in.end(), out.begin(), affine(3, 4), then, grain{size});
      EXPECT_EQ(out, expected);
    }
  });
}

TEST_P(scan_test, floating_point_depends_on_size_and_grain_alone) {
  std::vector<double> in(20000);
  jackdaw::testing::numbers random(5);
  for (double& x : in) x = std::ldexp(double(random() >> 11), -int(random() % 100));
  for (const std::size_t size : {std::size_t{0}, std::size_t{37}}) {
    const auto scanned = [&] {
      std::vector<double> out(in.size());
      jackdaw::inclusive_scan(in.begin(), in.end(), out.begin(), grain{size});
      return out;
    };
    jackdaw::options alone;
    alone.workers = 1;
    alone.pin = false;
    const std::vector<double> expected = jackdaw::runtime(alone).run(scanned);
    for (int again = 0; again != 5; ++again) EXPECT_EQ(run(scanned), expected);
  }
}

TEST_P(scan_test, an_exception_reaches_the_caller) {
  run([&] {
    std::vector<int> in(1000, 1), out(1000);
    in[800] = -1;
    const auto bad = [](int x, int y) { return y == -1 ? throw std::runtime_error("-1") : x + y; };
    for (const std::size_t size : grains_of_scan) {
      EXPECT_THROW(jackdaw::inclusive_scan(in.begin(), in.end(), out.begin(), bad, 0, grain{size}), std::runtime_error);
      EXPECT_THROW(jackdaw::exclusive_scan(in.begin(), in.end(), out.begin(), 0, bad, grain{size}), std::runtime_error);
    }
  });
}

}  // namespace
