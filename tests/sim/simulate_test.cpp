// Whole simulations whose result a formula gives within 1%.
#include "sim/simulate.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "jackdaw/error.hpp"
#include "program.hpp"
#include "run_tree.hpp"

namespace jackdaw::sim {
namespace {

using test::compute;
using test::invoke;
using test::record;

constexpr std::uint64_t mib = 1 << 20;
constexpr std::uint64_t origin = std::uint64_t{1} << 32;

test::step read(std::uint64_t from, std::uint64_t length, double ns = 0) {
  return compute(ns, {{.address = origin + from, .length = length}});
}
test::step write(std::uint64_t from, std::uint64_t length) {
  return compute(0, {{.address = origin + from, .length = length, .write = true}});
}

outcome run(const trace::task_tree& tree, const machine_model& machine, const scenario& what) {
  return simulate(tree, address_space(tree, machine), machine, what);
}

/// `parts` leaves that each read one part of `bytes`, by halves.
test::body sweep(std::uint64_t bytes, unsigned parts, bool writing = false, std::uint64_t from = 0) {
  if (parts == 1) return {writing ? write(from, bytes) : read(from, bytes)};
  return {invoke({{.does = sweep(bytes / 2, parts / 2, writing, from)},
                  {.does = sweep(bytes / 2, parts / 2, writing, from + bytes / 2)}})};
}

TEST(streams, one_core_from_a_remote_node) {
  const machine_model m = small_machine();
  const scenario alone{.scheduler = "random", .placement = "bind:1", .workers = 1, .scatter = false};
  const outcome o = run(record(test::body{read(0, 16 * mib)}), m, alone);
  const double bytes = 16 * mib;
  EXPECT_NEAR(o.time, bytes / m.remote_rate + 150, 0.01 * o.time);
  EXPECT_NEAR(o.work.memory, o.time, 0.01 * o.time);
  EXPECT_EQ(o.remote_bytes, 16 * mib);
  EXPECT_EQ(o.local_bytes, 0);
  scenario near = alone;
  near.placement = "bind:0";
  EXPECT_NEAR(run(record(test::body{read(0, 16 * mib)}), m, near).time, bytes / m.local_rate + 100, 0.01 * o.time);
}

TEST(streams, computing_hides_what_overlaps) {
  machine_model m = small_machine();
  const double moving = 16 * mib / m.local_rate + 100;
  const auto time = [&](double overlap, double computes) {
    m.overlap = overlap;
    return run(record(test::body{read(0, 16 * mib, computes)}), m, {.scheduler = "random", .workers = 1}).time;
  };
  EXPECT_NEAR(time(1, 3 * moving), 3 * moving, 0.01 * moving);
  EXPECT_NEAR(time(1, moving / 2), moving, 0.01 * moving);
  EXPECT_NEAR(time(0, moving), 2 * moving, 0.01 * moving);
  EXPECT_NEAR(time(0.25, moving), 1.75 * moving, 0.01 * moving);
  // The shorter of the two, whichever it is.
  EXPECT_NEAR(time(0.25, 3 * moving), 3.75 * moving, 0.01 * moving);
  EXPECT_NEAR(time(0.25, moving / 2), 1.375 * moving, 0.01 * moving);
}

TEST(streams, what_is_hidden_depends_on_where_data_come_from) {
  machine_model m = small_machine();
  m.overlap = 0;
  m.shared_cache.overlap = 1;
  m.slow_start = {.length = 4096, .rate = m.local_rate / 2, .overlap = 1};
  const double steady = (16 * mib - 4096) / m.local_rate, slow = 4096 / m.slow_start.rate;
  const double time = run(record(test::body{read(0, 16 * mib, 1e6)}), m, {.scheduler = "random", .workers = 1}).time;
  EXPECT_NEAR(time, steady + 100 + 1e6, slow);
}

// Rows of 256 bytes come at half the rate, and rows that follow each other are one.
TEST(streams, a_run_begins_slowly) {
  machine_model m = small_machine();
  m.slow_start = {.length = 4096, .rate = m.local_rate / 2};
  const auto time = [&](std::uint64_t stride) {
    const trace::access rows{.address = 0, .length = 256, .stride = stride, .rows = 4096, .write = false};
    return run(record(test::body{test::compute(0, {rows})}), m, {.scheduler = "random", .workers = 1}).time;
  };
  const double steady = mib / m.local_rate;
  EXPECT_NEAR(time(16448), 2 * steady + 100, 0.01 * steady);
  EXPECT_NEAR(time(320), steady + 4096 / m.local_rate + 100, 0.01 * steady);
}

// Rows of 256 bytes: a line at a quarter of the rate, three at half of it. The leaf waits once for the latency.
TEST(streams, the_first_line_of_a_run_has_a_rate_of_its_own) {
  machine_model m = small_machine();
  m.slow_start = {.length = 128, .rate = m.local_rate / 2, .line_rate = m.local_rate / 4};
  const auto time = [&](std::uint64_t length) {
    const trace::access rows{.address = 0, .length = length, .stride = 16384, .rows = 4096, .write = false};
    return run(record(test::body{test::compute(0, {rows})}), m, {.scheduler = "random", .workers = 1}).time;
  };
  const double line = 64 * 4096 / m.local_rate;
  EXPECT_NEAR(time(64), 4 * line + 100, 1);
  EXPECT_NEAR(time(128), (4 + 2) * line + 100, 1);
  EXPECT_NEAR(time(256), (4 + 2 + 2) * line + 100, 1);
}

TEST(streams, written_lines_leave_at_their_own_rate) {
  machine_model m = small_machine();
  m.private_cache.size = m.shared_cache.size = 0;
  const auto time = [&](double rate) {
    m.write_rate = rate;
    const trace::access all{.address = 0, .length = 16 * mib, .stride = 0, .rows = 1, .write = true};
    return run(record(test::body{test::compute(0, {all})}), m, {.scheduler = "random", .workers = 1}).time;
  };
  const double moving = 16 * mib / m.local_rate;
  EXPECT_NEAR(time(0), 2 * moving, 0.01 * moving);
  EXPECT_NEAR(time(2 * m.local_rate), 1.5 * moving, 0.01 * moving);
}

TEST(streams, cores_saturate_a_node) {
  const machine_model m = small_machine(1, 8);
  for (const unsigned cores : {1u, 2u, 4u, 8u}) {
    const outcome o = run(record(sweep(8 * mib * cores, cores)), m, {.scheduler = "adws:no-steal", .workers = cores});
    const double bytes = 8 * mib * cores;
    EXPECT_NEAR(o.time, bytes / std::min(m.nodes[0].bandwidth, cores * m.local_rate), 0.01 * o.time) << cores;
    EXPECT_EQ(o.local_bytes, 8 * mib * cores);
  }
}

// All cores' leaves begin on the same node, as those of arrays do whose leaves are a multiple of all nodes' pages.
TEST(streams, cores_saturate_all_nodes_that_their_pages_are_interleaved_over) {
  machine_model m = small_machine(4, 8);
  for (auto& link : m.links) link.bandwidth = 1000;
  const std::uint64_t bytes = 4 * mib * m.cores();
  const outcome o = run(record(sweep(bytes, m.cores())), m, {.scheduler = "adws:no-steal", .placement = "interleave"});
  const double all_nodes = 4 * m.nodes[0].bandwidth;
  EXPECT_GE(o.time, static_cast<double>(bytes) / all_nodes);
  EXPECT_LE(o.time, 1.02 * static_cast<double>(bytes) / all_nodes);
  EXPECT_EQ(o.data.from_node, (std::vector<std::uint64_t>(4, bytes / 4)));
}

TEST(streams, two_tasks_share_a_link) {
  machine_model m = small_machine();
  const scenario two{.scheduler = "adws:no-steal", .placement = "bind:1", .workers = 2, .scatter = false};
  const double part = 8 * mib;
  const outcome even = run(record(sweep(16 * mib, 2)), m, two);
  EXPECT_NEAR(even.time, 2 * part / m.links[0].bandwidth, 0.01 * even.time);
  // When the shorter transfer ends, the other one has the link to itself, at a core's full rate.
  const test::body uneven{invoke({{.does = {read(0, 8 * mib)}}, {.does = {read(8 * mib, 16 * mib)}}})};
  const outcome o = run(record(uneven), m, two);
  EXPECT_NEAR(o.time, 2 * part / m.links[0].bandwidth + part / m.remote_rate, 0.01 * o.time);
  EXPECT_EQ(o.remote_bytes, 24 * mib);
  // Each in its own direction.
  const outcome both = run(record(sweep(16 * mib, 2)), m,
                           {.scheduler = "adws:no-steal", .placement = "interleave", .workers = 2, .scatter = true});
  EXPECT_NEAR(both.time, part / 2 / m.remote_rate + part / 2 / m.local_rate, 0.01 * both.time);
}

TEST(pages_of_a_program, lie_where_a_serial_initialisation_touches_them) {
  const machine_model m = small_machine(2, 4);
  const scenario what{.scheduler = "adws:no-steal", .workers = 8};
  const outcome serial = run(record(std::vector<test::body>{{write(0, 16 * mib)}, sweep(16 * mib, 8)}), m, what);
  EXPECT_EQ(serial.data.lines, 16 * mib / 64);
  EXPECT_EQ(serial.data.from_node[1], 0);
  EXPECT_EQ(serial.remote_bytes, 8 * mib) << "what the other socket reads, half of it";
  EXPECT_NEAR(static_cast<double>(serial.local_bytes), 8 * mib, 0.08 * 8 * mib) << "less what is still in caches";
  // All of it comes over one link.
  EXPECT_NEAR(serial.time, 8 * mib / m.links[0].bandwidth, 0.01 * serial.time);

  const outcome parallel = run(record(std::vector<test::body>{sweep(16 * mib, 8, true), sweep(16 * mib, 8)}), m, what);
  EXPECT_EQ(parallel.remote_bytes, 0);
  EXPECT_EQ(parallel.data.from_node[0], parallel.data.from_node[1]);
  EXPECT_LT(parallel.time, serial.time / 2);
}

TEST(pages_of_a_program, are_spread_evenly_by_interleave) {
  const machine_model m = small_machine(4, 2);
  const outcome o = run(record(sweep(16 * mib, 8)), m, {.scheduler = "adws:no-steal", .placement = "interleave"});
  EXPECT_EQ(o.data.from_node, (std::vector<std::uint64_t>(4, 4 * mib)));
  EXPECT_EQ(o.local_bytes, 4 * mib);
  EXPECT_EQ(o.remote_bytes, 12 * mib);
  EXPECT_EQ(o.local_to_node, (std::vector<std::uint64_t>(4, mib)));
}

TEST(sweeps, a_second_one_over_what_fits_the_private_caches_moves_nothing) {
  const machine_model m = small_machine(2, 4);
  const std::uint64_t bytes = 8 * m.private_cache.size;
  test::body twice = sweep(bytes, 8);
  twice.push_back(sweep(bytes, 8)[0]);
  const outcome o = run(record(twice), m, {.scheduler = "adws:no-steal"});
  ASSERT_EQ(o.iterations.size(), 2);
  EXPECT_EQ(o.measured, 1);
  EXPECT_EQ(o.data.lines, bytes / 64);
  EXPECT_EQ(o.data.private_misses, 0);
  EXPECT_EQ(o.data.from_private, bytes);
  EXPECT_EQ(o.local_bytes + o.remote_bytes + o.data.from_shared, 0);
  EXPECT_EQ(o.work.memory, 0);
  EXPECT_GT(o.iterations[0], 1000);
  EXPECT_LT(o.iterations[1], 1000);

  // A block more each, and least recently used caches have none of what comes next.
  test::body more = sweep(bytes + std::uint64_t{8} * m.block, 8);
  more.push_back(sweep(bytes + std::uint64_t{8} * m.block, 8)[0]);
  const outcome missed = run(record(more), m, {.scheduler = "adws:no-steal"});
  EXPECT_EQ(missed.data.private_misses, missed.data.lines);
}

TEST(outcomes, are_about_the_second_half_of_the_iterations) {
  test::body program{compute(1e6)};
  for (int i = 1; i <= 6; ++i) {
    program.push_back(invoke({{.does = {compute(i * 1e5)}}, {.does = {compute(0)}}}));
  }
  program.push_back(compute(1e6));
  const outcome o = run(record(program), small_machine(1, 1), {.scheduler = "random"});
  ASSERT_EQ(o.iterations.size(), 6);
  for (int i = 1; i <= 6; ++i) EXPECT_NEAR(o.iterations[i - 1], i * 1e5, 1e-6 * i * 1e5);
  EXPECT_EQ(o.measured, 3);
  EXPECT_NEAR(o.time, (4 + 5 + 6) * 1e5, 1e-6 * o.time);
  EXPECT_NEAR(o.per_iteration(), 5e5, 1e-6 * o.time);
  EXPECT_NEAR(o.work.computing, o.time, 1e-6 * o.time);
  EXPECT_NEAR(o.whole, 2e6 + 21e5, 1e-6 * o.whole);
  EXPECT_EQ(o.idle(), 0);
}

TEST(outcomes, of_a_program_of_several_regions_are_about_all_of_them) {
  test::body program;
  const auto add = [&](double ns) { program.push_back(invoke({{.does = {compute(ns)}}, {.does = {compute(0)}}})); };
  for (int i = 0; i < 4; ++i) {
    for (const double ns : {1e5, 2e5, 4e5}) add(ns);
  }
  trace::task_tree tree = record(program);
  tree.sites = {"nested", "first", "second", "third"};
  for (std::size_t i = 0; i < tree.groups.size(); ++i) tree.groups[i].site = 1 + i % 3;
  const outcome o = run(tree, small_machine(1, 1), {.scheduler = "random"});
  ASSERT_EQ(o.iterations.size(), 4);
  EXPECT_EQ(o.measured, 2);
  EXPECT_NEAR(o.per_iteration(), 7e5, 1e-6 * o.time);
  EXPECT_NEAR(o.work.computing, o.time, 1e-6 * o.time);
  EXPECT_NEAR(o.iterations[0], 1e5, 1);
  EXPECT_NEAR(o.iterations[3], 7e5, 1);
}

TEST(outcomes, of_a_program_that_does_not_iterate_are_about_its_last_run) {
  const outcome o = run(record(std::vector<test::body>{{compute(5e5)}, {compute(3e5)}}), small_machine(1, 2),
                        {.scheduler = "random"});
  EXPECT_TRUE(o.iterations.empty());
  EXPECT_EQ(o.measured, 1);
  EXPECT_NEAR(o.time, 3e5, 100) << "but for a look or two";
  EXPECT_NEAR(o.whole, 8e5, 100);
  EXPECT_NEAR(o.idle(), 0.5, 1e-3) << "one of two workers";
}

TEST(scenarios, spread_workers_over_the_first_sockets_if_not_over_all) {
  const machine_model m = small_machine(4, 2);
  const auto from_nodes = [&](unsigned workers) {
    // Each worker initialises its own part, which goes to its own node.
    return run(record(sweep(mib * workers, workers)), m, {.scheduler = "adws:no-steal", .workers = workers})
        .data.from_node;
  };
  using bytes = std::vector<std::uint64_t>;
  EXPECT_EQ(from_nodes(1), (bytes{mib, 0, 0, 0}));
  EXPECT_EQ(from_nodes(2), (bytes{mib, mib, 0, 0}));
  EXPECT_EQ(from_nodes(4), bytes(4, mib));
}

TEST(scenarios, that_make_no_sense_are_refused) {
  const trace::task_tree tree = record(test::body{compute(1)});
  const machine_model m = small_machine();
  EXPECT_THROW(run(tree, m, {.scheduler = "fifo"}), error);
  EXPECT_THROW(run(tree, m, {.placement = "bind:7"}), error);
  EXPECT_THROW(run(tree, m, {.workers = m.cores() + 1}), error);
  EXPECT_THROW(run(trace::task_tree{}, m, {}), error);
}

}  // namespace
}  // namespace jackdaw::sim
