#pragma once

#include <vector>

#include "jackdaw/observer.hpp"

namespace jackdaw::trace {

/// Returns what observe() was given last; null: nothing observes.
observer* observing() noexcept;

/// Shows several observers the same.
class observers final : public observer {
 public:
  /// Null is left out.
  void add(observer* one) {
    if (one != nullptr) all_.push_back(one);
  }
  /// Returns what sees everything that is shown to all of them; null if there is none. Lives as long as this object.
  observer* whole() noexcept {
    if (all_.empty()) return nullptr;
    return all_.size() == 1 ? all_.front() : this;
  }
  void see(const worker_event& what) noexcept override {
    for (observer* const each : all_) each->see(what);
  }

 private:
  std::vector<observer*> all_;
};

}  // namespace jackdaw::trace
