#include "jackdaw/memory/affinity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/memory/this_node.hpp"
#include "runtime/layout.hpp"
#include "runtime/near_pools.hpp"
#include "runtime/runtime_access.hpp"
#include "runtime/two_workers.hpp"
#include "support/error_of.hpp"
#include "trace/recorder.hpp"

namespace jackdaw {
namespace {

using test::meet;

constexpr unsigned per_node = 4;

std::string machine_of(unsigned nodes) { return "package:" + std::to_string(nodes) + " numa:1 core:4 pu:1"; }

/// A scheduler on a described machine of `nodes` nodes, each with four cores.
class affinity_on : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  void SetUp() override {
    setenv("HWLOC_SYNTHETIC", machine_of(nodes).c_str(), 1);
    rt = std::make_unique<runtime>(options{.scheduler = std::get<0>(GetParam()), .stack_size = 1 << 16});
    ASSERT_EQ(rt->workers(), nodes * per_node);
  }

  const unsigned nodes = std::get<1>(GetParam());
  std::unique_ptr<runtime> rt;
};

/// Holds all workers but the caller's: one task on each, until its worker's node is let go.
class held_workers {
 public:
  explicit held_workers(unsigned nodes) : free_(nodes) {
    const unsigned here = this_node().value();
    for (unsigned node = 0; node < nodes; ++node) {
      for (unsigned i = node == here ? 1 : 0; i < per_node; ++i) {
        group_.run(on(node), [this, nodes] {
          meet(met_, static_cast<int>(nodes * per_node));
          const std::atomic<bool>& free = free_[this_node().value()];
          while (!free) std::this_thread::yield();
        });
      }
    }
    meet(met_, static_cast<int>(nodes * per_node));
  }
  void free(unsigned node) { free_[node] = true; }
  void free_all_but(unsigned node) {
    for (unsigned each = 0; each < free_.size(); ++each) free_[each] = free_[each] || each != node;
  }
  void wait() { group_.wait(); }

 private:
  std::atomic<int> met_{0};
  std::vector<std::atomic<bool>> free_;
  task_group group_;
};

TEST_P(affinity_on, a_node_runs_there_while_workers_there_have_nothing_else) {
  rt->run([&] {
    held_workers held(nodes);
    std::atomic<int> started{0};
    std::vector<std::atomic<unsigned>> at_home(nodes);
    task_group group;
    for (unsigned node = 0; node < nodes; ++node) {
      for (unsigned i = 0; i < per_node; ++i) {
        group.run(on(node), [&, node] {
          at_home[node] += this_node() == node ? 1 : 0;
          // One for each worker, so that no worker is without one of its own and takes another's.
          meet(started, static_cast<int>(nodes * per_node));
        });
      }
    }
    for (unsigned node = 0; node < nodes; ++node) held.free(node);
    group.wait();
    held.wait();
    for (const auto& each : at_home) EXPECT_EQ(each, per_node);
  });
}

TEST_P(affinity_on, others_take_tasks_that_a_node_has_no_time_for) {
  rt->run([&] {
    const unsigned busy = (this_node().value() + 1) % nodes;
    held_workers held(nodes);
    held.free_all_but(busy);
    std::atomic<unsigned> ran{0}, at_home{0};
    for (int wave = 0; wave < 10; ++wave) {
      task_group group;
      for (unsigned i = 0; i < 2 * per_node; ++i) {
        group.run(on(busy), [&] {
          ++ran;
          at_home += this_node() == busy ? 1 : 0;
        });
      }
      group.wait();
    }
    held.free(busy);
    held.wait();
    EXPECT_EQ(ran, 20 * per_node);
    EXPECT_EQ(at_home, 0u);
  });
}

/// A tree in which tasks fork in all ways, placed and not; each leaf counts up.
class mixed_tree {
 public:
  mixed_tree(unsigned nodes, unsigned depth) : nodes_(nodes), ran_(leaves(depth)) { fork(0, depth); }

