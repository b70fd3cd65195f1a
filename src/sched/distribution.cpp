#include "sched/distribution.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace jackdaw::sched {

using interval = jackdaw::sched::span;

distribution::distribution(std::span<const memory_node> nodes, node_sequence order, bool weighted) {
  const auto key = [&](std::uint32_t index) {
    const memory_node& node = nodes[index];
    const std::uint32_t kind = node.fast ? 1 : 0;
    return order == node_sequence::apart ? std::tuple(kind, node.squad, index) : std::tuple(node.squad, kind, index);
  };
  nodes_.resize(nodes.size());
  std::iota(nodes_.begin(), nodes_.end(), 0U);
  std::sort(nodes_.begin(), nodes_.end(), [&](auto a, auto b) { return key(a) < key(b); });
  const auto weight = [&](std::uint32_t index) { return weighted ? nodes[index].bandwidth : 1.0; };
  double all = 0;
  for (const std::uint32_t index : nodes_) all += weight(index);
  double sum = 0;
  for (const std::uint32_t index : nodes_) {
    sum += weight(index);
    ends_.push_back(static_cast<std::uint64_t>(sum / all * static_cast<double>(interval::one)));
  }
  ends_.back() = interval::one;
}

std::uint32_t distribution::node_of(const interval& part) const noexcept {
  // Spans are cut one by one, each cut rounded: a span that begins this little before an end should begin at that end.
  constexpr std::uint64_t slack = interval::one >> 30;
  const auto at = std::upper_bound(ends_.begin(), ends_.end() - 1, part.begin + slack);
  return nodes_[static_cast<std::size_t>(at - ends_.begin())];
}

}  // namespace jackdaw::sched
