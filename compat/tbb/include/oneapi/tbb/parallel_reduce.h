// In place of libtbb's header of this name: parallel_reduce and parallel_deterministic_reduce on jackdaw.
#ifndef JACKDAW_TBB_parallel_reduce_H
#define JACKDAW_TBB_parallel_reduce_H

#include <jackdaw_tbb/version.hpp>

#ifdef __TBB_parallel_reduce_H
#error "libtbb's parallel_reduce.h comes before compat/tbb's, expected the folder of compat/tbb before oneTBB's"
#endif
#define __TBB_parallel_reduce_H

#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_group.h>

#include <jackdaw_tbb/call.hpp>
#include <jackdaw_tbb/reduction.hpp>

namespace tbb {
namespace detail::d1 {
inline namespace on_jackdaw {

template <class Body, class Range>
concept reduces = std::is_constructible_v<Body, Body&, split> && requires(Body& body, Range& range) {
  body(range);
  body.join(body);
};

template <class Combine, class Value>
concept combines = std::is_invocable_r_v<Value, const Combine&, const Value&, const Value&>;

/// Lets the body take in all parts of the range. Bodies that it is split into join it again, the left one first.
template <class Range, class Body, class... Tail>
  requires(is_tail<Tail...> && divisible<Range> && reduces<Body, Range>)
void parallel_reduce(const Range& range, Body& body, Tail&&... tail) {
  if (range.empty()) return;
  perform(
      [&](scope& part_of) {
        const auto division = division_for<auto_partitioner, Tail...>(range);
        reduction<Range, Body, std::remove_const_t<decltype(division)>, false>(part_of).run(range, division, body);
      },
      tail...);
}

/// The same with functions: take(part, value) returns a new value, combine(left, right) one of both.
template <class Range, class Value, class Take, class Combine, class... Tail>
  requires(is_tail<Tail...> && divisible<Range> && combines<Combine, Value>)
Value parallel_reduce(const Range& range, const Value& identity, const Take& take, const Combine& combine,
                      Tail&&... tail) {
  values_of<Range, Value, Take, Combine> body(identity, take, combine);
  on_jackdaw::parallel_reduce(range, body, tail...);
  return std::move(body).result();
}

/// parallel_reduce() with bodies that are split and joined in the same way each time, whatever the workers do. The
/// partitioner is a simple_partitioner, or a static_partitioner, which divides into a number of parts that does not
/// depend on the workers either.
template <class Range, class Body, class... Tail>
  requires(is_tail<Tail...> && divisible<Range> && reduces<Body, Range>)
void parallel_deterministic_reduce(const Range& range, Body& body, Tail&&... tail) {
  using partitioner = typename partitioner_of<simple_partitioner, Tail...>::type;
  constexpr bool simple = std::is_same_v<partitioner, simple_partitioner>;
  static_assert(simple || std::is_same_v<partitioner, static_partitioner>,
                "parallel_deterministic_reduce takes a simple_partitioner or a static_partitioner");
  if (range.empty()) return;
  perform(
      [&](scope& part_of) {
        if constexpr (simple) {
          reduction<Range, Body, to_the_grain, true>(part_of).run(range, to_the_grain(), body);
        } else {
          using division = into_parts<true, false>;
          reduction<Range, Body, division, true>(part_of).run(range, division(jackdaw::detail::leaves_by_size), body);
        }
      },
      tail...);
}

/// The same with functions.
template <class Range, class Value, class Take, class Combine, class... Tail>
  requires(is_tail<Tail...> && divisible<Range> && combines<Combine, Value>)
Value parallel_deterministic_reduce(const Range& range, const Value& identity, const Take& take, const Combine& combine,
                                    Tail&&... tail) {
  values_of<Range, Value, Take, Combine> body(identity, take, combine);
  on_jackdaw::parallel_deterministic_reduce(range, body, tail...);
  return std::move(body).result();
}

}  // namespace on_jackdaw
}  // namespace detail::d1

inline namespace v1 {
using detail::proportional_split;
using detail::split;
using detail::d1::parallel_deterministic_reduce;
using detail::d1::parallel_reduce;
}  // namespace v1
}  // namespace tbb

#endif
