// skynet WORKERS [invoke|loop|group]: the sum of 10^8 numbers, each a leaf of a tree of tens.
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "bench/table/table_program.hpp"

namespace jackdaw::bench {
namespace {

constexpr std::uint64_t leaves = 100'000'000;
using sums = std::array<std::uint64_t, 10>;

std::uint64_t total(const sums& parts) { return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}); }

/// The sum of `count` numbers from `first` on.
std::uint64_t with_invoke(std::uint64_t first, std::uint64_t count) {
  if (count == 1) return first;
  sums parts;
  const auto part = [&parts, first, count](auto i) { parts[i] = with_invoke(first + i * (count / 10), count / 10); };
  invoke_each(part, std::make_index_sequence<10>());
  return total(parts);
}

std::uint64_t with_loop(std::uint64_t first, std::uint64_t count) {
  if (count == 1) return first;
  sums parts;
  for_index(
      0u, 10u, [&parts, first, count](unsigned i) { parts[i] = with_loop(first + i * (count / 10), count / 10); },
      grain{1});
  return total(parts);
}

std::uint64_t with_group(std::uint64_t first, std::uint64_t count) {
  if (count == 1) return first;
  sums parts;
  task_group group;
  for (unsigned i = 0; i != 10; ++i) {
    group.run(
        [&part = parts[i], from = first + i * (count / 10), each = count / 10] { part = with_group(from, each); });
  }
  group.wait();
  return total(parts);
}

}  // namespace
}  // namespace jackdaw::bench

int main(int argc, char** argv) {
  using namespace jackdaw::bench;
  const std::string_view how = argc > 2 ? argv[2] : "invoke";
  auto* const sum = how == "loop" ? with_loop : how == "group" ? with_group : how == "invoke" ? with_invoke : nullptr;
  if (sum == nullptr) {
    std::fprintf(stderr, "skynet: expected invoke, loop or group, got '%s'\n", argv[2]);
    return 2;
  }
  const auto run = [sum] { return sum(0, leaves) == leaves / 2 * (leaves - 1); };
  return table_program(argc > 1 ? argv[1] : nullptr, run, run);
}
