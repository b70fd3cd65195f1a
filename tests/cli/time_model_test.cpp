#include "papers/time_model.hpp"

#include <gtest/gtest.h>
#include <jackdaw/error.hpp>

#include <vector>

namespace jackdaw::cli {
namespace {

machine_model computer(unsigned sockets, unsigned cores) {
  machine_model made;
  made.sockets = sockets;
  made.cores_per_socket = cores;
  made.local_rate = 10;
  made.remote_rate = 5;
  made.cost.steal_local = 100;
  made.cost.steal_remote = 500;
  for (unsigned i = 0; i < sockets; ++i) made.nodes.push_back({.socket = i, .bandwidth = 20});
  if (sockets == 2) made.links = {{0, 1, 8, 50}, {1, 0, 8, 50}};
  return made;
}

TEST(terms_of, are_times_that_a_hand_calculates) {
  const machine_model two = computer(2, 2);
  // 40 bytes per ns of all nodes, 16 of all links; 4 workers that wait.
  const auto all = terms_of(
      {.on = &two, .workers = 4, .work = 800, .span = 70, .local_bytes = 400, .remote_bytes = 200, .steals = 8});
  EXPECT_DOUBLE_EQ(all[0], 200);
  EXPECT_DOUBLE_EQ(all[1], 70);
  EXPECT_DOUBLE_EQ(all[2], (400.0 / 10 + 200.0 / 5) / 4);
  EXPECT_DOUBLE_EQ(all[3], 8 * 300.0 / 4);
  const auto of_links = terms_of({.on = &two, .workers = 4, .local_bytes = 0, .remote_bytes = 16000});
  EXPECT_DOUBLE_EQ(of_links[2], 1000);
  const machine_model one = computer(1, 2);
  EXPECT_DOUBLE_EQ(terms_of({.on = &one, .workers = 2, .steals = 8})[3], 400);
}

TEST(carry_over, scales_what_was_counted_to_the_other_machine) {
  const machine_model two = computer(2, 6), four = computer(4, 4), unseen = computer(4, 16), lone = computer(1, 8);
  const std::vector<observation> runs{
      {.on = &two, .workers = 12, .local_bytes = 600, .remote_bytes = 400, .steals = 24},
      {.on = &four, .workers = 16, .local_bytes = 800, .remote_bytes = 1200, .steals = 64}};
  const observation there = carry_over(runs, unseen, 64, 5, 3);
  // 1500 bytes; of those that may be remote, a half and three quarters, 0.8 of each.
  EXPECT_NEAR(there.remote_bytes, 1500 * 0.8 * 0.75, 1e-9);
  EXPECT_NEAR(there.local_bytes, 1500 * 0.4, 1e-9);
  EXPECT_DOUBLE_EQ(there.steals, 3 * 64);
  EXPECT_EQ(there.workers, 64u);
  EXPECT_EQ(there.work, 5);
  EXPECT_EQ(there.span, 3);
  const observation near = carry_over(runs, lone, 8, 5, 3);
  EXPECT_EQ(near.remote_bytes, 0);
}

TEST(at_speed, goes_with_workers_and_with_the_speed_of_a_core) {
  machine_model slow = computer(2, 2), fast = computer(2, 4);
  slow.compute_rate = 0.25;
  fast.compute_rate = 0.5;
  const observation run{.on = &slow, .workers = 4, .work = 1, .span = 1, .time = 600};
  EXPECT_DOUBLE_EQ(at_speed(run, fast, 8), 150);
  EXPECT_DOUBLE_EQ(at_speed(run, fast, 2), 600);
  EXPECT_DOUBLE_EQ(at_speed(run, slow, 4), 600);
}

TEST(greedy_bound, knows_work_and_critical_path_only) {
  const machine_model two = computer(2, 2);
  EXPECT_DOUBLE_EQ(greedy_bound({.on = &two, .workers = 4, .work = 800, .span = 70}), 270);
  EXPECT_DOUBLE_EQ(greedy_bound({.on = &two, .workers = 4, .work = 800, .span = 70, .local_bytes = 9, .steals = 9}),
                   270);
}

std::vector<observation> some(const machine_model& one, const machine_model& other) {
  return {{.on = &one, .workers = 4, .work = 1e6, .span = 1e3, .local_bytes = 1e4, .remote_bytes = 5e3, .steals = 30},
          {.on = &one, .workers = 4, .work = 2e5, .span = 9e4, .local_bytes = 1e6, .remote_bytes = 2e5, .steals = 10},
          {.on = &other, .workers = 8, .work = 3e5, .span = 5e3, .local_bytes = 8e6, .remote_bytes = 0, .steals = 900},
          {.on = &other, .workers = 8, .work = 9e6, .span = 2e4, .local_bytes = 1e3, .remote_bytes = 1e3, .steals = 40},
          {.on = &other, .workers = 8, .work = 4e4, .span = 4e4, .local_bytes = 4e5, .remote_bytes = 9e5, .steals = 1}};
}

TEST(time_model, finds_the_factors_that_made_the_times) {
  const machine_model one = computer(1, 4), two = computer(2, 4);
  std::vector<observation> seen = some(one, two);
  for (observation& each : seen) {
    const auto all = terms_of(each);
    each.time = 1.5 * all[0] + 0.5 * all[1] + 2 * all[2] + 0.25 * all[3];
  }
  const time_model model(seen);
  const std::array<double, terms> expected{1.5, 0.5, 2, 0.25};
  for (std::size_t i = 0; i < terms; ++i) EXPECT_NEAR(model.factors()[i], expected[i], 1e-6) << i;
  for (const observation& each : seen) EXPECT_NEAR(model.time(each), each.time, 1e-6 * each.time);
}

TEST(time_model, leaves_out_terms_that_would_take_time_away) {
  const machine_model one = computer(1, 4), two = computer(2, 4);
  std::vector<observation> seen = some(one, two);
  for (observation& each : seen) {
    const auto all = terms_of(each);
    each.time = 3 * all[0] + 2 * all[2] - 0.01 * all[1];
  }
  const time_model model(seen);
  for (const double factor : model.factors()) EXPECT_GE(factor, 0);
}

TEST(time_model, leaves_out_terms_that_say_nothing_new) {
  const machine_model one = computer(1, 4);
  std::vector<observation> seen;
  for (const double work : {1e3, 2e3, 5e3, 8e3, 9e3})
    seen.push_back({.on = &one, .workers = 4, .work = work, .span = work, .time = 2 * work});
  const time_model model(seen);
  EXPECT_NEAR(model.time({.on = &one, .workers = 4, .work = 700, .span = 700}), 1400, 1e-6);
}

TEST(time_model, refuses_too_few_observations) {
  const machine_model one = computer(1, 4), two = computer(2, 4);
  std::vector<observation> seen = some(one, two);
  seen.resize(terms);
  EXPECT_THROW(time_model{seen}, error);
  EXPECT_THROW(time_model{std::vector<observation>{}}, error);
}

}  // namespace
}  // namespace jackdaw::cli
