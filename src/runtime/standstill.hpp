#pragma once

#include <chrono>

#include "runtime/threads.hpp"

namespace jackdaw::detail {

/// Of a thread of the host that is held in an arena by its ties. It is long when none of these has been opened or
/// closed for 100 ms and something waits in the host: what is tied to the thread may wait for that. README-arena.md.
class standstill {
 public:
  standstill(const threads& host, const int& ties) noexcept : host_(host), ties_(ties), seen_(ties) {}

  bool is_long() noexcept {
    const clock::time_point now = clock::now();
    if (ties_ != seen_ || host_.in_queues() == 0) {
      seen_ = ties_;
      since_ = now;
    }
    return now - since_ > std::chrono::milliseconds(100);
  }

 private:
  using clock = std::chrono::steady_clock;
  const threads& host_;
  const int& ties_;
  int seen_;
  clock::time_point since_ = clock::now();
};

}  // namespace jackdaw::detail
