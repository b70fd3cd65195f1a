#include "tbb/entry_root.hpp"

#include <optional>
#include <utility>

#include "runtime/group_access.hpp"
#include "runtime/runtime_access.hpp"
#include "runtime/threads.hpp"
#include "tbb/observers.hpp"
#include "tbb/spawn.hpp"
#include "tbb/waits.hpp"

namespace jackdaw::onetbb {
namespace {

thread_local outsider* this_outsider = nullptr;
constinit thread_local bool only_waits = false;

/// While it lives, the root is in the lower tier. To the scheduler it waits for a group whose children it does not
/// see: what it forks has no shape that a scheduler could lay out, so that plain stealing begins at once.
class plain_stealing {
 public:
  explicit plain_stealing(const void* site) noexcept {
    detail::worker* const on = detail::this_worker();
    detail::fiber* const self = on->active->current;
    if (!self->searching) return;
    sched::upper_task& task = *self->upper;
    try {
      group_.emplace(task, task.group, task.rest(), -1, reinterpret_cast<std::uintptr_t>(site));
      task.group = &*group_;
      on->home.scheduler().open(on->id, *group_);
      on->home.scheduler().wait(on->id, *group_, sched::tier::upper);
    } catch (...) {
      task.group = group_->around;
      group_.reset();
    }
    self->searching = false;
    if (!on->never_suspends()) detail::set_this_lane(on->active);
  }
  ~plain_stealing() {
    if (!group_) return;
    const detail::worker* const on = detail::this_worker();
    on->home.scheduler().close(on->id, *group_);  // where the task goes on does not matter, as it ends
    group_->task.leave(*group_);
  }
  plain_stealing(const plain_stealing&) = delete;
  plain_stealing& operator=(const plain_stealing&) = delete;

 private:
  std::optional<detail::upper_group> group_;
};

}  // namespace

outsider::outsider() noexcept : before_(this_outsider) { this_outsider = this; }
outsider::~outsider() { this_outsider = before_; }
outsider* outsider::here() noexcept { return this_outsider; }

bool outsider::tie() noexcept {
  tied_.fetch_add(1, std::memory_order_seq_cst);
  if (!closing_.load(std::memory_order_seq_cst)) return true;
  untie();
  return false;
}

void outsider::untie() noexcept {
  // The root may end from here on, but not this object: its thread runs the caller.
  if (tied_.fetch_sub(1, std::memory_order_seq_cst) == 1) notify(this);
}

void outsider::close() noexcept {
  closing_.store(true, std::memory_order_seq_cst);
  const auto none_tied = [](const void* self) {
    return static_cast<const outsider*>(self)->tied_.load(std::memory_order_seq_cst) == 0;
  };
  while (!none_tied(this)) park(this, none_tied);
}

void entry_root::run() {
  const plain_stealing until_it_ends(site_);
  frame top{{group_, d1::no_slot, d1::no_slot}, &in_, nullptr};
  const inside this_root(top);
  enter(&in_);
  body();
  if (detail::worker& on = *detail::this_worker(); on.home.apart_of() != nullptr) leave_behind(on);
  if (waits_ != nullptr) waits_->close();
}

only_waiting::only_waiting() noexcept : before_(std::exchange(only_waits, true)) {}
only_waiting::~only_waiting() { only_waits = before_; }

void run_and_await(arena& in, entry_root& task) {
  if (only_waits && detail::this_worker() == nullptr) {
    detail::runtime_access::run_elsewhere(in.engine(), task);
  } else {
    detail::runtime_access::run(in.engine(), task);
  }
}

}  // namespace jackdaw::onetbb
