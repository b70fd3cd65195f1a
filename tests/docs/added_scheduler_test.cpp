// The scheduler of docs/adding-a-scheduler.md, built from its page, on both engines.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <jackdaw/jackdaw.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "sched/event.hpp"
#include "sched/scheduler.hpp"
#include "sim/program.hpp"
#include "sim/run_tree.hpp"
#include "sim/simulate.hpp"
#include "support/fib.hpp"

namespace jackdaw {
namespace {

constexpr std::string_view added = "socket-first";

TEST(added_scheduler, is_in_the_list_that_users_see) {
  const std::vector<std::string> known = scheduler_names();
  EXPECT_EQ(std::count(known.begin(), known.end(), added), 1);
}

TEST(added_scheduler, runs_forks_loops_and_failures_of_several_clients) {
  for (const unsigned workers : {1U, 2U, 5U}) {
    runtime rt({.scheduler = std::string(added), .workers = workers});
    std::vector<std::thread> clients;
    std::atomic<unsigned> good{0};
    for (unsigned client = 0; client < 4; ++client) {
      clients.emplace_back([&] {
        for (int i = 0; i < 5; ++i) {
          std::vector<int> cells(1000, 1);
          good +=
              rt.run([&] { return test::fib(18) == 2584 && reduce(cells.begin(), cells.end(), 0) == 1000; }) ? 1 : 0;
          const auto fails = [] { invoke([] { throw std::runtime_error("the left one"); }, [] {}); };
          EXPECT_THROW(rt.run(fails), std::runtime_error);
        }
      });
    }
    for (std::thread& each : clients) each.join();
    EXPECT_EQ(good.load(), 20U) << workers << " workers";
  }
}

TEST(added_scheduler, sends_the_roots_children_to_the_squads_of_their_spans) {
  sim::test::body root;
  for (unsigned i = 0; i < 8; ++i) root.push_back(sim::test::fork(0, {sim::test::compute(100'000)}, 1, 8));
  root.push_back(sim::test::wait(0));
  const trace::task_tree tree = sim::test::record(root);
  const machine_model machine = sim::test::costly_machine(4, 2);
  std::vector<sched::event> events;
  sim::scenario what;
  what.scheduler = added;
  what.events = &events;
  simulate(tree, sim::address_space(tree, machine), machine, what);
  std::vector<sched::pool_id> pools;
  std::vector<std::int64_t> sent;
  for (const sched::event& each : events) {
    if (each.what == sched::event::kind::fork) pools.push_back(each.where.pool);
    if (each.what == sched::event::kind::decide && each.decided->name == "sent") sent.push_back(each.value);
  }
  EXPECT_EQ(pools, (std::vector<sched::pool_id>{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(sent, std::vector<std::int64_t>{8});
}

}  // namespace
}  // namespace jackdaw
