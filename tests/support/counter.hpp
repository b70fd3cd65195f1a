#pragma once

#include <atomic>

namespace jackdaw::test {

/// How many are somewhere at the same time: calls of a function, or items under way.
class counter {
 public:
  void begin() {
    const int now = ++now_;
    for (int most = most_; most < now && !most_.compare_exchange_weak(most, now);) {
    }
  }
  void end() { --now_; }
  int now() const { return now_; }
  int most() const { return most_; }

 private:
  std::atomic<int> now_ = 0, most_ = 0;
};

}  // namespace jackdaw::test
