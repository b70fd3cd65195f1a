// What a program opens that is not linked with libtbb itself. It loops also while it is opened and closed, when the
// dynamic linker holds its lock: no worker may need that.
#include <tbb/parallel_for.h>

#include <atomic>
#include <cstdlib>

namespace {

int count() {
  std::atomic<int> counted{0};
  tbb::parallel_for(0, 10000, [&](int) { ++counted; });
  return counted;
}

struct loops_at_its_ends {
  loops_at_its_ends() {
    if (count() != 10000) std::abort();
  }
  ~loops_at_its_ends() {
    if (count() != 10000) std::abort();
  }
} const from_begin_to_end;

}  // namespace

extern "C" int count_in_parallel() { return count(); }
