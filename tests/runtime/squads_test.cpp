// The rules of the schedulers that work by squads, on the logs of real threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "profile/fake_perf.hpp"
#include "runtime/threads.hpp"
#include "sched/logging_scheduler.hpp"
#include "sched/squad_log.hpp"

namespace {

using jackdaw::machine;
using jackdaw::detail::root_of;
using jackdaw::detail::threads;
using jackdaw::test::squad_log;

constexpr std::size_t squad_cells = 1 << 15, leaf = 512, iterations = 16;

void update(std::vector<std::uint32_t>& all, std::size_t first, std::size_t count) {
  if (count <= leaf) {
    jackdaw::writes(all.data() + first, count);
    for (std::size_t i = first; i < first + count; ++i) ++all[i];
    return;
  }
  const std::size_t half = count / 2;
  jackdaw::invoke([&, first, half] { update(all, first, half); },
                  [&, first, half] { update(all, first + half, half); });
}

class squads : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  /// Iterates on a described machine, with the scheduler's settings about the data.
  squad_log iterate(jackdaw::sched::settings told) {
    const auto& [scheduler, description] = GetParam();
    const machine where = machine::from_synthetic(description);
    auto logged = std::make_unique<jackdaw::test::patient>(jackdaw::sched::make_scheduler(scheduler, told));
    const jackdaw::sched::logging_scheduler& kept = *logged;
    threads engine(std::move(logged), where, where.place_workers(0, jackdaw::placement_order::scatter), 1 << 16,
                   nullptr);
    std::vector<std::uint32_t> all(squad_cells);
    auto program = [&] {
      for (std::size_t i = 0; i < iterations; ++i) update(all, 0, squad_cells);
    };
    root_of<decltype(program)> root(program);
    engine.send(root);
    root.wait();
    root.result();
    for (const std::uint32_t each : all) EXPECT_EQ(each, iterations);
    return {kept.events(), engine.cache_squads()};
  }
};

