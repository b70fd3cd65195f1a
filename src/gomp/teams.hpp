#pragma once

namespace jackdaw::gomp {

/// Which of a host's teams the thread is in. Teams run one after another.
struct teams_place {
  int count = 1;
  int number = 0;
};
inline constinit thread_local teams_place host_teams;

}  // namespace jackdaw::gomp
