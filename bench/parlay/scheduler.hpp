#pragma once

/// parlaylib's algorithms as tasks of jackdaw, for recordings: included before any header of parlaylib.

#include <cstddef>
#include <jackdaw/jackdaw.hpp>

// In the place of parlaylib's own scheduler for TBB.
#define PARLAY_TBB
#define PARLAY_INTERNAL_SCHEDULER_PLUGINS_TBB_H_
#include <parlay/parallel.h>

namespace parlay {

inline std::size_t num_workers() { return jackdaw::runtime::instance().workers(); }

/// A recording runs on one worker. With more, this number would have to be the worker's.
inline std::size_t worker_id() { return 0; }

template <typename F>
void parallel_for(std::size_t start, std::size_t end, F&& f, long granularity, bool /*conservative*/) {
  if (granularity > 0) {
    jackdaw::for_index(start, end, f, jackdaw::grain{static_cast<std::size_t>(granularity)});
  } else {
    jackdaw::for_index(start, end, f);
  }
}

template <typename Lf, typename Rf>
void par_do(Lf&& left, Rf&& right, bool /*conservative*/) {
  jackdaw::invoke([&left] { left(); }, [&right] { right(); });
}

template <typename... Fs>
void execute_with_scheduler(Fs...) = delete;

}  // namespace parlay
