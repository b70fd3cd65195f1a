#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/untouched.hpp"
#include "trace/recorded.hpp"
#include "trace/tree_summary.hpp"

namespace jackdaw::test {
namespace {

using trace::task_tree;

unsigned fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = invoke(work(2, [n] { return fib(n - 1); }), work(1, [n] { return fib(n - 2); }));
  return a + b;
}

TEST(recording, fib_forks_two_branches_at_every_call) {
  unsigned result = 0;
  const task_tree tree = recorded([&] { result = fib(10); });
  EXPECT_EQ(result, 55u);
  const unsigned calls = 177;  // 2 fib(11) - 1
  EXPECT_EQ(tree.tasks.size(), calls);
  EXPECT_EQ(tree.groups.size(), (calls - 1) / 2);
  for (const trace::group& each : tree.groups) {
    EXPECT_TRUE(each.structured);
    EXPECT_EQ(each.total, 3);
  }
  const trace::tree_summary sum = summarise(tree);
  EXPECT_EQ(sum.forks, calls - 1);
  EXPECT_EQ(sum.leaves, (calls + 1) / 2);
  EXPECT_EQ(forks_and_waits(tree, 0), (steps{fork_of(1, 0, 2), fork_of(110, 0, 1), wait_for(0)}));
}

TEST(recording, an_invoke_of_many_is_one_group_and_hints_may_be_missing) {
  const task_tree tree = recorded([] { invoke([] {}, work(5, [] {}), [] {}, work(0, [] {})); });
  EXPECT_EQ(forks_and_waits(tree, 0),
            (steps{fork_of(1, 0, 1), fork_of(2, 0, 5), fork_of(3, 0, 1), fork_of(4, 0, 0), wait_for(0)}));
  ASSERT_EQ(tree.groups.size(), 1u);
  EXPECT_EQ(tree.groups[0].total, 7);
  EXPECT_TRUE(tree.groups[0].structured);
}

TEST(recording, hints_that_are_not_finite_are_none) {
  const double infinite = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {infinite, none}) {
    const task_tree tree = recorded([&] {
      task_group children(bad);
      children.run([] {}, bad);
      children.run([] {}, 2);
      children.wait();
      invoke([] {}, work(bad, [] {}));
    });
    EXPECT_EQ(forks_and_waits(tree, 0), (steps{fork_of(1, 0, unknown), fork_of(2, 0, 2), wait_for(0), fork_of(3, 1, 1),
                                               fork_of(4, 1, unknown), wait_for(1)}));
    EXPECT_EQ(tree.groups[0].total, unknown);
    EXPECT_EQ(tree.groups[1].total, unknown);
  }
}

TEST(recording, the_order_is_the_serial_one) {
  std::string order;
  const auto leaf = [&](char name) { return [&order, name] { order += name; }; };
  recorded([&] {
    invoke(leaf('a'), [&] { invoke(leaf('b'), leaf('c')); }, leaf('d'));
    task_group group(policy::help_first);
    group.run(leaf('e'));
    order += 'f';
    group.run(leaf('g'));
    group.wait();
  });
  EXPECT_EQ(order, "abcdefg");
}

TEST(recording, groups_keep_their_total_policy_and_hints) {
  const task_tree tree = recorded([] {
    task_group first(3.5);
    first.run([] {}, 1.5);
    task_group second(policy::help_first);
    second.run([] {});
    first.run([] {}, 2);
    first.wait();
    second.wait();
  });
  EXPECT_EQ(forks_and_waits(tree, 0),
            (steps{fork_of(1, 0, 1.5), fork_of(2, 1, unknown, true), fork_of(3, 0, 2), wait_for(0), wait_for(1)}));
  ASSERT_EQ(tree.groups.size(), 2u);
  EXPECT_EQ(tree.groups[0].total, 3.5);
  EXPECT_LT(tree.groups[1].total, 0);
  EXPECT_FALSE(tree.groups[0].structured);
}

