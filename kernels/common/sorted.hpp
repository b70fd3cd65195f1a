#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "kernels/common/kernel.hpp"
#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {

/// The i-th of a sequence of random keys.
template <class Key>
constexpr Key random_key(std::uint64_t i) {
  return static_cast<Key>(mix(i));
}

/// A number that depends on the multiset of keys, not on their order.
template <class Keys>
std::uint64_t fingerprint(const Keys& keys) {
  std::uint64_t sum = 0;
  for (const std::uint64_t key : keys) sum += mix(key);
  return sum;
}

/// Throws check_failed unless the keys ascend and are random_key(0), random_key(1)... in another order.
template <class Keys>
void check_sorted_random(const Keys& keys) {
  using key = std::remove_cvref_t<decltype(*keys.begin())>;
  const auto end = keys.end();
  const auto descent = std::is_sorted_until(keys.begin(), end);
  if (descent != end)
    throw check_failed("key " + std::to_string(descent - keys.begin()) + " is less than its neighbour");
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i != keys.size(); ++i) expected += mix(random_key<key>(i));
  if (fingerprint(keys) != expected) throw check_failed("the sorted keys are not the keys that were to be sorted");
}

}  // namespace jackdaw::kernels
