// In place of libtbb's header of this name: parallel_for on jackdaw.
#ifndef JACKDAW_TBB_parallel_for_H
#define JACKDAW_TBB_parallel_for_H

#include <jackdaw_tbb/version.hpp>

#ifdef __TBB_parallel_for_H
#error "libtbb's parallel_for.h comes before compat/tbb's, expected the folder of compat/tbb before oneTBB's"
#endif
// libtbb's own headers include this one by a path of their own.
#define __TBB_parallel_for_H

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_group.h>

#include <jackdaw_tbb/call.hpp>
#include <jackdaw_tbb/for_loop.hpp>

namespace tbb {
namespace detail::d1 {
inline namespace on_jackdaw {

/// Calls body(part) for parts of the range, as the partitioner divides it. `tail`: a partitioner, a context.
template <class Range, class Body, class... Tail>
  requires(is_tail<Tail...> && divisible<Range>)
void parallel_for(const Range& range, const Body& body, Tail&&... tail) {
  if (range.empty()) return;
  perform(
      [&](scope& part_of) {
        const auto division = division_for<auto_partitioner, Tail...>(range);
        for_loop<Range, Body, std::remove_const_t<decltype(division)>>(part_of, body).run(range, division);
      },
      tail...);
}

/// Calls f(i) for first, first + step, ... below last.
template <class Index, class F, class... Tail>
  requires(is_tail<Tail...>)
void parallel_for(Index first, Index last, Index step, const F& f, Tail&&... tail) {
  if (!(Index(0) < step)) throw_exception(exception_id::nonpositive_step);
  if (!(first < last)) return;
  const Index count = static_cast<Index>((last - first - Index(1)) / step + Index(1));
  on_jackdaw::parallel_for(blocked_range<Index>(Index(0), count), steps<Index, F>(first, step, f), tail...);
}

/// Calls f(i) for each i from first to below last.
template <class Index, class F, class... Tail>
  requires(is_tail<Tail...>)
void parallel_for(Index first, Index last, const F& f, Tail&&... tail) {
  on_jackdaw::parallel_for(first, last, Index(1), f, tail...);
}

}  // namespace on_jackdaw
}  // namespace detail::d1

inline namespace v1 {
using detail::proportional_split;
using detail::split;
using detail::d1::parallel_for;
}  // namespace v1
}  // namespace tbb

#endif
