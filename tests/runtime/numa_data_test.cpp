// A scheduler's placement of data by workers, read back from the kernel.
#include <gtest/gtest.h>

#include <cerrno>
#include <limits>
#include <thread>
#include <vector>

#include "jackdaw/memory/placed_array.hpp"
#include "memory/numa_nodes.hpp"
#include "runtime/threads_data.hpp"
#include "support/untouched.hpp"

namespace jackdaw::test {
namespace {

using detail::memory_nodes;
using detail::threads_data;

constexpr std::size_t pages = 64;

class numa_data : public testing::Test {
 protected:
  const machine where = machine::detect();
  const std::vector<worker_place> places = where.place_workers(1, placement_order::compact);
  const std::vector<sched::squad> squads = {{.workers = {0, 0}}};
  threads_data keeping{memory_nodes::here(where, squads, places), true, {}, squads};
  const std::vector<unsigned>& os = keeping.os_nodes();
};

void touch(untouched& memory) {
  for (std::size_t at = 0; at < memory.size(); at += untouched::page()) memory[at] = 1;
}

/// Memory that a thread pinned to the first worker's processor touches after the keeper sent its touches to `node`.
page_locations touched(threads_data& keeping, std::uint32_t node) {
  page_locations found;
  std::thread([&] {
    untouched there(pages), back(pages);
    keeping.touch_to(0, node);
    touch(there);
    keeping.touch_to(0, sched::none);
    touch(back);
    found = jackdaw::where(there.data(), there.size());
    numa::touch_policy now;
    EXPECT_EQ(numa::linux_kernel().policy(now), 0);
    EXPECT_EQ(now, numa::touch_policy{}) << "where the thread's touches went before";
    EXPECT_EQ(jackdaw::where(back.data(), back.size()).untouched, 0u);
  }).join();
  return found;
}

TEST_F(numa_data, touches_go_to_each_node_also_to_those_without_processors) {
  ASSERT_EQ(os.size(), usable_nodes().size());
  for (std::uint32_t node = 0; node < os.size(); ++node) {
    const page_locations found = touched(keeping, node);
    if (numa_calls_are_refused()) {
      EXPECT_EQ(found.untouched, 0u) << found.text();
      EXPECT_EQ(keeping.report().touch_refused, EPERM);
    } else {
      EXPECT_EQ(found.on(os[node]), pages * base_page_size()) << found.text();
      EXPECT_EQ(keeping.report().touch_refused, 0);
    }
  }
}

TEST_F(numa_data, areas_move_to_each_node_and_keep_their_contents) {
  constexpr std::size_t count = 4 * mib / sizeof(std::uint64_t);
  placed_array<std::uint64_t> words(count, placement::on(os[0]).with_pages(page_choice::base));
  fill(words.data(), count);
  constexpr std::uint32_t parts = 4;
  const auto begin = reinterpret_cast<std::uintptr_t>(words.data());
  keeping.watch(0, parts);
  keeping.declare(0, {.begin = begin, .length = 4 * mib, .write = true}, true);
  const std::vector<sched::area> areas = keeping.watched(0);
  ASSERT_EQ(areas.size(), parts);
  EXPECT_EQ(keeping.report().watched_by, hotness_source::declared);
  const page_locations before = jackdaw::where(words);
  for (const sched::area& each : areas) EXPECT_EQ(each.node, 0u);
  for (std::uint32_t node = 0; node < os.size(); ++node) {
    std::vector<sched::area_move> moves;
    for (std::uint32_t area = 0; area < parts; area += 2) moves.push_back({area, node});
    keeping.move_areas(0, moves, std::numeric_limits<double>::infinity());
    const page_locations now = jackdaw::where(words);
    for (std::size_t page = 0; page < now.nodes.size(); ++page) {
      const bool stays = page * parts / now.nodes.size() % 2 == 1 || numa_calls_are_refused();
      ASSERT_EQ(now.nodes[page], stays ? before.nodes[page] : static_cast<int>(os[node]));
    }
    EXPECT_TRUE(is_intact(words.data(), count));
  }
  const data_report told = keeping.report();
  if (numa_calls_are_refused() && os.size() > 1) {
    EXPECT_EQ(told.move_error, EPERM);
    EXPECT_EQ(told.moved, 0u);
  } else {
    EXPECT_EQ(told.failed, 0u) << told.text();
  }
}

}  // namespace
}  // namespace jackdaw::test
