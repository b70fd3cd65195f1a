#include "trace/instruction_sample.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "trace/task_tree.hpp"

namespace jackdaw::trace {

void instruction_sample::count_by(counter how) {
  using clock = std::chrono::steady_clock;
  count_ = std::move(how);
  clear();
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 16; ++round) {
    const auto first = count_();
    const auto began = clock::now();
    const auto ended = clock::now();
    const auto last = count_();
    asm volatile("" : : "r,m"(ended - began) : "memory");
    if (!first || !last) {
      count_ = {};
      return;
    }
    least = std::min(least, static_cast<double>(*last - *first));
  }
  cost_ = least;
}

void instruction_sample::read_first() noexcept {
  passed_ = 0;
  first_ = count_();
  if (!first_) count_ = {};
}

void instruction_sample::add(double ns, bool vector) noexcept {
  const auto last = count_();
  const std::uint64_t first = *std::exchange(first_, std::nullopt);
  if (!last) {
    count_ = {};
    return;
  }
  instructions_ += static_cast<double>(*last - first) - cost_;
  ns_[vector ? 1 : 0] += ns;
  if (++counted_ == at_one_rate) {
    counted_ = 0;
    every_ = 2 * every_ + 1;  // odd, or it would always meet the same kind of stretch of a regular tree
  }
}

double instruction_sample::per_ns(const std::array<double, 2>& rates) const noexcept {
  const double work = ns_[0] * rates[0] + ns_[1] * rates[1];
  const double found = work > 0 ? instructions_ / work : 0;
  return found >= fewest_instructions && found <= most_instructions ? found : 0;
}

void instruction_sample::clear() noexcept {
  every_ = 1;
  passed_ = counted_ = 0;
  first_.reset();
  instructions_ = 0;
  ns_ = {};
}

}  // namespace jackdaw::trace
