/* Macros of its own with keywords, of system headers, and one that those ask for. */
#define _GNU_SOURCE
#include "side.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define SPAWN(x, f) x = cilk_spawn f

static atomic_int hits;
static int twice(int n) {
  atomic_fetch_add(&hits, 1);
  char *s = strdupa("ab");
  return 2 * n + (int)strlen(s) - 2 + (errno > INT_MAX - 1);
}
int c_side(int n) {
  int x;
  SPAWN(x, twice(n));
  cilk_sync;
  const char *found = memmem("abc", 3, "c", 1);
  return x + atomic_load(&hits) + (*found == 'c' ? 0 : 100);
}
