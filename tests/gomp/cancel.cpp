// Cancellation. Run with OMP_CANCELLATION=true.
#include <omp.h>

#include <atomic>

#include "expect.hpp"

namespace {

void loops() {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> begun{0}, after{0};
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (int i = 0; i < 1000; ++i) {
        ++begun;
        if (i == 0) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
      }
      ++after;
#pragma omp barrier
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 100; ++i) {
        if (i == 5) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
      }
      ++after;
      // The next loop is not cancelled.
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 100; ++i) {
#pragma omp cancellation point for
        ++after;
      }
    }
    EXPECT(begun >= 1 && after == 2 * omp_get_max_threads() + 100);
  }
  std::printf("loops\n");
}

void sections() {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> met{0};
#pragma omp parallel
    {
#pragma omp sections
      {
#pragma omp section
        {
#pragma omp cancel sections
          met += 100;
        }
#pragma omp section
        {
#pragma omp cancellation point sections
          ++met;
        }
      }
      ++met;
    }
    EXPECT(met < 100 && met >= omp_get_max_threads());
  }
  std::printf("sections\n");
}

void regions() {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> past{0}, waits{0};
#pragma omp parallel
    {
      ++waits;
      if (omp_get_thread_num() == omp_get_num_threads() - 1) {
        while (waits < omp_get_num_threads()) {
        }
#pragma omp cancel parallel
      }
#pragma omp barrier
#pragma omp cancellation point parallel
      ++past;
    }
    EXPECT(past == 0);
    // The next region is not.
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp single
      ++past;
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 10; ++i) ++past;
    }
    EXPECT(past == 11);
  }
  std::printf("regions\n");
}

void groups() {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> begun{0}, ended{0};
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
      {
        for (int i = 0; i < 50; ++i) {
#pragma omp task
          {
            ++begun;
            if (i == 0) {
#pragma omp cancel taskgroup
            }
#pragma omp cancellation point taskgroup
            if (i == 0) ++ended;
          }
        }
      }
      EXPECT(ended == 0);
#pragma omp taskgroup
      for (int i = 0; i < 10; ++i) {
#pragma omp task
        ++ended;
      }
      EXPECT(ended == 10);
    }
  }
  std::printf("groups\n");
}

struct counted {
  static std::atomic<int> alive;
  counted() { ++alive; }
  counted(const counted&) { ++alive; }
  ~counted() { --alive; }
};
std::atomic<int> counted::alive{0};

/// What a task has copied is destroyed, even if the task has been cancelled before it began.
void copies() {
#pragma omp parallel
#pragma omp single
  {
    const counted one;
#pragma omp taskgroup
    for (int i = 0; i < 40; ++i) {
#pragma omp task firstprivate(one)
      if (i == 20) {
#pragma omp cancel taskgroup
      }
    }
  }
  std::printf("copies %d\n", counted::alive.load());
}

}  // namespace

int main() {
  EXPECT(omp_get_cancellation());
  loops();
  sections();
  regions();
  groups();
  copies();
}