  void expect_each_once() const {
    for (const auto& each : ran_) ASSERT_EQ(each, 1u);
  }

 private:
  static constexpr std::size_t leaves(unsigned depth) { return depth == 0 ? 1 : 3 * leaves(depth - 1); }

  void fork(std::size_t first, unsigned depth) {
    if (depth == 0) {
      ++ran_[first];
      return;
    }
    const std::size_t part = leaves(depth - 1);
    const auto child = [=, this](std::size_t i) { return [=, this] { fork(first + i * part, depth - 1); }; };
    const unsigned node = static_cast<unsigned>(first / 3 + depth) % nodes_;
    switch ((first / part + depth) % 6) {
      case 0: {  // some
        task_group group(4);
        group.run(child(0), 1);
        group.run(on(node), child(1), 2);
        group.run(child(2), 1);
        group.wait();
        break;
      }
      case 1: {  // all
        task_group group;
        for (std::size_t i = 0; i < 3; ++i) group.run(on((node + static_cast<unsigned>(i)) % nodes_), child(i));
        group.wait();
        break;
      }
      case 2:
        invoke(child(0), work(2, on(node, child(1))), on(node, work(1, child(2))));
        break;
      case 3: {  // in two rounds, in a group inside another one
        task_group outer(policy::help_first), inner;
        outer.run(child(0));
        inner.run(on(node), child(1));
        inner.wait();
        outer.run(on(node), child(2));
        outer.wait();
        break;
      }
      case 4: {  // waited for before one that was opened later
        task_group outer, inner;
        outer.run(on(node), child(0));
        inner.run(on(node), child(1));
        outer.wait();
        inner.run(child(2));
        inner.wait();
        break;
      }
      default:
        invoke(child(0), child(1), child(2));
    }
  }

