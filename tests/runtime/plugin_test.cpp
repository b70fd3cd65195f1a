#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "support/in_child.hpp"

namespace {

constexpr const char* path = JACKDAW_TEST_PLUGIN;

std::ptrdiff_t threads_now() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

std::string maps() {
  std::ostringstream all;
  all << std::ifstream("/proc/self/maps").rdbuf();
  return all.str();
}

std::size_t count_maps() {
  const std::string all = maps();
  return static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n'));
}

bool use_and_unload() {
  void* const plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    ADD_FAILURE() << dlerror();
    return false;
  }
  const auto call = reinterpret_cast<unsigned (*)()>(dlsym(plugin, "plugin_fib"));
  EXPECT_NE(call, nullptr);
  const bool right = call != nullptr && call() == 6765;
  EXPECT_EQ(dlclose(plugin), 0);
  return right;
}

void expect_nothing_left(std::ptrdiff_t threads_before) {
  // Ended threads leave that folder a little later than they are joined.
  for (int tries = 0; tries < 100'000 && threads_now() != threads_before; ++tries) std::this_thread::yield();
  EXPECT_EQ(threads_now(), threads_before);
  EXPECT_EQ(maps().find(std::filesystem::path(path).filename().string()), std::string::npos);
  for (const int each : {SIGSEGV, SIGBUS}) {
    struct sigaction now{};
    sigaction(each, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL) << each;
  }
}

TEST(plugin, leaves_nothing_behind) {
  const std::ptrdiff_t before = threads_now();
  std::size_t maps_early = 0;
  for (int round = 0; round < 100; ++round) {
    ASSERT_TRUE(use_and_unload());
    if (round == 20) maps_early = count_maps();
  }
  expect_nothing_left(before);
  // What the C library keeps for itself (arenas, stacks of ended threads) is bounded.
  EXPECT_LT(count_maps(), maps_early + 40);
}

TEST(plugin, leaves_nothing_behind_when_two_threads_use_it) {
  const std::ptrdiff_t before = threads_now();
  const auto many = [] {
    for (int round = 0; round < 100; ++round) ASSERT_TRUE(use_and_unload());
  };
  std::thread other(many);
  many();
  other.join();
  expect_nothing_left(before);
}

TEST(plugin, may_be_gone_when_the_process_forks) {
  ASSERT_TRUE(use_and_unload());
  EXPECT_EQ(jackdaw::test::in_child([] { return 0; }).status, 0);
  ASSERT_TRUE(use_and_unload());
}

TEST(plugin_death, may_be_gone_or_not_when_the_process_exits) {
  EXPECT_EXIT((use_and_unload(), std::exit(5)), testing::ExitedWithCode(5), "^$");
  EXPECT_EXIT(
      {
        const auto call = reinterpret_cast<unsigned (*)()>(dlsym(dlopen(path, RTLD_NOW | RTLD_LOCAL), "plugin_fib"));
        std::exit(call() == 6765 ? 5 : 1);
      },
      testing::ExitedWithCode(5), "^$");
}

TEST(plugin_death, a_signal_afterwards_finds_no_handler) {
  EXPECT_EXIT((use_and_unload(), raise(SIGSEGV)), testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace
