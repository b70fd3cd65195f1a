#pragma once

#include <gtest/gtest.h>

#include <cstdio>

#include "model/policy.hpp"

namespace jackdaw::model {

/// Nothing is violated in any execution.
inline void expect_holds(const outcome& found) {
  std::printf("%llu states, %llu executions\n", static_cast<unsigned long long>(found.states),
              static_cast<unsigned long long>(found.executions));
  EXPECT_EQ(found.violation, "") << found.trace;
  EXPECT_TRUE(found.exhaustive) << found.states << " states";
}

/// The explorer finds the deliberate fault.
inline void expect_violated(const outcome& found) {
  EXPECT_NE(found.violation, "") << "not found in " << found.states << " states";
}

inline std::string machine_name(machine which) {
  switch (which) {
    case machine::sequential:
      return "sequential";
    case machine::tso:
      return "tso";
    case machine::pso:
      return "pso";
    case machine::views:
      break;
  }
  return "views";
}

}  // namespace jackdaw::model
