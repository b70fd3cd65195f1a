#include "jackdaw/algorithm/for_each.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "algorithm/on_workers.hpp"

namespace {

using jackdaw::grain;
using jackdaw::work_of;

class for_each_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(for_each_test);

const std::vector<std::size_t> sizes_of_loop = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 100000};
const std::vector<std::size_t> grains_of_loop = {0, 1, 2, 8, 64, 1000, std::numeric_limits<std::size_t>::max()};

/// Blocks in the order in which they began.
template <class... Options>
std::vector<std::pair<std::size_t, std::size_t>> blocks_of(std::size_t count, const Options&... options) {
  std::vector<std::pair<std::size_t, std::size_t>> blocks;
  std::mutex mutex;
  auto note = [&](std::size_t first, std::size_t last) {
    const std::lock_guard lock(mutex);
    blocks.emplace_back(first, last);
  };
  jackdaw::for_range(std::size_t{0}, count, note, options...);
  return blocks;
}

void expect_partition(std::vector<std::pair<std::size_t, std::size_t>> blocks, std::size_t count) {
  std::sort(blocks.begin(), blocks.end());
  std::size_t next = 0;
  for (const auto& [first, last] : blocks) {
    ASSERT_EQ(first, next);
    ASSERT_LT(first, last);
    next = last;
  }
  EXPECT_EQ(next, count);
}

TEST_P(for_each_test, visits_every_index_once) {
  run([&] {
    for (const std::size_t count : sizes_of_loop) {
      for (const std::size_t size : grains_of_loop) {
        if (count > 10000 && size == 1) continue;
        std::vector<int> visits(count);
        jackdaw::for_index(std::size_t{0}, count, [&](std::size_t i) { ++visits[i]; }, grain{size});
        jackdaw::for_each(visits.begin(), visits.end(), [](int& v) { v += 10; }, grain{size});
        EXPECT_EQ(visits, std::vector<int>(count, 11)) << count << " elements, grain " << size;
      }
    }
  });
}

TEST_P(for_each_test, blocks_partition_the_range_within_the_grain) {
  run([&] {
    for (const std::size_t count : {0, 1, 2, 3, 64, 65, 1000, 5000}) {
      for (const std::size_t size : grains_of_loop) {
        const auto blocks = blocks_of(count, grain{size});
        expect_partition(blocks, count);
        for (const auto& [first, last] : blocks) {
          if (size != 0) {
            EXPECT_LE(last - first, size);
          }
        }
        if (size >= count) {
          EXPECT_LE(blocks.size(), size == 0 ? count : 1u);
        }
      }
    }
  });
}

TEST_P(for_each_test, automatic_blocks_are_eight_to_sixteen_a_worker) {
  const unsigned workers = std::get<1>(GetParam());
  const auto blocks = run([&] { return blocks_of(100003); });
  EXPECT_GE(blocks.size(), 8 * workers);
  EXPECT_LE(blocks.size(), 16 * workers);
}

TEST_P(for_each_test, takes_any_integers) {
  run([&] {
    std::atomic<long> sum = 0;
    jackdaw::for_index(-5, 6L, [&](long i) { sum += i * i; });
    EXPECT_EQ(sum, 110);
    std::atomic<int> calls = 0;
    jackdaw::for_index(std::uint8_t{0}, std::uint8_t{255}, [&](std::uint8_t) { ++calls; }, grain{1});
    EXPECT_EQ(calls, 255);
    jackdaw::for_index(std::int8_t{-128}, std::int8_t{127}, [&](std::int8_t i) { calls -= i == 127 ? 1000 : 1; });
    EXPECT_EQ(calls, 0);
    jackdaw::for_index(5, 3, [&](int) { ++calls; });
    EXPECT_EQ(calls, 0);
    constexpr auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    std::atomic<std::uint64_t> covered = 0;
    jackdaw::for_range(least, most, [&](std::int64_t a, std::int64_t b) {
      covered += static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
    });
    EXPECT_EQ(covered, std::numeric_limits<std::uint64_t>::max());
  });
}

TEST_P(for_each_test, takes_any_random_access_iterators_and_members) {
  struct cell {
    int value = 1;
    void grow() { value *= 3; }
  };
  run([&] {
    std::deque<cell> cells(777);
    jackdaw::for_each(cells.begin(), cells.end(), &cell::grow, grain{10});
    for (const cell& c : cells) ASSERT_EQ(c.value, 3);
  });
}

TEST_P(for_each_test, weights_halve_the_work) {
  run([&] {
    const auto triangle = [](std::size_t first, std::size_t last) {
      return double(last) * last - double(first) * first;
    };
    const auto blocks = blocks_of(1000, work_of{triangle});
    expect_partition(blocks, 1000);
    const double share = triangle(0, 1000) / (8 * std::get<1>(GetParam()));
    for (const auto& [first, last] : blocks) EXPECT_TRUE(last - first == 1 || triangle(first, last) <= share);
    // Halving: 707 is where the work of [0, 1000) halves, so a block ends there whatever else happens.
    EXPECT_TRUE(std::any_of(blocks.begin(), blocks.end(), [](const auto& b) { return b.second == 707; }));

    for (const auto& [first, last] : blocks_of(1000, grain{16}, work_of{triangle})) EXPECT_LE(last - first, 16u);
  });
}

