// The cost of the simulated memory: block accesses of heat-like leaves, with the traffic that they cause.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/memory/memory.hpp"
#include "sim/memory/traffic.hpp"

namespace jackdaw::bench {
namespace {

constexpr std::uint64_t side = 2048;                      ///< floats
constexpr std::uint64_t row = side * sizeof(float) + 64;  ///< bytes
constexpr std::uint64_t tile = 64;                        ///< floats
constexpr std::uint64_t tiles = side / tile;
constexpr std::uint64_t origin = std::uint64_t{1} << 32;

/// Four sockets of 16 cores in a ring of links, each with a memory node.
machine_model four_sockets() {
  machine_model m;
  m.name = "four sockets";
  m.sockets = 4;
  m.cores_per_socket = 16;
  m.private_cache = {.size = 1 << 20, .rate = 60, .latency = 5};
  m.shared_cache = {.size = 22 << 20, .rate = 20, .latency = 20};
  m.shared_cache_total = 200;
  m.local_rate = 12;
  m.remote_rate = 8;
  for (unsigned socket = 0; socket < 4; ++socket) {
    m.nodes.push_back({.socket = socket, .capacity = std::uint64_t{32} << 30, .bandwidth = 100, .latency = 90});
    for (unsigned other = 0; other < 4; ++other)
      if (other != socket) m.links.push_back({.from = socket, .to = other, .bandwidth = 20, .latency = 60});
  }
  return m;
}

/// A five-point step from one grid to the other, in tiles: reads a tile and its surroundings, writes a tile.
std::vector<trace::access> heat_step(std::uint64_t from, std::uint64_t to) {
  std::vector<trace::access> accesses;
  for (std::uint64_t i = 0; i < tiles; ++i)
    for (std::uint64_t j = 0; j < tiles; ++j) {
      const std::uint64_t at = (1 + i * tile) * row + j * tile * sizeof(float) + 64;
      accesses.push_back({.address = from + at - row - 4, .length = tile * 4 + 8, .stride = row, .rows = tile + 2});
      accesses.push_back({.address = to + at, .length = tile * 4, .stride = row, .rows = tile, .write = true});
    }
  return accesses;
}

/// The cores run their leaves in turn. Either a core has the same leaves in every step ("kept", as under ADWS) or not.
void heat_like_leaves(benchmark::State& state, bool kept) {
  const machine_model machine = four_sockets();
  const std::uint64_t grid = (side + 2) * row + 4096;
  std::vector<trace::access> accesses = heat_step(origin, origin + grid);
  const std::uint64_t step = accesses.size();
  for (const trace::access& back : heat_step(origin + grid, origin)) accesses.push_back(back);
  const sim::routes ways(machine);
  const sim::address_space space(accesses, machine.block, machine.page);
  sim::memory memory(machine, ways, space, {});
  sim::traffic traffic(ways, machine.cores());

  struct running {
    sim::transfers moves;
    std::size_t next = 0;
    std::uint64_t leaf = 0;
  };
  std::vector<running> cores(machine.cores());
  const std::uint64_t leaves = tiles * tiles / cores.size();  // of each core in a step
  std::uint64_t rotation = 0;
  std::uint64_t events = 0;
  for ([[maybe_unused]] const auto once : state) {
    ++rotation;
    for (std::uint64_t half = 0; half < 2; ++half) {
      const auto begin = [&](unsigned core, double now) {
        running& at = cores[core];
        while (true) {
          while (at.next == at.moves.size()) {
            if (at.leaf == leaves) return;
            const std::uint64_t owner = kept ? core : (core + 17 * rotation + 5 * half) % cores.size();
            const std::uint64_t leaf = owner * leaves + at.leaf++;
            at.moves.clear();
            at.next = 0;
            memory.touch(core, space.accesses(half * step + 2 * leaf, 2), at.moves);
          }
          const sim::transfer move = at.moves[at.next++];
          traffic.start(core, move.route, move.bytes, now);
          return;
        }
      };
      for (unsigned core = 0; core < cores.size(); ++core) {
        cores[core].leaf = 0;
        begin(core, traffic.time());
      }
      for (; traffic.active() > 0; ++events)
        if (const std::uint32_t core = traffic.finish(); core != sim::traffic::none) begin(core, traffic.time());
    }
  }
  memory.check();
  const sim::memory_counters total = memory.total();
  state.counters["blocks"] = benchmark::Counter(static_cast<double>(total.blocks), benchmark::Counter::kIsRate);
  state.counters["events"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
  state.counters["misses"] = static_cast<double>(total.private_misses) / static_cast<double>(total.lines);
}

void memory_heat_kept(benchmark::State& state) { heat_like_leaves(state, true); }
void memory_heat_moved(benchmark::State& state) { heat_like_leaves(state, false); }

BENCHMARK(memory_heat_kept)->Unit(benchmark::kMillisecond);
BENCHMARK(memory_heat_moved)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace jackdaw::bench
