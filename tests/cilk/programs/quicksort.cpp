#include <algorithm>
#include <cilk/cilk.h>
#include <cstdio>
#include <functional>
#include <vector>

template <typename It, typename Less>
void sample_qsort(It begin, It end, Less less) {
  while (end - begin > 64) {
    typename std::iterator_traits<It>::value_type pivot = *(begin + (end - begin) / 2);
    It middle = std::partition(begin, end, [&](const auto& a) { return less(a, pivot); });
    It upper = std::partition(middle, end, [&](const auto& a) { return !less(pivot, a); });
    cilk_spawn sample_qsort(begin, middle, less);
    begin = upper;
  }
  std::sort(begin, end, less);
}

int main() {
  std::vector<int> a(50000);
  unsigned seed = 7;
  for (int& each : a) each = (seed = seed * 1664525u + 1013904223u) >> 8;
  std::vector<int> b = a;
  sample_qsort(a.begin(), a.end(), std::less<int>());
  std::sort(b.begin(), b.end());
  std::printf("quicksort %s %d\n", a == b ? "right" : "WRONG", a[a.size() / 2]);
  return a == b ? 0 : 1;
}
