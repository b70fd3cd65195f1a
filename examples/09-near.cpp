// Tasks that should run near their data. This is only a preference: other workers take them instead of staying idle.
//   c++ -std=c++20 -O3 09-near.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <jackdaw/jackdaw.hpp>
#include <jackdaw/memory.hpp>
#include <numeric>
#include <vector>

int main() {
  jackdaw::runtime rt;
  rt.run([&] {
    // A shard on each memory node.
    std::vector<jackdaw::placed_array<std::uint64_t>> shards;
    for (const auto& node : rt.where().nodes) {
      shards.emplace_back(std::size_t{1} << 16, std::uint64_t{1}, jackdaw::placement::on(node.os_index));
    }
    std::vector<std::uint64_t> sums(shards.size());
    jackdaw::task_group group;
    for (std::size_t i = 0; i < shards.size(); ++i) {
      group.run(jackdaw::near(shards[i]),
                [&, i] { sums[i] = std::accumulate(shards[i].begin(), shards[i].end(), std::uint64_t{0}); });
    }
    group.wait();
    const bool right = std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}) == shards.size() << 16;
    std::printf("each shard was summed near its node: %s\n", right ? "right" : "wrong");
  });
}
