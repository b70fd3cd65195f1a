#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ok(int n, char *a) {
  int i, j;
  for (i = 0; i < n; i++)
    for (j = i + 1; j < n; j++)
      if (a[j] == a[i] || a[j] - a[i] == j - i || a[i] - a[j] == j - i) return 0;
  return 1;
}

int nqueens(int n, int j, char *a) {
  int *count;
  int i, solutions = 0;
  if (n == j) return 1;
  count = alloca(n * sizeof(int));
  memset(count, 0, n * sizeof(int));
  for (i = 0; i < n; i++) {
    char *b = alloca((j + 1) * sizeof(char));
    memcpy(b, a, j);
    b[j] = i;
    if (ok(j + 1, b)) count[i] = cilk_spawn nqueens(n, j + 1, b);
  }
  cilk_sync;
  for (i = 0; i < n; i++) solutions += count[i];
  return solutions;
}

int main(void) {
  char *a = malloc(8);
  int found = nqueens(8, 0, a);
  printf("%d solutions\n", found);
  free(a);
  if (found != 92) return 1;
}