  const unsigned nodes_;
  std::vector<std::atomic<unsigned>> ran_;
};

TEST_P(affinity_on, every_task_runs_once) {
  rt->run([&] {
    for (int i = 0; i < 4; ++i) mixed_tree(nodes, 5).expect_each_once();
  });
  // Roots of their own, between which workers may sleep.
  for (int i = 0; i < 100; ++i)
    rt->run([&] { mixed_tree(nodes, 1 + static_cast<unsigned>(i) % 2).expect_each_once(); });
}

TEST_P(affinity_on, an_exception_reaches_the_wait_and_later_siblings_are_skipped) {
  rt->run([&] {
    const unsigned here = this_node().value();
    held_workers held(nodes);
    bool skipped = true;
    task_group group;
    group.run(on(here), [&] { skipped = false; });
    group.run(on(here), [] { throw std::runtime_error("thrown"); });  // the newest is taken first
    try {
      group.wait();
      ADD_FAILURE() << "nothing thrown";
    } catch (const std::runtime_error& thrown) {
      EXPECT_STREQ(thrown.what(), "thrown");
    }
    EXPECT_TRUE(skipped);
    held.free_all_but(nodes);
    held.wait();
    EXPECT_THROW(invoke(on(here, [] { throw std::logic_error("one"); }), [] {}), std::logic_error);
  });
}

TEST_P(affinity_on, branches_return_their_results) {
  const auto [one, two, none] = rt->run([&] {
    return invoke(on(1, [] { return 1; }), work(3, on(0, [] { return std::make_unique<std::string>("two"); })), [] {});
  });
  EXPECT_EQ(one, 1);
  EXPECT_EQ(*two, "two");
  EXPECT_EQ(none, std::monostate());
}

TEST_P(affinity_on, an_unknown_node_is_refused_and_nothing_is_forked) {
  rt->run([&] {
    bool ran = false;
    task_group group;
    const std::string number = std::to_string(nodes), last = std::to_string(nodes - 1);
    const std::string said = error_of([&] { group.run(on(nodes), [&] { ran = true; }); });
    EXPECT_EQ(
        said.find("jackdaw::on(" + number + "): the machine has no memory node " + number + "; expected one of 0, "),
        0u)
        << said;
    EXPECT_TRUE(said.ends_with(", " + last) || nodes == 2) << said;
    (void)error_of([&] { invoke([&] { ran = true; }, on(0, [&] { ran = true; }), on(nodes, [&] { ran = true; })); });
    EXPECT_FALSE(ran);
    group.run(on(0), [&] { ran = true; });
    group.wait();
    EXPECT_TRUE(ran);
  });
}

INSTANTIATE_TEST_SUITE_P(
    all, affinity_on,
    testing::Combine(testing::Values("random", "hierarchical", "adws", "constrained", "cab", "laws"),
                     testing::Values(2u, 4u)),
    [](const auto& each) { return std::get<0>(each.param) + "_" + std::to_string(std::get<1>(each.param)) + "x4"; });

TEST(affinity, from_a_thread_outside) {
  setenv("HWLOC_SYNTHETIC", machine_of(2).c_str(), 1);
  std::atomic<unsigned> ran{0};
  task_group group;
  for (unsigned i = 0; i < 100; ++i) {
    group.run(on(i % 2), [&] { ran += this_worker().has_value() ? 1 : 0; });
  }
  group.wait();
  EXPECT_EQ(ran, 100u);
  group.run(on(1), [] { throw std::runtime_error("thrown"); });
  EXPECT_THROW(group.wait(), std::runtime_error);
  EXPECT_EQ(invoke(on(0, [] { return 1; }), on(1, [] { return 2; })), std::tuple(1, 2));
  EXPECT_NE(error_of([&] { group.run(on(2), [] {}); }), "");
  EXPECT_NE(error_of([] { invoke(on(2, [] {}), [] {}); }), "");
}

TEST(affinity, a_node_without_workers_is_refused) {
  setenv("HWLOC_SYNTHETIC", machine_of(2).c_str(), 1);
  runtime rt({.workers = 4, .order = placement_order::compact});
  rt.run([] {
    task_group group;
    EXPECT_EQ(error_of([&] { group.run(on(1), [] {}); }),
              "jackdaw::on(1): no worker of the runtime is near memory node 1; expected one of 0");
    bool ran = false;
    group.run(on(0), [&] { ran = true; });
    group.wait();
    EXPECT_TRUE(ran);
  });
}

TEST(affinity, is_empty_where_pages_are_not_known) {
  setenv("HWLOC_SYNTHETIC", machine_of(2).c_str(), 1);
  const std::vector<int> cells(10'000, 1);
  EXPECT_FALSE(near(cells).node().has_value());  // the kernel's nodes are not the described ones
  unsetenv("HWLOC_SYNTHETIC");
  EXPECT_FALSE(near(std::vector<int>()).node().has_value());
  EXPECT_FALSE(affinity().node().has_value());
  setenv("HWLOC_SYNTHETIC", machine_of(2).c_str(), 1);
  runtime rt;
  EXPECT_EQ(rt.run([&] { return invoke(near(cells, [] { return 1; }), [] { return 2; }); }), std::tuple(1, 2));
}

TEST(affinity, is_left_out_of_recordings) {
  setenv("HWLOC_SYNTHETIC", machine_of(2).c_str(), 1);
  trace::recorder recorder("test", 4);
  runtime rt = detail::runtime_access::recording({.workers = 4}, recorder);
  std::string order;
  rt.run([&] {
    task_group group(3);
    group.run(on(1), [&] { order += 'a'; }, 2);
    group.run([&] { order += 'b'; }, 1);
    group.wait();
    invoke([&] { order += 'c'; }, on(0, [&] { order += 'd'; }));
    EXPECT_NE(error_of([&] { group.run(on(2), [] {}); }), "");
  });
  EXPECT_EQ(order, "abcd");
  const trace::task_tree tree = recorder.take();
  EXPECT_EQ(tree.tasks.size(), 5u);
}

TEST(near_pools, own_newest_first_then_nearest_and_oldest) {
  const machine where = machine::from_synthetic("package:2 group:2 numa:1 core:2 pu:1");
  detail::near_pools pools(where, where.place_workers(0, placement_order::scatter));
  ASSERT_EQ(pools.of(7), 3u);
  EXPECT_EQ(pools.first_of(3), 6u);
  for (unsigned node = 0; node < 4; ++node) {
    EXPECT_EQ(pools.nearest(node), node);
    for (std::uintptr_t i = 1; i <= 2; ++i) pools.put(node, sched::item(std::uintptr_t{10} * (node + 1) + i));
  }
  EXPECT_EQ(pools.waiting(), 8);
  std::vector<std::uintptr_t> taken;
  while (const sched::item own = pools.take_own(5, false)) taken.push_back(own.handle());
  while (const sched::item other = pools.take_other(5)) taken.push_back(other.handle());
  // Node 3 shares the package.
  EXPECT_EQ(taken, (std::vector<std::uintptr_t>{32, 31, 41, 42, 11, 12, 21, 22}));
  EXPECT_EQ(pools.waiting(), 0);
}

/// No child waits for as long as others send new ones; but a crowd is worked off from its end.
TEST(near_pools, own_oldest_first_if_roots_share_them_unless_there_are_many) {
  const machine where = machine::from_synthetic("package:2 numa:1 core:2 pu:1");
  detail::near_pools pools(where, where.place_workers(0, placement_order::scatter));
  constexpr std::uintptr_t crowd = 4100;
  for (std::uintptr_t i = 1; i <= crowd; ++i) pools.put(0, sched::item(i));
  for (std::uintptr_t newest = crowd; newest > 4096; --newest) EXPECT_EQ(pools.take_own(0, true).handle(), newest);
  for (std::uintptr_t oldest = 1; oldest <= 100; ++oldest) EXPECT_EQ(pools.take_own(0, true).handle(), oldest);
}

TEST(squads, are_divided_by_the_l3_caches_of_their_sockets) {
  const auto found = [](const char* topology) {
    const machine where = machine::from_synthetic(topology);
    const auto places = where.place_workers(0, placement_order::scatter);
    return std::pair(detail::squads_of(where, places), detail::cache_squads_of(where, places));
  };
  const auto [sockets, caches] = found("package:2 numa:1 l3:2(size=4MB) core:4 pu:1");
  ASSERT_EQ(sockets.size(), 2u);
  EXPECT_EQ(sockets[0].shared_cache, 8'000'000u);
  ASSERT_EQ(caches.size(), 4u);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(caches[i].shared_cache, 4'000'000u);
    EXPECT_EQ(caches[i].workers.first, 4 * i);
    EXPECT_EQ(caches[i].workers.last, 4 * i + 3);
  }
  EXPECT_EQ(found("package:2 numa:1 l2:2(size=1MB) core:2 pu:1").second.size(), 2u) << "no L3";
  EXPECT_EQ(found("package:4 numa:1 l3:1(size=4MB) core:2 pu:1").second.size(), 4u);
}

TEST(near_pools, nodes_without_processors_are_near_the_nearest) {
  machine where = machine::from_synthetic("package:2 numa:1 core:2 pu:1");
  for (unsigned i = 2; i < 4; ++i) {
    machine::node& added = where.nodes.emplace_back();
    added.index = i;
    added.os_index = 10 + i;
    added.cpu_less = true;
  }
  //                      to: 0   1   2   3
  where.node_distances = {10, 20, 30, 17, 20, 10, 15, 17, 30, 15, 10, 40, 17, 17, 40, 10};
  const detail::near_pools pools(where, where.place_workers(0, placement_order::scatter));
  EXPECT_EQ(pools.nearest(0), 0u);
  EXPECT_EQ(pools.nearest(12), 1u);
  EXPECT_EQ(pools.nearest(13), std::nullopt);  // as near to the one as to the other
  EXPECT_EQ(pools.nearest(2), std::nullopt);
  EXPECT_NO_THROW(pools.check(13, true));
}

}  // namespace
}  // namespace jackdaw
