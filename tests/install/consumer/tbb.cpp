#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstdio>

#include "jackdaw/runtime.hpp"

int main() {
  std::atomic<int> sum{0}, elsewhere{0};
  tbb::task_group group;
  group.run([&] {
    tbb::parallel_for(0, 100, [&](int i) {
      sum += i;
      elsewhere += jackdaw::this_worker() ? 0 : 1;
    });
  });
  group.wait();
  std::printf("%d, %d elsewhere\n", sum.load(), elsewhere.load());
}
