// A root that nobody waits for at once, one that continues it, and a search that ends when it has found something.
//   c++ -std=c++20 -O3 13-futures-and-cancellation.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <cstdio>
#include <jackdaw/jackdaw.hpp>
#include <stop_token>
#include <vector>

int main() {
  std::vector<int> numbers(1'000'000, 1);
  auto sum = jackdaw::async([&] { return jackdaw::reduce(numbers, 0); });
  auto half = sum.then([](int all) { return all / 2; });  // runs when the sum is there
  // main() does something else meanwhile.
  std::printf("%d\n", half.get());

  std::stop_source found;
  try {
    jackdaw::for_index(
        0, 1'000'000'000,
        [&](int i) {
          if (i % 1'000'003 == 1'000'002) found.request_stop();
        },
        found.get_token());
  } catch (const jackdaw::cancelled&) {
    std::printf("found one, and left the rest\n");
  }
}