TEST(recording, a_group_that_is_used_again_is_another_one) {
  const task_tree tree = recorded([] {
    task_group group;
    group.wait();
    for (int i = 0; i < 2; ++i) {
      group.run([] { invoke([] {}, [] {}); });
      group.wait();
    }
    group.wait();
  });
  EXPECT_EQ(forks_and_waits(tree, 0),
            (steps{fork_of(1, 0, unknown), wait_for(0), fork_of(4, 2, unknown), wait_for(2)}));
  EXPECT_EQ(forks_and_waits(tree, 4), (steps{fork_of(5, 3, 1), fork_of(6, 3, 1), wait_for(3)}));
}

TEST(recording, a_group_waits_when_it_goes_out_of_scope) {
  const task_tree tree = recorded([] {
    task_group group;
    group.run([] {});
  });
  EXPECT_EQ(forks_and_waits(tree, 0), (steps{fork_of(1, 0, unknown), wait_for(0)}));
}

TEST(recording, what_follows_an_exception_is_skipped_as_always) {
  bool ran = false;
  const auto later = [&] { ran = true; };
  const auto thrower = [] { throw std::runtime_error("first"); };
  std::vector<std::string> caught;
  const auto attempt = [&](auto&& f) {
    try {
      f();
    } catch (const std::runtime_error& e) {
      caught.emplace_back(e.what());
    }
  };
  const task_tree tree = recorded([&] {
    attempt([&] { invoke(thrower, later, later); });
    attempt([&] {
      task_group group;
      group.run([&] { invoke(thrower, later); });
      group.run(later);
      group.wait();
    });
  });
  EXPECT_FALSE(ran);
  EXPECT_EQ(caught, (std::vector<std::string>{"first", "first"}));
  EXPECT_EQ(forks_and_waits(tree, 0), (steps{fork_of(1, 0, 1), wait_for(0), fork_of(2, 1, unknown), wait_for(1)}));
  EXPECT_EQ(forks_and_waits(tree, 2), (steps{fork_of(3, 2, 1), wait_for(2)}));
}

TEST(recording, an_exception_that_leaves_a_task_ends_its_groups) {
  trace::recorder recorder("test", 1);
  runtime rt = detail::runtime_access::recording({.workers = 1}, recorder);
  EXPECT_THROW(rt.run([] {
    task_group group;
    group.run([] {});
    throw std::logic_error("out");
  }),
               std::logic_error);
  const task_tree tree = recorder.take();
  EXPECT_NO_THROW(validate(tree));
  EXPECT_EQ(forks_and_waits(tree, 0), (steps{fork_of(1, 0, unknown), wait_for(0)}));
}

TEST(recording, the_program_sees_the_requested_workers) {
  trace::recorder recorder("test", 48);
  runtime rt = detail::runtime_access::recording({.workers = 48}, recorder);
  EXPECT_EQ(rt.workers(), 48u);
  EXPECT_NO_THROW(rt.place(47));
  EXPECT_EQ(rt.run([] { return concurrency(); }), 48u);
  rt.run([] { for_index(0, 1000, [](int) {}); });
  const task_tree tree = recorder.take();
  EXPECT_EQ(tree.workers, 48u);
  // 8 * 48 leaves are aimed at, so one has at most 3 elements: of the 256 parts after 8 halvings 24 do, 232 have 4.
  EXPECT_EQ(summarise(tree, tree.roots[1]).leaves, 24u + 2 * 232);
}

TEST(recording, names_the_speed_of_this_computers_cores) {
  const double rate = recorded([] {}).compute_rate, again = recorded([] {}).compute_rate;
  EXPECT_GT(rate, 0.001);
  EXPECT_LT(rate, 100);
  EXPECT_FALSE(rate == 1 && again == 1) << "it was not measured";
}

