// Fork two recursive calls: invoke runs the first at once, and an idle worker may steal the second.
//   c++ -std=c++20 -O3 01-quicksort.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <algorithm>
#include <cstdio>
#include <jackdaw/jackdaw.hpp>
#include <random>
#include <vector>

namespace {

using iterator = std::vector<int>::iterator;

void quicksort(iterator first, iterator last) {
  if (last - first < 1000) {
    std::sort(first, last);
    return;
  }
  const int pivot = *(first + (last - first) / 2);
  const iterator low = std::partition(first, last, [=](int each) { return each < pivot; });
  const iterator high = std::partition(low, last, [=](int each) { return each == pivot; });
  // The lengths are work hints. Without hints all parts count alike.
  jackdaw::invoke(jackdaw::work(static_cast<double>(low - first), [=] { quicksort(first, low); }),
                  jackdaw::work(static_cast<double>(last - high), [=] { quicksort(high, last); }));
}

}  // namespace

int main() {
  std::vector<int> numbers(1'000'000);
  std::mt19937 random(1);
  for (int& each : numbers) each = static_cast<int>(random() % 1'000'000);
  quicksort(numbers.begin(), numbers.end());
  std::printf("sorted: %s\n", std::is_sorted(numbers.begin(), numbers.end()) ? "yes" : "no");
}
