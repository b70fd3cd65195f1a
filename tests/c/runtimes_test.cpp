// Runtimes of the C API, their options and counts.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#include "c/called.hpp"

namespace {

using jackdaw::test::function;
using jackdaw::test::nothing;
using jackdaw::test::run_it;
using jackdaw::test::said;

// jackdaw.f90 has these sizes as its types' defaults.
static_assert(sizeof(void*) != 8 ||
              (sizeof(jackdaw_options) == 96 && sizeof(jackdaw_stats) == 184 && sizeof(jackdaw_placement) == 40));

jackdaw_options with_workers(unsigned workers) {
  jackdaw_options options;
  jackdaw_options_init(&options);
  options.workers = workers;
  options.pin = JACKDAW_NO;
  return options;
}

TEST(c_runtime, runs_functions) {
  const jackdaw_options options = with_workers(2);
  jackdaw_runtime* runtime = nullptr;
  ASSERT_EQ(jackdaw_runtime_create(&options, &runtime), JACKDAW_OK);
  uint32_t workers = 0, shared = 0;
  int32_t number = -7;
  EXPECT_EQ(jackdaw_workers(runtime, &workers), JACKDAW_OK);
  EXPECT_EQ(workers, 2u);
  function asks = [&] {
    number = jackdaw_this_worker();
    EXPECT_EQ(jackdaw_concurrency(&shared), JACKDAW_OK);
    EXPECT_EQ(jackdaw_runtime_destroy(runtime), JACKDAW_ERROR_OWNER);
    EXPECT_EQ(jackdaw_run(runtime, nothing, nullptr), JACKDAW_OK);
  };
  EXPECT_EQ(jackdaw_run(runtime, run_it, &asks), JACKDAW_OK);
  EXPECT_TRUE(number == 0 || number == 1);
  EXPECT_EQ(shared, 2u);
  EXPECT_EQ(jackdaw_this_worker(), -1);
  EXPECT_EQ(jackdaw_runtime_destroy(runtime), JACKDAW_OK);
}

TEST(c_runtime, that_has_ended_is_an_error) {
  const jackdaw_options options = with_workers(1);
  jackdaw_runtime* runtime = nullptr;
  ASSERT_EQ(jackdaw_runtime_create(&options, &runtime), JACKDAW_OK);
  ASSERT_EQ(jackdaw_runtime_destroy(runtime), JACKDAW_OK);
  uint32_t workers = 0;
  jackdaw_stats stats;
  jackdaw_stats_init(&stats);
  long here = 0;
  for (void* const gone : {static_cast<void*>(runtime), static_cast<void*>(&here), reinterpret_cast<void*>(1)}) {
    auto* const wild = static_cast<jackdaw_runtime*>(gone);
    EXPECT_EQ(jackdaw_runtime_destroy(wild), JACKDAW_ERROR_HANDLE);
    EXPECT_EQ(jackdaw_run(wild, nothing, nullptr), JACKDAW_ERROR_HANDLE);
    EXPECT_TRUE(said("jackdaw_run: no such runtime"));
    EXPECT_EQ(jackdaw_workers(wild, &workers), JACKDAW_ERROR_HANDLE);
    EXPECT_EQ(jackdaw_stats_get(wild, &stats), JACKDAW_ERROR_HANDLE);
    EXPECT_EQ(jackdaw_worker_stats_get(wild, 0, &stats), JACKDAW_ERROR_HANDLE);
    EXPECT_EQ(jackdaw_stats_reset(wild), JACKDAW_ERROR_HANDLE);
  }
}

TEST(c_runtime, ends_while_others_use_it) {
  for (int round = 0; round < 20; ++round) {
    const jackdaw_options options = with_workers(2);
    jackdaw_runtime* runtime = nullptr;
    ASSERT_EQ(jackdaw_runtime_create(&options, &runtime), JACKDAW_OK);
    std::atomic<int> begun{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 3; ++i) {
      clients.emplace_back([&] {
        jackdaw_status last = JACKDAW_OK;
        while (last == JACKDAW_OK) {
          last = jackdaw_run(runtime, nothing, nullptr);
          ++begun;
        }
        EXPECT_EQ(last, JACKDAW_ERROR_HANDLE);
      });
    }
    while (begun < 10) std::this_thread::yield();
    EXPECT_EQ(jackdaw_runtime_destroy(runtime), JACKDAW_OK);
    for (std::thread& each : clients) each.join();
  }
}

TEST(c_runtime, refuses_what_it_cannot_use) {
  jackdaw_runtime* runtime = nullptr;
  jackdaw_options options = with_workers(1);
  EXPECT_EQ(jackdaw_runtime_create(&options, nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_runtime_destroy(nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_run(nullptr, nullptr, nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_workers(nullptr, nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_concurrency(nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_stats_get(nullptr, nullptr), JACKDAW_ERROR_ARGUMENT);
  options.scheduler = "no such";
  EXPECT_EQ(jackdaw_runtime_create(&options, &runtime), JACKDAW_ERROR_INPUT);
  EXPECT_TRUE(said("no such"));
  EXPECT_EQ(jackdaw_configure(&options), JACKDAW_ERROR_INPUT);
  options = with_workers(5000);
  EXPECT_EQ(jackdaw_runtime_create(&options, &runtime), JACKDAW_ERROR_INPUT);
  options = with_workers(1);
  options.order = 9;
  EXPECT_EQ(jackdaw_runtime_create(&options, &runtime), JACKDAW_ERROR_ARGUMENT);
  options = with_workers(1);
  options.pin = 9;
  EXPECT_EQ(jackdaw_runtime_create(&options, &runtime), JACKDAW_ERROR_ARGUMENT);
  options = with_workers(1);
  options.count_accesses = 9;
  EXPECT_EQ(jackdaw_runtime_create(&options, &runtime), JACKDAW_ERROR_ARGUMENT);
  options = with_workers(1);
  options.size = 0;
  EXPECT_EQ(jackdaw_runtime_create(&options, &runtime), JACKDAW_ERROR_ARGUMENT);
  std::memset(&options, 0xa5, sizeof options);
  EXPECT_EQ(jackdaw_runtime_create(&options, &runtime), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(runtime, nullptr);
}

/// What a program of a newer version passes, with members that this one does not know.
TEST(c_runtime, takes_structures_of_other_versions) {
  struct newer {
    jackdaw_options known;
    long more[2];
  } later{with_workers(1), {0, 0}};
  later.known.size = sizeof later;
  jackdaw_runtime* runtime = nullptr;
  ASSERT_EQ(jackdaw_runtime_create(&later.known, &runtime), JACKDAW_OK);
  later.more[1] = 1;
  jackdaw_runtime* other = nullptr;
  EXPECT_EQ(jackdaw_runtime_create(&later.known, &other), JACKDAW_ERROR_ARGUMENT);
  jackdaw_stats some;
  std::memset(&some, 0x77, sizeof some);
  some.size = 2 * sizeof(size_t);  // an older program's: one count
  const uint64_t untouched = some.steals_core;
  ASSERT_EQ(jackdaw_stats_get(runtime, &some), JACKDAW_OK);
  EXPECT_EQ(some.steals_core, untouched);
  EXPECT_NE(some.steals_local, untouched);
  EXPECT_EQ(some.size, 2 * sizeof(size_t));
  EXPECT_EQ(jackdaw_runtime_destroy(runtime), JACKDAW_OK);
}

TEST(c_runtime, counts) {
  const jackdaw_options options = with_workers(2);
  jackdaw_runtime* runtime = nullptr;
  ASSERT_EQ(jackdaw_runtime_create(&options, &runtime), JACKDAW_OK);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(jackdaw_run(runtime, nothing, nullptr), JACKDAW_OK);
  jackdaw_stats all, one, other;
  jackdaw_stats_init(&all);
  jackdaw_stats_init(&one);
  jackdaw_stats_init(&other);
  ASSERT_EQ(jackdaw_stats_get(runtime, &all), JACKDAW_OK);
  EXPECT_EQ(all.roots, 5u);
  ASSERT_EQ(jackdaw_worker_stats_get(runtime, 0, &one), JACKDAW_OK);
  ASSERT_EQ(jackdaw_worker_stats_get(runtime, 1, &other), JACKDAW_OK);
  EXPECT_EQ(one.roots + other.roots, 5u);
  EXPECT_EQ(jackdaw_worker_stats_get(runtime, 2, &other), JACKDAW_ERROR_ARGUMENT);
  ASSERT_EQ(jackdaw_stats_reset(runtime), JACKDAW_OK);
  ASSERT_EQ(jackdaw_stats_get(runtime, &all), JACKDAW_OK);
  EXPECT_EQ(all.roots, 0u);
  EXPECT_EQ(jackdaw_runtime_destroy(runtime), JACKDAW_OK);
}

TEST(c_runtime, is_the_default_one) {
  EXPECT_EQ(jackdaw_shutdown(), JACKDAW_OK);
  const jackdaw_options options = with_workers(2);
  EXPECT_EQ(jackdaw_configure(&options), JACKDAW_OK);
  uint32_t workers = 0;
  EXPECT_EQ(jackdaw_workers(nullptr, &workers), JACKDAW_OK);
  EXPECT_EQ(workers, 2u);
  EXPECT_EQ(jackdaw_configure(&options), JACKDAW_ERROR_INPUT);  // it has started
  function ends = [] { EXPECT_EQ(jackdaw_shutdown(), JACKDAW_ERROR_INPUT); };
  EXPECT_EQ(jackdaw_run(nullptr, run_it, &ends), JACKDAW_OK);
  EXPECT_EQ(jackdaw_shutdown(), JACKDAW_OK);
  EXPECT_EQ(jackdaw_configure(nullptr), JACKDAW_OK);
}

TEST(c_status, has_a_name) {
  EXPECT_STREQ(jackdaw_status_name(JACKDAW_OK), "JACKDAW_OK");
  EXPECT_STREQ(jackdaw_status_name(JACKDAW_ERROR_CANCELLED), "JACKDAW_ERROR_CANCELLED");
  EXPECT_STREQ(jackdaw_status_name(99), "unknown status");
}

TEST(c_status, has_a_message_of_each_thread) {
  EXPECT_EQ(jackdaw_group_wait(nullptr), JACKDAW_ERROR_ARGUMENT);
  std::thread([] { EXPECT_STREQ(jackdaw_last_error(), ""); }).join();
  function throws = [] { throw std::runtime_error(std::string(5000, 'x') + "\nmore"); };
  EXPECT_EQ(jackdaw_run(nullptr, run_it, &throws), JACKDAW_ERROR_EXCEPTION);
  EXPECT_EQ(std::strlen(jackdaw_last_error()), 511u);
}

}  // namespace
