#include "sched/subgraphs.hpp"

#include <algorithm>

namespace jackdaw::sched {
namespace {

/// Returns the number of tasks in the subtree, its root included; counts up to `enough`.
std::uint32_t tasks_of(const profile& of, std::uint32_t enough) {
  std::uint32_t sum = 1;
  for (const auto& child : of.children) {
    if (sum >= enough) break;
    sum += tasks_of(*child, enough);
  }
  return sum;
}

void unpack(profile& of) {
  for (const auto& child : of.children) {
    child->packed = false;
    unpack(*child);
  }
}

}  // namespace

void subgraphs::group(profile& root, std::uint32_t least) {
  unpack(root);
  all_.clear();
  seen_ = false;
  find_tops(root, least);
}

void subgraphs::group(profile& root, std::uint32_t cores, std::uint32_t squads) {
  const std::uint32_t enough = tasks_per_core * cores;
  const std::uint32_t parts = subgraphs_per_squad * squads;
  group(root, std::clamp(tasks_of(root, enough * parts) / parts, 1U, enough));
}

void subgraphs::find_tops(profile& below, std::uint32_t least) {
  for (const auto& child : below.children) {
    const bool divisible = std::any_of(child->children.begin(), child->children.end(),
                                       [&](const auto& each) { return tasks_of(*each, least) >= least; });
    child->packed = !divisible;
    if (divisible) {
      find_tops(*child, least);
    } else {
      child->subgraph = count();
      all_.emplace_back().home = child->home;
    }
  }
}

void subgraphs::count(std::uint32_t subgraph, std::uint64_t local, std::uint64_t remote) noexcept {
  all_[subgraph].local += local;
  all_[subgraph].remote += remote;
}

bool subgraphs::judge() {
  for (entry& each : all_) {
    const bool counted = each.local + each.remote > 0;
    seen_ = seen_ || counted;
    if (each.high) continue;
    each.high = counted && each.local >= each.remote;
    if (each.tried && each.local <= each.most) continue;
    each.tried = true;
    each.most = each.local;
    each.best = each.at;
  }
  return highs() == all_.size();
}

void subgraphs::settle() {
  for (entry& each : all_) {
    if (!each.high) each.at = each.best;
  }
}

std::uint32_t subgraphs::highs() const noexcept {
  return static_cast<std::uint32_t>(
      std::count_if(all_.begin(), all_.end(), [](const entry& each) { return each.high; }));
}

void subgraphs::forget() {
  for (entry& each : all_) each = entry{.home = each.home};
  seen_ = false;
}

}  // namespace jackdaw::sched
