#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "profile/counters/counter_events.hpp"

namespace jackdaw::test {

/// Tests that need a processor with known events. libpfm4 reads the variable once, at its first use, so that all of a
/// program's tests see this processor.
class on_forced_processor : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__x86_64__)
    ASSERT_TRUE(profile::knows_pmu("skx"));
#else
    GTEST_SKIP() << "libpfm4 was built for another instruction set";
#endif
  }

 private:
  static inline const bool forced = setenv("LIBPFM_FORCE_PMU", "skx", 1) == 0;
};

}  // namespace jackdaw::test
