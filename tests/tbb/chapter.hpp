#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

// What the programs of this folder share. Each prints a line for each thing that it has done, always the same lines on
// any scheduler; preload_test.py compares them.
namespace chapter {

/// ThreadSanitizer sees nothing of what libtbb itself synchronises.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool sees_libtbb = false;
#else
inline constexpr bool sees_libtbb = true;
#endif

inline void check(bool holds, const char* what, int line) {
  if (holds) return;
  std::printf("line %d: %s does not hold\n", line, what);
  std::fflush(stdout);
  std::_Exit(1);
}

inline void say(const std::string& what, long long result) {
  std::printf("%s: %lld\n", what.c_str(), result);
  std::fflush(stdout);
}

/// Takes that time.
inline void pass(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

/// Tells on stderr how many of oneTBB's tasks have run on jackdaw's workers; the function is there if jackdaw is.
extern "C" [[gnu::weak]] unsigned long jackdaw_tbb_tasks_run();
inline void tell_who_ran() {
  std::fprintf(stderr, "tasks on jackdaw: %lu\n", jackdaw_tbb_tasks_run != nullptr ? jackdaw_tbb_tasks_run() : 0ul);
}

}  // namespace chapter

#define CHECK(condition) chapter::check(static_cast<bool>(condition), #condition, __LINE__)
