// The places of workers, and of the memory that they touch first.
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/schedulers.hpp"
#include "vm/expected_machine.hpp"
#include "vm/memory_pages.hpp"
#include "vm/test_name.hpp"

namespace {

using jackdaw::runtime;
using jackdaw::test::expected_machine;
using jackdaw::test::memory_pages;
using jackdaw::test::whereabouts;

unsigned own_node(const runtime& of, unsigned worker) { return of.where().nodes[of.place(worker).numa_node].os_index; }

/// Runs f(i) for i < count, all at the same time: each call needs a worker.
template <class F>
void at_once(unsigned first, unsigned last, F& f) {
  if (last - first == 1) return f(first);
  const unsigned middle = first + (last - first) / 2;
  jackdaw::invoke([&, first, middle] { at_once(first, middle, f); }, [&, middle, last] { at_once(middle, last, f); });
}

TEST(first_touch, every_worker_is_pinned_and_finds_what_it_touches_on_its_own_node) {
  const auto expected = expected_machine::here();
  if (!expected) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
  // The one that lets any worker take any task: all of these wait for each other.
  runtime workers({.scheduler = "random"});
  ASSERT_EQ(workers.workers(), expected->cores);

  constexpr std::size_t pages_each = 8;
  const memory_pages all(workers.workers() * pages_each);
  std::barrier everybody(workers.workers());
  std::vector<whereabouts> seen(workers.workers());
  std::vector<unsigned> by(workers.workers());
  auto touch = [&](unsigned part) {
    everybody.arrive_and_wait();
    const auto bytes = all.bytes(part * pages_each, (part + 1) * pages_each);
    std::memset(bytes.data(), 1, bytes.size());
    seen[part] = whereabouts::now();
    by[part] = jackdaw::this_worker().value();
  };
  workers.run([&] { at_once(0, workers.workers(), touch); });

  EXPECT_EQ(std::set(by.begin(), by.end()).size(), workers.workers());
  for (unsigned part = 0; part < workers.workers(); ++part) {
    EXPECT_EQ(workers.place(by[part]).os_cpu, seen[part].cpu);
    EXPECT_EQ(own_node(workers, by[part]), seen[part].node);
    for (const int node : all.nodes(part * pages_each, (part + 1) * pages_each)) {
      EXPECT_EQ(node, static_cast<int>(seen[part].node)) << "worker " << by[part];
    }
  }
}

/// The node beside that socket with the most bandwidth.
unsigned fastest_beside(const expected_machine& machine, unsigned socket) {
  unsigned found = socket;
  for (unsigned node = 0; node < machine.nodes.size(); ++node) {
    const bool faster = machine.nodes[node].bandwidth > machine.nodes[found].bandwidth;
    if (machine.socket_of(node) == socket && faster) found = node;
  }
  return found;
}

TEST(first_touch, goes_to_the_fastest_memory_of_the_workers_socket_under_auto) {
  const auto expected = expected_machine::here();
  if (!expected) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
  runtime workers({.scheduler = "auto"});
  const memory_pages all(1024);
  std::vector<unsigned> toucher(all.count());
  workers.run([&] {
    jackdaw::for_range(std::size_t{0}, all.count(), [&](std::size_t first, std::size_t last) {
      const auto bytes = all.bytes(first, last);
      std::memset(bytes.data(), 1, bytes.size());
      std::fill(toucher.begin() + static_cast<std::ptrdiff_t>(first),
                toucher.begin() + static_cast<std::ptrdiff_t>(last), jackdaw::this_worker().value());
    });
  });
  const std::vector<int> nodes = all.nodes(0, all.count());
  for (std::size_t page = 0; page < all.count(); ++page) {
    ASSERT_EQ(nodes[page], static_cast<int>(fastest_beside(*expected, own_node(workers, toucher[page]))))
        << "page " << page;
  }
}

TEST(first_touch, a_client_in_a_workers_place_stays_on_that_workers_processor) {
  if (!expected_machine::here()) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
  runtime workers({.scheduler = "adws"});
  const auto client = std::this_thread::get_id();
  cpu_set_t before, after;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  unsigned stood_in = 0;
  for (int i = 0; i < 100; ++i) {
    usleep(2000);  // workers sleep by then
    workers.run([&] {
      if (std::this_thread::get_id() != client) return;
      ++stood_in;
      cpu_set_t here;
      ASSERT_EQ(sched_getaffinity(0, sizeof here, &here), 0);
      EXPECT_EQ(CPU_COUNT(&here), 1);
      EXPECT_TRUE(CPU_ISSET(workers.place(jackdaw::this_worker().value()).os_cpu.value(), &here));
    });
  }
  EXPECT_NE(stood_in, 0u);
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

class first_touch_of : public testing::TestWithParam<std::string> {};

TEST_P(first_touch_of, a_loop_is_on_the_nodes_of_the_workers_that_ran_its_leaves) {
  if (!expected_machine::here()) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
  runtime workers({.scheduler = GetParam()});
  const memory_pages all(1024);
  std::vector<unsigned> toucher(all.count());
  std::atomic<unsigned> elsewhere{0};
  workers.run([&] {
    jackdaw::for_range(std::size_t{0}, all.count(), [&](std::size_t first, std::size_t last) {
      const unsigned self = jackdaw::this_worker().value();
      const auto bytes = all.bytes(first, last);
      std::memset(bytes.data(), 1, bytes.size());
      std::fill(toucher.begin() + static_cast<std::ptrdiff_t>(first),
                toucher.begin() + static_cast<std::ptrdiff_t>(last), self);
      if (whereabouts::now().node != own_node(workers, self)) elsewhere.fetch_add(1);
    });
  });
  EXPECT_EQ(elsewhere.load(), 0u);
  const std::vector<int> nodes = all.nodes(0, all.count());
  for (std::size_t page = 0; page < all.count(); ++page) {
    ASSERT_EQ(nodes[page], static_cast<int>(own_node(workers, toucher[page]))) << "page " << page;
  }
}

/// BATS and `auto` send first touches to nodes of their own choice.
std::vector<std::string> schedulers_that_leave_pages_alone() {
  std::vector<std::string> names = jackdaw::test::whole_schedulers();
  for (const char* chooses : {"bats", "auto"}) std::erase(names, chooses);
  return names;
}

INSTANTIATE_TEST_SUITE_P(schedulers, first_touch_of, testing::ValuesIn(schedulers_that_leave_pages_alone()),
                         jackdaw::test::test_name);

}  // namespace
