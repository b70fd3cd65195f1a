// The mailbox on real threads: each item arrives once and in order, with everything that its poster wrote before.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "runtime/mailbox.hpp"

namespace jackdaw::detail {
namespace {

TEST(stress_mailbox, items_arrive_once_and_in_order) {
  constexpr std::uintptr_t count = 2'000;
  basic_mailbox<hardware> mailbox;
  std::vector<std::uintptr_t> contents(count + 1, 0);  // no atomics: the mailbox orders them
  std::thread poster([&] {
    for (std::uintptr_t i = 1; i <= count; ++i) {
      contents[i] = i;
      while (!mailbox.post(sched::item(i))) {
        std::this_thread::yield();
      }
    }
  });
  for (std::uintptr_t expected = 1; expected <= count; ++expected) {
    sched::item got;
    while (!(got = mailbox.collect())) {
      std::this_thread::yield();
    }
    ASSERT_EQ(got.handle(), expected);
    ASSERT_EQ(contents[expected], expected);
  }
  poster.join();
  EXPECT_FALSE(mailbox.full());
  EXPECT_FALSE(mailbox.collect());
}

TEST(stress_mailbox, of_many_posters_each_is_told_whether_its_item_is_in) {
  constexpr unsigned posters = 3;
  constexpr unsigned count = 3'000;
  basic_mailbox<hardware> mailbox;
  std::atomic<unsigned> posted{0}, refused{0}, working{posters};
  std::vector<std::thread> threads;
  for (unsigned poster = 0; poster < posters; ++poster) {
    threads.emplace_back([&, poster] {
      for (unsigned i = 0; i < count; ++i) {
        (mailbox.post(sched::item(posters * i + poster + 1)) ? posted : refused).fetch_add(1);
        std::this_thread::yield();
      }
      working.fetch_sub(1);
    });
  }
  std::vector<int> seen(posters * count + 1, 0);
  unsigned collected = 0;
  for (bool last = false; !last;) {
    last = working.load() == 0;
    if (const sched::item got = mailbox.collect()) {
      ++collected;
      ASSERT_EQ(++seen[got.handle()], 1);
    } else {
      std::this_thread::yield();
    }
  }
  for (std::thread& each : threads) {
    each.join();
  }
  EXPECT_EQ(collected, posted.load());
  EXPECT_EQ(posted.load() + refused.load(), posters * count);
}

}  // namespace
}  // namespace jackdaw::detail
