#include "kernels/common/drawn_graph.hpp"

#include <algorithm>
#include <bit>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {
namespace {

/// Returns 32 random bits as a number below `end`.
std::uint64_t below(std::uint64_t end, std::uint64_t bits) { return ((bits & 0xffffffff) * end) >> 32; }

}  // namespace

unsigned drawn_edges::degree(vertex v) const {
  return least + static_cast<unsigned>(below(most - least + 1, mix(~std::uint64_t{v})));
}

vertex drawn_edges::end(std::uint64_t draw) const {
  const std::uint64_t n = vertices;
  if (!skewed) return static_cast<vertex>(below(n, draw));
  const auto stretches = static_cast<std::uint64_t>(std::bit_width(std::min<std::uint64_t>(n, 4095) + 1) - 1);
  const auto begin_of = [=](std::uint64_t i) { return n * ((1ULL << i) - 1) / ((1ULL << stretches) - 1); };
  const std::uint64_t i = below(stretches, draw);
  return static_cast<vertex>(begin_of(i) + below(begin_of(i + 1) - begin_of(i), draw >> 32));
}

void drawn_edges::draw(vertex v, std::span<vertex> targets) const {
  const std::uint64_t stream = mix(v);
  std::uint64_t draws = 0;
  for (auto next = targets.begin(); next != targets.end();) {
    *next = end(mix(stream + draws++));
    if (*next != v && std::find(targets.begin(), next, *next) == next) ++next;
  }
  std::sort(targets.begin(), targets.end());
}

graph drawn_graph(const drawn_edges& edges) {
  const std::uint64_t n = edges.vertices;
  buffer<std::uint64_t> offsets(n + 1);
  offsets[0] = 0;
  for (std::uint64_t v = 0; v != n; ++v) offsets[v + 1] = offsets[v] + edges.degree(static_cast<vertex>(v));
  buffer<vertex> targets(offsets[n]);

  const auto draw = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t v = first; v != last; ++v)
      edges.draw(static_cast<vertex>(v), {targets.data() + offsets[v], targets.data() + offsets[v + 1]});
  };
  constexpr std::uint64_t worth_a_thread = 1 << 16;
  const std::uint64_t parts =
      std::clamp<std::uint64_t>(n / worth_a_thread, 1, std::max(1U, std::thread::hardware_concurrency()));
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 1; i < parts; ++i) threads.emplace_back(draw, n * i / parts, n * (i + 1) / parts);
    draw(0, n / parts);
  }
  return {std::move(offsets), std::move(targets)};
}

}  // namespace jackdaw::kernels