TEST(recording, roots_carry_labels_and_come_one_at_a_time) {
  trace::recorder recorder("test", 2);
  runtime rt = detail::runtime_access::recording({.workers = 2}, recorder);
  rt.label_next_root("prepare");
  EXPECT_EQ(rt.run([] { return fib(3); }), 2u);
  rt.run([&] { rt.run([] { invoke([] {}, [] {}); }); });
  std::atomic<int> inside{0};
  std::atomic<bool> met{false};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      rt.run([&] {
        met = met || ++inside != 1;
        fib(5);
        --inside;
      });
    });
  }
  for (std::thread& each : callers) each.join();
  EXPECT_FALSE(met);
  const task_tree tree = recorder.take();
  EXPECT_NO_THROW(validate(tree));
  ASSERT_EQ(tree.roots.size(), 6u);
  EXPECT_EQ(tree.roots[0].label, "prepare");
  EXPECT_EQ(tree.roots[1].label, "root");
  EXPECT_EQ(summarise(tree, tree.roots[1]).tasks, 3u);
  for (std::size_t i = 2; i < 6; ++i) EXPECT_EQ(summarise(tree, tree.roots[i]).tasks, 15u);
}

TEST(recording, names_the_site_of_a_group_after_its_region) {
  const trace::task_tree tree = test::recorded([] {
    const auto fork = [] { invoke([] {}, [] {}); };
    for (const char* name : {"down", "up", "down"}) {
      const region here(name);
      fork();
    }
    fork();
  });
  ASSERT_EQ(tree.groups.size(), 4u);
  EXPECT_EQ(tree.sites[tree.groups[0].site], "down");
  EXPECT_EQ(tree.sites[tree.groups[1].site], "up");
  EXPECT_EQ(tree.groups[2].site, tree.groups[0].site);
  EXPECT_NE(tree.groups[3].site, tree.groups[0].site);
}

// A compiler that unrolled the loop around it would make two sites of one.
[[gnu::noinline]] void one_iteration() {
  task_group group;
  group.run([] { invoke([] {}, [] {}); });
  group.wait();
}

TEST(recording, only_a_roots_own_groups_have_a_site) {
  const task_tree tree = recorded([] {
    for (int i = 0; i < 2; ++i) one_iteration();
    invoke([] {}, [] {});
  });
  ASSERT_EQ(tree.groups.size(), 5u);
  EXPECT_NE(tree.groups[0].site, 0u);
  EXPECT_EQ(tree.groups[1].site, 0u);
  EXPECT_EQ(tree.groups[2].site, tree.groups[0].site);
  EXPECT_NE(tree.groups[4].site, 0u);
  EXPECT_NE(tree.groups[4].site, tree.groups[0].site);
  EXPECT_EQ(tree.sites.size(), 3u);
  for (const std::string& each : tree.sites) EXPECT_FALSE(each.empty());
}

TEST(recording, accesses_belong_to_the_stretch_that_declares_them) {
  std::vector<double> data(100);
  std::array<int, 3> few{};
  const float grid[8][16] = {};
  const task_tree tree = recorded([&] {
    reads(data);
    invoke(
        [&] {
          writes(data.data() + 10, 20);
          reads(few);
        },
        [&] { reads(&grid[1][2], 4, 3, 16); });
    writes(std::span(data).subspan(0, 0));
    writes(&grid[0][0], 8, 16, 16);
  });
  const auto accesses_of = [&](std::uint32_t task) {
    std::vector<std::vector<trace::access>> found;
    for (std::uint64_t i = tree.tasks[task].first_op; i != tree.tasks[task].first_op + tree.tasks[task].ops; ++i) {
      const trace::op& step = tree.ops[i];
      if (step.what != trace::op::kind::compute || step.count == 0) continue;
      found.emplace_back(tree.accesses.begin() + step.first, tree.accesses.begin() + step.first + step.count);
    }
    return found;
  };
  const auto at = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
  using parts = std::vector<std::vector<trace::access>>;
  EXPECT_EQ(accesses_of(0), (parts{{{.address = at(data.data()), .length = 800}},
                                   {{.address = at(grid), .length = 512, .write = true}}}));
  EXPECT_EQ(
      accesses_of(1),
      (parts{{{.address = at(&data[10]), .length = 160, .write = true}, {.address = at(few.data()), .length = 12}}}));
  EXPECT_EQ(accesses_of(2), (parts{{{.address = at(&grid[1][2]), .length = 12, .stride = 64, .rows = 4}}}));
  EXPECT_EQ(forks_and_waits(tree, 0).size(), 3u);
}

