#include "runtime/course_log.hpp"
#include "trace/in_order.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace jackdaw::detail {

using kind = worker_event::kind;

void course_log::see(const worker_event& what) noexcept {
  try {
    switch (what.what) {
      case kind::open:
      case kind::close:
      case kind::enter_region:
      case kind::leave_region:
        see_iterations(what);
        break;
      case kind::begin:
      case kind::end:
        if (what.is_root) see_iterations(what);
        see_tasks(what);
        break;
      case kind::run:
      case kind::leave:
      case kind::steal:
      case kind::search:
        if (!full_.load(std::memory_order_relaxed)) see_tasks(what);
        break;
      default:
        break;
    }
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): it is not kept
  }
}

void course_log::decide(const decision& made) {
  const std::lock_guard hold(mutex_);
  if (decisions_.size() < most) decisions_.push_back(made);
}

void course_log::begin_of(std::pmr::vector<opened>& open, const worker_event& what) {
  open.push_back({what.task, {what.name, what.site, what.at, 0}});
}

/// Ends the innermost of the same place.
void course_log::end_of(std::pmr::vector<opened>& open, std::pmr::vector<stretch>& into, const worker_event& what) {
  const auto found = std::find_if(open.rbegin(), open.rend(), [&](const opened& each) {
    return each.task == what.task && each.what.site == what.site && each.what.region == what.name;
  });
  if (found == open.rend()) return;
  found->what.end = what.at;
  if (into.size() < most) into.push_back(found->what);
  open.erase(std::next(found).base());
}

void course_log::see_iterations(const worker_event& what) {
  const std::lock_guard hold(mutex_);
  switch (what.what) {
    case kind::open:
      return begin_of(open_groups_, what);
    case kind::close:
      return end_of(open_groups_, groups_, what);
    case kind::enter_region:
      return begin_of(open_regions_, what);
    case kind::leave_region:
      return end_of(open_regions_, regions_, what);
    case kind::begin:
      return begin_of(open_roots_, what);
    default:
      return end_of(open_roots_, roots_, what);
  }
}

void course_log::keep(const task& ended) {
  if (tasks_.size() < most) {
    tasks_.push_back(ended);
  } else {
    full_.store(true, std::memory_order_relaxed);
  }
}

void course_log::end_stolen(seat& of, std::uint64_t at) {
  if (of.stolen.id == 0) return;
  of.stolen.end = at;
  keep(std::exchange(of.stolen, {}));
}

void course_log::see_tasks(const worker_event& what) {
  const std::lock_guard hold(mutex_);
  seat& mine = seats_[what.worker];
  switch (what.what) {
    case kind::begin: {
      end_stolen(mine, what.at);
      task fresh{.id = ++last_id_, .worker = what.worker, .begin = what.at, .first = what.first, .last = what.last};
      if (const auto parent = placed_.find(what.parent); what.parent != 0 && parent != placed_.end()) {
        fresh.parent = parent->second.id;
        fresh.depth = parent->second.depth + 1;
      }
      placed_[what.task] = fresh;
      mine.now = stacks_[what.stack] = {fresh.id, fresh.depth};
      break;
    }
    case kind::end:
      if (const auto found = placed_.find(what.task); found != placed_.end()) {
        found->second.end = what.at;
        keep(found->second);
        placed_.erase(found);
      }
      break;
    case kind::steal:
      mine.stole = true;
      mine.victim = what.other;
      break;
    case kind::run:
      if (!what.resumes) stacks_.erase(what.stack);
      if (std::exchange(mine.stole, false)) {
        const running from = what.resumes ? stacks_[what.stack] : seats_[mine.victim].now;
        mine.stolen = {
            .id = ++last_id_, .parent = from.id, .worker = what.worker, .depth = from.depth + 1, .begin = what.at};
        mine.now = {mine.stolen.id, mine.stolen.depth};
        if (!what.resumes) stacks_[what.stack] = mine.now;
      } else {
        mine.now = stacks_[what.stack];
      }
      break;
    case kind::leave:
      end_stolen(mine, what.at);
      if (what.why == worker_event::reason::ended) stacks_.erase(what.stack);
      break;
    default:
      mine.stole = false;
      mine.now = {};
      break;
  }
}

course_log::lists course_log::read() const {
  const std::lock_guard hold(mutex_);
  const auto& iterations = !groups_.empty() ? groups_ : !regions_.empty() ? regions_ : roots_;
  lists found{
      {iterations.begin(), iterations.end()}, {decisions_.begin(), decisions_.end()}, {tasks_.begin(), tasks_.end()}};
  const auto by_begin = [](const auto& a, const auto& b) { return a.begin < b.begin; };
  found.iterations = trace::in_order(std::move(found.iterations), by_begin);
  found.tasks = trace::in_order(std::move(found.tasks), by_begin);
  return found;
}

}  // namespace jackdaw::detail
