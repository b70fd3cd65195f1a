#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "jackdaw/error.hpp"

namespace jackdaw {

/// The message of the jackdaw::error that `f` throws; a test failure and nothing when it throws none.
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const error& refusal) {
    EXPECT_EQ(std::string_view(refusal.what()).find('\n'), std::string_view::npos) << refusal.what();
    return refusal.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

}  // namespace jackdaw
