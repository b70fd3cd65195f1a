#pragma once

#include <utility>

#include "jackdaw/task_group.hpp"

namespace jackdaw::detail {

/// The branches of an invoke that is not in the lower tier: a group that was opened where the invoke stands.
class sited_group {
 public:
  sited_group(double total, const void* site) noexcept : group_(total), site_(site) {}

  template <class F>
  void run(F&& branch, double amount) {
    if (this_lane() == nullptr) {
      group_.run_slowly(make_task(std::forward<F>(branch)), amount, site_);
    } else {
      group_.run(std::forward<F>(branch), amount);
    }
  }
  template <class F>
  void run(const affinity& where, F&& branch, double amount) {
    group_.run_near(where, make_task(std::forward<F>(branch)), amount, site_);
  }
  void wait() { group_.wait(); }

 private:
  task_group group_;
  const void* site_;
};

}  // namespace jackdaw::detail
