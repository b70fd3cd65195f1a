#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/memory.hpp"
#include "support/failing.hpp"
#include "support/sanitized.hpp"

namespace jackdaw::test {

/// The kinds of requests that fail, one after another.
struct refusals {
  ask kinds;
  failing::which of = failing::which::one;
  long from = 0;  ///< how much is granted the first time
  long step = 1;
};

/// One kind after another, each both ways; and all together from some moment on. Every `step`th time that memory is
/// asked for, from `from` on; under sanitizers, where everything takes several times as long, a part of these.
inline std::vector<refusals> all_refusals(long from = 0, long step = 1) {
  std::vector<refusals> all;
  step *= under_tsan ? 21 : sanitized ? 7 : 1;
  for (const auto of : {failing::which::one, failing::which::all}) {
    all.push_back({ask::memory, of, from, step});
    for (const ask kind : {ask::map, ask::unmap, ask::protect, ask::advise, ask::bind, ask::thread}) {
      all.push_back({kind, of});
    }
  }
  all.push_back(
      {ask::memory | ask::map | ask::protect | ask::advise | ask::bind | ask::thread, failing::which::all, from, step});
  return all;
}

/// How much of that kind f() asks for.
template <class F>
long asked_by(F f, ask kinds = ask::memory) {
  const failing none(kinds, std::numeric_limits<long>::max(), failing::which::one);
  f();
  return failing::stop();
}

/// Describes a machine for as long as it lives, or none: an empty text.
class on_machine {
 public:
  explicit on_machine(const std::string& description) {
    if (!description.empty()) setenv("HWLOC_SYNTHETIC", description.c_str(), 1);
  }
  ~on_machine() { unsetenv("HWLOC_SYNTHETIC"); }
};

/// Ends the default runtime when its scope is left.
struct shuts_down {
  ~shuts_down() { shutdown(); }
};

inline constexpr const char* one_socket = "package:1 numa:1 l3:1 core:2 pu:1";
inline constexpr const char* two_sockets = "package:2 numa:1 l3:1 core:2 pu:1";

inline unsigned threads_now() {
  struct stat found{};
  return stat("/proc/self/task", &found) == 0 ? static_cast<unsigned>(found.st_nlink) - 2 : 0;
}

/// A thread that has been joined is listed for a moment longer.
inline void wait_for_threads(unsigned expected) {
  while (threads_now() > expected) std::this_thread::yield();  // else the watchdog says so
}

inline std::size_t maps_now() {
  std::ifstream file("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) ++count;
  return count;
}

/// Whether the scenario's answer was right. False: it threw an exception for lack of memory or threads.
inline bool gets_through(const std::function<bool()>& scenario) {
  try {
    const bool right = scenario();
    failing::stop();
    EXPECT_TRUE(right);
    return true;
  } catch (const std::bad_alloc&) {
  } catch (const std::system_error&) {
  } catch (const error&) {
  }
  failing::stop();
  return false;
}

/// What a scenario may leave behind.
enum class leaves : std::uint8_t {
  nothing,
  no_maps,  ///< memory and stacks that a runtime, which was there before, keeps for later
  caches,   ///< also what else it keeps
};

/// scenario() returns whether its answer is right, with the first refusal, then with the second, and so on until it
/// asks for no more. afterwards() checks each time that all is as it was.
inline void refuse_in_turn(const refusals& what, leaves behind, const std::function<bool()>& scenario,
                           const std::function<void()>& afterwards) {
  ASSERT_TRUE(gets_through(scenario));
  afterwards();
  const unsigned threads = threads_now();
  long thrown = 0;
  long after = what.from;
  for (;; after += what.step) {
    SCOPED_TRACE("kinds " + std::to_string(static_cast<unsigned>(what.kinds)) +
                 (what.of == failing::which::one ? ", one" : ", all") + " after " + std::to_string(after));
    const holdings before = holdings::now();
    const long unmaps = refused_unmaps();
    long asked = 0;
    bool through = false;
    {
      const failing now(what.kinds, after, what.of);
      through = gets_through(scenario);
      asked = failing::stop();
    }
    thrown += through ? 0 : 1;
    if (behind != leaves::caches) {
      wait_for_threads(threads);
      const holdings left = holdings::now();
      if (behind == leaves::nothing) {
        EXPECT_EQ(left.blocks, before.blocks);
      }
      if (behind == leaves::nothing && refused_unmaps() == unmaps) {
        EXPECT_EQ(left.stacks, before.stacks);
      }
      // What munmap refuses to take is left.
      if (refused_unmaps() == unmaps) {
        EXPECT_EQ(left.bytes, before.bytes);
      }
    }
    afterwards();
    if (testing::Test::HasFailure()) return;
    if (asked <= after) {
      EXPECT_TRUE(through);
      break;
    }
  }
  if (std::getenv("JACKDAW_TEST_POINTS") != nullptr) {
    std::printf("%s: kinds %u %s: %ld points, %ld thrown\n",
                testing::UnitTest::GetInstance()->current_test_info()->name(), static_cast<unsigned>(what.kinds),
                what.of == failing::which::one ? "one" : "all", (after - what.from) / what.step, thrown);
  }
}

inline void refuse_everything_in_turn(const std::vector<refusals>& all, leaves behind,
                                      const std::function<bool()>& scenario, const std::function<void()>& afterwards) {
  for (const refusals& each : all) {
    const std::size_t maps = maps_now();
    refuse_in_turn(each, behind, scenario, afterwards);
    if (testing::Test::HasFailure()) return;
    // Some room for what the C library keeps for threads to come. What munmap was refused is left, and sanitizers map
    // much for themselves.
    if (!sanitized && behind != leaves::caches && !includes(each.kinds, ask::unmap)) {
      EXPECT_LT(maps_now(), maps + 40);
    }
  }
}

/// How many leaves a tree has whose tasks fork in all ways that do not name a place.
inline unsigned leaves_of(unsigned depth) {
  if (depth == 0) return 1;
  std::atomic<unsigned> sum{0};
  task_group group(depth % 2 == 0 ? policy::help_first : policy::work_first);
  for (unsigned i = 0; i < 2; ++i) {
    group.run([&sum, depth] { sum += leaves_of(depth - 1); }, 1);
  }
  invoke([&] { sum += leaves_of(depth - 1); }, [&] { sum += leaves_of(depth - 1); });
  group.wait();
  return sum;
}

}  // namespace jackdaw::test
