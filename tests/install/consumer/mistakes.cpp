// Mistakes in tasks that a sanitizer has to find: `race`, `overflow`, `leak`.
#include <atomic>
#include <cstdio>
#include <string_view>
#include <thread>
#include <vector>

#include <jackdaw/jackdaw.hpp>

namespace {

/// Both branches run at the same time and add to the same variable. A relaxed flag orders nothing.
void race() {
  jackdaw::runtime rt({.scheduler = "random", .workers = 2});
  long shared = 0;
  std::atomic<bool> both{false};
  rt.run([&] {
    jackdaw::invoke(
        [&] {
          while (!both.load(std::memory_order_relaxed)) std::this_thread::yield();
          ++shared;
        },
        [&] {
          both.store(true, std::memory_order_relaxed);
          ++shared;
        });
  });
  std::printf("%ld\n", shared);
}

/// On a task's own stack, and in the heap.
void overflow() {
  volatile std::size_t behind = 100;
  std::vector<int> heap(100);
  jackdaw::task_group group;
  group.run([&] {
    volatile char own[100] = {};
    own[behind] = 1;
    heap.data()[behind] = own[0];
  });
  group.wait();
}

int* volatile lost;
void leak() {
  jackdaw::task_group group;
  group.run([] {
    lost = new int[100];
    lost = nullptr;
  });
  group.wait();
}

}  // namespace

int main(int count, char** words) {
  const std::string_view which = count == 2 ? words[1] : "";
  if (which == "race") race();
  if (which == "overflow") overflow();
  if (which == "leak") leak();
}
