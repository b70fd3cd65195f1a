// Constrained work stealing on real threads.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "runtime/threads.hpp"
#include "sched/constrained.hpp"
#include "sched/squad_log.hpp"

namespace jackdaw::test {
namespace {

constexpr unsigned leaves = 64, iterations = 10;

template <class Leaf>
void halve(unsigned begin, unsigned end, const Leaf& leaf) {
  if (end - begin == 1) return leaf(begin);
  const unsigned middle = begin + (end - begin) / 2;
  jackdaw::invoke([&, begin, middle] { halve(begin, middle, leaf); }, [&, middle, end] { halve(middle, end, leaf); });
}

/// Longer than the children of a task have to take for it to be recorded.
void compute() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
  while (std::chrono::steady_clock::now() < end) {
  }
}

class on_threads : public testing::TestWithParam<unsigned> {
 protected:
  /// Runs it as a root of an engine in which no worker helps out another one, however long that has no processor.
  template <class Program>
  void run(Program program) {
    const unsigned workers = GetParam();
    const machine where = machine::from_synthetic("package:2 l3:1 core:4 pu:1");
    auto logged = std::make_unique<patient>(std::make_unique<sched::constrained>(3));
    const sched::logging_scheduler& kept = *logged;
    detail::threads engine(std::move(logged), where, where.place_workers(workers, placement_order::scatter), 1 << 16,
                           nullptr);
    detail::root_of<Program> root(program);
    engine.send(root);
    root.wait();
    root.result();
    for (const sched::event& each : kept.events()) {
      if (each.what == sched::event::kind::decide) decided.emplace_back(each.decided->name);
    }
  }

  std::vector<std::string> decided;
};

TEST_P(on_threads, each_leaf_has_the_same_worker_in_each_replay) {
  std::vector<std::array<unsigned, leaves>> worker(iterations);
  const auto workers_of_fifth = [&] { return std::set<unsigned>(worker[5].begin(), worker[5].end()).size(); };
  // A join may make the thief of all recorded steals run the root, too. Then all of them go to one worker, and there is
  // nothing to see: the program runs again.
  for (unsigned attempt = 0; attempt < 20 && (attempt == 0 || workers_of_fifth() < 2); ++attempt) {
    decided.clear();
    run([&] {
      for (unsigned i = 0; i < iterations; ++i) {
        std::atomic<unsigned> seen{0};  // workers, as bits
        halve(0, leaves, [&](unsigned leaf) {
          worker[i][leaf] = this_worker().value();
          seen |= 1U << worker[i][leaf];
          compute();
          // While steals are recorded, the first leaf waits until another one runs elsewhere, so that there are some.
          const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
          while (leaf == 0 && i < 4 && std::popcount(seen.load()) < 2 && std::chrono::steady_clock::now() < until)
            std::this_thread::yield();
        });
      }
    });
    EXPECT_EQ(decided, (std::vector<std::string>{"record", "relax", "relax", "relax", "replay", "replay", "replay",
                                                 "replay", "replay", "replay"}));
    // In the first replay a thief may still be under way that began its look before it.
    for (unsigned i = 6; i < iterations; ++i) EXPECT_EQ(worker[i], worker[5]) << "iteration " << i;
  }
  EXPECT_GT(workers_of_fifth(), 1u);
}

TEST_P(on_threads, an_exception_in_any_phase_is_a_change_of_shape_at_most) {
  for (const unsigned bad : {0u, 2u, 5u}) {
    decided.clear();
    std::atomic<unsigned> ran{0};
    unsigned caught = 0;
    run([&] {
      for (unsigned i = 0; i < iterations; ++i) {
        try {
          halve(0, leaves, [&](unsigned leaf) {
            compute();
            if (i == bad && leaf == 3) throw std::runtime_error("bad");
            ran.fetch_add(1);
          });
        } catch (const std::runtime_error&) {
          ++caught;
        }
      }
    });
    EXPECT_EQ(caught, 1u);
    EXPECT_GE(ran.load(), leaves * (iterations - 1));
    EXPECT_EQ(decided.front(), "record");
  }
}

TEST_P(on_threads, other_roots_go_on_while_a_worker_of_the_record_is_busy) {
  runtime rt({.scheduler = "constrained:relws=0", .workers = GetParam(), .pin = false});
  std::atomic<bool> held{false}, release{false};
  std::atomic<unsigned> done{0};
  // The region settles; then one of its leaves holds its worker until other roots have run, and so has to be overtaken.
  std::thread client([&] {
    rt.run([&] {
      for (unsigned i = 0; i < 4; ++i) {
        halve(0, leaves, [&](unsigned leaf) {
          compute();
          if (i < 3 || leaf != 0) return;
          held = true;
          while (!release) std::this_thread::yield();
        });
      }
    });
  });
  while (!held) std::this_thread::yield();
  for (unsigned i = 0; i < 20; ++i) {
    rt.run([&] { halve(0, leaves, [&](unsigned) { done.fetch_add(1); }); });
  }
  release = true;
  client.join();
  EXPECT_EQ(done.load(), 20 * leaves);
}

INSTANTIATE_TEST_SUITE_P(constrained, on_threads, testing::Values(2u, 3u, 4u));

}  // namespace
}  // namespace jackdaw::test
