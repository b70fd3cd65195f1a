#pragma once

#include "jackdaw/arena.hpp"

namespace jackdaw::onetbb {

/// A memory node and a type of cores, by oneTBB's numbers: a node's is the operating system's, a type's counts from 0.
/// -1: any.
struct machine_part {
  int node = -1;
  int core_type = -1;
  /// Asks for this part. It must have workers.
  void tell(arena_options& how) const {
    if (node >= 0) how.node = static_cast<unsigned>(node);
    if (core_type >= 0) how.core_type = static_cast<unsigned>(core_type);
  }
};

/// Returns how many workers of the default runtime are there.
int workers_on(const machine_part& where);

}  // namespace jackdaw::onetbb
