#pragma once

#include <chrono>

namespace jackdaw::test {

/// Computes for that long.
inline void spin(std::chrono::microseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) {
  }
}

}  // namespace jackdaw::test
