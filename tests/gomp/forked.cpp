// fork() after a region. libgomp allows it before the first region only; here the child begins anew.
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.hpp"

namespace {

int count() {
  int members = 0;
#pragma omp parallel
  {
#pragma omp barrier
#pragma omp atomic
    ++members;
#pragma omp single
    for (int i = 0; i < 20; ++i) {
#pragma omp task
      EXPECT(omp_get_level() == 1);
    }
  }
  return members;
}

void expect_from_child(int wanted) {
  const pid_t child = fork();
  if (child == 0) _exit(count() == wanted && count() == wanted ? 7 : 1);
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

}  // namespace

int main() {
  const int n = omp_get_max_threads();
  EXPECT(count() == n);
  for (int i = 0; i < 3; ++i) {
    expect_from_child(n);
    EXPECT(count() == n);
  }
  // Inside a region: the child's region goes on with the thread that forked alone.
#pragma omp parallel
  {
#pragma omp master
    {
      const pid_t child = fork();
      if (child == 0) {
#pragma omp task
        EXPECT(omp_get_num_threads() == 1);
#pragma omp taskwait
        _exit(5);
      }
      int status = 0;
      EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 5);
    }
  }
  std::printf("forked\n");
}
