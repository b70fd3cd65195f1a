// A worker's deque has room for 65536 forks. What is forked beyond runs in place; the rest of a task that makes way for
// another one always finds room, and goes on where its own entries are; a child whose parent found none may wait and
// move.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <latch>
#include <memory>
#include <thread>

#include "jackdaw/jackdaw.hpp"

namespace {

constexpr unsigned capacity = 65536;

// Before the first runtime looks: two memory nodes with one worker each.
const bool described = setenv("HWLOC_SYNTHETIC", "package:2 numa:1 core:1 pu:1", 1) == 0;

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

/// Worker 0 exposes the root, its last room, below a child; that one's child is called like a function, waits, and goes
/// on on worker 1, where both end while worker 0 has still the root in its deque.
TEST(full_deque, lets_a_child_whose_parent_found_no_room_wait_and_move) {
  // Of the child, which does not wait for it: it ends after the workers, and so after its own child, as what that looks
  // at.
  std::latch near_begun(1);
  std::atomic<bool> near_free{false};
  std::unique_ptr<jackdaw::task_group> near;
  jackdaw::runtime rt({.scheduler = "random", .workers = 2, .stack_size = std::size_t{64} << 20});
  jackdaw::runtime other({.scheduler = "random", .workers = 1});
  std::latch holds(1), free(1);
  std::thread holder([&] {
    rt.run([&] {
      holds.count_down();
      free.wait();
    });
  });
  holds.wait();
  std::latch child_ended(1);
  unsigned before = 2, after = 2, at_end = 2;
  // On worker 1, with the stacks that the two have left: a root on that of the outer one, which ends, and another one
  // with children.
  std::latch one_waits(1), other_waits(1), one_ended(1);
  std::thread one([&] {
    child_ended.wait();
    rt.run([&] {
      one_waits.count_down();
      other.run([&] { other_waits.wait(); });
    });
    one_ended.count_down();
  });
  std::thread another([&] {
    one_waits.wait();
    rt.run([&] {
      other_waits.count_down();
      other.run([&] { one_ended.wait(); });
      for (int i = 0; i < 100; ++i) {
        jackdaw::task_group again;
        again.run([] {});
        again.wait();
      }
    });
    near_free = true;
  });
  std::atomic<int> entries{0};
  rt.run([&] {
    jackdaw::task_group filling(jackdaw::policy::help_first);
    for (unsigned i = 0; i < capacity - 1; ++i) filling.run([&] { ++entries; });
    jackdaw::task_group outer;
    outer.run([&] {
      jackdaw::task_group inner;
      inner.run([&] {
        before = *jackdaw::this_worker();
        near = std::make_unique<jackdaw::task_group>();
        near->run(jackdaw::on(before), [&] {
          near_begun.count_down();
          while (!near_free) std::this_thread::yield();
        });
        other.run([&] {
          near_begun.wait();  // by the worker that the child has left
          free.count_down();
        });
        after = *jackdaw::this_worker();
        near_free = before == after;  // or this would hang
      });
      inner.wait();
      child_ended.count_down();
    });
    outer.wait();
    filling.wait();
    at_end = *jackdaw::this_worker();
  });
  one.join();
  another.join();
  holder.join();
  ASSERT_TRUE(described);
  EXPECT_NE(before, after);
  EXPECT_LT(at_end, 2u);
  EXPECT_EQ(entries.load(), static_cast<int>(capacity) - 1);
}

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
