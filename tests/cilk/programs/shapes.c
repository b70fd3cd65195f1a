/* C that C++ would not take, and loops and blocks that become functions. */
#include "shapes.h"
#include <stdio.h>
#include <stdlib.h>

#define SPAWN_INTO(x, call) x = cilk_spawn call
struct point { int x, y, class; };
static const struct point origin = {.y = 2, .x = 1, .class = 3};

void zero_long(void *view) { *(long *)view = 0; }
void add_long(void *left, void *right) { *(long *)left += *(long *)right; }
long cilk_reducer(zero_long, add_long) all = 0;

static int sum_of(struct point p, const char *text) { return p.x + p.y + p.class + (int)text[0]; }
static void *fresh(size_t n) { return malloc(n); }
static int twice(int a) { return 2 * a; }
static int apply(int (*f)(int), int a) {
  int r;
  r = cilk_spawn f(a);
  cilk_sync;
  return r;
}
static int old_style(a, b) int a, b; { return a - b; }

int main(void) {
  int new = 0, wrong = 0, table[50], outer = 7;
  int *p, *list = malloc(50 * sizeof *list);
  new = cilk_spawn sum_of(origin, "a");
  p = cilk_spawn fresh(sizeof *p);
  cilk_sync;
  if (new != 6 + 'a' || p == NULL) wrong |= 1;
  cilk_for (int i = 0; i < 50; i++) {
    int scaled = i * outer;
    table[i] = scaled;
    list[i] = 0;
    cilk_for (unsigned j = 0; j < 3; j++) {
      long add = i + j;
      all += add;
    }
    if (i == 10) continue;
    list[i] = cilk_spawn twice(scaled);
  }
  for (int i = 0; i < 50; i++)
    if (table[i] != 7 * i || list[i] != (i == 10 ? 0 : 14 * i)) wrong |= 2;
  if (all != 3 * 1225 + 150) wrong |= 4;
  cilk_for (int *q = list + 49; q >= list; q -= 1) *q = -1;
  for (int i = 0; i < 50; i++)
    if (list[i] != -1) wrong |= 8;
  cilk_spawn {
    outer += 1;
    table[0] = outer;
  }
  cilk_sync;
  if (outer != 8 || table[0] != 8) wrong |= 16;
  if (apply(twice, 4) != 8 || header_fib(10) != 55) wrong |= 32;
  int m, d;
  SPAWN_INTO(m, twice(outer));
  d = cilk_spawn old_style(5, 3);
  cilk_sync;
  if (m != 16 || d != 2) wrong |= 64;
  printf("wrong: %d, %ld\n", wrong, (long)all);
  return wrong;
}