/// An iteration lasts as long as any group of the root: what it has learned by the end of the first one still grows.
TEST_P(squads, end_an_iteration_with_its_last_group) {
  const auto& [scheduler, description] = GetParam();
  const machine where = machine::from_synthetic(description);
  threads engine(jackdaw::sched::make_scheduler(scheduler, {}), where,
                 where.place_workers(0, jackdaw::placement_order::scatter), 1 << 16, nullptr);
  std::atomic<unsigned> leaves{0};
  constexpr unsigned roots = 10, depth = 6;
  const std::function<void(unsigned)> tree = [&](unsigned below) {
    for (int i = 0; i < 10'000; ++i) asm volatile("");
    if (below == 0) {
      ++leaves;
    } else {
      jackdaw::invoke([&, below] { tree(below - 1); }, [&, below] { tree(below - 1); });
    }
  };
  auto program = [&] {
    jackdaw::task_group quick, slow;
    quick.run([] {});
    slow.run([&] { tree(depth); });
    quick.wait();
    slow.wait();
  };
  for (unsigned i = 0; i < roots; ++i) {
    root_of<decltype(program)> root(program);
    engine.send(root);
    root.wait();
    root.result();
  }
  EXPECT_EQ(leaves, roots << depth);
}

TEST_P(squads, keep_their_rules) {
  // Twice the total size of the shared caches, so that there is something to pack. A program with a given data size is
  // not judged CPU-bound.
  const squad_log log = iterate({.data = 64 << 20, .branching = 2});
  log.expect_one_subtree_at_a_time();
  log.expect_closed_squads_while_profiled();
  log.expect_three_levels_in_order();
  const std::vector<std::string> decided = log.iterations();
  ASSERT_EQ(decided.size(), iterations);
  const std::string& scheduler = std::get<0>(GetParam());
  if (scheduler == "laws") {
    EXPECT_EQ(decided[0], "profile");
    EXPECT_EQ(decided[1], "none");
    EXPECT_EQ(decided[2], "none");
  } else if (scheduler == "laws:paper") {
    EXPECT_EQ(decided[0], "profile");
    EXPECT_EQ(decided[1], "0");
    EXPECT_LE(log.iterations_until_settled(), 8u);
  } else if (scheduler == "cats" || scheduler == "laws:-1") {
    EXPECT_EQ(decided, [&] {
      std::vector<std::string> all(iterations, scheduler == "cats" ? "0" : "-1");
      all[0] = "profile";
      return all;
    }());
  } else if (scheduler == "laws:nc") {
    EXPECT_EQ(decided[0], "profile");
    EXPECT_EQ(decided.back(), "none");
  }
}

TEST(cab, learns_its_level_from_declared_accesses) {
  const machine where = machine::from_synthetic("package:2 l3:1(size=65536) core:2 pu:1");
  auto logged = std::make_unique<jackdaw::test::patient>(jackdaw::sched::make_scheduler("cab"));
  const jackdaw::sched::logging_scheduler& kept = *logged;
  threads engine(std::move(logged), where, where.place_workers(0, jackdaw::placement_order::scatter), 1 << 16, nullptr);
  // Declared, not touched: so much that it does not matter how long the iteration takes.
  const std::array<char, 64> line{};
  const auto declare = [&](const auto& self, std::size_t lines) -> void {
    if (lines == std::size_t{1} << 30) return jackdaw::writes(line.data(), lines, line.size(), 2 * line.size());
    jackdaw::invoke([&, lines] { self(self, lines / 2); }, [&, lines] { self(self, lines / 2); });
  };
  // Not known to the compiler: each place to which it unrolled the loop would be a region.
  const volatile int rounds = 3;
  auto program = [&] {
    for (int i = 0; i < rounds; ++i) declare(declare, std::size_t{1} << 33);
  };
  root_of<decltype(program)> root(program);
  engine.send(root);
  root.wait();
  root.result();
  // 512 GiB in parts of 64 KiB: 2^23 of them; no task at that level exists, so the boundary is raised.
  EXPECT_EQ((squad_log{kept.events(), engine.cache_squads()}.iterations()),
            (std::vector<std::string>{"profile", "24", "23"}));
}

TEST(laws, learns_from_what_algorithms_declare) {
  const machine where = machine::from_synthetic("package:2 l3:1(size=65536) core:2 pu:1");
  jackdaw::test::fake_perf no_counters;
  no_counters.refused_opens[1] = ENOENT;
  // A program with a given data size is not judged CPU-bound. Without declarations it would be divided along the tree.
  threads engine(jackdaw::sched::make_scheduler("laws", {.data = 64 << 20}), where,
                 where.place_workers(0, jackdaw::placement_order::scatter), 1 << 16, nullptr,
                 jackdaw::profile::thread_samples(), no_counters);
  std::vector<std::uint32_t> all(squad_cells);
  auto program = [&] {
    for (std::size_t i = 0; i < iterations; ++i) {
      jackdaw::for_each(all.begin(), all.end(), [](std::uint32_t& each) { ++each; }, jackdaw::grain{leaf});
    }
  };
  root_of<decltype(program)> root(program);
  engine.send(root);
  root.wait();
  root.result();
  EXPECT_EQ(engine.profiled_by(), jackdaw::profile_source::declared);
}

TEST(regions, that_have_names_are_learned_apart) {
  const machine where = machine::from_synthetic("package:2 l3:1(size=4MB) core:2 pu:1");
  for (const char* scheduler : {"laws", "laws:nc", "cats"}) {
    auto logged =
        std::make_unique<jackdaw::test::patient>(jackdaw::sched::make_scheduler(scheduler, {.data = 1 << 20}));
    const jackdaw::sched::logging_scheduler& kept = *logged;
    threads engine(std::move(logged), where, where.place_workers(0, jackdaw::placement_order::scatter), 1 << 16,
                   nullptr);
    std::vector<std::uint32_t> all(squad_cells);
    auto program = [&] {
      for (int i = 0; i < 3; ++i) {
        for (const char* name : {"all", "half"}) {
          const jackdaw::region here(name);
          update(all, 0, name[0] == 'a' ? squad_cells : squad_cells / 2);
        }
      }
    };
    root_of<decltype(program)> root(program);
    engine.send(root);
    root.wait();
    root.result();
    const std::vector<std::string> decided = squad_log{kept.events(), engine.cache_squads()}.iterations();
    ASSERT_EQ(decided.size(), 6u);
    EXPECT_EQ(std::count(decided.begin(), decided.end(), "profile"), 2) << scheduler;
    EXPECT_EQ(decided[0], "profile");
    EXPECT_EQ(decided[1], "profile");
  }
}

INSTANTIATE_TEST_SUITE_P(
    all, squads,
    testing::Combine(testing::Values("cab", "cab:3", "cats", "laws", "laws:nc", "laws:paper", "laws:-1"),
                     testing::Values("package:2 l3:1(size=4MB) core:4 pu:1", "package:2 l3:2(size=4MB) core:4 pu:1",
                                     "package:4 l3:1(size=4MB) core:4 pu:1", "package:8 l3:1(size=4MB) core:2 pu:1")));

TEST(advice, is_printed_once_a_process_in_one_line) {
  using jackdaw::sched::decision;
  static constexpr decision numbered{"numbered", {"counts"}, decision::holds::nothing, "numbered: {} are too many"};
  static constexpr decision plain{"plain", {"is plain"}, decision::holds::nothing, "no number"};
  static constexpr decision silent{"silent", {"says nothing"}};
  const machine where = machine::detect();
  threads engine(jackdaw::sched::make_scheduler("random"), where,
                 where.place_workers(1, jackdaw::placement_order::scatter), 1 << 16, nullptr);
  testing::internal::CaptureStderr();
  engine.note(0, numbered, -7);
  engine.note(0, numbered, 8);
  engine.note(0, plain, 9);
  engine.note(0, silent, 10);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "jackdaw: numbered: -7 are too many\njackdaw: no number\n");
}

}  // namespace
