// The library's functions, called as g++ calls them, so that sanitizers see both sides.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <vector>

extern "C" {
void GOMP_parallel(void (*)(void*), void*, unsigned, unsigned);
void GOMP_barrier();
bool GOMP_barrier_cancel();
bool GOMP_cancel(int, bool);
bool GOMP_loop_dynamic_start(long, long, long, long, long*, long*);
bool GOMP_loop_dynamic_next(long*, long*);
bool GOMP_loop_ordered_dynamic_start(long, long, long, long, long*, long*);
bool GOMP_loop_ordered_dynamic_next(long*, long*);
bool GOMP_loop_ull_guided_start(bool, unsigned long long, unsigned long long, unsigned long long, unsigned long long,
                                unsigned long long*, unsigned long long*);
bool GOMP_loop_ull_guided_next(unsigned long long*, unsigned long long*);
void GOMP_loop_end();
void GOMP_loop_end_nowait();
void GOMP_ordered_start();
void GOMP_ordered_end();
bool GOMP_loop_doacross_dynamic_start(unsigned, long*, long, long*, long*);
void GOMP_doacross_post(long*);
void GOMP_doacross_wait(long, ...);
bool GOMP_single_start();
void* GOMP_single_copy_start();
void GOMP_single_copy_end(void*);
void GOMP_critical_start();
void GOMP_critical_end();
void GOMP_task(void (*)(void*), void*, void (*)(void*, void*), long, long, bool, unsigned, void**, int, void*);
void GOMP_taskwait();
void GOMP_taskgroup_start();
void GOMP_taskgroup_end();
void omp_fulfill_event(void*);
int omp_get_thread_num();
int omp_get_num_threads();
int omp_get_level();
void omp_set_max_active_levels(int);
void omp_init_nest_lock(void*);
void omp_set_nest_lock(void*);
void omp_unset_nest_lock(void*);
}

