// The compiler's calls for `teams`, outside of target regions and in those that run on the host.
#include "gomp/teams.hpp"

#include <algorithm>

#include "gomp/settings.hpp"

using namespace jackdaw::gomp;

extern "C" {

void GOMP_teams_reg(void (*function)(void*), void* data, unsigned teams, unsigned /*thread_limit*/,
                    unsigned /*flags*/) {
  if (teams == 0) {
    teams = static_cast<unsigned>(std::max(settings::of_process().teams.load(std::memory_order_relaxed), 1));
  }
  const teams_place around = host_teams;
  for (unsigned i = 0; i < teams; ++i) {
    host_teams = {static_cast<int>(teams), static_cast<int>(i)};
    function(data);
  }
  host_teams = around;
}

/// Called again and again by each team: true as long as there is one more.
bool GOMP_teams4(unsigned least, unsigned /*most*/, unsigned /*thread_limit*/, bool begins) {
  if (begins) {
    host_teams = {static_cast<int>(std::max(least, 1u)), 0};
    return true;
  }
  if (host_teams.number + 1 == host_teams.count) {
    host_teams = {};
    return false;
  }
  ++host_teams.number;
  return true;
}

void GOMP_teams(unsigned, unsigned) {}
}
