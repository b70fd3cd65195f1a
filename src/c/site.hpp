#pragma once

#include <utility>

#include "jackdaw/runtime.hpp"
#include "runtime/worker.hpp"
#include "sched/upper_task.hpp"

namespace jackdaw::c_api {

/// While it lives, what the running task forks counts as forked at that place, unless a region says otherwise. The
/// algorithms that the library calls are in the library, at one place for all programs; schedulers tell loops apart by
/// the place in the program.
class site_of_caller {
 public:
  explicit site_of_caller(const void* site) noexcept : task_(detail::running_upper_task()) {
    if (task_ != nullptr && task_->region == nullptr) {
      task_->region = site;
    } else {
      task_ = nullptr;
    }
  }
  ~site_of_caller() {
    if (task_ != nullptr) task_->region = nullptr;
  }
  site_of_caller(const site_of_caller&) = delete;
  site_of_caller& operator=(const site_of_caller&) = delete;

 private:
  sched::upper_task* task_;  // null: nothing to undo
};

/// Calls an algorithm as if it were called at that place; outside of tasks as a root of the default runtime.
template <class F>
void at_site(const void* site, const F& f) {
  if (detail::this_lane() != nullptr) {
    f();
    return;
  }
  const auto here = [&] {
    const site_of_caller counts(site);
    f();
  };
  if (detail::this_worker() != nullptr) {
    here();
  } else {
    runtime::instance().run(here);
  }
}

}  // namespace jackdaw::c_api
