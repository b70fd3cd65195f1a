#include "bench/peers.hpp"

namespace jackdaw::bench {

void register_peers() {
#ifdef JACKDAW_PEERS_TBB
  register_tbb();
#endif
#ifdef JACKDAW_PEERS_OPENMP
  register_openmp();
#endif
#ifdef JACKDAW_PEERS_STL
  register_stl();
#endif
}

}  // namespace jackdaw::bench
