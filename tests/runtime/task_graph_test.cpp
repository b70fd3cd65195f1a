// Tasks that wait for others: their order, what they see, and what ends them.
#include <fenv.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/sanitized.hpp"
#include "support/schedulers.hpp"

namespace {

using jackdaw::after;
using jackdaw::graph_task;
using jackdaw::task_graph;

class graph : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  jackdaw::runtime rt{{.scheduler = std::get<0>(GetParam()), .workers = std::get<1>(GetParam()), .pin = false}};
};
INSTANTIATE_TEST_SUITE_P(
    on, graph, testing::Combine(testing::ValuesIn(jackdaw::test::whole_schedulers()), testing::Values(1u, 5u)),
    [](const auto& each) {
      return jackdaw::test::word(std::get<0>(each.param)) + "_on_" + std::to_string(std::get<1>(each.param));
    });

/// Plain numbers: a race is one for ThreadSanitizer, too.
TEST_P(graph, a_task_sees_what_all_before_it_did) {
  constexpr std::size_t tasks = 1000, most_before = 4;
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> of(tasks);
  std::vector<std::vector<std::size_t>> before(tasks);
  task_graph made;
  std::vector<graph_task> added;
  for (std::size_t i = 0; i != tasks; ++i) {
    std::vector<graph_task> others;
    for (std::size_t n = i == 0 ? 0 : random() % (most_before + 1); n != 0; --n) {
      before[i].push_back(random() % i);  // the same one more than once, too
      others.push_back(added[before[i].back()]);
    }
    added.push_back(made.add(
        [&of, &before, i] {
          std::uint64_t sum = 1;
          for (const std::size_t each : before[i]) sum += of[each];
          of[i] = sum;
        },
        after(others)));
  }
  EXPECT_EQ(made.size(), tasks);
  std::vector<std::uint64_t> expected(tasks);
  for (std::size_t i = 0; i != tasks; ++i) {
    expected[i] = 1;
    for (const std::size_t each : before[i]) expected[i] += expected[each];
  }
  for (int round = 0; round != 5; ++round) {
    std::ranges::fill(of, 0);
    rt.run([&] { made.run(); });
    ASSERT_EQ(of, expected);
  }
}

TEST_P(graph, a_wavefront) {
  constexpr std::size_t size = 40;
  std::vector<std::uint64_t> cells(size * size);
  task_graph made;
  std::vector<graph_task> added;
  for (std::size_t i = 0; i != cells.size(); ++i) {
    const std::size_t row = i / size, column = i % size;
    std::vector<graph_task> others;
    if (row != 0) others.push_back(added[i - size]);
    if (column != 0) others.push_back(added[i - 1]);
    const auto f = [&cells, row, column, i] {
      const auto sum = (row == 0 ? 0 : cells[i - size]) + (column == 0 ? 0 : cells[i - 1]);
      jackdaw::invoke([&] { cells[i] = std::max<std::uint64_t>(sum % 1'000'003, 1); }, [] {});
    };
    added.push_back(i % 3 == 0 ? made.add(jackdaw::near(cells), f, after(others)) : made.add(f, after(others)));
  }
  rt.run([&] { made.run(); });
  for (std::size_t i = 0; i != cells.size(); ++i) {
    const auto sum = (i < size ? 0 : cells[i - size]) + (i % size == 0 ? 0 : cells[i - 1]);
    ASSERT_EQ(cells[i], std::max<std::uint64_t>(sum % 1'000'003, 1)) << i;
  }
}

TEST_P(graph, a_long_chain_takes_one_stack) {
  constexpr std::size_t length = jackdaw::test::sanitized ? 5'000 : 100'000;
  std::size_t count = 0;
  task_graph made;
  graph_task last = made.add([&] { ++count; });
  for (std::size_t i = 1; i != length; ++i) last = made.add([&] { ++count; }, after(last));
  rt.run([&] { made.run(); });
  EXPECT_EQ(count, length);
}

TEST_P(graph, a_chain_takes_one_stack_whatever_else_waits_for_its_links) {
  constexpr std::size_t length = jackdaw::test::sanitized ? 5'000 : 50'000;
  std::size_t count = 0;
  std::atomic<std::size_t> leaves{0};
  task_graph made;
  graph_task last = made.add([&] { ++count; });
  for (std::size_t i = 1; i != length; ++i) {
    made.add([&] { ++leaves; }, after(last));  // before the next link
    last = made.add([&] { ++count; }, after(last));
  }
  rt.run([&] { made.run(); });
  EXPECT_EQ(count, length);
  EXPECT_EQ(leaves.load(), length - 1);
  EXPECT_LT(rt.stats().suspensions, length / 2);
}

