#include "sim/counters.hpp"

#include <algorithm>
#include <functional>

namespace jackdaw::sim {
namespace {

template <class T, class Combine>
void combine(T& into, const T& what, Combine how) {
  into = how(into, what);
}

/// Combines element by element. An element that one side lacks counts as 0.
template <class T, class Combine>
void combine(std::vector<T>& into, const std::vector<T>& what, Combine how) {
  into.resize(std::max(into.size(), what.size()));
  std::transform(what.begin(), what.end(), into.begin(), into.begin(), [&](T b, T a) { return how(a, b); });
}

template <class Combine>
worker_counters& combine_fields(worker_counters& into, const worker_counters& what, Combine how) {
  const auto each = [&](auto field) { combine(into.*field, what.*field, how); };
  using c = worker_counters;
  for (const auto field : {&c::computing, &c::memory, &c::overhead, &c::beside_work, &c::instructions}) each(field);
  for (const auto field :
       {&c::leaves, &c::forks, &c::failed_steals, &c::migrations, &c::suspensions, &c::sleeps, &c::rescues}) {
    each(field);
  }
  each(&c::steals);
  each(&c::failed);
  return into;
}

template <class Combine>
memory_counters& combine_fields(memory_counters& into, const memory_counters& what, Combine how) {
  const auto each = [&](auto field) { combine(into.*field, what.*field, how); };
  using c = memory_counters;
  for (const auto field : {&c::blocks, &c::lines, &c::private_misses, &c::shared_misses, &c::from_private,
                           &c::from_shared, &c::from_side}) {
    each(field);
  }
  for (const auto field : {&c::from_socket, &c::from_node, &c::to_node}) each(field);
  return into;
}

}  // namespace

worker_counters& worker_counters::operator+=(const worker_counters& other) {
  return combine_fields(*this, other, std::plus<>{});
}
worker_counters& worker_counters::operator-=(const worker_counters& earlier) {
  return combine_fields(*this, earlier, std::minus<>{});
}
memory_counters& memory_counters::operator+=(const memory_counters& other) {
  return combine_fields(*this, other, std::plus<>{});
}
memory_counters& memory_counters::operator-=(const memory_counters& earlier) {
  return combine_fields(*this, earlier, std::minus<>{});
}

}  // namespace jackdaw::sim
