// Several threads of the program open regions at the same time; threads come and go; exceptions inside.
#include <omp.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "expect.hpp"

namespace {

int own = 0;
#pragma omp threadprivate(own)

long work(int rounds) {
  long all = 0;
  for (int round = 0; round < rounds; ++round) {
    long sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
      EXPECT(omp_get_level() == 1);
      ++own;
#pragma omp for schedule(dynamic, 3)
      for (int i = 0; i < 100; ++i) sum += i;
#pragma omp single
      for (int i = 0; i < 10; ++i) {
#pragma omp task
        EXPECT(omp_get_thread_num() < omp_get_num_threads());
      }
    }
    all += sum;
  }
  return all;
}

void side_by_side() {
  std::atomic<long> sum{0};
  std::vector<std::thread> others;
  for (int i = 0; i < 3; ++i) {
    others.emplace_back([&sum] {
      sum += work(50);
      std::atomic<int> members{0};
      // Members of another thread's regions are other threads: their variables are others.
#pragma omp parallel
      {
        EXPECT(own == 50);
        ++members;
      }
      EXPECT(members == omp_get_max_threads());
    });
  }
  own = 0;
  sum += work(50);
#pragma omp parallel
  EXPECT(own == 50);
  for (auto& each : others) each.join();
  std::printf("side by side %ld\n", sum.load());
}

void one_after_another() {
  long sum = 0;
  for (int i = 0; i < 20; ++i) {
    std::thread([&sum] { sum += work(2); }).join();
  }
  std::printf("one after another %ld\n", sum);
}

void exceptions_within() {
  std::atomic<int> caught{0};
#pragma omp parallel
  for (int i = 0; i < 10; ++i) {
    try {
      if (i % 2 == 0) throw std::runtime_error("inside");
    } catch (const std::runtime_error&) {
#pragma omp critical
      ++caught;
    }
  }
  EXPECT(caught == 5 * omp_get_max_threads());
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; ++i) {
#pragma omp task
    try {
      throw i;
    } catch (const int) {
      ++caught;
    }
  }
  EXPECT(caught == 5 * omp_get_max_threads() + 10);
  std::printf("exceptions\n");
}

void deep_stacks() {
  // As much as a member's stack has by itself.
  std::atomic<long> sum{0};
#pragma omp parallel
  {
    volatile char room[1 << 20];
    for (std::size_t i = 0; i < sizeof room; i += 4096) room[i] = 1;
    for (std::size_t i = 0; i < sizeof room; i += 4096) sum += room[i];
  }
  EXPECT(sum == 256L * omp_get_max_threads());
  std::printf("stacks\n");
}

}  // namespace

int main() {
  side_by_side();
  one_after_another();
  exceptions_within();
  deep_stacks();
}
