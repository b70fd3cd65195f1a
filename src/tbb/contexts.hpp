#pragma once

#include <atomic>
#include <optional>

#include "jackdaw/detail/control_word.hpp"
#include "tbb/frame.hpp"

namespace jackdaw::onetbb {

/// Called when a task of the group is spawned: the first time, the group becomes a child of the group of the code that
/// spawns, and is cancelled with that from then on.
void bind(context& group, const frame* spawner) noexcept;

/// Cancels a group and those bound to it. True: it was not cancelled before.
bool cancel(context& group) noexcept;
inline bool is_cancelled(context& group) noexcept {
  return context_inside::cancelled(group).load(std::memory_order_relaxed) != 0;
}

/// While it lives, the calling code runs under the floating-point settings of the group; then under those before. Costs
/// nothing within a task of the same group.
class under_settings {
 public:
  under_settings(context& group, const frame* outer) noexcept {
    if (outer == nullptr || outer->now.context != &group) [[unlikely]] {
      before_.emplace();
      set(context_inside::control(group));
    }
  }
  ~under_settings() {
    if (before_) before_->set();
  }
  under_settings(const under_settings&) = delete;
  under_settings& operator=(const under_settings&) = delete;

 private:
  static void set(std::uint64_t kept) noexcept;
  std::optional<detail::control_word> before_;
};

/// Called in the child of a fork(): no other thread holds a lock.
void forget_contexts() noexcept;

}  // namespace jackdaw::onetbb
