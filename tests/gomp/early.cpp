// What counts is what holds when the program is loaded: its environment, and the processors that it may use.
#include <omp.h>
#include <sched.h>

#include "expect.hpp"

int main() {
  cpu_set_t all, one;
  EXPECT(sched_getaffinity(0, sizeof all, &all) == 0);
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  EXPECT(sched_setaffinity(0, sizeof one, &one) == 0);
  setenv("OMP_NUM_THREADS", "7", 1);
  setenv("OMP_SCHEDULE", "guided,3", 1);
  omp_sched_t kind;
  int chunk = 0, size = 0;
  omp_get_schedule(&kind, &chunk);
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  std::printf("threads %d %d schedule %d,%d\n", omp_get_max_threads(), size, static_cast<int>(kind), chunk);
  std::printf("processors %d", omp_get_num_procs());
  EXPECT(sched_setaffinity(0, sizeof all, &all) == 0);
  std::printf(" %d\n", omp_get_num_procs());
}
