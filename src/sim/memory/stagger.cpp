#include "sim/memory/stagger.hpp"

#include <algorithm>

namespace jackdaw::sim {

double phase_of(unsigned worker) noexcept {
  double phase = 0;
  for (double digit = 0.5; worker != 0; worker /= 2, digit /= 2) phase += worker % 2 != 0 ? digit : 0;
  return phase;
}

void stagger(transfers& of, double phase, const routes& ways) {
  if (of.size() < 2) return;
  std::ranges::sort(of, {}, &transfer::route);
  const auto alone = [&](const transfer& each) { return each.bytes / ways[each.route].rate; };
  double left = 0;
  for (const transfer& each : of) left += alone(each);
  left *= phase;
  auto at = of.begin();
  while (at + 1 != of.end() && left >= alone(*at)) left -= alone(*at++);
  const double before = std::min(left * ways[at->route].rate, at->bytes);
  const transfer rest{.route = at->route, .bytes = before, .goes_on = true};
  at->bytes -= before;
  std::rotate(of.begin(), at, of.end());
  if (before > 0) of.push_back(rest);
}

}  // namespace jackdaw::sim
