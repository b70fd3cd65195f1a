#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "jackdaw/runtime.hpp"

namespace jackdaw::test {

/// Waits until `count` have come. It blocks a worker, so it ends only if that many tasks run at the same time.
inline void meet(std::atomic<int>& here, int count) {
  ++here;
  while (here < count) {
    std::this_thread::yield();
  }
}

/// A test for each scheduler that balances load, on three workers.
class each_scheduler : public testing::TestWithParam<std::string> {
 protected:
  runtime rt{{.scheduler = GetParam(), .workers = 3}};
};

inline const auto all_schedulers = testing::Values("random", "hierarchical", "adws", "constrained");
inline const auto name_of_scheduler = [](const testing::TestParamInfo<std::string>& info) { return info.param; };

}  // namespace jackdaw::test
