#pragma once

#include <cstdint>

namespace jackdaw::kernels {

/// A 64-bit hash whose outputs for 0, 1, 2... pass as random numbers (the finalizer of SplitMix64). Inputs are made
/// with it, so that their i-th element is a function of i alone, whichever thread computes it.
constexpr std::uint64_t mix(std::uint64_t i) {
  i = (i + 1) * 0x9e3779b97f4a7c15u;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  return i ^ (i >> 31);
}

}  // namespace jackdaw::kernels
