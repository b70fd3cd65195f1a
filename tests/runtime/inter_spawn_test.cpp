// Inter-socket tasks that a program marks (CAB, III-D), on real threads: logs under CAB, results under every scheduler.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "runtime/threads.hpp"
#include "sched/logging_scheduler.hpp"
#include "sched/squad_log.hpp"
#include "support/schedulers.hpp"

namespace {

using jackdaw::machine;
using jackdaw::task_group;
using jackdaw::detail::root_of;
using jackdaw::detail::threads;
using jackdaw::test::squad_log;

/// A runtime on a machine that is described, which keeps a log.
class logged_runtime {
 public:
  logged_runtime(const std::string& scheduler, const std::string& description, unsigned workers = 0)
      : where_(machine::from_synthetic(description)),
        logged_(new jackdaw::test::patient(jackdaw::sched::make_scheduler(scheduler))),
        engine_(std::unique_ptr<jackdaw::sched::logging_scheduler>(logged_), where_,
                where_.place_workers(workers, jackdaw::placement_order::scatter), 1 << 16, nullptr) {}

  template <class F>
  void run(F f) {
    root_of<F> root(f);
    engine_.send(root);
    root.wait();
    root.result();
  }

  squad_log log() const { return {logged_->events(), engine_.squads()}; }

 private:
  machine where_;
  jackdaw::sched::logging_scheduler* logged_;
  threads engine_;
};

constexpr std::size_t cells = 8;  // of a plain subtree

/// Plain halves down to single cells, each of which counts up.
void halves(std::atomic<unsigned>* first, std::size_t count) {
  if (count == 1) {
    ++*first;
    return;
  }
  jackdaw::invoke([=] { halves(first, count / 2); }, [=] { halves(first + count / 2, count - count / 2); });
}

/// Three marked children each, `levels` deep, and plain halves below.
void marked_tree(std::atomic<unsigned>* first, unsigned levels, std::size_t count) {
  if (levels == 0) return halves(first, count);
  task_group group(3);
  for (std::size_t i = 0; i < 3; ++i) {
    group.inter_spawn([=] { marked_tree(first + i * (count / 3), levels - 1, count / 3); }, 1);
  }
  group.wait();
}

using cell_list = std::vector<std::atomic<unsigned>>;
void expect_all(const cell_list& all, unsigned times) {
  for (const auto& each : all) ASSERT_EQ(each, times);
}

class marked : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  logged_runtime rt{std::get<0>(GetParam()), std::get<1>(GetParam())};
};

TEST_P(marked, tasks_go_through_pools_to_one_squad_each) {
  constexpr unsigned iterations = 6;
  cell_list all(27 * cells);
  rt.run([&] {
    for (unsigned i = 0; i < iterations; ++i) marked_tree(all.data(), 3, all.size());
  });
  expect_all(all, iterations);
  const squad_log log = rt.log();
  log.expect_one_subtree_at_a_time();
  const auto found = log.expect_marked_rules();
  EXPECT_EQ(found.inter, iterations * (3 + 9 + 27));
  EXPECT_EQ(found.leaves, iterations * 27);
  const std::vector<std::string> decided = log.iterations();
  const std::string& scheduler = std::get<0>(GetParam());
  ASSERT_EQ(decided.size(), iterations);
  EXPECT_EQ(decided[0], scheduler == "cab" ? "profile" : scheduler.substr(4));
  for (unsigned i = 1; i < iterations; ++i) EXPECT_EQ(decided[i], "marked");
}

TEST_P(marked, and_plain_children_mix_in_one_group) {
  constexpr unsigned rounds = 20;
  cell_list all(8 * cells);
  const auto mixed = [&](auto marked_child) {
    task_group group;
    const auto part = [&](std::size_t i) { return [&, i] { halves(&all[i * cells], cells); }; };
    group.run(part(0));
    group.inter_spawn(part(1));
    group.run(part(2));
    group.inter_spawn(marked_child);
    group.inter_spawn(part(7));
    group.wait();
  };
  const auto inner = [&] {
    task_group group;
    group.inter_spawn([&] { halves(&all[3 * cells], cells); });
    group.run([&] { halves(&all[4 * cells], cells); });
    group.inter_spawn([&] { halves(&all[5 * cells], cells); });
    group.wait();
    halves(&all[6 * cells], cells);  // after its marked children have ended
  };
  rt.run([&] {
    for (unsigned i = 0; i < rounds; ++i) mixed(inner);
  });
  expect_all(all, rounds);
  const squad_log log = rt.log();
  log.expect_one_subtree_at_a_time();
  const auto found = log.expect_marked_rules();
  EXPECT_EQ(found.inter, rounds * 5);
  EXPECT_EQ(found.leaves, rounds * 4);
}

