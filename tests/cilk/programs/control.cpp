// Spawns in every kind of statement, early returns, jumps, exceptions and lifetimes.
#include <cilk/cilk.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.h"

static int twice(int x) { return 2 * x; }
static void put(int& at, int what) { at = what; }
static void bump(int& at) { __atomic_fetch_add(&at, 1, __ATOMIC_RELAXED); }

static int in_switch(int n) {
  int a = 0, b = 0;
  switch (n) {
    case 0:
      a = cilk_spawn twice(1);
      break;
    case 1:
      cilk_spawn put(a, 5);
      [[fallthrough]];
    case 2: {
      int inside = cilk_spawn twice(10);
      cilk_sync;
      b = inside;
      break;
    }
    case 3:
      a = cilk_spawn twice(7);
      cilk_sync;
      return a + 1000;
    default:
      cilk_spawn put(b, 9);
  }
  cilk_sync;
  return 100 * a + b;
}
static int in_do_while() {
  std::vector<int> v(6);
  int i = 0;
  do
    v[i] = cilk_spawn twice(i);
  while (++i < 3);
  do {
    v[i] = cilk_spawn twice(i);
    ++i;
  } while (i < 6);
  cilk_sync;
  int sum = 0;
  for (int each : v) sum += each;
  return sum;
}
static int with_goto(int n) {
  int result = 0, i = 0;
  int parts[8] = {};
again:
  if (i < n) {
    parts[i] = cilk_spawn twice(i + 1);
    ++i;
    if (i == 7) goto done;
    goto again;
  }
done:
  cilk_sync;
  for (int each : parts) result += each;
  return result;
}
static int early(int n) {
  int x = 0;
  cilk_spawn bump(x);
  if (n == 1) return 10;
  cilk_spawn bump(x);
  if (n == 2) {
    cilk_sync;
    return x;
  }
  while (n-- > 0) {
    cilk_spawn twice(1);
    if (n == 3) return twice(n);
  }
  for (;;) {
    cilk_sync;
    cilk_spawn bump(x);
    cilk_sync;
    if (x > 10) return x;
  }
}
static void void_early(int n, int& at) {
  cilk_spawn put(at, n);
  if (n) return;
  put(at, -1);
}
static int conditions(int n) {
  int a = 0, b = 0;
  if (n > 0)
    a = cilk_spawn twice(n);
  else if (n < 0)
    a = cilk_spawn twice(-n);
  else
    cilk_spawn put(a, 77);
  if (int k = n; k > 3) b = cilk_spawn twice(k);
  cilk_sync;
  return a + b;
}
static int range_for() {
  std::vector<int> v{1, 2, 3};
  int sum = 0;
  for (int& each : v) each = cilk_spawn twice(each);
  cilk_sync;
  for (auto each : v) {
    int t;
    t = cilk_spawn twice(each);
    cilk_sync;
    sum += t;
  }
  return sum;
}
static std::string order;
struct noisy {
  explicit noisy(char c) : c(c) {}
  noisy(const noisy& o) : c(o.c) {}
  ~noisy() { if (c != 't') order += c; }
  char c;
};
static void quiet(const noisy&) {}
static std::unique_ptr<noisy> lives() {
  noisy a('a');
  cilk_spawn quiet(noisy('t'));
  noisy b('b');
  return std::make_unique<noisy>('r');
}
struct error {
  int code;
};
static void fail(int code) {
  if (code) throw error{code};
}
static int catches(int where) {
  int seen = 0;
  try {
    cilk_spawn fail(where == 1 ? 1 : 0);
    fail(where == 2 ? 2 : 0);
    cilk_sync;
    cilk_spawn fail(where == 3 ? 3 : 0);
  } catch (const error& e) {
    seen = e.code;
  }
  try {
    cilk_for (int i = 0; i < 20; ++i)
      if (where == 4 && i == 10) throw error{4};
  } catch (error& e) {
    seen = e.code;
  }
  return seen;
}
static void rethrows() {
  try {
    cilk_spawn fail(5);
    cilk_sync;
  } catch (...) {
    throw;
  }
}
static int function_try(int n) try {
  cilk_spawn fail(n);
  return 1;
} catch (const error&) {
  return 2;
}
static int scopes() {
  int a = 0, b = 0;
  cilk_scope {
    cilk_spawn put(a, 1);
    cilk_scope {
      cilk_spawn put(b, 2);
    }
    if (b != 2) return -1;
    for (int i = 0; i < 3; ++i)
      cilk_scope { cilk_spawn bump(b); }
  }
  return 10 * a + b;
}
static int nested_blocks() {
  int x = 0;
  {
    int local = 3;
    {
      cilk_spawn put(x, local);
      cilk_sync;
    }
    x += local;
  }
  cilk_spawn {
    int inside = twice(x);
    cilk_spawn put(x, inside);
    cilk_sync;
  }
  cilk_sync;
  return x;
}
static int comma_and_ternary(int n) {
  int a = (n > 0 ? 1 : 2), b = 0;
  a = cilk_spawn twice((n, n + 1));
  b = cilk_spawn twice(n > 0 ? n : -n);
  cilk_sync;
  return a + b;
}
static int label_before_spawn() {
  int a = 0;
  goto here;
here:
  a = cilk_spawn twice(4);
  cilk_sync;
  return a;
}

int main() {
  CHECK(in_switch(0) == 200 && in_switch(1) == 520 && in_switch(2) == 20 && in_switch(3) == 1014 && in_switch(8) == 9);
  CHECK(in_do_while() == 30);
  CHECK(with_goto(3) == 12 && with_goto(8) == 56);
  CHECK(early(1) == 10 && early(2) == 2 && early(9) == 6 && early(3) == 11);
  int at = 0;
  void_early(4, at);
  CHECK(at == 4);
  CHECK(conditions(5) == 20 && conditions(-2) == 4 && conditions(0) == 77);
  CHECK(range_for() == 24);
  {
    auto r = lives();
    CHECK(order == "ba" && r->c == 'r');
  }
  for (int i = 0; i < 5; ++i) CHECK(catches(i) == i);
  bool caught = false;
  try {
    rethrows();
  } catch (const error& e) {
    caught = e.code == 5;
  }
  CHECK(caught);
  CHECK(function_try(0) == 1 && function_try(1) == 2);
  CHECK(scopes() == 15);
  CHECK(nested_blocks() == 12);
  CHECK(comma_and_ternary(3) == 14);
  CHECK(label_before_spawn() == 8);
  printf("%d failures\n", failures);
  return failures != 0;
}
