// Sections, single, critical, atomic, locks.
#include <omp.h>

#include <atomic>
#include <vector>

#include "expect.hpp"

namespace {

void sections() {
  std::vector<std::atomic<int>> met(6);
  for (int round = 0; round < 10; ++round) {
    int last = 0;
#pragma omp parallel sections
    {
#pragma omp section
      ++met[0];
#pragma omp section
      ++met[1];
#pragma omp section
      ++met[2];
    }
#pragma omp parallel
    {
#pragma omp sections nowait
      {
#pragma omp section
        ++met[3];
#pragma omp section
        ++met[4];
      }
#pragma omp sections lastprivate(last)
      {
#pragma omp section
        last = 1;
#pragma omp section
        {
          last = 2;
          ++met[5];
        }
      }
      EXPECT(last == 2);
    }
  }
  for (auto& each : met) EXPECT(each == 10);
  std::printf("sections\n");
}

void singles() {
  std::atomic<int> runs{0};
#pragma omp parallel
  for (int round = 0; round < 100; ++round) {
    int given = -1;
#pragma omp single copyprivate(given)
    {
      given = 3 * round;
      ++runs;
    }
    EXPECT(given == 3 * round);
#pragma omp single nowait
    ++runs;
#pragma omp single
    ++runs;
    EXPECT(runs >= 3 * round + 2);
#pragma omp master
    ++runs;
#pragma omp barrier
    EXPECT(runs == 4 * (round + 1));
#pragma omp barrier
  }
  std::printf("single %d\n", runs.load());
}

void exclusion() {
  const int n = omp_get_max_threads();
  long a = 0, b = 0, c = 0;
  long double d = 0;
#pragma omp parallel
  for (int i = 0; i < 1000; ++i) {
#pragma omp critical
    ++a;
#pragma omp critical(named)
    ++b;
#pragma omp atomic
    ++c;
#pragma omp atomic
    d += 1;
  }
  EXPECT(a == 1000L * n && b == a && c == a && d == static_cast<long double>(a));
  std::printf("critical %d\n", static_cast<int>(a / n));
}

void locks() {
  const int n = omp_get_max_threads();
  omp_lock_t lock;
  omp_nest_lock_t nested;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nested);
  long a = 0, b = 0, tried = 0;
#pragma omp parallel
  for (int i = 0; i < 500; ++i) {
    omp_set_lock(&lock);
    ++a;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nested);
    omp_set_nest_lock(&nested);
    EXPECT(omp_test_nest_lock(&nested) == 3);
    ++b;
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
    ++b;
    omp_unset_nest_lock(&nested);
    if (omp_test_lock(&lock)) {
      ++tried;
      omp_unset_lock(&lock);
    }
  }
  EXPECT(a == 500L * n && b == 1000L * n && tried > 0);
  EXPECT(omp_test_lock(&lock) && !omp_test_lock(&lock));
  omp_unset_lock(&lock);
  // A lock that one task takes and another one gives back.
#pragma omp parallel
#pragma omp single
  {
    omp_set_lock(&lock);
#pragma omp task shared(lock)
    omp_unset_lock(&lock);
#pragma omp taskwait
    EXPECT(omp_test_lock(&lock));
    omp_unset_lock(&lock);
    for (int i = 0; i < 50; ++i) {
#pragma omp task shared(lock, a)
      {
        omp_set_lock(&lock);
        ++a;
        omp_unset_lock(&lock);
      }
#pragma omp task shared(nested, b)
      {
        omp_set_nest_lock(&nested);
        ++b;
        omp_unset_nest_lock(&nested);
      }
    }
  }
  EXPECT(a == 500L * n + 50 && b == 1000L * n + 50);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nested);
  std::printf("locks\n");
}

}  // namespace

int main() {
  sections();
  singles();
  exclusion();
  locks();
}
