#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "machines.hpp"
#include "sched/scheduler.hpp"
#include "sim/memory/policy.hpp"
#include "sim/simulated.hpp"

namespace jackdaw::sim::test {

/// small_machine with every cost of the runtime, all of them different.
inline machine_model costly_machine(unsigned sockets = 1, unsigned cores_per_socket = 2) {
  machine_model m = small_machine(sockets, cores_per_socket);
  m.cost = {.spawn = 10,
            .join = 5,
            .place = 400,
            .suspend = 70,
            .steal_local = 200,
            .steal_remote = 540,
            .look_local = 50,
            .look_remote = 140,
            .wake = 5000};
  return m;
}

/// For each step of a tree that computes its number in serial order.
inline std::vector<std::uint32_t> number_leaves(const trace::task_tree& tree) {
  std::vector<std::uint32_t> numbers(tree.ops.size());
  std::uint32_t next = 0;
  const auto walk = [&](const auto& self, std::uint32_t index) -> void {
    const trace::task& task = tree.tasks[index];
    for (std::uint64_t i = task.first_op; i < task.first_op + task.ops; ++i) {
      if (tree.ops[i].what == trace::op::kind::compute) numbers[i] = next++;
      if (tree.ops[i].what == trace::op::kind::fork) self(self, tree.ops[i].first);
    }
  };
  for (const trace::root& each : tree.roots) walk(walk, each.task);
  return numbers;
}

/// The execution of a tree on a simulated machine. Leaves by their number in serial order.
struct story {
  double time = 0;
  worker_counters work;
  memory_counters data;
  std::uint64_t events = 0;
  double longest_beside_work = 0;    ///< see simulated
  std::vector<unsigned> worker;      ///< of each leaf
  std::vector<double> ended;         ///< of each leaf
  std::vector<std::uint32_t> order;  ///< leaves as they ended
  std::vector<double> roots_began, roots_ended;

  bool operator==(const story& other) const {
    return time == other.time && work.computing == other.work.computing && work.memory == other.work.memory &&
           work.overhead == other.work.overhead && work.leaves == other.work.leaves && work.forks == other.work.forks &&
           work.failed_steals == other.work.failed_steals && work.failed == other.work.failed &&
           work.migrations == other.work.migrations && work.suspensions == other.work.suspensions &&
           work.sleeps == other.work.sleeps && work.steals == other.work.steals && data.lines == other.data.lines &&
           data.private_misses == other.data.private_misses && data.shared_misses == other.data.shared_misses &&
           data.from_socket == other.data.from_socket && data.from_node == other.data.from_node &&
           data.to_node == other.data.to_node && events == other.events && worker == other.worker &&
           ended == other.ended && order == other.order && roots_ended == other.roots_ended;
  }
};

class story_teller final : public observer {
 public:
  story_teller(const trace::task_tree& tree, story& into) : tree_(tree), numbers_(number_leaves(tree)), into_(into) {
    std::uint32_t leaves = 0;
    for (const trace::op& each : tree.ops) leaves += each.what == trace::op::kind::compute ? 1 : 0;
    into.worker.resize(leaves);
    into.ended.resize(leaves);
  }

  void leaf_ends(const trace::op& leaf, sched::worker_id on, double now) override {
    const std::uint32_t number = numbers_[static_cast<std::size_t>(&leaf - tree_.ops.data())];
    into_.worker[number] = on;
    into_.ended[number] = now;
    into_.order.push_back(number);
  }
  void root_begins(const trace::root&, double now) override { into_.roots_began.push_back(now); }
  void root_ends(const trace::root&, double now) override { into_.roots_ended.push_back(now); }

 private:
  const trace::task_tree& tree_;
  std::vector<std::uint32_t> numbers_;
  story& into_;
};

struct how {
  std::string_view scheduler = "random";
  unsigned workers = 0;
  std::uint64_t seed = 1;
  std::string_view placement = "first-touch";
};

inline story run_tree(const trace::task_tree& tree, const machine_model& machine, sched::scheduler& scheduler,
                      const how& by) {
  story result;
  const address_space space(tree, machine);
  simulated engine(tree, space, machine, scheduler, parse_policy(by.placement, machine),
                   {.workers = by.workers, .scatter = true, .seed = by.seed});
  story_teller told(tree, result);
  engine.run(told);
  result.time = engine.now();
  result.work = engine.total();
  result.data = engine.data().total();
  result.events = engine.events();
  result.longest_beside_work = engine.longest_beside_work();
  return result;
}

inline story run_tree(const trace::task_tree& tree, const machine_model& machine, const how& by) {
  return run_tree(tree, machine, *sched::make_scheduler(by.scheduler), by);
}

}  // namespace jackdaw::sim::test
