// compiles
// with: -Werror -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
// with: -Woverloaded-virtual -Wfloat-equal -Wcast-align=strict
// The warnings that many projects enable for everything they include.
#include <cstddef>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/memory.hpp"

static int fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = jackdaw::invoke([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

int main() {
  jackdaw::task_group group;
  group.run([] {});
  group.wait();
  std::vector<int> all(1000);
  jackdaw::for_index(0, 1000, [&](int i) { all[static_cast<std::size_t>(i)] = i; });
  jackdaw::sort(all.begin(), all.end());
  jackdaw::stable_sort(all.begin(), all.end());
  jackdaw::inclusive_scan(all.begin(), all.end(), all.begin());
  jackdaw::invoke(jackdaw::on(0, [] {}), jackdaw::work(2, [] {}));
  std::vector<short> shorts(1000);
  shorts[0] = jackdaw::reduce(shorts.begin(), shorts.end(), short{0});
  jackdaw::inclusive_scan(shorts.begin(), shorts.end(), shorts.begin(), [](short a, short b) { return a < b ? b : a; });
  const jackdaw::placed_vector<int> placed(100);
  const jackdaw::replicated<int> everywhere(1);
  return fib(10) + jackdaw::reduce(all.begin(), all.end(), 0) + placed[0];
}
