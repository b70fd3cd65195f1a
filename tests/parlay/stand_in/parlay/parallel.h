#ifndef PARLAY_PARALLEL_H_
#define PARLAY_PARALLEL_H_

// What parlaylib's header of this name asks of a scheduler, written anew, so that the plug-in is tested where parlaylib
// is not. It proves nothing of parlaylib's own code.

#include <cstddef>

namespace parlay {

using std::size_t;

inline size_t num_workers();
inline size_t worker_id();

template <typename F>
inline void parallel_for(size_t start, size_t end, F&& f, long granularity = 0, bool conservative = false);

template <typename Lf, typename Rf>
inline void par_do(Lf&& left, Rf&& right, bool conservative = false);

}  // namespace parlay

#if defined(PARLAY_TBB)
#include "internal/scheduler_plugins/tbb.h"
#else
#error "no scheduler"
#endif

#endif