TEST_P(graph, tasks_begin_with_the_rounding_mode_of_the_run) {
  task_graph made;
  std::atomic<int> wrong{0};
  std::vector<graph_task> row;
  for (int i = 0; i != 300; ++i) {
    const auto f = [&] {
      wrong += fegetround() != FE_DOWNWARD;
      fesetround(FE_UPWARD);
    };
    row.push_back(i < 3 ? made.add(f) : made.add(f, after(row[row.size() - 1], row[row.size() - 3])));
  }
  for (int round = 0; round != 10; ++round) {
    rt.run([&] {
      fesetround(FE_DOWNWARD);
      made.run();
      wrong += fegetround() != FE_DOWNWARD;
    });
  }
  EXPECT_EQ(wrong.load(), 0);
}

TEST_P(graph, one_before_many_before_one) {
  constexpr int many = 2000;
  std::atomic<int> done{0};
  bool first_done = false;
  int seen = -1;
  task_graph made;
  const graph_task first = made.add([&] { first_done = true; });
  std::vector<graph_task> middle;
  for (int i = 0; i != many; ++i) middle.push_back(made.add([&] { done += first_done; }, after(first)));
  made.add([&] { seen = done; }, after(middle));
  rt.run([&] { made.run(); });
  EXPECT_EQ(seen, many);
}

TEST_P(graph, an_exception_ends_a_run_and_not_the_graph) {
  task_graph made;
  bool throws = true;
  std::atomic<int> behind{0}, beside{0};
  const graph_task first = made.add([&] {
    if (throws) throw std::runtime_error("from a task");
  });
  for (int i = 0; i != 10; ++i) {
    const graph_task other = made.add([&] { ++beside; });
    made.add([&] { ++behind; }, after(first, other));
  }
  for (int round = 0; round != 3; ++round) {
    EXPECT_THROW(rt.run([&] { made.run(); }), std::runtime_error);
    EXPECT_EQ(behind.load(), 0);
  }
  throws = false;
  beside = 0;
  rt.run([&] { made.run(); });
  EXPECT_EQ(behind.load(), 10);
  EXPECT_EQ(beside.load(), 10);
}

TEST_P(graph, what_has_not_begun_when_a_task_throws_is_skipped) {
  task_graph made;
  std::atomic<bool> thrown{false};
  std::atomic<int> after_that{0};
  made.add([&] {
    thrown = true;
    throw std::runtime_error("from a task");
  });
  graph_task last = made.add([] {});
  constexpr int links = 1000;
  for (int i = 0; i != links; ++i) {
    const auto link = [&] {
      if (!thrown) return;
      ++after_that;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // the exception is kept meanwhile
    };
    last = made.add(link, after(last));
  }
  EXPECT_THROW(rt.run([&] { made.run(); }), std::runtime_error);
  EXPECT_LE(after_that.load(), links / 2);
}

TEST_P(graph, what_is_behind_a_task_that_throws_never_runs) {
  std::mt19937 random(11);
  for (int number = 0; number != 10; ++number) {
    const std::size_t tasks = 1 + random() % 300;
    std::vector<std::vector<std::size_t>> before(tasks);
    std::vector<std::atomic<int>> calls(tasks);
    std::size_t throws = tasks;
    task_graph made;
    std::vector<graph_task> added;
    for (std::size_t i = 0; i != tasks; ++i) {
      std::vector<graph_task> others;
      for (std::size_t n = i == 0 ? 0 : random() % 4; n != 0; --n) {
        before[i].push_back(random() % i);
        others.push_back(added[before[i].back()]);
      }
      const bool forks = random() % 3 == 0;
      const auto call = [&, i, forks] {
        if (forks) jackdaw::for_index(0, 20, [](int) {}, jackdaw::grain{1});
        ++calls[i];
        if (i == throws) throw i;
      };
      added.push_back(random() % 4 == 0 ? made.add(jackdaw::on(0), call, after(others))
                                        : made.add(call, after(others)));
    }
    for (int round = 0; round != 4; ++round) {
      for (auto& each : calls) each = 0;
      throws = round % 2 == 0 ? random() % tasks : tasks;
      std::size_t thrown = tasks;
      try {
        rt.run([&] { made.run(); });
      } catch (std::size_t which) {
        thrown = which;
      }
      ASSERT_EQ(thrown, throws);
      std::vector<char> behind(tasks);
      for (std::size_t i = 0; i != tasks; ++i) {
        for (const std::size_t each : before[i]) behind[i] = behind[i] || behind[each] || each == throws;
        ASSERT_LE(calls[i], behind[i] ? 0 : 1) << i;
        ASSERT_TRUE(calls[i] == 1 || throws != tasks) << i;
      }
    }
  }
}

