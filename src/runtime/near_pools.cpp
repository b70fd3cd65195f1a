#include "runtime/near_pools.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "jackdaw/error.hpp"

namespace jackdaw::detail {

near_pools::near_pools(const machine& where, const std::vector<worker_place>& places) {
  std::vector<std::pair<unsigned, std::uint32_t>> found;  // home node, first worker
  for (std::uint32_t id = 0; id < places.size(); ++id) {
    const unsigned node = places[id].numa_node;
    const auto known = std::find_if(found.begin(), found.end(), [&](const auto& each) { return each.first == node; });
    home_.push_back(static_cast<domain>(known - found.begin()));
    if (known == found.end()) {
      found.emplace_back(node, id);
    }
  }
  count_ = static_cast<std::uint32_t>(found.size());
  pools_ = std::make_unique<pool[]>(count_);
  for (domain self = 0; self < count_; ++self) {
    pool& made = pools_[self];
    std::tie(made.node, made.first) = found[self];
    made.others.resize(count_);
    std::iota(made.others.begin(), made.others.end(), domain{0});
    made.others.erase(made.others.begin() + self);
    const auto distance = [&](domain to) { return where.distance(places[made.first], places[found[to].second]); };
    std::sort(made.others.begin(), made.others.end(),
              [&](domain a, domain b) { return std::pair(distance(a), a) < std::pair(distance(b), b); });
  }
  for (const machine::node& each : where.nodes) {
    node& made = nodes_.emplace_back();
    made.os = each.os_index;
    made.served = each.cpu_less;
    std::uint64_t least = ~std::uint64_t{0};
    for (domain candidate = 0; candidate < count_; ++candidate) {
      const unsigned from = pools_[candidate].node;
      made.served |= from == each.index;
      // A node's own workers are the nearest, whatever the firmware says.
      const std::uint64_t distance = from == each.index ? 0 : where.node_distance(from, each.index);
      if (distance <= least) {
        made.nearest = distance < least ? std::optional(candidate) : std::nullopt;
        least = distance;
      }
    }
  }
}

const near_pools::node* near_pools::find(unsigned os_node) const noexcept {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(), [&](const node& each) { return each.os == os_node; });
  return found != nodes_.end() ? &*found : nullptr;
}

std::optional<near_pools::domain> near_pools::nearest(unsigned os_node) const noexcept {
  const node* const found = count_ > 1 ? find(os_node) : nullptr;
  return found != nullptr ? found->nearest : std::nullopt;
}

void near_pools::check(unsigned os_node, bool workers) const {
  const node* const found = find(os_node);
  if (found != nullptr && (found->served || !workers)) {
    return;
  }
  std::string expected;
  for (const node& each : nodes_) {
    if (each.served || !workers) {
      expected += (expected.empty() ? "" : ", ") + std::to_string(each.os);
    }
  }
  const std::string number = std::to_string(os_node);
  throw error("jackdaw::on(" + number + "): " +
              (found == nullptr ? "the machine has no memory node " + number
                                : "no worker of the runtime is near memory node " + number) +
              "; expected one of " + expected);
}

void near_pools::put(domain to, sched::item what) {
  pool& into = pools_[to];
  const std::lock_guard hold(into.mutex);
  into.items.put(what, sched::pool_end::back, 0);
  into.size.store(into.items.size(), std::memory_order_relaxed);
  // Sequentially consistent: the caller then looks for sleepers and at the number of searchers, and a worker that stops
  // searching looks at this after it has said so. After the size, because a worker that sees this must find the size.
  // Under the lock, so that the item is not subtracted before.
  waiting_.fetch_add(1, std::memory_order_seq_cst);
}

sched::item near_pools::take_other(std::uint32_t worker) noexcept {
  if (waiting_.load(std::memory_order_relaxed) == 0) {
    return {};
  }
  for (const domain each : pools_[home_[worker]].others) {
    if (const sched::item found = take(pools_[each], sched::pool_end::front)) {
      return found;
    }
  }
  return {};
}

sched::item near_pools::take(pool& from, sched::pool_end where) noexcept {
  if (from.size.load(std::memory_order_relaxed) == 0) {
    return {};
  }
  const std::lock_guard hold(from.mutex);
  const sched::item found = from.items.take(where);
  if (found) {
    from.size.store(from.items.size(), std::memory_order_relaxed);
    // A count that is too high only makes a worker look in vain.
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  return found;
}

}  // namespace jackdaw::detail
