// A worker's deque has room for 65536 forks. What is forked beyond runs in place; the rest of a task that makes way for
// another one always finds room, and goes on where its own entries are.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

#include "jackdaw/jackdaw.hpp"

namespace {

constexpr unsigned capacity = 65536;

/// Calls `innermost` below `depth` entries of the deque.
// tsan's records hold no more than 65535 calls in each other, and asan's stacks hardly so many.
#if defined(JACKDAW_TSAN) || defined(JACKDAW_ASAN)
template <class F>
void fill(unsigned depth, const F& innermost) {
  jackdaw::task_group entries(jackdaw::policy::help_first);
  for (unsigned i = 0; i < depth; ++i) entries.run([] {});
  innermost();
  entries.wait();
}
#else
template <class F>
void fill(unsigned depth, const F& innermost) {
  if (depth == 0) {
    innermost();
  } else {
    jackdaw::invoke([&] { fill(depth - 1, innermost); }, [] {});
  }
}
#endif

/// A parallel region whose search waits on worker 1 while worker 0 is free; then, with the entries that worker 0 has
/// exposed meanwhile, the search comes back to worker 0's mailbox.
void preempt_below(unsigned entries) {
  jackdaw::runtime rt({.scheduler = "adws:no-steal", .workers = 2, .stack_size = std::size_t{64} << 20});
  std::latch away(1), filled(1);
  std::atomic<bool> resumed{false};
  std::thread search([&] {
    rt.run([&] {
      jackdaw::task_group group(2.0);
      group.run(
          [&] {
            away.count_down();
            filled.wait();
          },
          1);
      group.run([] {}, 1);
      group.wait();
      resumed = true;
    });
  });
  away.wait();
  int children = 0, rounds = 0;
  // Round robin: a first one that worker 0 gets, for the search is worker 1's at the moment.
  rt.run([&] {
    fill(entries, [&] {
      filled.count_down();
      while (!resumed) {
        jackdaw::task_group group;
        group.run([&] { ++children; });
        group.wait();
        ++rounds;
      }
    });
  });
  search.join();
  EXPECT_EQ(children, rounds);
}

// The loop's child pushes one entry, the rest of its parent.
TEST(full_deque, lets_a_task_in_the_mailbox_go_first_with_room_left) { preempt_below(capacity - 2); }
TEST(full_deque, lets_a_task_in_the_mailbox_go_first_when_exactly_full) { preempt_below(capacity - 1); }
TEST(full_deque, lets_a_task_in_the_mailbox_go_first_when_a_fork_finds_no_room) { preempt_below(capacity); }

TEST(full_deque, runs_what_finds_no_room_in_place) {
  jackdaw::runtime rt({.scheduler = "random", .workers = 2, .stack_size = std::size_t{64} << 20});
  for (int round = 0; round < 3; ++round) {
    std::atomic<unsigned> leaves{0};
    rt.run([&] {
      fill(capacity + 10, [&] {
        jackdaw::task_group here(jackdaw::policy::help_first);
        for (int i = 0; i < 100; ++i) {
          here.run([&] { jackdaw::invoke([&] { ++leaves; }, [&] { ++leaves; }); });
        }
        here.wait();
      });
    });
    EXPECT_EQ(leaves, 200u);
  }
}

}  // namespace
