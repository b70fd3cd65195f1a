// Code outside of all regions: that of threads whose predecessors have ended, of target regions inside of regions, of
// static objects' destructors; and what limits the regions that it opens.
#include <omp.h>

#include <atomic>
#include <initializer_list>
#include <thread>

#include "expect.hpp"

namespace {

#pragma omp declare target
int iterations() {
  int count = 0;
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 3; ++i) ++count;
  return count;
}
#pragma omp end declare target

int team_of(int threads) {
  int size = 0;
#pragma omp parallel num_threads(threads)
#pragma omp master
  size = omp_get_num_threads();
  return size;
}

/// Regions inside of constructors and destructors of static objects: before main, and after it.
struct whole_program {
  whole_program() { EXPECT(team_of(3) == 3); }
  ~whole_program() {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
    for (int i = 0; i < 100; ++i) sum += i;
    EXPECT(sum == 4950);
    std::printf("the end %d\n", static_cast<int>(omp_get_proc_bind()));
  }
} until_the_end;

/// A thread finds nothing of what another one has left that was in regions, or has divided loops outside of them.
void threads() {
  std::atomic<int> singles{0};
  for (int round = 0; round < 3; ++round) {
    std::thread([] {
      EXPECT(iterations() == 3);
      EXPECT(team_of(2) == 2);
    }).join();
    const auto look = [&singles] {
      EXPECT(omp_get_max_threads() > 0 && omp_get_level() == 0 && omp_get_num_threads() == 1 && !omp_in_parallel());
      EXPECT(iterations() == 3 && iterations() == 3);
#pragma omp single
      ++singles;
      EXPECT(team_of(2) == 2);
    };
    std::thread([&look] {
      look();
      std::thread(look).join();
      std::thread(look).join();
    }).join();
  }
  std::printf("threads %d\n", singles.load());
}

/// A target region is outside of the region that it is in: it has loops of its own, and regions with several threads.
void targets() {
  std::atomic<int> loops{0}, members{0};
#pragma omp parallel num_threads(3)
  {
#pragma omp single nowait
    {
      int count = 0, level = -1, inside = -1, threads = -1, size = 0;
#pragma omp target map(tofrom : count, level, inside, threads, size)
      {
        level = omp_get_level();
        inside = omp_in_parallel();
        threads = omp_get_num_threads();
        count = iterations();
        size = team_of(2);
      }
      EXPECT(level == 0 && inside == 0 && threads == 1 && size == 2);
      EXPECT(omp_get_level() == 1 && omp_get_num_threads() == 3);
      loops += count;
    }
#pragma omp for
    for (int i = 0; i < 30; ++i) ++members;
  }
  std::printf("targets %d %d\n", loops.load(), members.load());
}

void limits() {
  int sizes = 0, limit = 0, regions = 0;
#pragma omp teams num_teams(2) thread_limit(2) shared(sizes, limit)
#pragma omp parallel num_threads(5)
#pragma omp single
  {
    sizes += omp_get_num_threads();
    limit = omp_get_thread_limit();
  }
  EXPECT(sizes == 4 && limit == 2 && omp_get_thread_limit() > 2 && team_of(3) == 3);
  sizes = 0;
#pragma omp target map(tofrom : sizes, limit) thread_limit(3)
  {
    sizes = team_of(5);
    limit = omp_get_thread_limit();
  }
  EXPECT(sizes == 3 && limit == 3 && team_of(4) == 4);
  sizes = 0;
#pragma omp target teams num_teams(3) thread_limit(2) map(tofrom : sizes)
#pragma omp parallel num_threads(5)
#pragma omp single
  sizes += omp_get_num_threads();
  EXPECT(sizes == 6);
#pragma omp teams shared(regions)
  ++regions;
  omp_set_teams_thread_limit(1);
#pragma omp teams num_teams(2) shared(sizes)
#pragma omp parallel num_threads(4)
#pragma omp single
  sizes += omp_get_num_threads();
  omp_set_teams_thread_limit(0);
  std::printf("limits %d %d\n", regions, sizes);
}

/// The threads may end between regions, and come again.
void pauses() {
  for (int round = 0; round < 3; ++round) {
    int sum = 0, inside = 0;
#pragma omp parallel num_threads(6) reduction(+ : sum)
    sum += omp_get_thread_num();
    EXPECT(sum == 15 && omp_pause_resource_all(omp_pause_soft) == 0);
#pragma omp parallel num_threads(2)
#pragma omp single
    inside = omp_pause_resource_all(omp_pause_hard);
    EXPECT(inside == -1);
  }
  for (const int device : {-3, -1, 0, 1}) std::printf("%d ", omp_pause_resource(omp_pause_soft, device));
  std::printf("pauses\n");
}

}  // namespace

int main() {
  threads();
  targets();
  limits();
  pauses();
}
