#include "jackdaw/detail/unshared.hpp"

#include <utility>

#include "runtime/worker.hpp"
#include "sched/upper_task.hpp"

namespace jackdaw::detail {

unshared::unshared() noexcept
    : task_(running_upper_task()), before_(task_ != nullptr && std::exchange(task_->unshared, true)) {}

unshared::~unshared() {
  if (task_ != nullptr) task_->unshared = before_;
}

}  // namespace jackdaw::detail
