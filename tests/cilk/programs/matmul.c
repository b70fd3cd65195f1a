#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define REAL double

void zero(REAL *A, int n) {
  cilk_for (int i = 0; i < n; i++) {
    int j;
    for (j = 0; j < n; j++) A[i * n + j] = 0.0;
  }
}

static void rec_matmul(REAL *A, REAL *B, REAL *C, int m, int n, int p, int ld, int add) {
  if (m + n + p <= 48) {
    int i, j, k;
    for (i = 0; i < m; i++)
      for (k = 0; k < p; k++) {
        REAL c = add ? C[i * ld + k] : 0.0;
        for (j = 0; j < n; j++) c += A[i * ld + j] * B[j * ld + k];
        C[i * ld + k] = c;
      }
  } else if (m >= n && n >= p) {
    int m1 = m >> 1;
    cilk_spawn rec_matmul(A, B, C, m1, n, p, ld, add);
    cilk_spawn rec_matmul(A + m1 * ld, B, C + m1 * ld, m - m1, n, p, ld, add);
  } else if (n >= m && n >= p) {
    int n1 = n >> 1;
    cilk_spawn rec_matmul(A, B, C, m, n1, p, ld, add);
    cilk_sync;
    cilk_spawn rec_matmul(A + n1, B + n1 * ld, C, m, n - n1, p, ld, 1);
  } else {
    int p1 = p >> 1;
    cilk_spawn rec_matmul(A, B, C, m, n, p1, ld, add);
    cilk_spawn rec_matmul(A, B + p1, C + p1, m, n, p - p1, ld, add);
  }
}

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 96;
  REAL *A = malloc(n * n * sizeof(REAL)), *B = malloc(n * n * sizeof(REAL)), *C = malloc(n * n * sizeof(REAL));
  double worst = 0.0, sum = 0.0;
  zero(C, n);
  cilk_for (int i = 0; i < n * n; ++i) {
    A[i] = (double)(i % 17) - 8;
    B[i] = (double)(i % 13) - 6;
  }
  rec_matmul(A, B, C, n, n, n, n, 0);
  for (int i = 0; i < n && n < 200; i++)
    for (int k = 0; k < n; k++) {
      REAL c = 0.0;
      for (int j = 0; j < n; j++) c += A[i * n + j] * B[j * n + k];
      worst = fmax(worst, fabs(c - C[i * n + k]));
    }
  for (int i = 0; i < n * n; i++) sum += C[i];
  printf("matmul %d: error %g, sum %.0f\n", n, worst, sum);
  return worst > 1e-9;
}
