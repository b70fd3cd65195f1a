#include "runtime/outside_group.hpp"

#include <array>
#include <cstdint>
#include <new>

#include "base/immortal.hpp"
#include "runtime/group_access.hpp"
#include "runtime/process.hpp"

namespace jackdaw::detail {
namespace {

using meeting_points = std::array<meeting_point, 64>;
/// Never destroyed: while the process exits, a condition variable's destructor would wait for the threads that wait.
immortal<meeting_points> outside;

}  // namespace

meeting_point& meeting_point::of(const task_group& group) noexcept {
  const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(&group) * 0x9e3779b97f4a7c15;
  return outside.it[mixed >> 58];
}

void meeting_point::begin() {
  const std::lock_guard hold(mutex);
  ++children;
}

void meeting_point::is_not_sent() {
  const std::lock_guard hold(mutex);
  end(false);
}

void meeting_point::end(bool last) noexcept {
  --children;
  if (last || children == 0) {
    group_ended.notify_all();
  }
}

void forget_outside_groups() noexcept { new (&outside.it) meeting_points; }

void outside_child::run() {
  if (!group_access::failed(group_)) {
    try {
      child_->run();
    } catch (...) {
      group_access::fail(group_);
    }
  }
  child_.reset();  // while the scheduler still knows the task, because this destructor may fork
}

void outside_child::end() {
  task_group& group = group_;
  delete this;
  group_access::child_done(group, nullptr);
}

}  // namespace jackdaw::detail
