#include "jackdaw/memory/replicated.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <latch>
#include <memory_resource>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/error.hpp"
#include "jackdaw/invoke.hpp"
#include "jackdaw/memory.hpp"
#include "jackdaw/runtime.hpp"

namespace jackdaw {
namespace {

/// Four nodes of two cores, which are described: eight workers share this computer's memory but have homes.
class replicated_on_four_nodes : public testing::Test {
 protected:
  void SetUp() override { setenv("HWLOC_SYNTHETIC", "package:4 numa:1 core:2 pu:1", 1); }
  void TearDown() override { unsetenv("HWLOC_SYNTHETIC"); }

  /// Calls f(worker) once on each worker of a runtime that steals nothing.
  template <class F>
  static void on_each_worker(runtime& rt, const F& f) {
    rt.run([&] { for_index(0u, rt.workers(), [&](unsigned) { f(this_worker().value()); }, grain{1}); });
  }
};

TEST_F(replicated_on_four_nodes, has_one_copy_for_each) {
  runtime rt({.scheduler = "adws:no-steal", .workers = 8});
  const replicated<std::vector<int>> table(rt.run([] { return replicated<int>(0).report().wanted.size() == 4; })
                                               ? std::vector<int>(1000, 3)
                                               : std::vector<int>());
  ASSERT_EQ(table.report().wanted, (std::vector<unsigned>{0, 1, 2, 3}));
  EXPECT_EQ(table.report().nodes.size(), 1u) << "the others are made on first use";
  std::array<std::atomic<const std::vector<int>*>, 8> seen{};
  std::array<std::atomic<unsigned>, 8> nodes{};
  on_each_worker(rt, [&](unsigned worker) {
    seen[worker] = &table.local();
    nodes[worker] = this_node().value();
    EXPECT_EQ(table.local()[999], 3);
  });
  std::set<const std::vector<int>*> copies;
  for (unsigned worker = 0; worker < 8; ++worker) {
    EXPECT_EQ(nodes[worker], worker / 2);
    EXPECT_EQ(seen[worker], seen[worker - worker % 2]) << "two workers of a node share a copy";
    copies.insert(seen[worker]);
  }
  EXPECT_EQ(copies.size(), 4u);
  const replication_report report = table.report();
  EXPECT_EQ(std::set<unsigned>(report.nodes.begin(), report.nodes.end()), (std::set<unsigned>{0, 1, 2, 3}));
  EXPECT_EQ(report.nodes.size(), 4u);
  EXPECT_FALSE(report.interleaved);
}

TEST_F(replicated_on_four_nodes, updates_reach_every_worker) {
  runtime rt({.scheduler = "adws:no-steal", .workers = 8});
  replicated<std::string> word("first");
  on_each_worker(rt, [&](unsigned) { EXPECT_EQ(word.local(), "first"); });
  const std::string& old = word.local();
  word.update([](std::string& text) { text = "second"; });
  EXPECT_EQ(old, "first") << "copies live until the next update";
  on_each_worker(rt, [&](unsigned) { EXPECT_EQ(word.local(), "second"); });
  EXPECT_EQ(word.report().nodes.size(), 4u);
  EXPECT_THROW(word.update([](std::string& text) {
    text = "third";
    throw std::runtime_error("no");
  }),
               std::runtime_error);
  on_each_worker(rt, [&](unsigned) { EXPECT_EQ(word.local(), "second"); });
  EXPECT_THROW(word.update([&](std::string&) { word.update([](std::string&) {}); }), error);
  word.update([](std::string& text) { text += "!"; });
  EXPECT_EQ(word.local(), "second!");
}

TEST_F(replicated_on_four_nodes, a_small_budget_makes_one_for_all) {
  runtime rt({.scheduler = "adws:no-steal", .workers = 8});
  const placed_array<int> table(100000, 6, placement::interleave());
  replicated<placed_array<int>> shared(table, std::size_t{3} * 100000 * sizeof(int));
  std::array<std::atomic<const placed_array<int>*>, 8> seen{};
  on_each_worker(rt, [&](unsigned worker) { seen[worker] = &shared.local(); });
  for (unsigned worker = 0; worker < 8; ++worker) EXPECT_EQ(seen[worker], &shared.local());
  const replication_report report = shared.report();
  EXPECT_TRUE(report.interleaved);
  EXPECT_TRUE(report.nodes.empty());
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(shared.local().policy(), placement::interleave({0, 1, 2, 3}));
  shared.update([](placed_array<int>& numbers) { numbers[5] = 1; });
  on_each_worker(rt, [&](unsigned worker) {
    seen[worker] = &shared.local();
    EXPECT_EQ(shared.local()[5], 1);
  });
  for (unsigned worker = 0; worker < 8; ++worker) EXPECT_EQ(seen[worker], &shared.local());
}

// Readers race with first uses and with one update in each round, and see one of two values, whole.
TEST_F(replicated_on_four_nodes, stress) {
  constexpr unsigned workers = 8, rounds = 300;
  runtime rt({.scheduler = "random", .workers = workers});
  using table = std::array<unsigned, 64>;
  replicated<table> shared(table{});
  std::atomic<unsigned> torn{0}, wrong{0};
  for (unsigned round = 1; round <= rounds; ++round) {
    rt.run([&] {
      const auto read = [&] {
        for_index(
            0, 64,
            [&](int) {
              const table& now = shared.local();
              const unsigned value = now[0];
              if (value != round && value + 1 != round) ++wrong;
              for (const unsigned each : now) torn += each != value;
            },
            grain{1});
      };
      invoke(read, [&] { shared.update([&](table& next) { next.fill(round); }); });
      for_index(0, 32, [&](int) { wrong += shared.local()[63] != round; }, grain{1});
    });
  }
  EXPECT_EQ(torn, 0u);
  EXPECT_EQ(wrong, 0u);
}

TEST(replicated, serves_threads_that_are_no_workers) {
  const replicated<int> number(5);
  std::atomic<int> sum{0};
  std::latch all(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      all.arrive_and_wait();
      sum += number.local();
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(sum, 20);
}

TEST(replicated, puts_a_pmr_containers_elements_into_the_copys_memory) {
  std::pmr::vector<std::pmr::string> words(3, "a word that is too long for the string's own space");
  const replicated<std::pmr::vector<std::pmr::string>> table(words);
  EXPECT_NE(table.local().get_allocator().resource(), words.get_allocator().resource());
  EXPECT_EQ(table.local()[2].get_allocator().resource(), table.local().get_allocator().resource());
  EXPECT_EQ(table.local()[2], words[2]);
}

TEST(replicated, placed_vectors_are_bound_to_their_node) {
  const placed_vector<int> numbers(1000, 4, placement::interleave());
  const replicated<placed_vector<int>> table(numbers);
  EXPECT_EQ(table.local().policy().kind(), placement::policy::on);
  EXPECT_EQ(table.local()[999], 4);
  EXPECT_EQ(table.report().bytes, sizeof numbers + 4000);
}

TEST(replicated, a_budget_below_a_page_is_refused) {
  try {
    const replicated<int> number(5, 4095);
    FAIL() << "no error";
  } catch (const error& refused) {
    EXPECT_EQ(std::string(refused.what()), "replicated: a budget of 4095 B, expected at least one page, 4096 B");
  }
}

}  // namespace
}  // namespace jackdaw
