// Tasks: what waits for what, where they may run, what they are given.
#include <omp.h>

#include <atomic>
#include <string>
#include <vector>

#include "expect.hpp"

namespace {

int fib(int n) {
  if (n < 2) return n;
  int a = 0, b = 0;
#pragma omp task shared(a) final(n < 8)
  a = fib(n - 1);
#pragma omp task shared(b) if (n > 4)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

void recursion() {
  int found = 0;
#pragma omp parallel
#pragma omp single
  found = fib(18);
  std::printf("fib %d\n", found);
}

void a_task_stays_with_its_member() {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 200; ++i) {
#pragma omp task
    {
      const int at = omp_get_thread_num();
      for (int j = 0; j < 3; ++j) {
#pragma omp task
        EXPECT(omp_get_thread_num() < omp_get_num_threads());
      }
#pragma omp taskwait
      EXPECT(omp_get_thread_num() == at);
    }
  }
  std::printf("tied\n");
}

void copies() {
  // Small, aligned, with a constructor: what the compiler has copied by a function.
  struct alignas(64) wide {
    double x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  };
  std::string text = "a text that is too long for the string's own memory";
  wide numbers;
  std::atomic<int> right{0};
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; ++i) {
    numbers.x[0] = i;
    text[0] = static_cast<char>('a' + i % 26);
#pragma omp task firstprivate(text, numbers, i)
    {
      EXPECT(reinterpret_cast<std::uintptr_t>(&numbers) % 64 == 0);
      if (text[0] == 'a' + i % 26 && numbers.x[0] == i && numbers.x[7] == 8) ++right;
    }
  }
  std::printf("copies %d\n", right.load());
}

void dependences() {
  for (int round = 0; round < 20; ++round) {
    int a = 0, b = 0, c = 0;
    int readers = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a) shared(a)
      a = 1;
      for (int i = 0; i < 20; ++i) {
#pragma omp task depend(in : a) shared(a, readers)
        {
          EXPECT(a == 1);
#pragma omp atomic
          ++readers;
        }
      }
#pragma omp task depend(inout : a) depend(out : b) shared(a, b, readers)
      {
        EXPECT(readers == 20);
        a = 2;
        b = 5;
      }
#pragma omp task depend(in : a, b) depend(out : c) shared(a, b, c)
      c = a * b;
#pragma omp task if (0) depend(in : c) shared(c)
      EXPECT(c == 10);
#pragma omp task depend(out : a) shared(a)
      a = 7;
#pragma omp taskwait depend(in : a)
      EXPECT(a == 7);
      for (int i = 0; i < 10; ++i) {
#pragma omp task depend(mutexinoutset : b) shared(b)
        ++b;
      }
      omp_depend_t object;
#pragma omp depobj(object) depend(inout : b)
#pragma omp task depend(depobj : object) shared(b)
      b *= 2;
#pragma omp depobj(object) destroy
      int row[8] = {};
#pragma omp task depend(iterator(int i = 0 : 8), out : row[i]) shared(row)
      for (int& each : row) each = 1;
#pragma omp task depend(in : row[7]) shared(row)
      EXPECT(row[7] == 1);
#pragma omp taskwait
      EXPECT(b == 30);
    }
    EXPECT(a == 7 && b == 30 && c == 10);
  }
  std::printf("dependences\n");
}

void a_front() {
  // Blocks of a matrix, each after those above and to the left.
  constexpr int n = 12;
  static long block[n][n];
  block[0][0] = 1;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (i == 0 || j == 0) {
#pragma omp task depend(out : block[i][j])
        block[i][j] = 1;
      } else {
#pragma omp task depend(in : block[i - 1][j], block[i][j - 1]) depend(out : block[i][j])
        block[i][j] = block[i - 1][j] + block[i][j - 1];
      }
    }
  }
  std::printf("front %ld\n", block[n - 1][n - 1]);
}

void groups() {
  std::atomic<int> done{0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
      for (int i = 0; i < 10; ++i) {
#pragma omp task
        {
          for (int j = 0; j < 10; ++j) {
#pragma omp task
            ++done;
          }
        }
      }
    }
    EXPECT(done == 100);
#pragma omp taskyield
#pragma omp task untied mergeable priority(3)
    ++done;
  }
  std::printf("groups %d\n", done.load());
}

void loops() {
  long sum = 0;
  std::vector<std::atomic<int>> met(1000);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(7)
    for (int i = 0; i < 1000; ++i) ++met[i];
#pragma omp taskloop num_tasks(5)
    for (int i = 999; i >= 0; --i) ++met[i];
#pragma omp taskloop grainsize(strict : 64)
    for (unsigned long long i = 0; i < 1000; ++i) ++met[i];
#pragma omp taskloop num_tasks(strict : 6) nogroup
    for (unsigned long long i = 0; i < 1000; ++i) ++met[i];
#pragma omp taskwait
#pragma omp taskloop reduction(+ : sum) num_tasks(9)
    for (int i = 0; i < 1000; ++i) sum += i;
#pragma omp taskloop if (0) collapse(2)
    for (int i = 0; i < 10; ++i)
      for (int j = 0; j < 100; ++j) ++met[i * 100 + j];
  }
  for (auto& each : met) EXPECT(each == 5);
  std::printf("taskloop %ld\n", sum);
}

