#include "task/region.hpp"

#include "jackdaw/region.hpp"

#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "sched/upper_task.hpp"
#include "task/worker.hpp"

namespace jackdaw {
namespace detail {
namespace {

/// Every name that was ever given to a region; a region's identity is the address of its name here.
struct {
  std::mutex mutex;
  std::set<std::string, std::less<>> all;
} names;

}  // namespace

const void* opened_at(const void* site) noexcept {
  const sched::upper_task* const task = running_upper_task();
  return task != nullptr && task->region != nullptr ? task->region : site;
}

const std::string* region_name(const void* opened) noexcept {
  const std::lock_guard hold(names.mutex);
  for (const std::string& each : names.all) {
    if (&each == opened) {
      return &each;
    }
  }
  return nullptr;
}

}  // namespace detail

region::region(std::string_view name) : task_(detail::running_upper_task()), before_(nullptr) {
  if (task_ != nullptr) {
    const std::lock_guard hold(detail::names.mutex);
    const auto found = detail::names.all.find(name);
    before_ = std::exchange(task_->region,
                            &*(found != detail::names.all.end() ? found : detail::names.all.emplace(name).first));
  }
}

region::~region() {
  if (task_ != nullptr) {
    task_->region = before_;
  }
}

}  // namespace jackdaw
