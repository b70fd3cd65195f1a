// What `auto` promises: data lie in the fastest memory near their users, and a region runs in the way that suits it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"
#include "run_tree.hpp"
#include "sched/automatic.hpp"
#include "sim/simulate.hpp"

namespace jackdaw::sim {
namespace {

constexpr std::uint64_t kib = 1024, mib = 1024 * kib;

/// Two sockets of four, each with a DRAM node (0, 1) and an HBM node (2, 3) that gives its cores all they can take.
machine_model with_hbm() {
  machine_model m = test::costly_machine(2, 4);
  for (unsigned socket = 0; socket < 2; ++socket) {
    m.nodes[socket].bandwidth = 12;
    m.nodes.push_back({.socket = socket,
                       .kind = machine_model::memory_kind::hbm,
                       .capacity = 64 * mib,
                       .bandwidth = 60,
                       .latency = 110});
  }
  return m;
}

outcome run(const trace::task_tree& tree, const machine_model& machine, const scenario& what) {
  return simulate(tree, address_space(tree, machine), machine, what);
}

double bytes_from(const outcome& of, unsigned first, unsigned last) {
  double sum = 0;
  for (unsigned node = first; node <= last; ++node) sum += static_cast<double>(of.data.from_node[node]);
  return sum;
}

std::vector<std::string> ways(const outcome& of) {
  std::vector<std::string> found;
  for (const decided_at& each : of.decisions) {
    if (*each.what != sched::automatic::decisions::place) found.emplace_back(each.what->name);
  }
  return found;
}

TEST(automatic, puts_what_is_touched_first_into_fast_memory) {
  const trace::task_tree tree = test::update_repeatedly(6, 6, 256 * kib);
  const outcome fast = run(tree, with_hbm(), {.scheduler = "auto"});
  EXPECT_EQ(bytes_from(fast, 0, 1), 0);
  EXPECT_GT(bytes_from(fast, 2, 3), 0);
  EXPECT_LT(fast.time, 0.5 * run(tree, with_hbm(), {.scheduler = "adws"}).time);
}

TEST(automatic, uses_slow_memory_when_the_fast_one_is_full) {
  machine_model machine = with_hbm();
  for (unsigned node : {2u, 3u}) machine.nodes[node].capacity = 4 * mib;
  const outcome found = run(test::update_repeatedly(6, 6, 256 * kib), machine, {.scheduler = "auto"});
  EXPECT_GT(bytes_from(found, 0, 1), 0);
  EXPECT_GT(bytes_from(found, 2, 3), 0);
}

TEST(automatic, leaves_data_where_the_user_bound_them) {
  const outcome found =
      run(test::update_repeatedly(30, 6, 256 * kib), with_hbm(), {.scheduler = "auto", .placement = "bind:1"});
  EXPECT_EQ(bytes_from(found, 2, 3), 0);
  const outcome dram = run(test::update_repeatedly(30, 6, 256 * kib), with_hbm(),
                           {.scheduler = "auto", .placement = "first-touch:dram"});
  EXPECT_EQ(bytes_from(dram, 2, 3), 0);
}

TEST(automatic, moves_what_one_thread_has_touched_to_fast_memory_near_its_users) {
  const trace::task_tree tree = test::update_repeatedly(60, 6, 256 * kib);
  machine_model machine = with_hbm();
  machine.page = 64 * kib;
  const outcome found = run(tree, machine, {.scheduler = "auto", .placement = "serial:0"});
  EXPECT_GT(bytes_from(found, 2, 3), 9 * bytes_from(found, 0, 1));
  EXPECT_GT(static_cast<double>(found.local_bytes), 9.0 * static_cast<double>(found.remote_bytes));
}

TEST(automatic, moves_data_to_fast_memory_on_one_socket_too) {
  machine_model machine = test::costly_machine(1, 4);
  machine.nodes[0].bandwidth = 12;
  machine.nodes.push_back({.socket = 0, .capacity = 64 * mib, .bandwidth = 60, .latency = 110});
  machine.page = 64 * kib;
  const outcome found =
      run(test::update_repeatedly(60, 6, 256 * kib), machine, {.scheduler = "auto", .placement = "serial:0"});
  EXPECT_GT(bytes_from(found, 1, 1), 9 * bytes_from(found, 0, 0));
}

/// Four workers on one socket and two on the other, each with memory that two workers can use up.
outcome on_unequal_sockets(const trace::task_tree& tree, std::string scheduler, double link = 8,
                           std::string placement = "first-touch") {
  machine_model machine = test::costly_machine(2, 4);
  for (machine_model::memory_node& each : machine.nodes) each.bandwidth = 12;
  for (machine_model::link& each : machine.links) each.bandwidth = link;
  return run(tree, machine,
             {.scheduler = std::move(scheduler), .placement = std::move(placement), .workers = 6, .scatter = false});
}

/// Data are touched first by an iteration that computes, so that all workers touch alike, and then streamed.
trace::task_tree touched_then_swept() {
  test::body root = test::update(7, 1 << 20, 128 * kib, 500'000);
  for (unsigned i = 0; i < 12; ++i) {
    for (test::step& each : test::update(7, 1 << 20, 128 * kib, 1000)) root.push_back(std::move(each));
  }
  return test::record(root);
}

double part_of_second_node(const outcome& of) { return bytes_from(of, 1, 1) / bytes_from(of, 0, 1); }

TEST(automatic, gives_each_of_unequal_sockets_the_data_that_its_memory_can_move) {
  const trace::task_tree tree = touched_then_swept();
  const outcome found = on_unequal_sockets(tree, "auto"), even = on_unequal_sockets(tree, "adws");
  EXPECT_LT(part_of_second_node(even), 0.4);
  EXPECT_GT(part_of_second_node(found), 0.45);
  EXPECT_LT(found.time, 0.85 * even.time);
}

TEST(automatic, gives_a_socket_with_slow_memory_fewer_data) {
  machine_model machine = test::costly_machine(2, 4);
  machine.nodes[0].bandwidth = 40;
  machine.nodes[1].bandwidth = 12;
  const trace::task_tree tree = touched_then_swept();
  const outcome found = run(tree, machine, {.scheduler = "auto"}), even = run(tree, machine, {.scheduler = "adws"});
  EXPECT_LT(part_of_second_node(found), 0.3);
  EXPECT_LT(found.iterations[1], 0.7 * even.iterations[1]) << "before adws has moved data";
  EXPECT_LT(found.time, 0.95 * even.time);
}

TEST(automatic, leaves_data_of_unequal_sockets_near_their_users_where_the_link_is_slow) {
  EXPECT_LT(part_of_second_node(on_unequal_sockets(touched_then_swept(), "auto", 0.5)), 0.4);
}

TEST(automatic, leaves_data_of_unequal_sockets_where_the_user_bound_them) {
  EXPECT_EQ(part_of_second_node(on_unequal_sockets(touched_then_swept(), "auto", 8, "bind:0")), 0);
}

TEST(automatic, computes_in_equal_parts_on_unequal_sockets) {
  const trace::task_tree tree = test::update_repeatedly(12, 7, 4 * kib, 100'000);
  EXPECT_LT(on_unequal_sockets(tree, "auto").time, 1.01 * on_unequal_sockets(tree, "adws").time);
}

/// Two leaves, the first of which is a little longer than one worker's part. A search that hints lead into it has one
/// worker for both.
trace::task_tree two_leaves(unsigned times) {
  test::body root;
  for (unsigned i = 0; i < times; ++i)
    root.push_back(test::invoke({{100, {test::compute(100'000)}}, {95, {test::compute(95'000)}}}));
  return test::record(root);
}

TEST(automatic, lays_a_region_out_by_its_times_where_hints_leave_workers_idle) {
  const machine_model machine = test::costly_machine(1, 2);
  const outcome found = run(two_leaves(60), machine, {.scheduler = "auto"});
  EXPECT_EQ(ways(found), (std::vector<std::string>{"by-times"}));
  EXPECT_LT(found.iterations.back(), 110'000);
}

/// The first eighth of the leaves takes most of the time, and their hints are all alike.
trace::task_tree skewed(unsigned times) {
  test::body root;
  for (unsigned i = 0; i < times; ++i) {
    for (unsigned leaf = 0; leaf < 64; ++leaf)
      root.push_back(test::fork(0, {test::compute(leaf < 8 ? 40'000 : 2'000)}, 1, 64));
    root.push_back(test::wait(0));
  }
  return test::record(root);
}

TEST(automatic, lays_a_balanced_region_out_by_hints_without_any_trial) {
  const trace::task_tree tree = test::update_repeatedly(200, 3, 4 * kib, 200'000);
  const outcome found = run(tree, test::costly_machine(2, 4), {.scheduler = "auto"});
  EXPECT_EQ(ways(found), (std::vector<std::string>{"by-hints"}));
}

/// A root whose iterations differ all the time.
trace::task_tree shapeless(unsigned times) {
  std::mt19937_64 random(3);
  test::body root;
  for (unsigned i = 0; i < times; ++i) {
    const unsigned leaves = 1 + static_cast<unsigned>(random() % 40);
    for (unsigned leaf = 0; leaf < leaves; ++leaf)
      root.push_back(test::fork(0, {test::compute(static_cast<double>(random() % 30'000))}));
    root.push_back(test::wait(0));
  }
  return test::record(root);
}

TEST(automatic, is_as_fast_as_the_best_fixed_way_without_a_stable_shape) {
  const trace::task_tree tree = shapeless(300);
  const machine_model machine = test::costly_machine(2, 4);
  const auto whole = [&](const char* name) { return run(tree, machine, {.scheduler = name}).whole; };
  const double best = std::min({whole("random"), whole("adws"), whole("adws:hints=both")});
  EXPECT_LT(whole("auto"), 1.03 * best);
}

/// A loop over 32 leaves that use the same memory in each iteration. The groups know their whole work but not that of
/// their children.
void add_loop(trace::tree_builder& into, std::uint32_t site, unsigned first, unsigned leaves, unsigned slow) {
  if (leaves == 1) {
    const std::uint64_t bytes = 64 * kib, at = mib + first * bytes;
    into.touch({.address = at, .length = bytes});
    into.touch({.address = at, .length = bytes, .write = true});
    into.compute(first / 3 == slow ? 40'000 : 20'000);
    return;
  }
  const std::uint32_t group = into.open_group(leaves, false, site);
  for (const unsigned half : {0u, 1u}) {
    into.fork(group, -1, false);
    add_loop(into, 0, first + half * leaves / 2, leaves / 2, slow);
    into.end_task();
  }
  into.wait(group);
}

/// Time steps of two loops over the same memory, the first of which has three long leaves, now here, now there.
trace::task_tree steps_of_two_loops(unsigned steps) {
  trace::task_tree head;
  head.sites = {"nested", "A", "B"};
  trace::tree_builder builder(head);
  builder.begin_root("run");
  for (unsigned i = 0; i < steps; ++i) {
    add_loop(builder, 1, 0, 32, i * 7 % 10);
    add_loop(builder, 2, 0, 32, 32);
  }
  builder.end_root();
  return builder.finish();
}

TEST(automatic, lays_regions_that_share_data_out_in_the_same_way) {
  machine_model machine = test::costly_machine(4, 4);
  machine.private_cache.size = mib;
  machine.shared_cache.size = 2 * mib;
  machine.local_rate = 4;
  machine.remote_rate = 2;
  const trace::task_tree tree = steps_of_two_loops(120);
  const outcome found = run(tree, machine, {.scheduler = "auto"});
  EXPECT_EQ(ways(found).front(), "all-by-times");
  EXPECT_LT(found.time, 1.03 * run(tree, machine, {.scheduler = "auto:times"}).time);
  EXPECT_LT(found.time, 0.9 * run(tree, machine, {.scheduler = "auto:hints"}).time);
}

TEST(automatic, decides_nothing_when_its_way_is_pinned) {
  for (const std::string name : {"auto:hints", "auto:times", "auto:plain"}) {
    const outcome found = run(skewed(120), test::costly_machine(2, 4), {.scheduler = name});
    EXPECT_TRUE(ways(found).empty()) << name;
  }
}

TEST(automatic, steals_as_far_as_random_does_when_it_is_plain) {
  const machine_model machine = test::costly_machine(2, 4);
  const trace::task_tree tree = skewed(40);
  const double plain = run(tree, machine, {.scheduler = "auto:plain"}).whole;
  EXPECT_LT(plain, 1.1 * run(tree, machine, {.scheduler = "random"}).whole);
}

/// Half of the workers wait for a step that nobody can share, while the others have much to do.
trace::task_tree serial_beside_parallel() {
  const test::body leaf{test::compute(1000)};
  const test::body serial{test::compute(12e6), test::invoke({{1, leaf}, {1, leaf}})};
  return test::record(test::body{test::invoke({{1, serial}, {1, test::update(10, mib, 64, 120e3)}})});
}

TEST(automatic, steals_beyond_ranges_that_have_no_work_for_long) {
  const trace::task_tree tree = serial_beside_parallel();
  const machine_model machine = test::costly_machine(2, 6);
  const auto whole = [&](const char* name) { return run(tree, machine, {.scheduler = name}).whole; };
  EXPECT_GT(whole("adws"), 1.2 * whole("random"));
  EXPECT_LT(whole("auto"), 1.09 * whole("random")) << "its workers wait for 0.25 ms for a part, of 12 ms";
}

/// A tree whose branches have a quarter and three quarters of the leaves, and equal work hints.
test::body lopsided(unsigned leaves) {
  if (leaves == 1) return {test::compute(4000)};
  const unsigned few = std::max(leaves / 4, 1u);
  return {test::invoke({{1, lopsided(few)}, {1, lopsided(leaves - few)}})};
}

TEST(automatic, begins_with_plain_stealing_where_a_program_declares_no_data) {
  test::body root;
  for (unsigned i = 0; i < 80; ++i) {
    for (test::step& each : lopsided(256)) root.push_back(std::move(each));
  }
  const trace::task_tree tree = test::record(root);
  const machine_model machine = test::costly_machine(4, 8);
  const auto whole = [&](const char* name) { return run(tree, machine, {.scheduler = name}).whole; };
  EXPECT_GT(whole("adws"), 1.1 * whole("random"));
  EXPECT_LT(whole("auto"), 1.04 * whole("random"));
}

TEST(automatic, has_no_other_ways) {
  for (const char* name : {"auto:", "auto:random", "auto:hints,times", "automatic", "auto:PLAIN"})
    EXPECT_EQ(sched::make_scheduler(name), nullptr) << name;
}

}  // namespace
}  // namespace jackdaw::sim
