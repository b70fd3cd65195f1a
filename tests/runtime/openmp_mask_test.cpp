// OpenMP binds the first thread of a process to one processor (OMP_PROC_BIND, set by ctest). jackdaw's default runtime
// still uses all that the process may.
#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>

#include "jackdaw/jackdaw.hpp"

TEST(openmp_mask, does_not_hide_the_processes_processors) {
  ASSERT_NE(omp_get_proc_bind(), omp_proc_bind_false) << "run with OMP_PROC_BIND=true";
  cpu_set_t mask;
  ASSERT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  int all = 0;
  for (int place = 0; place < omp_get_num_places(); ++place) all += omp_get_place_num_procs(place);
  if (all < 2) GTEST_SKIP() << "needs two processors";
  EXPECT_LT(CPU_COUNT(&mask), all) << "OpenMP has not bound this thread";
  const jackdaw::machine& where = jackdaw::runtime::instance().where();
  EXPECT_EQ(where.usable_cpus(), static_cast<unsigned>(all));
}
