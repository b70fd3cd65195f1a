// Prints what the environment has set.
#include <omp.h>

#include <cstdio>

int main() {
  omp_sched_t kind;
  int chunk = 0;
  omp_get_schedule(&kind, &chunk);
  std::printf(
      "threads %d dynamic %d schedule %d,%d levels %d limit %s cancellation %d binding %d places %d priority %d\n",
      omp_get_max_threads(), omp_get_dynamic(), static_cast<int>(kind), chunk, omp_get_max_active_levels(),
      omp_get_thread_limit() == 0x7fffffff ? "none" : "some", omp_get_cancellation(),
      static_cast<int>(omp_get_proc_bind()), omp_get_num_places(), omp_get_max_task_priority());
  for (int level = 1; level <= 3; ++level) {
    int sizes[2] = {};
#pragma omp parallel
#pragma omp master
    {
      sizes[0] = omp_get_num_threads();
#pragma omp parallel
#pragma omp master
      sizes[1] = omp_get_num_threads();
    }
    std::printf("teams %d %d\n", sizes[0], sizes[1]);
  }
#pragma omp parallel num_threads(2)
#pragma omp critical
  if (omp_get_place_num() >= 0) {
    int id = -1;
    omp_get_place_proc_ids(omp_get_place_num(), &id);
    if (omp_get_place_num_procs(omp_get_place_num()) == 1) std::printf("bound\n");
  }
}
