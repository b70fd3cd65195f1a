// The deque on real threads: every entry is taken exactly once.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstddef>
#include <thread>
#include <vector>

#include "jackdaw/detail/deque.hpp"

namespace jackdaw::detail {
namespace {

struct thing {
  int content = 0;  // not atomic: the thread that takes the thing must see it
  std::atomic<int> taken{0};
};

using deque_type = basic_deque<hardware, thing>;

struct parameters {
  const char* name;
  unsigned thieves;
  std::size_t capacity;
  bool steals;
  bool forces;
};

class stress_deque : public testing::TestWithParam<parameters> {};

/// Opens branches like a fork-join program, down to `depth`: push, go deeper, pop.
struct owner {
  deque_type& deque;
  std::vector<thing>& things;
  const bool forced;
  std::atomic<std::size_t>& robbed;
  std::size_t leaves = 0;
  std::size_t made = 0;
  std::size_t stolen = 0;

  void fork(unsigned depth) {
    thing& branch = things[made++];
    branch.content = 1;
    deque_type::slot* at = nullptr;
    if (!deque.push(&branch, at) && deque.attend() == deque_type::attention::full) {
      deeper(depth);
      branch.taken.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    deeper(depth);
    if (deque.pop(&branch, at)) {
      branch.taken.fetch_add(1, std::memory_order_relaxed);
    } else {
      ++stolen;
    }
  }
  void deeper(unsigned depth) {
    if (depth > 1) {
      fork(depth - 1);
      fork(depth - 1);
    } else if (++leaves % 64 == 0) {
      linger();
    }
  }
  /// A long leaf: it gives the thieves time, and lasts until something has been taken by force if they do that.
  void linger() {
    const std::size_t before = robbed.load();
    do {
      std::this_thread::yield();
    } while (forced && !deque.seems_empty() && robbed.load() == before);
  }
};

TEST_P(stress_deque, every_entry_is_taken_once) {
  const parameters how = GetParam();
  constexpr unsigned depth = 13;
  constexpr std::size_t count = (std::size_t{1} << depth) - 1;
  constexpr unsigned rounds = 8;

  std::vector<deque_type::slot> slots(how.capacity + 2);
  deque_type deque;
  deque.open(slots.data(), how.capacity);
  std::vector<thing> things(count * rounds);
  std::atomic<bool> over{false};
  std::atomic<std::size_t> robbed{0};
  std::barrier start(static_cast<std::ptrdiff_t>(how.thieves) + 1);

  std::vector<std::thread> thieves;
  for (unsigned i = 0; i < how.thieves; ++i) {
    thieves.emplace_back([&, i] {
      start.arrive_and_wait();
      const auto claim = [&](thing* taken) {
        robbed.fetch_add(static_cast<std::size_t>(taken->content));
        taken->taken.fetch_add(1, std::memory_order_relaxed);
      };
      for (unsigned turn = i; !over.load(std::memory_order_relaxed); ++turn) {
        if (how.steals) {
          deque.steal(claim);
        }
        if (how.forces && turn % 8 == 0) {
          deque.force(claim);
        }
        std::this_thread::yield();
      }
    });
  }

  owner runs{deque, things, how.forces, robbed};
  start.arrive_and_wait();
  for (unsigned round = 0; round < rounds; ++round) {
    runs.fork(depth);
  }
  over.store(true);
  for (std::thread& each : thieves) {
    each.join();
  }

  EXPECT_EQ(runs.made, things.size());
  EXPECT_EQ(robbed.load(), runs.stolen);
  EXPECT_TRUE(deque.seems_empty());
  EXPECT_EQ(deque.newest(), nullptr);
  for (const thing& each : things) {
    ASSERT_EQ(each.taken.load(), 1) << "entry " << &each - things.data();
  }
}

INSTANTIATE_TEST_SUITE_P(task, stress_deque,
                         testing::Values(parameters{"steal", 2, 64, true, false},
                                         parameters{"force", 2, 64, false, true}, parameters{"both", 3, 64, true, true},
                                         parameters{"full", 3, 2, true, true}),
                         [](const auto& each) { return std::string(each.param.name); });

/// Thieves and the owner find the replacement of an entry in its place.
TEST(stress_deque, replaced_entries_are_taken_once) {
  constexpr std::size_t count = 20'000;
  std::vector<deque_type::slot> slots(18);
  deque_type deque;
  deque.open(slots.data(), 16);
  std::vector<thing> things(2 * count);
  std::atomic<bool> over{false};
  std::thread thief([&] {
    const auto claim = [](thing* taken) { taken->taken.fetch_add(taken->content, std::memory_order_relaxed); };
    while (!over.load(std::memory_order_relaxed)) {
      if (deque.steal(claim) == nullptr) {
        deque.force(claim);
      }
      std::this_thread::yield();
    }
  });
  for (std::size_t i = 0; i < 2 * count; i += 2) {
    thing& first = things[i];
    thing& second = things[i + 1];
    first.content = second.content = 1;
    if (!deque.push(&first)) {
      ASSERT_EQ(deque.attend(), deque_type::attention::served);
    }
    const bool found = deque.replace(&first, &second, [&] { first.taken.fetch_add(1, std::memory_order_relaxed); });
    if (deque.pop(&second)) {
      second.taken.fetch_add(1, std::memory_order_relaxed);
      ASSERT_TRUE(found);
    } else if (!found) {
      second.taken.fetch_add(1, std::memory_order_relaxed);
      deque.pop_newest();  // the thief has the first one: this only empties the deque
    }
  }
  over.store(true);
  thief.join();
  for (const thing& each : things) {
    ASSERT_EQ(each.taken.load(), 1) << "entry " << &each - things.data();
  }
}

}  // namespace
}  // namespace jackdaw::detail
