#pragma once

#include <cstddef>
#include <vector>

namespace jackdaw::testing {

/// McIlroy's adversary ("A Killer Adversary for Quicksort", 1999) decides the order while it is asked.
class adversary {
 public:
  explicit adversary(std::size_t count) : value_(count, count), gas_(count) {}
  bool less(std::size_t x, std::size_t y) {
    ++comparisons;
    if (value_[x] == gas_ && value_[y] == gas_) value_[x == candidate_ ? x : y] = solid_++;
    if (value_[x] == gas_)
      candidate_ = x;
    else if (value_[y] == gas_)
      candidate_ = y;
    return value_[x] < value_[y];
  }
  std::size_t comparisons = 0;

 private:
  std::vector<std::size_t> value_;
  std::size_t gas_;
  std::size_t solid_ = 0;
  std::size_t candidate_ = 0;
};

}  // namespace jackdaw::testing
