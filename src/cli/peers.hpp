#pragma once

#ifdef JACKDAW_HAS_PEERS
#include "bench/peers.hpp"
#endif

namespace jackdaw::cli {

/// Adds the other runtimes' versions of the kernels, if this program was built with them.
inline void add_peers() {
#ifdef JACKDAW_HAS_PEERS
  bench::register_peers();
#endif
}

}  // namespace jackdaw::cli
