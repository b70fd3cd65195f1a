/* C as Cilk Plus's and OpenCilk's examples write it. */
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <alloca.h>
#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define N 64
#define SPAWN cilk_spawn
#define SYNC cilk_sync
#define FIB_BODY(name)               \
  int x, y;                          \
  if (n < 2) return n;               \
  x = cilk_spawn name(n - 1);        \
  y = name(n - 2);                   \
  cilk_sync;                         \
  return x + y;

typedef struct { double x, y, z; } vec3;
typedef struct node { struct node *left, *right; int value; } node;
enum color { RED, GREEN, BLUE };
union either { int i; float f; };
static int table[N];
static int (*const handlers[])(int);

static inline int twice(int x) { return 2 * x; }
static int minus(int x) { return -x; }
static int (*const handlers[])(int) = {twice, minus};
static vec3 cross(vec3 a, vec3 b) {
  return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static enum color next(enum color c) { return (enum color)((c + 1) % 3); }
static union either pun(float f) { union either e; e.f = f; return e; }
static int sum_of(int n, ...) {
  va_list list;
  va_start(list, n);
  int s = 0;
  while (n--) s += va_arg(list, int);
  va_end(list);
  return s;
}
static const char *name_of(int i) { static const char *names[] = {"a", "b"}; return names[i]; }
static double complex rotate(double complex z) { return z * I; }
static bool odd(unsigned n) { return n & 1; }
static void fill(int n, int a[n][n], int with) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = with;
}
static void scale(int *restrict to, const int *restrict from, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = 2 * from[i];
}
int macro_fib(int n) { FIB_BODY(macro_fib) }
static int old(a, b)
int a;
int b;
{ return a * b; }
_Noreturn static void never(void) { exit(3); }

static node *build(int depth) {
  node *n = malloc(sizeof *n);
  *n = (node){.value = depth};
  if (depth > 0) {
    n->left = SPAWN build(depth - 1);
    n->right = build(depth - 1);
    SYNC;
  }
  return n;
}
static long walk(const node *n) {
  if (!n) return 0;
  long l = cilk_spawn walk(n->left);
  long r = cilk_spawn walk(n->right);
  cilk_sync;
  return n->value + l + r;
}
static int nqueens(int n, int j, char *a) {
  int *count, solutions = 0;
  if (n == j) return 1;
  count = (int *)alloca(n * sizeof(int));
  (void)memset(count, 0, n * sizeof(int));
  for (int i = 0; i < n; i++) {
    char *b = (char *)alloca((j + 1) * sizeof(char));
    memcpy(b, a, j * sizeof(char));
    b[j] = i;
    int ok = 1;
    for (int p = 0; p < j; p++) if (b[p] == i || b[p] - i == j - p || i - b[p] == j - p) ok = 0;
    if (ok) { count[i] = cilk_spawn nqueens(n, j + 1, b); }
  }
  cilk_sync;
  for (int i = 0; i < n; i++) solutions += count[i];
  return solutions;
}
static int vla(int n) {
  int a[n], sum = 0;
  int m[n][n];
  cilk_for (int i = 0; i < n; i++) a[i] = i;
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = 0; j < n; j++)
      m[i][j] = a[i] * n + j;
  cilk_spawn fill(n, m, m[n - 1][n - 1]);
  cilk_sync;
  for (int i = 0; i < n; i++) sum += a[i];
  return sum + m[0][0];
}
static long local_vla(int n) {
  long sums[n];
  cilk_for (int i = 0; i < n; i++) {
    int row[n + 1];
    __typeof__(sums[i]) sum = 0;
    for (int j = 0; j < n + 1; j++) row[j] = (int)(sizeof(row) / sizeof(int[1])) + i;
    for (int j = 0; j < n + 1; j++) sum += row[j];
    sums[i] = (__typeof__(sum))sum;
  }
  long all = 0;
  for (int i = 0; i < n; i++) all += sums[i];
  return all;
}
static void multiply(int n, double a[n][n], double b[n][n], double (*c)[n]) {
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}
static void outer_index(int *a, int n) {
  int i, j;
  cilk_for (i = 0; i < n; i++) a[i] = i;
  CHECK(i == n);
  cilk_for (j = n - 1; j >= 0; j -= 2) { a[j] += 1; }
}
static int with_labels(int n) {
  int r = 0;
retry:
  r += 0;
  int t = cilk_spawn twice(n);
  cilk_sync;
  if (t < 20) { n = t; goto retry; }
  switch (n % 3) {
  case 0: r = cilk_spawn twice(1); break;
  case 1: r = cilk_spawn twice(2); break;
  default: cilk_spawn scale(&r, &n, 1);
  }
  cilk_sync;
  return r + t;
}
static int statement_expression(int n) {
  int m = ({ int t = cilk_spawn twice(n); cilk_sync; t; });
  return m;
}
static void pragma_loops(float *x, int n) {
#pragma cilk grainsize = 4
  cilk_for (int i = 0; i < n; ++i)
    x[i] = sqrtf((float)i);
  #pragma cilk grainsize = n > 100 ? 10 : 1
  cilk_for (int i = 0; i < n; ++i) {
    x[i] = x[i] * x[i];
  }
}

