#pragma once

#include <latch>

#include "jackdaw/invoke.hpp"

namespace jackdaw::test {

/// In a task of a runtime of two workers: suspends the task in a join, because its branches need both workers.
[[gnu::noinline]] inline void join_elsewhere() {
  std::latch stolen(1);
  std::latch both(2);
  invoke([&] { stolen.wait(); },
         [&] {
           stolen.count_down();
           invoke([&] { both.arrive_and_wait(); }, [&] { both.arrive_and_wait(); });
         });
}

}  // namespace jackdaw::test
