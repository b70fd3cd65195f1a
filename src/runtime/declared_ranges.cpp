#include "runtime/declared_ranges.hpp"

#include <algorithm>

namespace jackdaw::detail {

void range_use::add_on(int node, std::uint64_t bytes) {
  for (auto& [known, sum] : on) {
    if (known == node) {
      sum += bytes;
      return;
    }
  }
  on.emplace_back(node, bytes);
}

void range_use::merge(const range_use& other) {
  begin = std::min(begin, other.begin);
  end = std::max(end, other.end);
  read += other.read;
  written += other.written;
  if (first_write == 0 || (other.first_write != 0 && other.first_write < first_write)) first_write = other.first_write;
  fresh = std::min<std::uint64_t>(fresh + other.fresh, end - begin);
  if (site == 0) site = other.site;
  for (const auto& [node, bytes] : other.on) add_on(node, bytes);
}

declared_ranges::key declared_ranges::widened(key exact) const noexcept {
  return {exact.first / piece_ * piece_, (exact.second - 1) / piece_ * piece_ + piece_};
}

void declared_ranges::widen() {
  while (known_.size() > limit_) {
    piece_ = std::max<std::uintptr_t>(piece_ * 2, 4096);
    std::pmr::unordered_map<key, range_use, hash> wide(pool_.get());
    for (auto& [exact, use] : known_) {
      const auto [at, fresh] = wide.try_emplace(widened(exact), std::move(use));  // moved only if it is fresh
      if (!fresh) at->second.merge(use);
    }
    known_ = std::move(wide);
  }
}

void declared_ranges::add(const declared_access& what, std::uint64_t now) {
  const std::uint64_t bytes = what.rows * what.length;
  if (now - homes_since_ > homes_last) {
    homes_.forget();
    homes_since_ = now;
  }
  const std::vector<int>& nodes = homes_.of(what.begin, what.end());
  const auto [at, is_new] =
      known_.try_emplace(widened({what.begin, what.end()}), range_use{.on = nodes_used(pool_.get())});
  range_use& use = at->second;
  if (is_new) {
    use.begin = use.end = what.begin;
    use.site = what.site;
  }
  const std::uint64_t before = use.end - use.begin;
  use.begin = std::min(use.begin, what.begin);
  use.end = std::max(use.end, what.end());
  if (const std::uint64_t more = use.end - use.begin - before; more != 0) {
    const auto without = static_cast<std::uint64_t>(std::count(nodes.begin(), nodes.end(), -1));
    use.fresh += more * without / nodes.size();
  }
  (what.write ? use.written : use.read) += bytes;
  if (what.write && use.first_write == 0) use.first_write = now;
  std::uint64_t left = bytes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::uint64_t part = left / (nodes.size() - i);
    use.add_on(nodes[i], part);
    left -= part;
  }
  if (is_new) widen();
}

std::vector<range_use> declared_ranges::all() const {
  std::vector<range_use> found;
  found.reserve(known_.size());
  for (const auto& [exact, use] : known_) found.push_back(use);
  return found;
}

}  // namespace jackdaw::detail
