#include "numa/shares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace jackdaw::numa {
namespace {

/// The smallest whole number not below units * part / whole. A value that misses a whole number only by the rounding of
/// the bandwidths' sum counts as that number.
std::uint64_t boundary(std::uint64_t units, long double part, long double whole) {
  const long double exact = static_cast<long double>(units) * part / whole;
  const long double nearest = std::round(exact);
  const bool whole_number = std::fabs(exact - nearest) <= 1e-12L * std::max(1.0L, exact);
  return std::min(units, static_cast<std::uint64_t>(whole_number ? nearest : std::ceil(exact)));
}

}  // namespace

std::vector<std::uint64_t> shares_by_bandwidth(std::uint64_t units, const std::vector<double>& bandwidths) {
  const long double all = std::accumulate(bandwidths.begin(), bandwidths.end(), 0.0L);
  std::vector<std::uint64_t> shares;
  long double before = 0;
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < bandwidths.size(); ++i) {
    before += bandwidths[i];
    const std::uint64_t end = i + 1 == bandwidths.size() ? units : std::max(start, boundary(units, before, all));
    shares.push_back(end - start);
    start = end;
  }
  return shares;
}

fitted_shares fit(std::vector<std::uint64_t> wanted, const std::vector<double>& bandwidths,
                  const std::vector<std::uint64_t>& room) {
  fitted_shares fitted{std::move(wanted), 0};
  for (;;) {
    for (std::size_t i = 0; i < room.size(); ++i) {
      if (fitted.units[i] > room[i]) {
        fitted.left += fitted.units[i] - room[i];
        fitted.units[i] = room[i];
      }
    }
    std::vector<std::size_t> roomy;
    std::vector<double> their_bandwidths;
    for (std::size_t i = 0; i < room.size(); ++i) {
      if (fitted.units[i] < room[i]) {
        roomy.push_back(i);
        their_bandwidths.push_back(bandwidths[i]);
      }
    }
    // Terminates: each round except the last fills a node.
    if (fitted.left == 0 || roomy.empty()) return fitted;
    const std::vector<std::uint64_t> more = shares_by_bandwidth(fitted.left, their_bandwidths);
    for (std::size_t i = 0; i < roomy.size(); ++i) fitted.units[roomy[i]] += more[i];
    fitted.left = 0;
  }
}

fitted_shares fill_by_tiers(std::uint64_t units, const std::vector<unsigned>& tiers,
                            const std::vector<std::uint64_t>& room) {
  fitted_shares filled{std::vector<std::uint64_t>(tiers.size(), 0), units};
  const unsigned last = *std::max_element(tiers.begin(), tiers.end());
  for (unsigned tier = 0; tier <= last && filled.left != 0; ++tier) {
    std::vector<std::size_t> members;
    std::vector<std::uint64_t> their_room;
    for (std::size_t i = 0; i < tiers.size(); ++i) {
      if (tiers[i] == tier) {
        members.push_back(i);
        their_room.push_back(room[i]);
      }
    }
    if (members.empty()) continue;
    const std::vector<double> alike(members.size(), 1.0);
    const fitted_shares here = fit(shares_by_bandwidth(filled.left, alike), alike, their_room);
    for (std::size_t i = 0; i < members.size(); ++i) filled.units[members[i]] = here.units[i];
    filled.left = here.left;
  }
  return filled;
}

std::vector<unsigned> tiers_of(const std::vector<double>& bandwidths) {
  constexpr double alike = 0.9;
  std::vector<std::size_t> order(bandwidths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return bandwidths[a] != bandwidths[b] ? bandwidths[a] > bandwidths[b] : a < b;
  });
  std::vector<unsigned> tiers(bandwidths.size());
  unsigned tier = 0;
  double top = bandwidths[order[0]];
  for (const std::size_t i : order) {
    if (bandwidths[i] < alike * top) {
      ++tier;
      top = bandwidths[i];
    }
    tiers[i] = tier;
  }
  return tiers;
}

}  // namespace jackdaw::numa
