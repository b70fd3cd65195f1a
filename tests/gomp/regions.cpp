// Regions, nested ones, what belongs to threads, barriers.
#include <omp.h>
#include <pthread.h>

#include <atomic>
#include <numeric>
#include <vector>

#include "expect.hpp"

namespace {

int own = 0;
#pragma omp threadprivate(own)

void ids_and_numbers() {
  const int n = omp_get_max_threads();
  std::vector<int> met(n, 0);
#pragma omp parallel
  {
    EXPECT(omp_get_num_threads() == n && omp_get_level() == 1 && (omp_in_parallel() != 0) == (n > 1));
    ++met[omp_get_thread_num()];
  }
  for (const int each : met) EXPECT(each == 1);
  std::printf("%d members\n", n);
  for (int wanted = 1; wanted <= 9; ++wanted) {
    std::atomic<int> sum{0};
#pragma omp parallel num_threads(wanted)
    sum += omp_get_thread_num() + 1;
    EXPECT(sum == wanted * (wanted + 1) / 2);
  }
#pragma omp parallel if (n < 0)
  EXPECT(omp_get_num_threads() == 1 && omp_get_level() == 1 && omp_get_active_level() == 0);
  EXPECT(omp_get_level() == 0 && omp_get_thread_num() == 0 && omp_get_num_threads() == 1 && !omp_in_parallel());
}

void a_member_stays_on_its_thread() {
  const int n = omp_get_max_threads();
  std::vector<pthread_t> on(n);
  std::vector<const void*> where(n);
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel
    {
      const int i = omp_get_thread_num();
      if (round == 0) {
        on[i] = pthread_self();
        where[i] = &own;
        own = 10 * i;
      }
      EXPECT(pthread_equal(on[i], pthread_self()) && where[i] == &own && own == 10 * i + round);
      ++own;
#pragma omp barrier
      EXPECT(pthread_equal(on[i], pthread_self()) && where[i] == &own);
    }
  }
  own = 7;
#pragma omp parallel copyin(own)
  EXPECT(own == 7);
  std::printf("threadprivate variables persist\n");
}

void members_run_at_the_same_time() {
  const int n = omp_get_max_threads();
  std::atomic<int> turn{0};
#pragma omp parallel
  {
    for (int round = 0; round < 3; ++round) {
      while (turn.load() != round * n + omp_get_thread_num()) sched_yield();
      ++turn;
    }
  }
  std::printf("turns %d\n", turn.load() / n);
}

void barriers() {
  const int n = omp_get_max_threads();
  std::vector<int> a(n, 0), b(n, 0);
#pragma omp parallel
  {
    const int i = omp_get_thread_num();
    for (int round = 1; round <= 200; ++round) {
      a[i] = round;
#pragma omp barrier
      for (const int each : a) EXPECT(each == round);
#pragma omp barrier
    }
    b[i] = 1;
  }
  std::printf("barriers %d\n", std::accumulate(b.begin(), b.end(), 0) == n);
}

void nested() {
  omp_set_max_active_levels(3);
  std::atomic<int> leaves{0};
#pragma omp parallel num_threads(2)
  {
    const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3)
    {
      EXPECT(omp_get_level() == 2 && omp_get_active_level() == 2 && omp_get_num_threads() == 3);
      EXPECT(omp_get_ancestor_thread_num(1) == outer && omp_get_ancestor_thread_num(0) == 0);
      EXPECT(omp_get_ancestor_thread_num(2) == omp_get_thread_num() && omp_get_ancestor_thread_num(3) == -1);
      EXPECT(omp_get_team_size(1) == 2 && omp_get_team_size(2) == 3 && omp_get_team_size(0) == 1);
#pragma omp barrier
#pragma omp parallel num_threads(2)
      ++leaves;
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(4)
      {
        EXPECT(omp_get_num_threads() == 1 && omp_get_level() == 4);  // beyond the active levels
      }
    }
    EXPECT(omp_get_level() == 1 && omp_get_thread_num() == outer);
  }
  std::printf("nested %d\n", leaves.load());
  omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2)
  {
    omp_set_num_threads(4);
#pragma omp parallel
    EXPECT(omp_get_num_threads() == 1);
    EXPECT(omp_get_max_threads() == 4);  // the task's own setting
  }
}

void settings() {
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);
  EXPECT(omp_get_max_threads() == 3);
#pragma omp parallel
  EXPECT(omp_get_num_threads() == 3);
  omp_set_num_threads(before);
  omp_sched_t kind;
  int chunk = 0;
  omp_set_schedule(omp_sched_guided, 5);
  omp_get_schedule(&kind, &chunk);
  EXPECT(kind == omp_sched_guided && chunk == 5);
  omp_set_schedule(omp_sched_static, 0);
  omp_get_schedule(&kind, &chunk);
  EXPECT(kind == omp_sched_static && chunk == 0);
  omp_set_dynamic(1);
  EXPECT(omp_get_dynamic() == 1);
  omp_set_dynamic(0);
  EXPECT(omp_get_dynamic() == 0 && omp_get_max_active_levels() == 1 && !omp_get_nested());
  const double begin = omp_get_wtime();
  EXPECT(omp_get_wtime() >= begin && omp_get_wtick() > 0);
  EXPECT(omp_get_num_procs() > 0 && omp_get_thread_limit() > 0 && !omp_in_final());
  std::printf("settings\n");
}

}  // namespace

int main() {
  ids_and_numbers();
  a_member_stays_on_its_thread();
  members_run_at_the_same_time();
  barriers();
  nested();
  settings();
}
