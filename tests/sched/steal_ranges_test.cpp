// Steal ranges on real threads: a name gives what it was made with, or nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "sched/steal_ranges.hpp"

namespace jackdaw::sched {
namespace {

TEST(steal_ranges, a_range_is_what_it_was_opened_with) {
  steal_ranges tree;
  steal_ranges::places mine;
  const auto root = tree.open(mine, 0, {0, 7});
  const auto inner = tree.open(mine, root, {2, 4});
  EXPECT_NE(root, 0u);
  EXPECT_NE(root, inner);
  steal_ranges::ref parent = 99;
  worker_range workers;
  ASSERT_TRUE(tree.read(inner, parent, workers));
  EXPECT_EQ(parent, root);
  EXPECT_EQ(workers, (worker_range{2, 4}));
  ASSERT_TRUE(tree.read(root, parent, workers));
  EXPECT_EQ(parent, 0u);
  EXPECT_EQ(workers, (worker_range{0, 7}));
}

TEST(steal_ranges, starts_inactive_and_is_activated_once) {
  steal_ranges tree;
  steal_ranges::places mine;
  const auto range = tree.open(mine, 0, {0, 1});
  EXPECT_TRUE(tree.alive(range));
  EXPECT_FALSE(tree.active(range));
  tree.activate(range);
  EXPECT_TRUE(tree.active(range));
  tree.activate(range);
  EXPECT_TRUE(tree.active(range));
  EXPECT_TRUE(tree.alive(range));
}

TEST(steal_ranges, a_closed_name_is_stale_also_when_its_place_is_used_again) {
  steal_ranges tree;
  steal_ranges::places mine;
  const auto old = tree.open(mine, 0, {0, 3});
  tree.activate(old);
  tree.close(mine, old);
  EXPECT_FALSE(tree.alive(old));
  EXPECT_FALSE(tree.active(old));
  const auto fresh = tree.open(mine, 0, {5, 6});
  EXPECT_EQ(fresh >> 32, old >> 32) << "the place was not used again";
  EXPECT_NE(fresh, old);
  tree.activate(old);
  EXPECT_FALSE(tree.active(old));
  EXPECT_FALSE(tree.active(fresh));
  steal_ranges::ref parent = 77;
  worker_range workers{8, 9};
  EXPECT_FALSE(tree.read(old, parent, workers));
  EXPECT_EQ(parent, 77u);
  EXPECT_EQ(workers, (worker_range{8, 9}));
}

TEST(steal_ranges, grows_and_shrinks) {
  steal_ranges tree;
  steal_ranges::places mine;
  std::vector<steal_ranges::ref> open;
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t i = 0; i < 2'000; ++i) {
      open.push_back(tree.open(mine, open.empty() ? 0 : open.back(), {i, i + 1}));
    }
    for (std::uint32_t i = 0; i < 2'000; ++i) {
      steal_ranges::ref parent = 0;
      worker_range workers;
      ASSERT_TRUE(tree.read(open[i], parent, workers));
      EXPECT_EQ(parent, i == 0 ? 0 : open[i - 1]);
      EXPECT_EQ(workers.first, i);
    }
    while (!open.empty()) {
      tree.close(mine, open.back());
      open.pop_back();
    }
  }
}

/// One worker opens all ranges and another closes them; the places must come back.
/// By many at a time: if others use the processors, each time that a thread waits for the other one takes milliseconds.
TEST(steal_ranges, places_go_back_from_the_worker_that_closes_to_the_one_that_opens) {
  constexpr std::uint32_t rounds = 300, at_once = 1000;  // more together than there are places
  steal_ranges tree;
  std::vector<steal_ranges::ref> ranges(at_once);
  std::atomic<std::uint32_t> opened{0}, closed{0};  // rounds
  std::thread closer([&] {
    steal_ranges::places mine;
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      while (opened.load(std::memory_order_acquire) != round) std::this_thread::yield();
      for (const steal_ranges::ref range : ranges) {
        steal_ranges::ref parent = 0;
        worker_range workers;
        EXPECT_TRUE(tree.read(range, parent, workers) && parent == round && workers == (worker_range{round, round}));
        tree.close(mine, range);
      }
      closed.store(round, std::memory_order_release);
    }
  });
  steal_ranges::places mine;
  std::uint32_t last_place = 0;
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    for (steal_ranges::ref& range : ranges) {
      range = tree.open(mine, round, {round, round});
      last_place = std::max(last_place, static_cast<std::uint32_t>(range >> 32));
    }
    opened.store(round, std::memory_order_release);
    while (closed.load(std::memory_order_acquire) != round) std::this_thread::yield();
  }
  closer.join();
  EXPECT_LT(last_place, 4 * at_once);
}

/// One thread opens and closes ranges, whose workers tell their parents; the others read all names that they know.
TEST(steal_ranges, readers_never_see_another_groups_fields) {
  constexpr unsigned readers = 2;
  constexpr std::uint32_t rounds = 30'000;
  steal_ranges tree;
  steal_ranges::places mine;
  std::atomic<steal_ranges::ref> newest{0}, older{0};
  std::atomic<bool> over{false};
  std::atomic<unsigned> wrong{0}, busy{readers};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < readers; ++i) {
    threads.emplace_back([&] {
      for (std::uint32_t turn = 0; !over.load(std::memory_order_relaxed); ++turn) {
        if (turn == rounds) {
          busy.fetch_sub(1);
        }
        for (const auto* name : {&newest, &older}) {
          const steal_ranges::ref range = name->load(std::memory_order_acquire);
          if (range == 0) {
            continue;
          }
          tree.activate(range);
          steal_ranges::ref parent = 0;
          worker_range workers;
          if (tree.read(range, parent, workers) && (parent != workers.first || workers.last != workers.first + 1)) {
            wrong.fetch_add(1);
          }
        }
      }
    });
  }
  steal_ranges::ref last = 0;
  // Until everybody has done enough beside the others.
  for (std::uint32_t round = 1; round <= rounds || busy.load() != 0; ++round) {
    const auto made = tree.open(mine, round, {round, round + 1});
    newest.store(made, std::memory_order_release);
    older.store(last, std::memory_order_release);
    if (last != 0) {
      tree.close(mine, last);
    }
    last = made;
  }
  over.store(true);
  for (std::thread& each : threads) {
    each.join();
  }
  EXPECT_EQ(wrong.load(), 0u);
}

}  // namespace
}  // namespace jackdaw::sched