TEST(recording, declared_memory_has_its_pages_before_work_continues) {
  untouched dense(64), sparse(64), read(64);
  const std::size_t page = untouched::page();
  recorded([&] {
    writes(dense.data(), dense.size());
    writes(sparse.data() + 8, 16, 8, 4 * page);
    reads(static_cast<const char*>(read.data()), 3 * page);
    EXPECT_EQ(dense.resident(), 64u);
    EXPECT_EQ(sparse.resident(), 16u);
    EXPECT_EQ(read.resident(), 3u);
  });
  EXPECT_EQ(dense[0], 0);
}

TEST(recording, accesses_are_ignored_without_one) {
  std::vector<int> data(10);
  runtime rt{{.workers = 1}};
  EXPECT_FALSE(detail::access_is_heard());
  rt.run([&] { reads(data); });
  {
    trace::recorder recorder("test", 1);
    EXPECT_TRUE(detail::access_is_heard());
    reads(data);                   // by no worker
    rt.run([&] { reads(data); });  // by another runtime's
    EXPECT_TRUE(recorder.take().accesses.empty());
  }
  EXPECT_FALSE(detail::access_is_heard());
}

TEST(recording, every_task_has_one_stack) {
  // Deep enough to overflow the stack of an ordinary task.
  struct {
    unsigned deepest = 0;
    void down(unsigned depth) {
      volatile char frame[1024] = {};
      deepest = depth + static_cast<unsigned>(frame[0]);
      if (depth == 4000) return;
      task_group group;
      group.run([this, depth] { down(depth + 1); });
      group.wait();
    }
  } chain;
  const task_tree tree = recorded([&] { chain.down(0); });
  EXPECT_EQ(chain.deepest, 4000u);
  EXPECT_EQ(tree.tasks.size(), 4001u);
}

TEST(recorded_accesses, bring_the_names_of_what_they_touch) {
  const std::vector<double> grid(1000), unused(1000), renamed(1000);
  name_memory(grid, "grid");
  name_memory(unused, "unused");
  name_memory(renamed, "before");
  const task_tree tree = recorded([&] {
    reads(grid.data() + 10, 10);
    reads(renamed);
    reads(grid);
  });
  name_memory(renamed, "after");
  ASSERT_EQ(tree.named.size(), 2u);
  std::map<std::string, std::uint64_t> found;
  for (const trace::named_memory& each : tree.named) found[each.name] = each.address;
  EXPECT_EQ(found["grid"], reinterpret_cast<std::uintptr_t>(grid.data()));
  EXPECT_EQ(found["before"], reinterpret_cast<std::uintptr_t>(renamed.data()));
  EXPECT_EQ(tree.named[0].length, 8000u);
  for (const auto* each : {&grid, &unused, &renamed}) name_memory(*each, "");
  EXPECT_TRUE(recorded([&] { reads(grid); }).named.empty());
}

TEST(recorded_accesses, are_none_of_what_no_program_has) {
  const char data[64] = {};
  const trace::task_tree tree = test::recorded([&] {
    jackdaw::reads(data, (std::size_t{1} << 48) + 1);
    jackdaw::reads(data, std::numeric_limits<std::size_t>::max());
    jackdaw::reads(data, 2, 8, std::size_t{0} - 1000);  // rows that go down
    jackdaw::writes(data, std::size_t{1} << 60, 8, std::size_t{1} << 40);
    jackdaw::reads(data, sizeof data);
  });
  ASSERT_EQ(tree.accesses.size(), 1u);
  EXPECT_EQ(tree.accesses.front().length, sizeof data);
}

}  // namespace
}  // namespace jackdaw::test