namespace {

// Before the environment is read.
[[gnu::constructor]] void set_up() { setenv("OMP_CANCELLATION", "true", 1); }

constexpr unsigned sizes[] = {1, 2, 5, 9};

template <class F>
void region(unsigned n, F body) {
  GOMP_parallel([](void* body) { (*static_cast<F*>(body))(); }, &body, n, 0);
}

/// Deferred, with its own copy of a trivial function.
template <class F>
void task(F body, unsigned flags = 0, void** depend = nullptr, void* event = nullptr) {
  GOMP_task([](void* body) { (*static_cast<F*>(body))(); }, &body, nullptr, sizeof body, alignof(F), true, flags,
            depend, 0, event);
}

void* address(std::uintptr_t number) { return reinterpret_cast<void*>(number); }

TEST(Gomp, MembersHaveTheirThreadsForGood) {
  for (const unsigned n : sizes) {
    std::vector<pthread_t> on(n);
    for (int round = 0; round < 100; ++round) {
      region(n, [&] {
        const auto i = static_cast<unsigned>(omp_get_thread_num());
        ASSERT_EQ(omp_get_num_threads(), static_cast<int>(n));
        if (round == 0) on[i] = pthread_self();
        ASSERT_TRUE(pthread_equal(on[i], pthread_self()));
      });
    }
  }
}

TEST(Gomp, PlainMemoryGoesFromMemberToMemberByBarriers) {
  for (const unsigned n : sizes) {
    std::vector<int> a(n, 0);
    int last = 0;
    for (int round = 0; round < 30; ++round) {
      region(n, [&] {
        const auto i = static_cast<unsigned>(omp_get_thread_num());
        for (int k = 0; k < 10; ++k) {
          a[i] = k;
          GOMP_barrier();
          ASSERT_EQ(std::accumulate(a.begin(), a.end(), 0), static_cast<int>(n) * k);
          GOMP_barrier();
        }
        GOMP_critical_start();
        ++last;
        GOMP_critical_end();
      });
      ASSERT_EQ(last, static_cast<int>(n) * (round + 1));
    }
  }
}

TEST(Gomp, MembersMaySpinOnEachOther) {
  for (const unsigned n : sizes) {
    std::atomic<unsigned> turn{0};
    region(n, [&] {
      while (turn.load() != static_cast<unsigned>(omp_get_thread_num())) sched_yield();
      ++turn;
    });
    EXPECT_EQ(turn, n);
  }
}

TEST(Gomp, LoopsGiveEachIterationOnce) {
  for (const unsigned n : sizes) {
    std::vector<std::atomic<int>> met(200);
    region(n, [&] {
      for (int loop = 0; loop < 20; ++loop) {  // without waiting: members are in different ones
        long from = 0, to = 0;
        for (bool has = GOMP_loop_dynamic_start(0, 200, 1, 7, &from, &to); has;
             has = GOMP_loop_dynamic_next(&from, &to)) {
          for (long i = from; i < to; ++i) ++met[static_cast<unsigned>(i)];
        }
        GOMP_loop_end_nowait();
      }
      unsigned long long from = 0, to = 0;
      for (bool has = GOMP_loop_ull_guided_start(false, 199, 0, 0ull - 1, 2, &from, &to); has;
           has = GOMP_loop_ull_guided_next(&from, &to)) {
        for (unsigned long long i = from; i > to; --i) ++met[i];
      }
      GOMP_loop_end();
    });
    EXPECT_EQ(met[0], 20);
    for (unsigned i = 1; i < 200; ++i) ASSERT_EQ(met[i], 21);
  }
}

TEST(Gomp, OrderedPartsComeInOrder) {
  for (const unsigned n : sizes) {
    std::vector<long> order;
    region(n, [&] {
      long from = 0, to = 0;
      for (bool has = GOMP_loop_ordered_dynamic_start(0, 100, 1, 3, &from, &to); has;
           has = GOMP_loop_ordered_dynamic_next(&from, &to)) {
        for (long i = from; i < to; ++i) {
          GOMP_ordered_start();
          order.push_back(i);
          GOMP_ordered_end();
        }
      }
      GOMP_loop_end();
    });
    ASSERT_EQ(order.size(), 100u);
    for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
  }
}

TEST(Gomp, IterationsWaitForSingleOthers) {
  for (const unsigned n : sizes) {
    constexpr int rows = 12, columns = 9;
    long a[rows][columns] = {};
    region(n, [&] {
      long counts[2] = {rows, columns}, from = 0, to = 0;
      for (bool has = GOMP_loop_doacross_dynamic_start(2, counts, 2, &from, &to); has;
           has = GOMP_loop_dynamic_next(&from, &to)) {
        for (long i = from; i < to; ++i) {
          for (long j = 0; j < columns; ++j) {
            if (i > 0) GOMP_doacross_wait(i - 1, j);
            a[i][j] = i == 0 || j == 0 ? 1 : a[i - 1][j] + a[i][j - 1];
            long here[2] = {i, j};
            GOMP_doacross_post(here);
          }
        }
      }
      GOMP_loop_end();
    });
    EXPECT_EQ(a[rows - 1][columns - 1], 75582);
  }
}

TEST(Gomp, OneMemberRunsASingle) {
  for (const unsigned n : sizes) {
    int runs = 0;
    region(n, [&] {
      for (int round = 0; round < 50; ++round) {
        int given = 0;
        if (auto* const from = static_cast<int*>(GOMP_single_copy_start())) {
          ASSERT_EQ(*from, round);
        } else {
          given = round;
          GOMP_single_copy_end(&given);
        }
        GOMP_barrier();
        if (GOMP_single_start()) ++runs;
        GOMP_barrier();
      }
    });
    EXPECT_EQ(runs, 50);
  }
}

long fib(long n) {
  if (n < 2) return n;
  long a = 0, b = 0;
  task([&a, n] { a = fib(n - 1); });
  task([&b, n] { b = fib(n - 2); });
  GOMP_taskwait();
  return a + b;
}

TEST(Gomp, TasksOfTasks) {
  for (const unsigned n : sizes) {
    long found = 0;
    region(n, [&] {
      if (GOMP_single_start()) found = fib(13);
      GOMP_barrier();
      ASSERT_EQ(found, 233);
    });
  }
}

TEST(Gomp, TasksWaitForThoseThatTheyDependOn) {
  constexpr unsigned depends = 8;
  for (const unsigned n : sizes) {
    for (int round = 0; round < 10; ++round) {
      int value = 0;
      std::atomic<int> readers{0};
      region(n, [&] {
        if (!GOMP_single_start()) return;
        void* write[] = {address(1), address(1), &value};
        void* read[] = {address(1), address(0), &value};
        for (int i = 0; i < 5; ++i) {
          task(
              [&value, &readers, i] {
                value += i;
                ASSERT_EQ(readers % 4, 0);
              },
              depends, write);
          for (int k = 0; k < 4; ++k) {
            task(
                [&value, &readers, i] {
                  ASSERT_EQ(value, i * (i + 1) / 2);
                  ++readers;
                },
                depends, read);
          }
        }
      });
      EXPECT_EQ(value, 10);
      EXPECT_EQ(readers, 20);
    }
  }
}

TEST(Gomp, GroupsWaitForAllThatIsMadeInside) {
  for (const unsigned n : sizes) {
    int done = 0;
    std::atomic<int>* const count = new std::atomic<int>(0);
    region(n, [&] {
      if (!GOMP_single_start()) return;
      GOMP_taskgroup_start();
      for (int i = 0; i < 20; ++i) {
        task([count] {
          for (int k = 0; k < 5; ++k) task([count] { ++*count; });
        });
      }
      GOMP_taskgroup_end();
      done = *count;
    });
    EXPECT_EQ(done, 100);
    delete count;
  }
}

TEST(Gomp, EventsEndTasks) {
  constexpr unsigned detaches = 8192;
  for (const unsigned n : sizes) {
    int value = 0;
    std::thread other;
    region(n, [&] {
      if (!GOMP_single_start()) return;
      void* event = nullptr;
      struct {
        void* event;
        int* value;
      } argument{nullptr, &value};
      GOMP_task([](void*) {}, &argument, nullptr, sizeof argument, alignof(void*), true, detaches, nullptr, 0, &event);
      other = std::thread([&value, event] {
        value = 3;
        omp_fulfill_event(event);
      });
      GOMP_taskwait();
      ASSERT_EQ(value, 3);
    });
    other.join();
  }
}

TEST(Gomp, ThreadsOpenRegionsSideBySide) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 30; ++round) {
        std::atomic<int> members{0};
        region(3, [&] {
          ++members;
          if (GOMP_single_start()) {
            for (int k = 0; k < 10; ++k) task([&members] { ++members; });
          }
        });
        ASSERT_EQ(members, 13);
      }
    });
  }
  for (std::thread& each : threads) each.join();
}

