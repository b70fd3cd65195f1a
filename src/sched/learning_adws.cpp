#include "sched/learning_adws.hpp"

#include "sched/upper_root.hpp"

namespace jackdaw::sched {

learning_adws::learning_adws(stealing mode, hint_source hints)
    : adws(mode),
      name_(std::string(adws::name()) + (hints == hint_source::learned ? ":hints=learned" : ":hints=both")),
      learned_(hints) {}

void learning_adws::start(const engine& on, const memory_shares* shares) {
  adws::start(on, shares);
  on_ = &on.run;
  learned_.start(on.run);
}

void learning_adws::resume(worker_id self, upper_task& task) {
  adws::resume(self, task);
  learned_.meters().begin(self, of(task).account);
}

void learning_adws::open(worker_id self, upper_group& group) {
  adws::open(self, group);
  task_state& task = of(group.task);
  if (begins_iteration(group) && lays_out(group.task)) {
    task.known = group.task.unshared || !learns(self, group) ? nullptr : learned_.begin(group.site);
    task.account = task.known != nullptr ? task.known->own.get() : nullptr;
    learned_.meters().begin(self, task.account);
  }
  if (task.known != nullptr) known_of(group) = learned_.open(*task.known, group.site, group.rest);
}

double learning_adws::part_for(worker_id self, upper_group& group, double work) {
  group_work* const known = known_of(group);
  return known != nullptr ? learned_.share(*known, group, work) : adws::part_for(self, group, work);
}

destination learning_adws::fork(worker_id self, upper_group& group, upper_task& child) {
  group_work* const known = known_of(group);
  if (known == nullptr) {
    of(child).account = of(group.task).account;
    return adws::fork(self, group, child);
  }
  of(child).known = learned_.child(*known);
  const destination where = adws::fork(self, group, child);
  if (where.where == destination::how::here) {
    // Later children are forked in the lower tier, where nobody counts them. This one is told from them only if it is
    // searched itself.
    learned_work::rest(*known, where.as == tier::lower);
    of(group.task).account = known->tail.get();
    if (where.as == tier::lower) of(child).known = nullptr;
  }
  of(child).account = of(child).known != nullptr ? of(child).known->own.get() : known->tail.get();
  return where;
}

destination learning_adws::close(worker_id self, upper_group& group) {
  task_state& task = of(group.task);
  if (group_work* const known = known_of(group)) {
    learned_.meters().charge(self);
    learned_.close(*task.known, *known);
    task.account = task.known->own.get();
  }
  const destination where = adws::close(self, group);
  if (where.where == destination::how::here) learned_.meters().begin(self, task.account);
  return where;
}

void learning_adws::end(worker_id self, upper_task& task) {
  const task_state& ended = of(task);
  learned_.meters().charge(self);
  if (task.parent != nullptr && ended.known != nullptr) {
    const worker_range range = workers_of(task.whole);
    if (range.first < range.last) learned_work::end(*ended.known);
  }
  adws::end(self, task);
}

bool learning_adws::forks_nothing(const upper_task& child) const noexcept {
  const task_work* const known = of(child).known;
  return known != nullptr && known->is_leaf;
}

// ---- what workers find --------------------------------------------------------------------------------------------

item learning_adws::idle(worker_id self) {
  learned_.meters().stop(self);
  const item next = adws::idle(self);
  if (!next) learned_.meters().forget(self);  // its deques are empty
  return next;
}

/// The rest of a placed task belongs to that task; anything else to what its worker runs, or ran last.
void learning_adws::found(worker_id self, item what, worker_id in, deque_kind from) noexcept {
  const upper_task* const rest = on_->continues(what);
  work_account* const account = rest != nullptr ? of(*rest).account : learned_.meters().behind(in, from);
  if (account != nullptr && in != self) account->divided.store(true, std::memory_order_relaxed);
  learned_.meters().begin(self, account);
}

void learning_adws::rescued(worker_id self) { learned_.meters().begin(self, nullptr); }

}  // namespace jackdaw::sched
