#include "jackdaw/memory/placed_array.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "jackdaw/algorithm/reduce.hpp"
#include "jackdaw/memory.hpp"
#include "jackdaw/runtime.hpp"
#include "memory/counted.hpp"

namespace jackdaw {
namespace {

using test::counted;

static_assert(std::ranges::contiguous_range<placed_array<double>>);

/// An element that records the worker that made it.
struct made_by {
  unsigned worker = this_worker().value();
};

const placement policies[] = {placement::first_touch(), placement::interleave(), placement::by_bandwidth(),
                              placement::fastest(), placement::by_bandwidth().spread_by_kernel()};

TEST(placed_array, begins_with_zeros_whatever_the_policy) {
  runtime rt({.workers = 3, .pin = false});
  for (const placement& how : policies) {
    const std::size_t count = 300001;
    rt.run([&] {
      placed_array<std::uint64_t> numbers(count, how);
      ASSERT_EQ(numbers.size(), count);
      EXPECT_EQ(numbers.policy(), how);
      EXPECT_EQ(reduce(numbers.begin(), numbers.end(), std::uint64_t{0}), 0u);
      for_index(std::size_t{0}, count, [&](std::size_t i) { numbers[i] = i; });
      EXPECT_EQ(reduce(numbers.begin(), numbers.end(), std::uint64_t{0}), count * (count - 1) / 2);
    });
  }
}

TEST(placed_array, has_memory_after_first_touch_only) {
  runtime rt({.workers = 2, .pin = false});
  rt.run([] {
    const placed_array<char> touched(1000000);
    const page_locations now = where(touched);
    EXPECT_EQ(now.untouched, 0u) << now.text();
    const placed_array<char> bound(1000000, placement::interleave().with_pages(page_choice::base));
    const page_locations later = where(bound);
    EXPECT_TRUE(later.untouched == 1000000 || bound.report().pieces[0].how != placed_how::interleaved) << later.text();
  });
}

TEST(placed_array, each_block_is_made_by_the_worker_that_loops_over_it) {
  for (const unsigned workers : {1u, 2u, 3u, 8u}) {
    runtime rt({.scheduler = "adws:no-steal", .workers = workers});
    rt.run([&] {
      placed_array<made_by> elements(100003);
      std::atomic<std::size_t> elsewhere{0};
      for (int iteration = 0; iteration < 3; ++iteration) {
        for_each(elements.begin(), elements.end(), [&](const made_by& each) {
          if (each.worker != this_worker().value()) ++elsewhere;
        });
      }
      EXPECT_EQ(elsewhere, 0u) << workers << " workers";
    });
  }
}

TEST(placed_array, touches_every_page_once_wherever_leaves_end) {
  constexpr std::size_t page = 64 * 4096;
  for (const std::size_t size : {std::size_t{4096}, page / 2, page, 3 * page, 7 * page + 4096}) {
    for (std::size_t leaves = 1; leaves <= 40; leaves += 13) {
      placed_memory fresh(size, placement::interleave().with_pages(page_choice::base));
      // Touching writes zeros: marks that are left show pages that no leaf touched.
      const std::size_t pages = size / base_page_size();
      for (std::size_t i = 0; i < pages; ++i) fresh.data()[i * base_page_size()] = std::byte{1};
      std::vector<unsigned> touched(pages, 0);
      for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        detail::touch_owned(fresh.data(), size, page, size * leaf / leaves, size * (leaf + 1) / leaves);
        for (std::size_t i = 0; i < pages; ++i) {
          if (std::exchange(fresh.data()[i * base_page_size()], std::byte{1}) == std::byte{0}) ++touched[i];
        }
      }
      EXPECT_EQ(touched, std::vector<unsigned>(pages, 1)) << size << " B, " << leaves << " leaves";
    }
  }
}

TEST(placed_array, constructs_and_destroys_non_trivial_elements) {
  {
    const placed_array<counted> defaults(1000);
    EXPECT_EQ(counted::alive, 1000);
    EXPECT_EQ(defaults[999].text, counted().text);
    const placed_array<counted> copies(500, counted(3), placement::interleave());
    EXPECT_EQ(copies[0].text, test::text_of(3));
    EXPECT_EQ(copies.back().text, test::text_of(3));
    placed_array<counted> other(copies, placement::first_touch());
    EXPECT_EQ(other.policy(), placement());
    EXPECT_EQ(other[499].text, test::text_of(3));
    EXPECT_EQ(counted::alive, 2000);
    const placed_array<counted> moved(std::move(other));
    EXPECT_EQ(counted::alive, 2000);
    EXPECT_EQ(moved.size(), 500u);
  }
  EXPECT_EQ(counted::alive, 0);
}

TEST(placed_array, leaves_nothing_behind_after_a_failure) {
  runtime rt({.workers = 3, .pin = false});
  for (const int well : {0, 1, 333, 999}) {
    counted::until_throw = well;
    EXPECT_THROW(rt.run([] { placed_array<counted> failing(1000); }), std::runtime_error);
    counted::until_throw = -1;
    EXPECT_EQ(counted::alive, 0);
  }
}

TEST(placed_array, of_member_pointers_begins_with_null) {
  struct some {
    int first, second;
  };
  const placed_array<int some::*> pointers(100);
  for (int some::* const each : pointers) EXPECT_EQ(each, nullptr);
}

TEST(placed_array, may_be_empty_when_moved_from_or_not_made_yet) {
  placed_array<int> none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(where(none).nodes.size(), 0u);
  none = placed_array<int>(3, 5);
  EXPECT_EQ(none[2], 5);
}

}  // namespace
}  // namespace jackdaw