void reductions() {
  int a = 0, b = 0, c = 1;
  std::vector<int> list(5, 0);
  int* const row = list.data();
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : a) task_reduction(* : c) task_reduction(+ : row[ : 5])
  {
    for (int i = 0; i < 60; ++i) {
#pragma omp task in_reduction(+ : a) in_reduction(+ : row[ : 5])
      {
        a += i;
        row[i % 5] += 1;
#pragma omp task in_reduction(+ : a)
        a += 1;
      }
    }
    for (int i = 0; i < 5; ++i) {
#pragma omp task in_reduction(* : c)
      c *= 2;
    }
  }
  for (const int each : list) EXPECT(each == 12);
#pragma omp parallel reduction(task, + : b)
  {
#pragma omp single
    for (int i = 0; i < 50; ++i) {
#pragma omp task in_reduction(+ : b)
      b += 2;
    }
  }
  int d = 0;
#pragma omp parallel
  {
#pragma omp for reduction(task, + : d)
    for (int i = 0; i < 40; ++i) {
#pragma omp task in_reduction(+ : d)
      d += i;
    }
#pragma omp sections reduction(task, + : d)
    {
#pragma omp section
#pragma omp task in_reduction(+ : d)
      d += 1;
#pragma omp section
#pragma omp task in_reduction(+ : d)
      d += 1;
    }
  }
  std::printf("reductions %d %d %d %d\n", a, b, c, d);
}

void events() {
  for (int round = 0; round < 20; ++round) {
    omp_event_handle_t event, first;
    int a = 0, b = 0, c = 0, seen = 0;
#pragma omp parallel
#pragma omp single
    {
      double padding[3] = {1, 2, 3};
#pragma omp task detach(first) firstprivate(padding) shared(a)
      {
        EXPECT(padding[2] == 3);
        a = 1;
        omp_fulfill_event(first);
      }
#pragma omp task detach(event) depend(out : b) shared(b)
      b = 1;
#pragma omp task depend(in : b) shared(b, seen)
      seen = b;
#pragma omp task shared(c, event)
      {
        c = 2;
        omp_fulfill_event(event);
      }
#pragma omp taskwait
      EXPECT(a == 1 && seen == 1 && c == 2);
    }
  }
  std::printf("events\n");
}

/// An event makes a task ready in the middle of another one, which then waits for its own child below that.
void an_event_amid() {
  int first = 0, done = 0;
  [[maybe_unused]] int second = 0, third = 0;
  omp_event_handle_t event;
#pragma omp parallel num_threads(1)
  {
#pragma omp task depend(out : second) shared(done)
    {
#pragma omp task depend(out : third) shared(done)
      done += 1;
      omp_fulfill_event(event);
#pragma omp taskwait
      EXPECT(done == 1);
      done += 10;
    }
#pragma omp task depend(out : first) detach(event)
    {
      first = 1;
    }
#pragma omp task depend(in : first) shared(done)
    done += 100;
#pragma omp taskwait
  }
  std::printf("an event amid %d\n", done);
}

/// A loop of no iterations makes no copies for its reductions.
void a_loop_of_nothing() {
  volatile int none = 0;
  long sum = 5;
  int product = 3;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : sum) reduction(* : product)
    for (int i = 0; i < none; ++i) {
      sum += i;
      product *= 2;
    }
  }
  std::printf("nothing %ld %d\n", sum, product);
}

void finals() {
  std::atomic<int> inside{0};
#pragma omp parallel
#pragma omp single
#pragma omp task final(1)
  {
    EXPECT(omp_in_final());
    const int at = omp_get_thread_num();
#pragma omp task
    {
      EXPECT(omp_in_final() && omp_get_thread_num() == at);
      ++inside;
    }
    EXPECT(inside == 1);
  }
  std::printf("final %d\n", inside.load());
}

void many() {
  std::atomic<long> sum{0};
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 50; ++i) {
      for (int j = 0; j < 200; ++j) {
#pragma omp task
        sum += j;
      }
    }
#pragma omp master
    EXPECT(sum == 50L * 199 * 100);
  }
  // Outside of any region.
#pragma omp task shared(sum)
  sum += 1;
#pragma omp taskwait
  std::printf("many %ld\n", sum.load());
}

}  // namespace

int main() {
  recursion();
  a_task_stays_with_its_member();
  copies();
  dependences();
  a_front();
  groups();
  loops();
  reductions();
  events();
  an_event_amid();
  a_loop_of_nothing();
  finals();
  many();
}