TEST_P(graph, a_stop_ends_a_run) {
  std::stop_source source;
  task_graph made;
  std::atomic<int> calls{0};
  graph_task last;
  for (int i = 0; i != 1000; ++i) {
    const auto f = jackdaw::unless_stopped(source.get_token(), [&] {
      if (++calls == 100) source.request_stop();
    });
    last = i == 0 ? made.add(f) : made.add(f, after(last));
  }
  EXPECT_THROW(rt.run([&] { made.run(); }), jackdaw::cancelled);
  EXPECT_EQ(calls.load(), 100);
}

TEST_P(graph, graphs_and_loops_within_tasks) {
  std::atomic<int> sum{0};
  task_graph outer;
  graph_task last;
  for (int i = 0; i != 10; ++i) {
    const auto f = [&] {
      task_graph inner;
      const graph_task a = inner.add([&] { jackdaw::for_index(0, 10, [&](int) { ++sum; }, jackdaw::grain{1}); });
      inner.add([&] { ++sum; }, after(a));
      inner.run();
    };
    last = i % 2 == 0 ? outer.add(f) : outer.add(f, after(last));
  }
  rt.run([&] { outer.run(); });
  EXPECT_EQ(sum.load(), 110);
}

TEST(task_graph_errors, name_what_is_wrong) {
  task_graph one, other;
  const graph_task of_other = other.add([] {});
  const auto message = [](auto&& f) -> std::string {
    try {
      f();
    } catch (const jackdaw::error& caught) {
      return caught.what();
    }
    return "none";
  };
  EXPECT_EQ(message([&] { one.add([] {}, after(of_other)); }), "a task_graph's task comes after one of another graph");
  EXPECT_EQ(message([&] { one.add([] {}, after(graph_task())); }),
            "a task_graph's task comes after one that refers to no task");
  EXPECT_EQ(one.size(), 0u);
  std::string added, ran;
  one.add([&] {
    added = message([&] { one.add([] {}); });
    ran = message([&] { one.run(); });
  });
  one.run();
  EXPECT_EQ(added, "a task is added to a task_graph that runs, expected one that does not");
  EXPECT_EQ(ran, "a task_graph is run while it runs, expected one run at a time");
  EXPECT_EQ(one.size(), 1u);
  one.add(jackdaw::on(4095), [] {});
  EXPECT_NE(message([&] { one.run(); }), "none");
}

TEST(task_graph_outside_of_tasks, runs_in_the_default_runtime_and_owns_its_functions) {
  const auto alive = std::make_shared<int>(0);
  {
    task_graph made;
    task_graph().run();
    made.run();
    bool worker = false;
    const graph_task first = made.add([held = std::make_unique<std::shared_ptr<int>>(alive)] { ++**held; });
    made.add([&worker] { worker = jackdaw::this_worker().has_value(); }, after(first));
    made.run();
    made.run();
    EXPECT_TRUE(worker);
    EXPECT_EQ(*alive, 2);
    EXPECT_EQ(alive.use_count(), 2);
  }
  EXPECT_EQ(alive.use_count(), 1);
}

TEST(task_graph_outside_of_tasks, several_threads_run_graphs_of_their_own) {
  std::atomic<int> sum{0};
  std::vector<std::jthread> clients;
  for (int i = 0; i != 4; ++i) {
    clients.emplace_back([&] {
      task_graph made;
      const graph_task a = made.add([&] { ++sum; }), b = made.add([&] { ++sum; });
      made.add([&] { ++sum; }, after(a, b));
      for (int round = 0; round != 100; ++round) made.run();
    });
  }
  clients.clear();
  EXPECT_EQ(sum.load(), 1200);
}

}  // namespace
