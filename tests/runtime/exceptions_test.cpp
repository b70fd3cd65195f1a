#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/invoke.hpp"
#include "jackdaw/task_group.hpp"
#include "runtime/two_workers.hpp"

namespace {

using jackdaw::policy;
using jackdaw::task_group;
using jackdaw::test::each_scheduler;

/// Forks enough to be stolen from now and then, and to move to another worker.
void busy() {
  std::atomic<int> sum{0};
  jackdaw::for_index(0, 64, [&](int i) {
    std::this_thread::yield();
    sum += i;
  });
  ASSERT_EQ(sum, 2016);
}

class exceptions : public each_scheduler {};

/// Forks while an exception passes.
struct forks_at_end {
  policy order;
  std::atomic<int>* wrong;

  ~forks_at_end() {
    const int before = std::uncaught_exceptions();
    task_group inner(order);
    for (int i = 0; i < 4; ++i) {
      inner.run([this] {
        *wrong += std::uncaught_exceptions() != 0 || std::current_exception() != nullptr;
        busy();
        try {
          throw std::logic_error("of a child");
        } catch (const std::logic_error&) {
          busy();
        }
      });
      *wrong += std::uncaught_exceptions() != before;
    }
    inner.wait();
    *wrong += std::uncaught_exceptions() != before;
  }
};

TEST_P(exceptions, belong_to_the_task_that_forks_in_a_destructor) {
  for (const policy order : {policy::work_first, policy::help_first}) {
    std::atomic<int> wrong{0};
    for (int round = 0; round < 50; ++round) {
      rt.run([&] {
        try {
          const forks_at_end guard{order, &wrong};
          throw std::runtime_error("passing");
        } catch (const std::runtime_error&) {
          wrong += std::uncaught_exceptions() != 0;
        }
      });
    }
    EXPECT_EQ(wrong, 0);
  }
}

TEST_P(exceptions, can_be_thrown_again_after_forks_in_a_handler) {
  for (const policy order : {policy::work_first, policy::help_first}) {
    std::atomic<int> wrong{0};
    for (int round = 0; round < 50; ++round) {
      EXPECT_THROW(rt.run([&] {
        try {
          throw std::runtime_error("handled");
        } catch (const std::runtime_error&) {
          task_group inner(order);
          for (int i = 0; i < 4; ++i) {
            inner.run([&] {
              wrong += std::current_exception() != nullptr;
              busy();
            });
          }
          inner.wait();
          throw;
        }
      }),
                   std::runtime_error);
    }
    EXPECT_EQ(wrong, 0);
  }
}

/// A function object whose copy is a parallel loop, which may throw at its end.
struct forks_when_copied {
  explicit forks_when_copied(std::atomic<int>& ran, bool throws = false) : ran(&ran), throws(throws) {}
  forks_when_copied(const forks_when_copied& other) : ran(other.ran), throws(other.throws) {
    busy();
    if (throws) {
      throw std::runtime_error("copy");
    }
  }
  forks_when_copied& operator=(const forks_when_copied&) = delete;
  ~forks_when_copied() { busy(); }
  void operator()() const { ++*ran; }

  std::atomic<int>* ran;
  bool throws;
};

TEST_P(exceptions, of_a_copy_leave_the_group_as_it_was_and_copies_may_fork) {
  for (const policy order : {policy::work_first, policy::help_first}) {
    std::atomic<int> ran{0};
    for (int round = 0; round < 20; ++round) {
      rt.run([&] {
        task_group group(order);
        const forks_when_copied good(ran);
        const forks_when_copied bad(ran, true);
        group.run(good);
        EXPECT_THROW(group.run(bad), std::runtime_error);
        group.run(good);
        group.wait();
      });
    }
    EXPECT_EQ(ran, 40);
  }
}

template <class F>
struct at_end {
  explicit at_end(F f) : function(f) {}
  at_end(const at_end&) = delete;
  at_end& operator=(const at_end&) = delete;
  ~at_end() { function(); }
  F function;
};

TEST_P(exceptions, of_a_child_reach_the_destructor_that_waits_for_it) {
  for (const policy order : {policy::work_first, policy::help_first}) {
    int caught = 0;
    EXPECT_THROW(rt.run([&] {
      const at_end guard([&] {
        try {
          task_group inner(order);
          inner.run([] { throw std::logic_error("of a child"); });
          inner.wait();
        } catch (const std::logic_error&) {
          caught += std::uncaught_exceptions();
        }
      });
      throw std::runtime_error("passing");
    }),
                 std::runtime_error);
    EXPECT_EQ(caught, 1);
  }
}

/// An exception leaves the group's scope, and the destructor of an object that it destroyed first ran the group's
/// child.
TEST_P(exceptions, of_children_give_way_to_the_one_that_leaves_the_groups_scope) {
  for (const policy order : {policy::work_first, policy::help_first}) {
    EXPECT_THROW(rt.run([&] {
      task_group outer(order);
      outer.run([] {});
      const at_end guard([&] { outer.run([] { throw std::logic_error("of a child"); }); });
      throw std::runtime_error("passing");
    }),
                 std::runtime_error);
    EXPECT_THROW(rt.run([&] {
      const at_end guard([&] {
        try {
          task_group inner(order);
          inner.run([] { throw std::logic_error("of a child"); });
          throw std::logic_error("in a destructor");
        } catch (const std::logic_error& what) {
          EXPECT_STREQ(what.what(), "in a destructor");
        }
      });
      throw std::runtime_error("passing");
    }),
                 std::runtime_error);
  }
}

TEST_P(exceptions, of_a_child_are_not_lost_in_a_destructor_while_another_one_passes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const policy order : {policy::work_first, policy::help_first}) {
    EXPECT_DEATH(rt.run([&] {
      const at_end guard([&] {
        task_group inner(order);
        inner.run([] { throw std::logic_error("of a child"); });
      });
      throw std::runtime_error("passing");
    }),
                 "destroyed with an exception of a child");
  }
}

INSTANTIATE_TEST_SUITE_P(all, exceptions, jackdaw::test::all_schedulers, jackdaw::test::name_of_scheduler);

TEST(invoke_results, may_be_references_and_single_pairs) {
  int a = 1;
  int b = 2;
  const auto both = jackdaw::invoke([&]() -> int& { return a; }, [&]() -> const int& { return b; });
  static_assert(std::is_same_v<decltype(both), const std::tuple<int&, const int&>>);
  EXPECT_EQ(&std::get<0>(both), &a);
  EXPECT_EQ(&std::get<1>(both), &b);

  const auto one = jackdaw::invoke([] { return std::pair(1, std::string("x")); });
  static_assert(std::is_same_v<decltype(one), const std::tuple<std::pair<int, std::string>>>);
  EXPECT_EQ(std::get<0>(one).second, "x");
}

}  // namespace
