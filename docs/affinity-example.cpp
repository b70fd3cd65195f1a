// Shards of a table, each on a memory node of its own; each query runs near the shard that it needs.
//   c++ -std=c++20 -O3 affinity-example.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <jackdaw/jackdaw.hpp>
#include <jackdaw/memory.hpp>
#include <numeric>
#include <vector>

using shard = jackdaw::placed_array<std::uint64_t>;

namespace {

std::uint64_t sum(const shard& of) { return std::accumulate(of.begin(), of.end(), std::uint64_t{0}); }

}  // namespace

int main(int argc, char** argv) {
  const std::size_t words = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : std::size_t{1} << 20;
  try {
    jackdaw::runtime rt;
    rt.run([&] {
      std::vector<shard> shards;
      for (const auto& node : rt.where().nodes) {
        shards.emplace_back(words, std::uint64_t{1}, jackdaw::placement::on(node.os_index));
      }
      std::vector<std::uint64_t> sums(shards.size());
      jackdaw::task_group group;
      for (std::size_t i = 0; i < shards.size(); ++i) {
        group.run(jackdaw::near(shards[i]), [&, i] { sums[i] = sum(shards[i]); });
      }
      group.wait();
      // Two at once, with results.
      const auto [first, last] = jackdaw::invoke(jackdaw::near(shards.front(), [&] { return sum(shards.front()); }),
                                                 jackdaw::near(shards.back(), [&] { return sum(shards.back()); }));
      std::printf("%zu shards, first %llu, last %llu\n", shards.size(), static_cast<unsigned long long>(first),
                  static_cast<unsigned long long>(last));
    });
  } catch (const jackdaw::error& refusal) {
    std::fprintf(stderr, "%s\n", refusal.what());
    return 2;
  }
  return 0;
}
