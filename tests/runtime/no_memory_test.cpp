// Tasks, loops and containers of a running runtime, while the system refuses one request after another: they answer
// right or throw, their groups end, and the runtime works afterwards.
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/no_memory.hpp"
#include "support/schedulers.hpp"

namespace jackdaw::test {
namespace {

class no_memory_to_fork : public testing::TestWithParam<std::string> {};

std::string name_of(const testing::TestParamInfo<std::string>& each) {
  std::string name = each.param;
  for (char& c : name) c = c == ':' || c == '-' ? '_' : c;
  return name;
}

TEST_P(no_memory_to_fork, a_tree_throws_or_is_right) {
  const on_machine described(one_socket);
  runtime rt({.scheduler = GetParam(), .workers = 4, .pin = false});
  constexpr unsigned depth = sanitized ? 3 : 4;
  const auto tree = [&] { return rt.run([] { return leaves_of(depth); }) == 1u << 2 * depth; };
  for (const refusals& each : all_refusals()) {
    refuse_in_turn(each, leaves::caches, tree, [&] { EXPECT_EQ(rt.run([] { return leaves_of(2); }), 16u); });
  }
}

/// Regions that are new, and so learned, profiled, divided, explored.
TEST_P(no_memory_to_fork, a_region_that_is_new_throws_or_is_right) {
  const on_machine described(two_sockets);
  runtime rt({.scheduler = GetParam(), .workers = 4, .pin = false, .data_size = 1 << 26});
  std::string name = "a region with a name that takes memory ";
  name += "0000";
  std::vector<char> data(1 << 16);
  const auto fresh = [&] {
    for (auto digit = name.rbegin();; ++digit) {  // counts up in place
      if (++*digit <= '9') break;
      *digit = '0';
    }
    return rt.run([&] {
      const region here(name);
      bool right = true;
      for (int iteration = 0; iteration < 5; ++iteration) {
        std::atomic<unsigned> sum{0};
        task_group group(4);
        for (unsigned i = 0; i < 4; ++i) {
          group.run(
              [&sum, &data, i] {
                reads(data.data() + (i << 14), 1 << 14);
                sum += leaves_of(1);
              },
              1);
        }
        group.wait();
        right = right && sum == 16;
      }
      return right;
    });
  };
  for (const refusals& each : all_refusals()) {
    refuse_in_turn(each, leaves::caches, fresh, [&] { EXPECT_EQ(rt.run([] { return leaves_of(2); }), 16u); });
  }
}

INSTANTIATE_TEST_SUITE_P(all, no_memory_to_fork, testing::ValuesIn(diverse_schedulers()), name_of);

/// A root of a runtime that is there.
template <class F>
void refuse_in(const options& how, const char* description, F root) {
  const on_machine described(description);
  runtime rt(how);
  for (const refusals& each : all_refusals()) {
    refuse_in_turn(
        each, leaves::caches, [&] { return rt.run(root); },
        [&] { EXPECT_EQ(rt.run([] { return leaves_of(2); }), 16u); });
  }
}

TEST(no_memory, to_fork_in_an_exception_handler) {
  refuse_in({.workers = 4, .pin = false}, two_sockets, [] {
    try {
      throw 1;
    } catch (int) {
      return leaves_of(3) == 64;
    }
  });
}

TEST(no_memory, for_children_with_large_functions) {
  struct large {
    std::array<unsigned, 2000> numbers;
  };
  refuse_in({.workers = 4, .pin = false}, one_socket, [] {
    std::atomic<unsigned> sum{0};
    for (const policy order : {policy::work_first, policy::help_first}) {
      task_group group(order);
      large held{};
      held.numbers[1999] = 1;
      for (int i = 0; i < 8; ++i) group.run([held, &sum] { sum += held.numbers[1999]; });
      group.wait();
    }
    return sum == 16;
  });
}

TEST(no_memory, for_inter_socket_tasks) {
  refuse_in({.scheduler = "cab", .workers = 4, .pin = false}, two_sockets, [] {
    std::atomic<unsigned> sum{0};
    for (int iteration = 0; iteration < 2; ++iteration) {
      task_group group;
      for (int i = 0; i < 4; ++i) {
        group.inter_spawn([&sum] {
          task_group below;
          for (int j = 0; j < 2; ++j) below.inter_spawn([&sum] { sum += leaves_of(1); });
          below.wait();
        });
      }
      group.wait();
    }
    return sum == 64;
  });
}

TEST(no_memory, for_children_near_some_memory) {
  refuse_in({.workers = 4, .pin = false}, two_sockets, [] {
    std::atomic<unsigned> sum{0};
    task_group group;
    for (unsigned i = 0; i < 8; ++i) group.run(on(i % 2), [&sum] { sum += leaves_of(1); });
    group.wait();
    invoke(on(0, [&sum] { sum += leaves_of(1); }), on(1, [&sum] { sum += leaves_of(1); }));
    return sum == 40;
  });
}

TEST(no_memory, for_children_near_some_memory_of_a_thread_that_is_no_worker) {
  const on_machine described(two_sockets);
  setenv("JACKDAW_WORKERS", "4", 1);
  for (const refusals& each : all_refusals(asked_by([] { machine::detect(); }))) {
    refuse_in_turn(
        each, leaves::nothing,
        [] {
          const shuts_down then;
          std::atomic<unsigned> sum{0};
          task_group group;
          for (unsigned i = 0; i < 4; ++i) group.run(on(i % 2), [&sum] { sum += leaves_of(1); });
          group.wait();
          return sum == 16;
        },
        [] {});
  }
  unsetenv("JACKDAW_WORKERS");
}

std::vector<std::uint32_t> shuffled(std::uint32_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::uint32_t state = 1;
  for (std::uint32_t& each : numbers) each = state = state * 1664525u + 1013904223u;
  return numbers;
}

TEST(no_memory, for_the_loops_that_need_some) {
  const std::vector<std::uint32_t> given = shuffled(20'000);
  std::vector<std::uint32_t> wanted = given, work(given.size()), out(given.size());
  std::sort(wanted.begin(), wanted.end());
  const std::uint32_t all = std::accumulate(given.begin(), given.end(), 0u);
  refuse_in({.workers = 4, .pin = false}, two_sockets, [&] {
    std::copy(given.begin(), given.end(), work.begin());
    jackdaw::sort(work.begin(), work.end());
    bool right = work == wanted;
    std::copy(given.begin(), given.end(), work.begin());
    jackdaw::stable_sort(work.begin(), work.end());
    right = right && work == wanted;
    jackdaw::inclusive_scan(given.begin(), given.end(), out.begin());
    right = right && out.back() == all;
    const auto end =
        jackdaw::copy_if(given.begin(), given.end(), out.begin(), [](std::uint32_t each) { return each % 2 == 0; });
    right = right && std::all_of(out.begin(), end, [](std::uint32_t each) { return each % 2 == 0; });
    return right && jackdaw::reduce(given.begin(), given.end(), 0u) == all;
  });
}

/// A sort that throws leaves a permutation of its input.
TEST(no_memory, for_a_sort_loses_no_element) {
  const std::vector<std::uint32_t> given = shuffled(20'000);
  const std::uint32_t all = std::accumulate(given.begin(), given.end(), 0u);
  std::vector<std::uint32_t> work = given;
  runtime rt({.workers = 4, .pin = false});
  for (const auto of : {failing::which::one, failing::which::all}) {
    refuse_in_turn(
        {ask::memory, of}, leaves::caches,
        [&] {
          std::copy(given.begin(), given.end(), work.begin());
          rt.run([&] { jackdaw::stable_sort(work.begin(), work.end()); });
          return std::is_sorted(work.begin(), work.end());
        },
        [&] { EXPECT_EQ(std::accumulate(work.begin(), work.end(), 0u), all); });
  }
}

}  // namespace
}  // namespace jackdaw::test
