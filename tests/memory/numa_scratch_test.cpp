// Temporary memory by node: where it is, who may free it, and what comes back.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <memory_resource>
#include <new>
#include <thread>
#include <vector>

#include "jackdaw/algorithm/for_each.hpp"
#include "memory/numa_nodes.hpp"

namespace jackdaw {
namespace {

using words = std::pmr::vector<std::uint64_t>;

TEST(numa_scratch, is_on_the_node_of_the_worker_that_asks_and_is_reused_there) {
  runtime workers;
  const bool real = workers.where().bindable() && !test::numa_calls_are_refused();
  for (int round = 0; round < 20; ++round) {
    workers.run([&] {
      const auto leaf = [&](int i) {
        std::pmr::memory_resource& pool = scratch();
        const unsigned node = this_node().value();
        words made(1000 + static_cast<std::size_t>(i) * 100, &pool);
        test::fill(made.data(), made.size());
        EXPECT_TRUE(test::is_intact(made.data(), made.size()));
        if (!real) return;
        const auto parts = where(made.data(), made.size() * sizeof made[0]);
        for (const auto& each : parts.shares) EXPECT_EQ(each.node, node);
      };
      for_index(0, 200, leaf, grain{1});
    });
  }
}

TEST(numa_scratch, is_freed_by_any_task_and_thread) {
  runtime workers({.workers = 5, .pin = false});
  std::vector<std::unique_ptr<words>> made(500);
  for (int round = 0; round < 10; ++round) {
    workers.run([&] {
      for_index(
          std::size_t{0}, made.size(),
          [&](std::size_t i) {
            made[i] = std::make_unique<words>(i * 97 % 4000, &scratch());
            test::fill(made[i]->data(), made[i]->size());
            invoke([] {}, [] {});  // it may go on elsewhere
          },
          grain{1});
      std::ranges::reverse(made);
      for_index(
          std::size_t{0}, made.size() / 2,
          [&](std::size_t i) {
            EXPECT_TRUE(test::is_intact(made[i]->data(), made[i]->size()));
            made[i].reset();
          },
          grain{1});
    });
    for (auto& each : made) each.reset();  // by a thread that is no worker
  }
  std::thread([] { words(100'000, &scratch()).back() = 1; }).join();
}

TEST(numa_scratch, goes_back_to_the_system_where_nothing_is_in_use) {
  std::pmr::memory_resource& pool = scratch();
  constexpr std::size_t count = 20'000;
  auto* const held = static_cast<std::uint64_t*>(pool.allocate(count * sizeof(std::uint64_t)));
  test::fill(held, count);
  release_scratch();
  EXPECT_TRUE(test::is_intact(held, count));
  pool.deallocate(held, count * sizeof(std::uint64_t));
  EXPECT_GE(release_scratch(), count * sizeof(std::uint64_t));
  EXPECT_EQ(release_scratch(), 0u);
}

TEST(numa_scratch, small_blocks_go_back_to_the_system_too) {
  release_scratch();
  std::pmr::memory_resource& pool = scratch();
  constexpr std::size_t count = 50'000, bytes = 200;
  std::vector<void*> held(count);
  for (void*& each : held) each = pool.allocate(bytes);
  pool.deallocate(held.back(), bytes);
  held.pop_back();
  EXPECT_EQ(release_scratch(), 0u);  // the others are in use
  for (void* each : held) pool.deallocate(each, bytes);
  EXPECT_GE(release_scratch(), count * bytes);
  EXPECT_EQ(release_scratch(), 0u);
}

TEST(numa_scratch, blocks_of_all_sizes_and_alignments) {
  for (const std::size_t bytes :
       {0u, 1u, 17u, 48u, 63u, 80u, 129u, 700u, 3000u, 4096u, 33'000u, 100'000u, 4u << 20, (4u << 20) + 1, 20u << 20}) {
    for (std::size_t alignment = 1; alignment <= 1u << 20; alignment *= 2) {
      std::vector<void*> held(3);
      for (void*& at : held) {
        at = scratch().allocate(bytes, alignment);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % alignment, 0u) << bytes;
        auto* const first = static_cast<unsigned char*>(at);
        const std::size_t part = std::min<std::size_t>(bytes, 5000);
        std::fill_n(first, part, 0xff);
        std::fill_n(first + (bytes - part), part, 0xff);
      }
      for (void* at : held) scratch().deallocate(at, bytes, alignment);
    }
  }
}

TEST(numa_scratch, sizes_that_no_memory_has) {
  for (const std::size_t bytes : {std::size_t{1} << 48, std::size_t{1} << 62, std::size_t{1} << 63, ~std::size_t{0}}) {
    EXPECT_THROW((void)scratch().allocate(bytes), std::bad_alloc) << bytes;
  }
  for (const std::size_t alignment : {std::size_t{1} << 62, std::size_t{1} << 63}) {
    EXPECT_THROW((void)scratch().allocate(8, alignment), std::bad_alloc) << alignment;
  }
}

/// Computed before main(), and perhaps before the library's own objects are made.
const int early = std::pmr::vector<int>(100, 7, &scratch()).back();

TEST(numa_scratch, may_be_used_before_main) { EXPECT_EQ(early, 7); }

// The sanitizers need address space of their own.
#if !defined(JACKDAW_TSAN) && !defined(JACKDAW_ASAN)
/// In a child process: allocations fail now and then, and what was allocated stays right.
TEST(numa_scratch, goes_on_after_the_system_has_refused_memory) {
  const auto ends_well = [] {
    std::uint64_t refused = 0;
    for (std::size_t round = 0; round < 20; ++round) {
      std::size_t mapped = 0;
      std::ifstream("/proc/self/statm") >> mapped;
      const rlimit limit{mapped * 4096 + round * 175'000, RLIM_INFINITY};
      if (setrlimit(RLIMIT_AS, &limit) != 0) return 1;
      std::vector<std::unique_ptr<words>> held(500);
      for (std::size_t i = 0; i < held.size(); ++i) {
        try {
          held[i] = std::make_unique<words>(1 + (i * 31 + round) % (i % 10 == 0 ? 10'000 : 150), &scratch());
          test::fill(held[i]->data(), held[i]->size());
        } catch (const std::bad_alloc&) {
          ++refused;
        }
      }
      for (const auto& each : held) {
        if (each && !test::is_intact(each->data(), each->size())) return 2;
      }
      held.clear();
      const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
      if (setrlimit(RLIMIT_AS, &none) != 0) return 3;
      release_scratch();
      if (words(20'000, 7, &scratch()).back() != 7) return 4;
    }
    return refused > 100 ? 0 : 5;
  };
  const pid_t child = fork();
  if (child == 0) _exit(ends_well());
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}
#endif

// Where mbind is refused the child needs a thread, which ThreadSanitizer does not let it have.
#if !defined(JACKDAW_TSAN)
TEST(numa_scratch, the_child_of_a_fork_has_pools_of_its_own) {
  words held(5000, &scratch());
  test::fill(held.data(), held.size());
  const pid_t child = fork();
  if (child == 0) {
    bool right = test::is_intact(held.data(), held.size());
    held.resize(20'000);
    right = right && test::is_intact(held.data(), 5000);
    held = {};
    words own(3000, &scratch());
    test::fill(own.data(), own.size());
    right = right && test::is_intact(own.data(), own.size());
    release_scratch();
    _exit(right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(test::is_intact(held.data(), held.size()));
}
#endif

}  // namespace
}  // namespace jackdaw
