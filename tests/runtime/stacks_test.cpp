// Stacks: as many as a program needs, few mappings, and memory that comes back.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/detail/root.hpp"
#include "jackdaw/jackdaw.hpp"
#include "runtime/fiber_pool.hpp"
#include "runtime/threads.hpp"
#include "support/refuse_calls.hpp"
#include "support/schedulers.hpp"

namespace jackdaw::detail {
namespace {

constexpr unsigned deep = announced ? 3'000 : 30'000;

unsigned nested(unsigned levels) {
  unsigned below = 0;
  if (levels > 0) {
    task_group group;
    group.run([&] { below = 1 + nested(levels - 1); });
    group.wait();
  }
  return below;
}

[[maybe_unused]] std::size_t maps() {
  std::ifstream file("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    ++count;
  }
  return count;
}

std::size_t resident() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, pages = 0;
  file >> all >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

[[maybe_unused]] bool guards_are_free() {
  void* const page = mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool free = madvise(page, 65536, 102) == 0;
  munmap(page, 65536);
  return free;
}

/// True as soon as `holds`; false after ten seconds.
template <class F>
[[maybe_unused]] bool soon(const F& holds) {
  for (int i = 0; i < 1000; ++i) {
    if (holds()) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

#if !defined(JACKDAW_TSAN)  // which maps memory of its own for each fiber
TEST(stacks, are_given_back_while_workers_rest) {
  runtime rt({.workers = 2});
  EXPECT_EQ(rt.run([] { return nested(100); }), 100u);
  const std::size_t maps_before = maps();
  [[maybe_unused]] const std::size_t resident_before = resident();
  EXPECT_EQ(rt.run([] { return nested(deep); }), deep);
  EXPECT_EQ(rt.stats().in_place, 0u);
  if (guards_are_free()) {
    EXPECT_LT(maps(), maps_before + 2000);
  }
  void* const unrelated = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(unrelated, MAP_FAILED);
  EXPECT_TRUE(soon([&] { return maps() < maps_before + 300; })) << maps_before << " maps before, now " << maps();
#if !defined(JACKDAW_ASAN) && !defined(JACKDAW_TSAN)  // which keep memory of their own
  EXPECT_TRUE(soon([&] { return resident() < resident_before + (8u << 20); }))
      << resident_before << " bytes before, now " << resident();
#endif
  munmap(unrelated, 4096);
}
#endif

TEST(stacks, are_bounded_while_a_task_goes_on) {
  runtime rt({.workers = 1});
  rt.run([] {
    [[maybe_unused]] const std::size_t before = resident();
    EXPECT_EQ(nested(deep), deep);
#if !defined(JACKDAW_ASAN) && !defined(JACKDAW_TSAN)
    EXPECT_LT(resident(), before + (24u << 20));
#endif
  });
}

#if !defined(JACKDAW_ASAN) && !defined(JACKDAW_TSAN)
TEST(stacks, suffice_for_200_thousand_nested_groups) {
  if (!guards_are_free()) {
    GTEST_SKIP() << "each stack takes two mappings here";
  }
  runtime rt({.workers = 2});
  EXPECT_EQ(rt.run([] { return nested(200'000); }), 200'000u);
  EXPECT_EQ(rt.stats().in_place, 0u);
}
#endif

/// With guards that are mappings, and pages that stay.
TEST(stacks, leave_half_of_the_maps_when_guards_need_some) {
  std::thread([] {
    if (!test::refuse_calls({{.number = SYS_madvise, .error = EINVAL}})) {
      GTEST_SKIP() << "the kernel has no such filters";
    }
    std::size_t allowed = 0;
    std::ifstream("/proc/sys/vm/max_map_count") >> allowed;
    runtime rt({.workers = 2, .stack_size = std::size_t{16} << 20});
    const unsigned levels = announced ? deep : 40'000;
    EXPECT_EQ(rt.run([=] { return nested(levels); }), levels);
#if !defined(JACKDAW_TSAN)
    EXPECT_LT(maps(), allowed / 2 + 1000);
#endif
    if (levels > allowed / 4) {
      EXPECT_GT(rt.stats().in_place, 0u);
    }
    EXPECT_EQ(rt.run([] { return nested(1000); }), 1000u);
  }).join();
}

// ---- the bound ------------------------------------------------------------------------------------------------------

/// A tree of forks of every kind.
std::uint64_t tree(unsigned depth) {
  if (depth == 0) {
    return 1;
  }
  std::uint64_t sums[6] = {};
  task_group eager, lazy(policy::help_first);
  eager.run([&] { sums[0] = tree(depth - 1); });
  lazy.run([&] { sums[1] = tree(depth - 1); });
  eager.run(near(sums), [&] { sums[2] = tree(depth - 1); });
  invoke([&] { sums[3] = tree(depth - 1); }, [&] { sums[4] = tree(depth - 1); });
  eager.inter_spawn([&] { sums[5] = tree(depth - 1); });
  lazy.wait();
  eager.wait();
  std::uint64_t sum = 0;
  for (const std::uint64_t each : sums) {
    sum += each;
  }
  return sum;
}

class bounded_stacks : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(all, bounded_stacks, testing::ValuesIn(test::every_scheduler()), [](const auto& each) {
  std::string name = each.param;
  for (char& c : name) {
    c = c == ':' || c == '-' ? '_' : c;
  }
  return name;
});

TEST_P(bounded_stacks, let_everything_end_in_place) {
  for (const std::size_t most : {0, 1, 3, 7, 20}) {
    runtime rt({.scheduler = GetParam(), .workers = 4});
    rt.run([=] { this_worker()->home.fibers().bound(4 + most); });
    std::vector<std::thread> clients;
    for (int client = 0; client < 3; ++client) {
      clients.emplace_back([&] {
        for (int round = 0; round < (announced ? 2 : 8); ++round) {
          EXPECT_EQ(rt.run([] { return tree(4); }), 1296u);
        }
      });
    }
    for (std::thread& each : clients) {
      each.join();
    }
    if (most == 0) {
      EXPECT_GT(rt.stats().in_place, 0u);
    }
  }
}

TEST(fiber_pool, keeps_more_stacks_for_a_worker_whose_depth_varies) {
  fiber_pool pool(65536);
  const auto up_and_down = [&] {
    std::vector<fiber*> all;
    unsigned made = 0;
    for (unsigned i = 0; i < 3000;) {
      fiber* list = pool.take();
      made += list->next == nullptr ? 1 : 0;
      for (; list != nullptr; list = list->next, ++i) {
        all.push_back(list);
      }
    }
    for (fiber* each : all) {
      each->next = nullptr;
      pool.give(each);
    }
    return made;
  };
  EXPECT_GE(up_and_down(), 3000u);
  up_and_down();
  up_and_down();
  EXPECT_LT(up_and_down(), 200u);
}

}  // namespace
}  // namespace jackdaw::detail
