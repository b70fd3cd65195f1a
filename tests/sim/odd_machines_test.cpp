// Machines that nobody builds, and programs whose time on them can be worked out by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "machines.hpp"
#include "program.hpp"
#include "sim/simulate.hpp"

namespace jackdaw::sim {
namespace {

using test::compute;
using test::invoke;
using test::record;

constexpr std::uint64_t part_bytes = 1 << 20;
constexpr std::uint64_t first_byte = std::uint64_t{1} << 32;

/// Reads a MiB, number `which`.
test::step read_part(std::uint64_t which) {
  return compute(0, {{.address = first_byte + which * part_bytes, .length = part_bytes}});
}

outcome run_on(const test::body& program, const machine_model& machine, const scenario& what) {
  const trace::task_tree tree = record(program);
  return simulate(tree, address_space(tree, machine), machine, what);
}

double time_of(const test::body& program, const machine_model& machine, const std::string& placement,
               unsigned workers = 1) {
  return run_on(program, machine, {.scheduler = "adws:no-steal", .placement = placement, .workers = workers}).time;
}

/// What one leaf takes alone: the latency, and its bytes at the lowest rate on their way.
double alone_takes(double latency, double gb_per_s) { return latency + part_bytes / gb_per_s; }

/// But for the looks of a worker that waits for its part.
void expect_exact(double time, double worked_out) { EXPECT_NEAR(time, worked_out, 50 + 1e-6 * worked_out); }

TEST(odd_machines, of_three_sockets_with_one_core_each_read_their_own_nodes) {
  const machine_model m = small_machine(3, 1);
  const auto three = [](std::uint64_t first) {
    return test::body{invoke({{.hint = 1, .does = {read_part(first)}},
                              {.hint = 1, .does = {read_part(first + 1)}},
                              {.hint = 1, .does = {read_part(first + 2)}}})};
  };
  // First touch puts each part next to the core that reads it.
  const outcome o = run_on(three(0), m, {.scheduler = "adws:no-steal", .placement = "first-touch", .workers = 3});
  expect_exact(o.time, alone_takes(100, m.local_rate));
  EXPECT_EQ(o.data.from_node, (std::vector<std::uint64_t>(3, part_bytes)));
  EXPECT_EQ(o.remote_bytes, 0);
  // All on node 2: its own core at its own rate, the others each over a link of their own.
  expect_exact(time_of(three(0), m, "bind:2", 3), alone_takes(150, m.remote_rate));
}

TEST(odd_machines, a_node_may_be_nearest_to_no_core_that_works) {
  machine_model m = small_machine(2, 1);
  m.nodes.push_back({.socket = 1,
                     .kind = machine_model::memory_kind::cxl,
                     .capacity = std::uint64_t{1} << 30,
                     .bandwidth = 3,
                     .latency = 400});
  expect_exact(time_of({read_part(0)}, m, "bind:2"), alone_takes(450, 3));
  m.nodes[2].bandwidth = 20;
  m.nodes[2].rate = 2;
  expect_exact(time_of({read_part(0)}, m, "bind:2"), alone_takes(450, 2));
}

TEST(odd_machines, cores_without_memory_touch_it_on_the_nearest_socket) {
  machine_model m = ring();
  std::erase_if(m.nodes, [](const machine_model::memory_node& of) { return of.socket != 2; });
  // Socket 0 is two links away from socket 2.
  const outcome o = run_on({read_part(0)}, m, {.scheduler = "random", .workers = 1});
  expect_exact(o.time, alone_takes(100 + 2 * 50, m.remote_rate));
  EXPECT_EQ(o.data.from_node, (std::vector<std::uint64_t>{part_bytes}));
  EXPECT_EQ(o.remote_bytes, part_bytes);
}

TEST(odd_machines, a_link_may_be_slower_in_one_direction) {
  machine_model m = small_machine(2, 1);
  for (auto& link : m.links) link.bandwidth = link.from == 0 ? 4 : 1;
  const test::body both{invoke({{.hint = 1, .does = {read_part(0)}}, {.hint = 1, .does = {read_part(1)}}})};
  // From node 0 to socket 1 at 4, from node 1 to socket 0 at 1.
  expect_exact(time_of(both, m, "bind:0", 2), alone_takes(150, 4));
  expect_exact(time_of(both, m, "bind:1", 2), alone_takes(150, 1));
}

TEST(odd_machines, a_cache_larger_than_the_data_reads_them_once) {
  machine_model m = small_machine(1, 1);
  m.private_cache.size = std::uint64_t{1} << 40;
  m.shared_cache.size = std::uint64_t{1} << 40;
  const outcome o = run_on({read_part(0), read_part(0), read_part(0)}, m, {.scheduler = "random", .workers = 1});
  expect_exact(o.time, alone_takes(100, m.local_rate));
  EXPECT_EQ(o.data.from_node, (std::vector<std::uint64_t>{part_bytes}));
  EXPECT_EQ(o.data.from_private, 2 * part_bytes);
}

TEST(odd_machines, a_socket_may_have_several_shared_caches) {
  machine_model m = small_machine(1, 4);
  m.shared_cache_cores = 1;
  constexpr std::uint64_t bytes = 32 << 10;
  const auto use = [](bool write) { return compute(0, {{.address = first_byte, .length = bytes, .write = write}}); };
  // One of the branches runs where the lines were written, and the other worker's come as from memory.
  const test::body program{use(true), invoke({{.hint = 1, .does = {use(false)}}, {.hint = 1, .does = {use(false)}}})};
  const outcome o = run_on(program, m, {.scheduler = "adws:no-steal", .workers = 2});
  constexpr double looks = 100;  // of the worker that waits for its branch
  EXPECT_NEAR(o.time, 2 * (100 + bytes / m.local_rate), looks);
  EXPECT_EQ(o.data.from_node, std::vector<std::uint64_t>{bytes});
  EXPECT_EQ(o.data.from_socket, std::vector<std::uint64_t>{bytes});
  EXPECT_EQ(o.local_bytes, 2 * bytes);
  EXPECT_EQ(o.remote_bytes, 0);
  m.shared_cache_cores = 2;
  EXPECT_NEAR(time_of(program, m, "first-touch", 2), 100 + bytes / m.local_rate + 20 + bytes / m.shared_cache.rate,
              looks);
}

TEST(odd_machines, hold_what_their_fill_policy_lets_them_hold) {
  machine_model m = small_machine(1, 1);  // 64 KiB private, 256 KiB shared
  constexpr std::uint64_t bytes = 300 << 10;
  const test::body twice(2, compute(0, {{.address = first_byte, .length = bytes}}));
  const auto from_memory = [&](machine_model::fill_policy fill) {
    m.fill = fill;
    return run_on(twice, m, {.scheduler = "random", .workers = 1}).data.from_node.at(0);
  };
  EXPECT_EQ(from_memory(machine_model::fill_policy::exclusive), bytes);
  EXPECT_EQ(from_memory(machine_model::fill_policy::inclusive), 2 * bytes);
  const std::uint64_t victim = from_memory(machine_model::fill_policy::victim);
  EXPECT_GT(victim, bytes);
  EXPECT_LT(victim, 2 * bytes);
}

TEST(odd_machines, without_latency_or_caches_take_what_the_bytes_take) {
  machine_model m = small_machine(2, 2);
  for (auto& node : m.nodes) node.latency = 0;
  for (auto& link : m.links) link.latency = 0;
  m.private_cache = m.shared_cache = {};
  expect_exact(time_of({read_part(0), read_part(0)}, m, "bind:0"), 2 * alone_takes(0, m.local_rate));
  expect_exact(time_of({read_part(0), read_part(1)}, m, "bind:1"), 2 * alone_takes(0, m.remote_rate));
}

TEST(odd_machines, rates_of_nothing_but_one_resource_are_shared_evenly) {
  machine_model m = small_machine(1, 8);
  m.nodes[0].bandwidth = 1;  // eight cores could read 80
  std::vector<test::branch> parts;
  for (std::uint64_t i = 0; i < 4; ++i) parts.push_back({.hint = 1, .does = {read_part(i)}});
  expect_exact(time_of({invoke(std::move(parts))}, m, "first-touch", 4), alone_takes(100, 0.25));
}

}  // namespace
}  // namespace jackdaw::sim