TEST(Gomp, RegionsInsideOfRegions) {
  omp_set_max_active_levels(3);
  for (int round = 0; round < 10; ++round) {
    std::atomic<int> leaves{0};
    region(2, [&] {
      region(3, [&] {
        ASSERT_EQ(omp_get_level(), 2);
        region(2, [&] { ++leaves; });
        GOMP_barrier();
      });
    });
    ASSERT_EQ(leaves, 12);
  }
  omp_set_max_active_levels(1);
}

TEST(Gomp, ACancelledRegionLeavesTheNextOneAlone) {
  for (const unsigned n : sizes) {
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> past{0};
      region(n, [&] {
        if (omp_get_thread_num() == 0 && GOMP_cancel(1, true)) return;
        if (GOMP_barrier_cancel()) return;
        ++past;
      });
      ASSERT_EQ(past, 0);
      region(n, [&] {
        if (GOMP_barrier_cancel()) return;
        ++past;
      });
      ASSERT_EQ(past, static_cast<int>(n));
    }
  }
}

TEST(Gomp, NestedLocksBelongToTasks) {
  alignas(8) unsigned char lock[16];
  omp_init_nest_lock(lock);
  int count = 0;
  region(5, [&] {
    for (int i = 0; i < 100; ++i) {
      omp_set_nest_lock(lock);
      omp_set_nest_lock(lock);
      ++count;
      omp_unset_nest_lock(lock);
      omp_unset_nest_lock(lock);
    }
  });
  EXPECT_EQ(count, 500);
}

}  // namespace
