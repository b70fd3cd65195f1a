#pragma once

#include <type_traits>
#include <utility>

#include "jackdaw/tied.hpp"
#include "jackdaw_tbb/divide.hpp"
#include "jackdaw_tbb/scope.hpp"

namespace tbb::detail::d1 {
inline namespace on_jackdaw {

/// How to divide a range, by its partitioner.
template <class Default, class... Tail, class Range>
auto division_for(const Range& range) {
  using partitioner = typename partitioner_of<Default, Tail...>::type;
  return division_by<partitioner>(range.is_divisible());
}

/// Calls algorithm(scope) in the context of the tail, or one of its own. Returns on the calling thread, and throws the
/// first exception that the scope has kept.
template <class Algorithm>
void perform(Algorithm&& algorithm, task_group_context& given) {
  const jackdaw::detail::tie back;
  scope here(given);
  const settings_of captured(&given);
  algorithm(here);
  here.rethrow();
}
template <class Algorithm>
void perform(Algorithm&& algorithm) {
  const jackdaw::detail::tie back;
  scope here;
  algorithm(here);
  here.rethrow();
}
template <class Algorithm, class Partitioner, class... Context>
  requires(is_partitioner<std::remove_cvref_t<Partitioner>>)
void perform(Algorithm&& algorithm, Partitioner&&, Context&&... given) {
  perform(std::forward<Algorithm>(algorithm), given...);
}

}  // namespace on_jackdaw
}  // namespace tbb::detail::d1
