// How much of the memory that a loop goes over again lies on the nodes of the workers that do.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>

#include "jackdaw/jackdaw.hpp"
#include "vm/expected_machine.hpp"
#include "vm/memory_pages.hpp"

namespace {

using jackdaw::test::expected_machine;
using jackdaw::test::memory_pages;
using jackdaw::test::whereabouts;

constexpr std::size_t pages_per_leaf = 8;

unsigned number(const char* name, unsigned otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : static_cast<unsigned>(std::atoi(value));
}

struct locality {
  std::uint64_t local = 0, all = 0;
  double part() const { return static_cast<double>(local) / static_cast<double>(all); }
};

locality sweep(const memory_pages& over) {
  std::atomic<std::uint64_t> local{0}, all{0};
  jackdaw::for_range(
      std::size_t{0}, over.count(),
      [&](std::size_t first, std::size_t last) {
        const auto bytes = over.bytes(first, last);
        jackdaw::writes(bytes.data(), bytes.size());
        for (unsigned r = 0; r < number("REPEAT", 1); ++r)
        for (std::byte& each : bytes) each = std::byte(std::to_integer<unsigned>(each) + 1);
        const auto here = static_cast<int>(whereabouts::now().node);
        for (const int node : over.nodes(first, last)) {
          if (node == here) local += memory_pages::page_bytes;
          all += memory_pages::page_bytes;
        }
      },
      jackdaw::grain{pages_per_leaf});
  return {local, all};
}

class locality_of : public testing::TestWithParam<std::string> {};

TEST_P(locality_of, a_loop_that_is_run_again) {
  const auto expected = expected_machine::here();
  if (!expected) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
  jackdaw::runtime workers({.scheduler = GetParam()});
  const memory_pages all(number("PAGES", 1024));
  workers.run([&] {
    for (unsigned i = 0; i < 12; ++i) {
      const locality l = sweep(all);
      std::printf("%s %u: %.1f%%\n", GetParam().c_str(), i, 100 * l.part());
    }
  });
  const auto s = workers.stats();
  std::printf("steals %lu + %lu migr %lu\n", s.steals_local, s.steals_remote, s.migrations);
  EXPECT_TRUE(false);
}

INSTANTIATE_TEST_SUITE_P(schedulers, locality_of, testing::Values("random", "hierarchical", "adws", "laws", "cats", "cab", "adws:no-steal"));

}  // namespace