TEST_P(for_each_test, odd_weights_still_partition) {
  run([&] {
    const auto zero = [](std::size_t, std::size_t) { return 0.0; };
    const auto nan = [](std::size_t, std::size_t) { return std::numeric_limits<double>::quiet_NaN(); };
    const auto infinite = [](std::size_t, std::size_t) { return std::numeric_limits<double>::infinity(); };
    const auto constant = [](std::size_t, std::size_t) { return 1.0; };
    const auto at_end = [](std::size_t, std::size_t last) { return last == 3000 ? 1.0 : 0.0; };
    const auto at_start = [](std::size_t first, std::size_t) { return first == 0 ? 1.0 : 0.0; };
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{5000}}) {
      expect_partition(blocks_of(3000, work_of{zero}, grain{size}), 3000);
      expect_partition(blocks_of(3000, work_of{nan}, grain{size}), 3000);
      expect_partition(blocks_of(3000, work_of{infinite}, grain{size}), 3000);
      expect_partition(blocks_of(3000, work_of{constant}, grain{size}), 3000);
      expect_partition(blocks_of(3000, work_of{at_end}, grain{size}), 3000);
      expect_partition(blocks_of(3000, work_of{at_start}, grain{size}), 3000);
    }
  });
}

TEST_P(for_each_test, weigh_sees_the_loops_own_indices) {
  run([&] {
    std::atomic<bool> outside = false;
    const auto weigh = [&](int first, int last) {
      if (first < -100 || last > 100 || first > last) outside = true;
      return double(last - first);
    };
    std::atomic<int> calls = 0;
    jackdaw::for_index(-100, 100, [&](int) { ++calls; }, work_of{weigh}, grain{7});
    EXPECT_EQ(calls, 200);
    EXPECT_FALSE(outside);
  });
}

TEST_P(for_each_test, an_exception_reaches_the_caller) {
  run([&] {
    for (const int bad : {0, 1, 500, 999}) {
      auto body = [&](int i) {
        if (i == bad) throw std::runtime_error("at " + std::to_string(i));
      };
      try {
        jackdaw::for_index(0, 1000, body, grain{3});
        ADD_FAILURE() << "no exception from " << bad;
      } catch (const std::runtime_error& e) {
        EXPECT_EQ(e.what(), "at " + std::to_string(bad));
      }
    }
  });
}

TEST_P(for_each_test, nests) {
  run([&] {
    std::vector<std::vector<int>> rows(40, std::vector<int>(50));
    jackdaw::for_each(
        rows.begin(), rows.end(),
        [](std::vector<int>& row) { jackdaw::for_each(row.begin(), row.end(), [](int& cell) { ++cell; }, grain{4}); },
        grain{1});
    EXPECT_EQ(rows, std::vector(40, std::vector(50, 1)));
  });
}

TEST(for_each, one_worker_visits_indices_in_order) {
  for (const char* scheduler : {"random", "adws"}) {
    jackdaw::options alone;
    alone.scheduler = scheduler;
    alone.workers = 1;
    alone.pin = false;
    jackdaw::runtime(alone).run([] {
      const auto weigh = [](std::size_t first, std::size_t last) { return double(last * last - first * first); };
      for (const auto& blocks : {blocks_of(1000, grain{3}), blocks_of(1000), blocks_of(1000, work_of{weigh})}) {
        EXPECT_GE(blocks.size(), 8u);
        EXPECT_TRUE(std::is_sorted(blocks.begin(), blocks.end()));
      }
    });
  }
}

TEST(for_each, calls_the_given_body_without_copying_it) {
  struct body {
    std::atomic<int> calls = 0;  // neither copyable nor movable
    void operator()(int) { ++calls; }
  } count_calls;
  jackdaw::for_index(0, 100, count_calls, grain{5});
  EXPECT_EQ(count_calls.calls, 100);
}

TEST(for_each, a_single_leaf_stays_on_the_calling_thread) {
  const auto caller = std::this_thread::get_id();
  jackdaw::for_index(0, 100, [&](int) { EXPECT_EQ(std::this_thread::get_id(), caller); }, grain{100});
}

TEST(for_index_of_two_types, counts_from_below_zero_to_an_unsigned_number) {
  std::atomic<long> sum{0};
  jackdaw::for_index(-5, 10u, [&](auto i) {
    static_assert(std::is_same_v<decltype(i), std::int64_t>);
    sum += 100 + i;
  });
  EXPECT_EQ(sum.load(), 15 * 100 + 30);
  sum = 0;
  jackdaw::for_range(-5, 5u, [&](auto first, auto last) { sum += last - first; });
  EXPECT_EQ(sum.load(), 10);
  sum = 0;
  jackdaw::for_index(4'000'000'000u, -1, [&](auto) { ++sum; });
  jackdaw::for_index(-1, 0u, [&](auto i) { sum += i; });
  EXPECT_EQ(sum.load(), -1);
}

TEST(for_index_of_two_types, knows_numbers_below_zero) {
  std::atomic<int> ran{0};
  const auto count = [&](auto) { ++ran; };
  jackdaw::for_index(std::size_t{0}, -1, count);
  jackdaw::for_index(5u, -7, count);
  EXPECT_EQ(ran.load(), 0);
  EXPECT_THROW(jackdaw::for_index(-1, std::size_t{10}, count), jackdaw::error);
  EXPECT_THROW(jackdaw::for_range(-5, std::size_t{5}, [&](auto, auto) { ++ran; }), jackdaw::error);
  EXPECT_EQ(ran.load(), 0);
  jackdaw::for_index(0, std::size_t{10}, count);
  jackdaw::for_index(-3, 4L, count);
  jackdaw::for_index(static_cast<unsigned char>(1), -1, count);
  EXPECT_EQ(ran.load(), 17);
}

}  // namespace
