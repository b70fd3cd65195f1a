// Loops in loops without braces, in a header too.
#include "nested.h"

#include <cstdio>

int main() {
  int table[30];
  cilk_for (int i = 0; i < 5; ++i)
    cilk_for (int j = 0; j < 6; ++j)
      table[i * 6 + j] = i * j;
  int sum = 0;
  for (int each : table) sum += each;
  std::printf("%d %d\n", sum, triangle(10));
  return sum == 150 && triangle(10) == 55 ? 0 : 1;
}
