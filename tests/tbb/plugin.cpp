// What a program opens that is not linked with libtbb itself.
#include <tbb/parallel_for.h>

#include <atomic>

extern "C" int count_in_parallel() {
  std::atomic<int> count{0};
  tbb::parallel_for(0, 10000, [&](int) { ++count; });
  return count;
}
