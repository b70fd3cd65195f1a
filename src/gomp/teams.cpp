// The compiler's calls for `teams`, outside of target regions and in those that run on the host.
#include "gomp/teams.hpp"

#include <algorithm>

#include "gomp/settings.hpp"
#include "gomp/team.hpp"

using namespace jackdaw::gomp;

extern "C" {

void GOMP_teams_reg(void (*function)(void*), void* data, unsigned teams, unsigned thread_limit, unsigned /*flags*/) {
  const settings& process = settings::of_process();
  if (teams == 0) {
    const int usual = process.teams.load(std::memory_order_relaxed);
    teams = usual > 0 ? static_cast<unsigned>(usual) : 3;  // as many as libgomp's
  }
  if (thread_limit == 0) {
    thread_limit = static_cast<unsigned>(process.teams_thread_limit.load(std::memory_order_relaxed));
  }
  unsigned& limit = here().now->vars.thread_limit;
  const unsigned limit_around = limit;
  if (thread_limit != 0) limit = thread_limit;
  const teams_place around = host_teams;
  for (unsigned i = 0; i < teams; ++i) {
    host_teams = {static_cast<int>(teams), static_cast<int>(i)};
    function(data);
  }
  host_teams = around;
  limit = limit_around;
}

/// Called again and again by each team: true as long as there is one more.
bool GOMP_teams4(unsigned least, unsigned /*most*/, unsigned thread_limit, bool begins) {
  if (begins) {
    if (thread_limit != 0) here().now->vars.thread_limit = thread_limit;  // until the target region ends
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