TEST_P(marked, tasks_below_plain_ones_are_plain) {
  constexpr unsigned rounds = 10;
  std::atomic<unsigned> ended{0};
  const auto leaf = [&] {
    task_group group;
    group.run([&] {
      task_group below;
      below.inter_spawn([&] { ++ended; });
    });
    group.inter_spawn([&] { ++ended; });
    group.wait();
    group.inter_spawn([&] { ++ended; });
  };
  rt.run([&] {
    for (unsigned i = 0; i < rounds; ++i) {
      task_group group;
      for (int each = 0; each < 5; ++each) group.inter_spawn(leaf);
      group.wait();
    }
  });
  EXPECT_EQ(ended, rounds * 5 * 3);
  const auto found = rt.log().expect_marked_rules();
  EXPECT_EQ(found.inter, rounds * 5);
  EXPECT_EQ(found.leaves, rounds * 5);
}

TEST_P(marked, tasks_pass_on_what_they_throw) {
  unsigned caught = 0;
  rt.run([&] {
    for (unsigned i = 0; i < 20; ++i) {
      task_group group;
      for (unsigned each = 0; each < 6; ++each) {
        group.inter_spawn([each] {
          task_group below;
          below.inter_spawn([each] {
            jackdaw::invoke([] {},
                            [each] {
                              if (each % 2 == 1) throw std::runtime_error("child");
                            });
          });
          below.wait();
        });
      }
      try {
        group.wait();
      } catch (const std::runtime_error&) {
        ++caught;
      }
    }
  });
  EXPECT_EQ(caught, 20u);
  rt.log().expect_marked_rules();
}

TEST_P(marked, groups_may_have_no_children_or_childless_ones) {
  std::atomic<unsigned> ended{0};
  rt.run([&] {
    task_group none;
    none.wait();
    for (unsigned i = 0; i < 20; ++i) {
      task_group group;
      for (unsigned each = 0; each < i; ++each) group.inter_spawn([&] { ++ended; });
      group.wait();
    }
  });
  EXPECT_EQ(ended, 190u);
  const auto found = rt.log().expect_marked_rules();
  EXPECT_EQ(found.inter, 190u);
  EXPECT_EQ(found.leaves, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    all, marked,
    testing::Combine(testing::Values("cab", "cab:1", "cab:2", "cab:3"),
                     testing::Values("package:2 l3:1(size=4MB) core:4 pu:1", "package:4 l3:1(size=4MB) core:4 pu:1",
                                     "package:8 l3:1(size=4MB) core:2 pu:1", "package:4 l3:1(size=4MB) core:1 pu:1")));

class results : public testing::TestWithParam<std::tuple<std::string, unsigned>> {};

TEST_P(results, are_right) {
  const auto& [scheduler, workers] = GetParam();
  logged_runtime rt(scheduler, "package:2 l3:1(size=4MB) core:8 pu:1", workers);
  cell_list all(9 * cells);
  unsigned caught = 0;
  rt.run([&] {
    for (unsigned i = 0; i < 5; ++i) marked_tree(all.data(), 2, all.size());
    for (const jackdaw::policy order : {jackdaw::policy::work_first, jackdaw::policy::help_first}) {
      task_group group(order);
      group.run([&] { halves(all.data(), 3 * cells); });
      group.inter_spawn([&] { marked_tree(&all[3 * cells], 1, 3 * cells); });
      group.run([&] { halves(&all[6 * cells], 3 * cells); });
      group.wait();
      group.inter_spawn([] { throw std::runtime_error("child"); });
      try {
        group.wait();
      } catch (const std::runtime_error&) {
        ++caught;
      }
    }
  });
  expect_all(all, 7);
  EXPECT_EQ(caught, 2u);
  if (!scheduler.starts_with("cab")) {
    const squad_log log = rt.log();
    for (const auto& each : log.events) {
      EXPECT_FALSE(each.what == jackdaw::test::event::kind::decide &&
                   *each.decided == jackdaw::sched::cab::decisions::marked);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, results,
                         testing::Combine(testing::ValuesIn(jackdaw::test::whole_schedulers()),
                                          testing::Values(1u, 2u, 4u, 16u)));

TEST(inter_spawn, is_run_on_one_socket) {
  logged_runtime rt("cab", "package:1 l3:1(size=4MB) core:4 pu:1");
  cell_list all(9 * cells);
  rt.run([&] {
    for (unsigned i = 0; i < 3; ++i) marked_tree(all.data(), 2, all.size());
  });
  expect_all(all, 3);
  EXPECT_EQ((rt.log().iterations()), std::vector<std::string>{});
}

TEST(inter_spawn, works_outside_of_any_task) {
  std::atomic<unsigned> ended{0};
  task_group group;
  for (int i = 0; i < 5; ++i) group.inter_spawn([&] { ++ended; });
  group.wait();
  EXPECT_EQ(ended, 5u);
}

TEST(inter_spawn, works_in_several_roots_at_once) {
  logged_runtime rt("cab", "package:2 l3:1(size=4MB) core:2 pu:1");
  cell_list first(9 * cells), second(9 * cells);
  std::thread other([&] {
    for (unsigned i = 0; i < 10; ++i) rt.run([&] { marked_tree(second.data(), 2, second.size()); });
  });
  for (unsigned i = 0; i < 10; ++i) rt.run([&] { marked_tree(first.data(), 2, first.size()); });
  other.join();
  expect_all(first, 10);
  expect_all(second, 10);
}

}  // namespace
