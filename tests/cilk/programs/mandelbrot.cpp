#include <cilk/cilk.h>
#include <complex>
#include <cstdio>
#include <vector>

int main() {
  const int width = 120, height = 80;
  std::vector<int> image(width * height);
  #pragma cilk grainsize = 4
  cilk_for (int y = 0; y < height; ++y) {
    cilk_for (int x = 0; x < width; x++) {
      const std::complex<double> c(-2.0 + 3.0 * x / width, -1.0 + 2.0 * y / height);
      std::complex<double> z = 0;
      int n = 0;
      while (n < 100 && std::norm(z) < 4) {
        z = z * z + c;
        ++n;
      }
      if (n == 100) continue;
      image[y * width + x] = n;
    }
  }
  long sum = 0;
  for (int each : image) sum += each;
  std::printf("mandelbrot %ld\n", sum);
  return sum > 0 ? 0 : 1;
}
