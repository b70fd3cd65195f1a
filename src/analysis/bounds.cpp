#include "analysis/bounds.hpp"

#include <algorithm>

namespace jackdaw::analysis {
namespace {

double shared(const tiers& of, const squad_count& crew) noexcept {
  return (of.free_work + of.local_work / crew.workers + of.subtree_critical_paths) / crew.squads;
}

}  // namespace

double plain_time_bound(const tiers& of, unsigned workers) noexcept { return of.work / workers + of.critical_path; }

double printed_time_bound(const tiers& of, const squad_count& crew) noexcept {
  return shared(of, crew) + of.critical_path;
}

double squad_time_bound(const tiers& of, const squad_count& crew) noexcept {
  return shared(of, crew) + of.squad_critical_path;
}

std::uint64_t space_bound(const tiers& of, const squad_count& crew) noexcept {
  return std::max<std::uint64_t>(of.pooled, std::uint64_t{crew.squads} * crew.workers) * of.frames;
}

}  // namespace jackdaw::analysis