int main(int argc, char *argv[]) {
  int x[8] = {0}, *p = x, a = 0;
  *p++ = cilk_spawn twice(a++);
  *p++ = cilk_spawn twice(a++);
  p[0] = cilk_spawn twice(a++);
  cilk_sync;
  CHECK(x[1] == 2 && x[2] == 4 && a == 3 && p == x + 2);
  vec3 i = {1, 0, 0}, j = {0, 1, 0}, k = cilk_spawn cross(i, j);
  double d = cilk_spawn dot(i, (vec3){2, 3, 4});
  enum color c = cilk_spawn next(BLUE);
  union either e = cilk_spawn pun(1.0f);
  int v = cilk_spawn sum_of(3, 1, 2, 3);
  const char *s = cilk_spawn name_of(1);
  double complex z = cilk_spawn rotate(1.0);
  bool b = cilk_spawn odd(3);
  cilk_sync;
  CHECK(k.z == 1 && d == 2 && c == RED && e.i == 0x3f800000 && v == 6 && *s == 'b' && cimag(z) == 1 && b);
  int m = cilk_spawn handlers[0](21), o = cilk_spawn (*handlers[1])(4), q = 5;
  static int kept;
  kept = cilk_spawn old(3, 4);
  const int fixed = cilk_spawn twice(8);
  cilk_sync;
  CHECK(m == 42 && o == -4 && q == 5 && kept == 12 && fixed == 16);
  struct { int f; int list[3]; struct { int deep; } in; } st = {0}, *ps = &st;
  st.f = cilk_spawn twice(1);
  ps->list[2] = cilk_spawn twice(2);
  ps->in.deep = cilk_spawn twice(3);
  cilk_sync;
  CHECK(st.f == 2 && st.list[2] == 4 && st.in.deep == 6);
  long sum = 0;
  sum += cilk_spawn twice(3);
  sum += cilk_spawn twice(4);
  sum <<= cilk_spawn twice(1);
  cilk_sync;
  CHECK(sum == 56);
  CHECK(macro_fib(12) == 144 && walk(build(5)) == 57 && nqueens(6, 0, x ? (char[8]){0} : 0) == 4);
  CHECK(vla(8) == 28 + 63);
  CHECK(local_vla(4) == 5 * (4 * 5 + 6));
  double ma[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, mc[3][3];
  multiply(3, ma, ma, mc);
  CHECK(mc[0][0] == 30 && mc[2][2] == 150);
  outer_index(table, N);
  CHECK(table[1] == 2 && table[0] == 0 && table[63] == 64);
  CHECK(with_labels(3) == 26 && statement_expression(5) == 10);
  float f[N];
  pragma_loops(f, N);
  int good = 1;
  cilk_for (int t = 0; t < N; t++) if (fabsf(f[t] - t) > 1e-4f) __atomic_store_n(&good, 0, __ATOMIC_RELAXED);
  CHECK(good);
  uint64_t hash = 0;
  cilk_for (uint64_t t = 0; t < 100; t += 7) __atomic_fetch_add(&hash, t, __ATOMIC_RELAXED);
  CHECK(hash == 735);
  if (argc > 10) never();
  assert(argv[0] != NULL && __cilkrts_get_nworkers() > 0);
  printf("%d failures\n", failures);
  return failures != 0;
}
