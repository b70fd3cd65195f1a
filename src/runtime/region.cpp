#include "runtime/region.hpp"

#include "jackdaw/region.hpp"

#include <mutex>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/immortal.hpp"
#include "runtime/notes.hpp"
#include "runtime/process.hpp"
#include "runtime/worker.hpp"
#include "sched/upper_task.hpp"

namespace jackdaw {
namespace detail {
namespace {

/// Every name that a region was ever given. The address of its name here identifies a region.
struct region_names {
  std::mutex mutex;
  std::set<std::string, std::less<>> all;
  std::unordered_set<const void*> places;  // the addresses of all
};

region_names& names() {
  static immortal<region_names> known;  // made at its first use, which may be before main()
  return known.it;
}

/// Returns the name's place, which stays. Throws std::bad_alloc.
const std::string* named(std::string_view name) {
  region_names& known = names();
  const std::lock_guard hold(known.mutex);
  auto found = known.all.find(name);
  if (found == known.all.end()) found = known.all.emplace(name).first;
  known.places.insert(&*found);
  return &*found;
}

}  // namespace

void keep_region_names() noexcept { names().mutex.lock(); }
void release_region_names() noexcept { names().mutex.unlock(); }

const void* opened_at(const void* site) noexcept {
  const sched::upper_task* const task = running_upper_task();
  return task != nullptr && task->region != nullptr ? task->region : site;
}

const std::string* region_name(const void* opened) noexcept {
  region_names& known = names();
  const std::lock_guard hold(known.mutex);
  return known.places.contains(opened) ? static_cast<const std::string*>(opened) : nullptr;
}

}  // namespace detail

namespace {

/// In a task that is no root, a region has no effect.
void tell_of(const sched::upper_task& task, detail::event_kind what, const void* known) noexcept {
  if (task.parent == nullptr) {
    detail::tell(*detail::this_worker(), what, task, std::string_view(*static_cast<const std::string*>(known)),
                 std::uint64_t{0});
  }
}

}  // namespace

region::region(std::string_view name) : task_(detail::running_upper_task()), before_(nullptr) {
  if (task_ != nullptr) {
    before_ = std::exchange(task_->region, detail::named(name));
    // Not under the lock of the names, which an observer's own region takes.
    tell_of(*task_, detail::event_kind::enter_region, task_->region);
  }
}

region::~region() {
  if (task_ != nullptr) {
    tell_of(*task_, detail::event_kind::leave_region, task_->region);
    task_->region = before_;
  }
}

}  // namespace jackdaw
