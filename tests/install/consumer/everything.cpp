// Uses every public header, whatever each needs from the library, and the objects that both sides of a shared library
// must share: exceptions, variables of inline functions, thread-local ones.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "all_headers.hpp"

int main() {
  try {
    const jackdaw::runtime none({.scheduler = "nonsense"});
    return 1;
  } catch (const jackdaw::error& refused) {
    if (std::string_view(refused.what()).find("nonsense") == std::string_view::npos) return 1;
  }

  jackdaw::runtime runtime({.workers = 2});
  const long sum = runtime.run([] {
    const jackdaw::region named("everything");
    jackdaw::placed_array<long> numbers(10'000);
    jackdaw::for_index(std::size_t{0}, numbers.size(), [&](std::size_t i) {
      jackdaw::reads(&numbers[i], 1);
      numbers[i] = static_cast<long>(numbers.size() - i);
    });
    jackdaw::sort(numbers.begin(), numbers.end());
    const jackdaw::replicated<std::vector<long>> addend(std::vector<long>{1});
    jackdaw::placed_vector<long> copies;
    jackdaw::task_group group;
    group.run(jackdaw::near(numbers), [&] {
      for (const long number : numbers) copies.push_back(number + addend.local()[0]);
    });
    group.wait();
    if (jackdaw::where(numbers).text().empty()) throw jackdaw::error("where() has no text");
    return jackdaw::reduce(copies.begin(), copies.end(), 0L);
  });
  std::printf("sum %ld on %s\n", sum, runtime.where().source.c_str());
  return sum == 10'000L * 10'001 / 2 + 10'000 ? 0 : 1;
}
