#include <cilk/cilk.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef double complex cplx;

static void fft(cplx *out, const cplx *in, int n, int stride, double sign) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  cilk_spawn fft(out, in, n / 2, 2 * stride, sign);
  fft(out + n / 2, in + stride, n / 2, 2 * stride, sign);
  cilk_sync;
  cilk_for (int k = 0; k < n / 2; ++k) {
    cplx even = out[k], odd = out[k + n / 2] * cexp(sign * 2 * 3.14159265358979323846 * I * k / n);
    out[k] = even + odd;
    out[k + n / 2] = even - odd;
  }
}

int main() {
  int n = 1024;
  cplx *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
  double worst = 0;
  for (int i = 0; i < n; i++) a[i] = i % 11 + (i % 3) * I;
  fft(b, a, n, 1, -1);
  fft(c, b, n, 1, 1);
  for (int i = 0; i < n; i++) worst = fmax(worst, cabs(c[i] / n - a[i]));
  printf("fft: %s\n", worst < 1e-9 ? "right" : "WRONG");
  return worst >= 1e-9;
}
