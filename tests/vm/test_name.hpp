#pragma once

#include <gtest/gtest.h>

#include <string>

namespace jackdaw::test {

/// A scheduler's name as GoogleTest takes it: "adws:no-steal" is "adws_no_steal".
inline std::string test_name(const testing::TestParamInfo<std::string>& of) {
  std::string name = of.param;
  for (char& each : name) {
    if (each == ':' || each == '-') each = '_';
  }
  return name;
}

}  // namespace jackdaw::test
