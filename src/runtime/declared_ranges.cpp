#include "runtime/declared_ranges.hpp"

#include <algorithm>

namespace jackdaw::detail {
namespace {

/// The name of most of this memory, if it is the first of several.
numa::naming main_name(const range_use& of) {
  numa::naming name = numa::name_of(of.begin, of.end);
  if (name == nullptr) return nullptr;
  const std::uintptr_t named = std::min(of.end, name->end) - std::max(of.begin, name->begin);
  return 2 * named >= of.end - of.begin ? name : nullptr;
}

}  // namespace

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
    std::pmr::unordered_map<key, known, hash> wide(pool_.get());
    for (auto& [exact, one] : known_) {
      const auto [at, fresh] = wide.try_emplace(widened(exact), std::move(one));  // moved only if it is fresh
      if (fresh) continue;
      at->second.use.merge(one.use);
      if (at->second.name != one.name) at->second.name = nullptr;
    }
    known_ = std::move(wide);
  }
}

/// Before memory counts for another name than it had, what was declared of it until then is put aside. Returns whether
/// anything was.
bool declared_ranges::follow_names(known& one) {
  const std::uint64_t now = numa::name_changes();
  if (one.changes == now) return false;
  numa::naming name = main_name(one.use);
  const bool another = one.name != nullptr && one.name != name;
  if (another) retire(one);
  one.name = std::move(name);
  one.changes = now;
  return another;
}

void declared_ranges::retire(known& one) {
  range_use& use = one.use;
  range_use next{.begin = use.begin, .end = use.end, .site = use.site, .on = nodes_used(pool_.get())};
  const numa::named_range& was = *one.name;
  use.begin = std::clamp(use.begin, was.begin, was.end);
  use.end = std::clamp(use.end, was.begin, was.end);
  use.fresh = std::min<std::uint64_t>(use.fresh, use.end - use.begin);
  past_key where{use.begin - was.begin, use.end - was.begin, was.end - was.begin, was.name};
  if (past_.size() >= limit_ && !past_.contains(where)) {
    where = {0, was.end - was.begin, was.end - was.begin, was.name};
    use.begin = was.begin;
    use.end = was.end;
  }
  const auto [at, fresh] = past_.try_emplace(where, past{{.on = nodes_used(pool_.get())}, one.name});
  range_use& all = at->second.use;
  all.begin = use.begin;
  all.end = use.end;
  all.ended = one.name;
  all.merge(use);
  one.use = std::move(next);
}

void declared_ranges::add(const declared_access& what, std::uint64_t now) {
  const std::uint64_t bytes = what.rows * what.length;
  if (now - homes_since_ > homes_last) {
    homes_.forget();
    homes_since_ = now;
  }
  const std::vector<int>& nodes = homes_.of(what.begin, what.end());
  const auto [at, is_new] =
      known_.try_emplace(widened({what.begin, what.end()}), known{.use = {.on = nodes_used(pool_.get())}});
  range_use& use = at->second.use;
  if (is_new) {
    use.begin = use.end = what.begin;
    use.site = what.site;
  }
  std::uint64_t before = use.end - use.begin;
  use.begin = std::min(use.begin, what.begin);
  use.end = std::max(use.end, what.end());
  if (follow_names(at->second)) before = 0;
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

std::vector<range_use> declared_ranges::all() {
  for (auto& [exact, one] : known_) follow_names(one);
  std::vector<range_use> found;
  found.reserve(known_.size() + past_.size());
  for (const auto& [exact, one] : known_) {
    if (one.use.read + one.use.written != 0) found.push_back(one.use);
  }
  for (const auto& [where, one] : past_) found.push_back(one.use);
  return found;
}

}  // namespace jackdaw::detail
