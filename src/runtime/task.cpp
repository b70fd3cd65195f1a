#include "jackdaw/detail/task.hpp"

#include "runtime/group_access.hpp"
#include "runtime/notes.hpp"
#include "runtime/threads.hpp"
#include "runtime/worker.hpp"

namespace jackdaw::detail {

fiber* task::start_on_fiber(entry* self) noexcept {
  auto* const me = static_cast<task*>(self);
  task_group& group = *me->group;
  me->control.set();
  this_worker()->adopt(me->upper, me->searching);
  if (!group_access::failed(group)) {
    try {
      me->run();
    } catch (...) {
      group_access::fail(group);
    }
  }
  this_worker()->check_process();
  sched::upper_task* const upper = me->upper;
  delete me;
  worker* const on = this_worker();
  if (upper != nullptr) {
    on->home.scheduler().end(on->id, *upper);
    tell(*on, event_kind::end, *upper);
    delete upper;
  }
  return group_access::child_done(group, on);
}

}  // namespace jackdaw::detail
