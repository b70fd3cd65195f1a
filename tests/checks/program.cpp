// A program as a user may write it, which knows nothing of the checks: `held` suspends a task that holds a mutex,
// `free` one that has unlocked it.
#include <cstdio>
#include <mutex>
#include <string_view>

#include "checks/join_elsewhere.hpp"
#include "jackdaw/jackdaw.hpp"

namespace {

std::mutex guard;
int sum = 0;

[[gnu::noinline]] void add_under_lock() {
  const std::lock_guard hold(guard);
  jackdaw::test::join_elsewhere();
  ++sum;
}

[[gnu::noinline]] void add_after_join() {
  jackdaw::test::join_elsewhere();
  const std::lock_guard hold(guard);
  ++sum;
}

}  // namespace

int main(int, char** arguments) {
  try {
    jackdaw::runtime rt({.workers = 2});
    rt.run(std::string_view(arguments[1]) == "held" ? add_under_lock : add_after_join);
    rt.run(std::string_view(arguments[1]) == "held" ? add_under_lock : add_after_join);
    std::printf("%d\n", sum);
    return 0;
  } catch (const jackdaw::error& mistake) {
    std::fprintf(stderr, "%s\n", mistake.what());
    return 2;
  }
}
