// Several threads send tasks to one runtime at once; another runtime has other options. Each is ended by its
// destructor.
//   c++ -std=c++20 -O3 06-clients-and-runtimes.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <cstdint>
#include <cstdio>
#include <jackdaw/jackdaw.hpp>
#include <thread>
#include <vector>

namespace {

std::uint64_t fib(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = jackdaw::invoke([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

}  // namespace

int main() {
  jackdaw::runtime shared;
  std::vector<std::uint64_t> found(4);
  {
    std::vector<std::jthread> clients;
    for (unsigned i = 0; i < found.size(); ++i) {
      clients.emplace_back([&, i] { found[i] = shared.run([&] { return fib(15 + i); }); });
    }
  }
  for (const std::uint64_t each : found) std::printf("%llu\n", static_cast<unsigned long long>(each));

  jackdaw::runtime single{{.scheduler = "random", .workers = 1}};
  // A task of one runtime may run tasks of another: its worker does other things meanwhile.
  const std::uint64_t nested = shared.run([&] { return single.run([] { return fib(20); }); });
  std::printf("%llu\n", static_cast<unsigned long long>(nested));
}
