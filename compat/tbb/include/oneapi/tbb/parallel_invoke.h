// In place of libtbb's header of this name: parallel_invoke on jackdaw.
#ifndef JACKDAW_TBB_parallel_invoke_H
#define JACKDAW_TBB_parallel_invoke_H

#include <jackdaw_tbb/version.hpp>

#ifdef __TBB_parallel_invoke_H
#error "libtbb's parallel_invoke.h comes before compat/tbb's, expected the folder of compat/tbb before oneTBB's"
#endif
#define __TBB_parallel_invoke_H

#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_group.h>

#include <cstddef>
#include <jackdaw_tbb/call.hpp>
#include <tuple>
#include <utility>

namespace tbb {
namespace detail::d1 {
inline namespace on_jackdaw {

/// A function as a branch of a scope.
template <class F>
struct branch_in {
  scope& part_of;
  const jackdaw::detail::control_word& word;
  F& function;
  void operator()() const noexcept {
    if (!part_of.cancelled()) run_in(part_of, function);
  }
  const jackdaw::detail::control_word& control() const noexcept { return word; }
};

template <class... Fs>
void invoke_in(scope& part_of, Fs&... functions) {
  const jackdaw::detail::control_word callers;
  jackdaw::invoke(branch_in<Fs>{part_of, callers, functions}...);
}

/// Calls all functions, and waits for them. The last argument may be a context.
template <class F, class G, class... Rest>
void parallel_invoke(F&& f, G&& g, Rest&&... rest) {
  auto all = std::forward_as_tuple(f, g, rest...);
  constexpr std::size_t last = sizeof...(Rest) + 1;
  const auto first_ones = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return [&all](scope& part_of) { invoke_in(part_of, std::get<I>(all)...); };
  };
  if constexpr (std::is_same_v<std::tuple_element_t<last, std::tuple<F, G, Rest...>>, task_group_context&>) {
    perform(first_ones(std::make_index_sequence<last>()), std::get<last>(all));
  } else {
    perform(first_ones(std::make_index_sequence<last + 1>()));
  }
}

}  // namespace on_jackdaw
}  // namespace detail::d1

inline namespace v1 {
using detail::d1::parallel_invoke;
}  // namespace v1
}  // namespace tbb

#endif
