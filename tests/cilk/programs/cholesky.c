/* Cholesky factors of a sparse matrix in a tree of blocks: the factor of a block, a triangular solution, an update. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 4
typedef double block[BLOCK][BLOCK];
/* A missing tree is zero. At depth 0 a tree is a block. */
typedef union tree {
  union tree *child[2][2];
  block leaf;
} tree;

static tree *fresh(void) { return calloc(1, sizeof(tree)); }

static void put(tree **at, int depth, int i, int j, double value) {
  if (*at == NULL) *at = fresh();
  if (depth == 0) {
    (*at)->leaf[i][j] = value;
    return;
  }
  const int half = BLOCK << (depth - 1);
  put(&(*at)->child[i >= half][j >= half], depth - 1, i % half, j % half, value);
}
static double get(const tree *at, int depth, int i, int j) {
  if (at == NULL) return 0;
  if (depth == 0) return at->leaf[i][j];
  const int half = BLOCK << (depth - 1);
  return get(at->child[i >= half][j >= half], depth - 1, i % half, j % half);
}
static void release(int depth, tree *at) {
  if (at == NULL) return;
  if (depth > 0)
    for (int k = 0; k < 4; k++) cilk_spawn release(depth - 1, at->child[k / 2][k % 2]);
  cilk_sync;
  free(at);
}

/* r - a * transposed b; of a diagonal block only the lower part is needed. */
static tree *update(int depth, int lower, tree *r, const tree *a, const tree *b) {
  if (a == NULL || b == NULL) return r;
  if (r == NULL) r = fresh();
  if (depth == 0) {
    for (int i = 0; i < BLOCK; i++)
      for (int j = 0; j < BLOCK; j++)
        for (int k = 0; k < BLOCK; k++) r->leaf[i][j] -= a->leaf[i][k] * b->leaf[j][k];
    return r;
  }
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        if (!lower || i >= j)
          r->child[i][j] =
              cilk_spawn update(depth - 1, lower && i == j, r->child[i][j], a->child[i][k], b->child[j][k]);
    cilk_sync;
  }
  return r;
}

/* x with x * transposed l = a, in the place of a. */
static tree *solve(int depth, tree *a, const tree *l) {
  if (a == NULL) return NULL;
  if (depth == 0) {
    for (int i = 0; i < BLOCK; i++)
      for (int j = 0; j < BLOCK; j++) {
        double s = a->leaf[i][j];
        for (int k = 0; k < j; k++) s -= a->leaf[i][k] * l->leaf[j][k];
        a->leaf[i][j] = s / l->leaf[j][j];
      }
    return a;
  }
  tree *(*c)[2] = a->child;
  const tree *const *const corner = (const tree *const *)&l->child[0][0];
  c[0][0] = cilk_spawn solve(depth - 1, c[0][0], *corner);
  c[1][0] = solve(depth - 1, c[1][0], *corner);
  cilk_sync;
  for (int i = 0; i < 2; ++i) c[i][1] = cilk_spawn update(depth - 1, 0, c[i][1], c[i][0], l->child[1][0]);
  cilk_sync;
  c[0][1] = cilk_spawn solve(depth - 1, c[0][1], l->child[1][1]);
  c[1][1] = solve(depth - 1, c[1][1], l->child[1][1]);
  cilk_sync;
  return a;
}

static tree *cholesky(int depth, tree *a) {
  if (depth == 0) {
    for (int j = 0; j < BLOCK; j++)
      for (int i = j; i < BLOCK; i++) {
        double s = a->leaf[i][j];
        for (int k = 0; k < j; k++) s -= a->leaf[i][k] * a->leaf[j][k];
        a->leaf[i][j] = i == j ? sqrt(s) : s / a->leaf[j][j];
      }
    for (int i = 0; i < BLOCK; i++)
      for (int j = i + 1; j < BLOCK; j++) a->leaf[i][j] = 0;
    return a;
  }
  a->child[0][0] = cilk_spawn cholesky(depth - 1, a->child[0][0]);
  cilk_sync;
  a->child[1][0] = cilk_spawn solve(depth - 1, a->child[1][0], a->child[0][0]);
  cilk_sync;
  a->child[1][1] = cilk_spawn update(depth - 1, 1, a->child[1][1], a->child[1][0], a->child[1][0]);
  cilk_sync;
  a->child[1][1] = cilk_spawn cholesky(depth - 1, a->child[1][1]);
  cilk_sync;
  return a;
}

int main(int argc, char **argv) {
  const int depth = argc > 1 ? atoi(argv[1]) : 4, n = BLOCK << depth;
  double *full = calloc((size_t)n * n, sizeof(double));
  unsigned long seed = 3;
  for (int i = 0; i < n; i++) full[i * n + i] = 100;
  for (int k = 0; k < 5 * n; k++) {
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    const int i = (int)((seed >> 33) % n), j = (int)((seed >> 20) % n);
    if (i != j) full[i * n + j] = full[j * n + i] = (double)(seed >> 60) / 8 - 1;
  }
  tree *a = NULL;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      if (full[i * n + j] != 0) put(&a, depth, i, j, full[i * n + j]);
  a = cilk_spawn cholesky(depth, a);
  cilk_sync;
  double *l = malloc((size_t)n * n * sizeof(double)), *errors = calloc(n, sizeof(double)), trace = 0, error = 0;
  cilk_for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) l[i * n + j] = get(a, depth, i, j);
  cilk_for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double s = 0;
      for (int k = 0; k <= j; k++) s += l[i * n + k] * l[j * n + k];
      if (fabs(s - full[i * n + j]) > errors[i]) errors[i] = fabs(s - full[i * n + j]);
    }
  }
  for (int i = 0; i < n; i++) {
    trace += l[i * n + i];
    if (errors[i] > error) error = errors[i];
  }
  release(depth, a);
  const int wrong = !(error < 1e-9);
  printf("%s %d: %.9f\n", wrong ? "WRONG" : "right", n, trace);
  return wrong;
}
