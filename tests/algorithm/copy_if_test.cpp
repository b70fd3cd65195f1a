#include "jackdaw/algorithm/copy_if.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithm/on_workers.hpp"

namespace {

using jackdaw::grain;
using jackdaw::work_of;

class copy_if_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(copy_if_test);

const std::vector<std::size_t> sizes_of_copy = {0, 1, 2, 3, 8, 255, 256, 257, 1000, 30000};
const std::vector<std::size_t> grains_of_copy = {0, 1, 2, 63, 64, 65, 256, 1000000};

TEST_P(copy_if_test, as_std) {
  run([&] {
    for (const std::size_t count : sizes_of_copy) {
      std::vector<std::uint64_t> in(count);
      jackdaw::testing::numbers random(count);
      for (auto& x : in) x = random();
      for (const std::uint64_t divisor : {1, 2, 10, 1000000000}) {
        const auto pred = [&](std::uint64_t x) { return x % divisor == 0; };
        std::vector<std::uint64_t> expected;
        std::copy_if(in.begin(), in.end(), std::back_inserter(expected), pred);
        for (const std::size_t size : grains_of_copy) {
          std::vector<std::uint64_t> out(expected.size());  // room for exactly the kept elements
          EXPECT_EQ(jackdaw::copy_if(in.begin(), in.end(), out.begin(), pred, grain{size}), out.end());
          EXPECT_EQ(out, expected) << count << ", grain " << size;
        }
      }
    }
  });
}

TEST_P(copy_if_test, other_types_iterators_and_weights) {
  run([&] {
    std::deque<std::string> in;
    jackdaw::testing::numbers random(9);
    for (int i = 0; i != 1500; ++i) in.push_back(std::to_string(random() % 1000));
    const auto pred = [](const std::string& s) { return s.size() == 3 && s[0] < '5'; };
    const auto weigh = [](std::size_t first, std::size_t last) { return double(last * last - first * first); };
    std::vector<std::string> expected, out(in.size());
    std::copy_if(in.begin(), in.end(), std::back_inserter(expected), pred);
    out.erase(jackdaw::copy_if(in.begin(), in.end(), out.begin(), pred, work_of{weigh}), out.end());
    EXPECT_EQ(out, expected);
    out.assign(in.size(), "");
    out.erase(jackdaw::copy_if(in.begin(), in.end(), out.begin(), pred, work_of{weigh}, grain{5}), out.end());
    EXPECT_EQ(out, expected);
  });
}

TEST_P(copy_if_test, calls_the_predicate_once_per_element) {
  run([&] {
    std::vector<int> in(5000), out(5000);
    for (const std::size_t size : grains_of_copy) {
      std::atomic<int> asked = 0;
      jackdaw::copy_if(in.begin(), in.end(), out.begin(), [&](int) { return ++asked % 2 == 0; }, grain{size});
      EXPECT_EQ(asked, 5000);
    }
  });
}

TEST_P(copy_if_test, an_exception_reaches_the_caller) {
  run([&] {
    std::vector<int> in(1000), out(1000, -1);
    in[999] = 1;
    const auto pred = [](int x) { return x == 0 ? true : throw std::runtime_error("1"); };
    for (const std::size_t size : grains_of_copy)
      EXPECT_THROW(jackdaw::copy_if(in.begin(), in.end(), out.begin(), pred, grain{size}), std::runtime_error);
  });
}

}  // namespace
