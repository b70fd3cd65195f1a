#include "jackdaw/task_graph.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/happens_before.hpp"
#include "jackdaw/detail/control_word.hpp"
#include "jackdaw/detail/first_exception.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/runtime.hpp"
#include "jackdaw/task_group.hpp"
#include "runtime/fatal.hpp"

namespace jackdaw {
namespace {

/// wait() says nothing to ThreadSanitizer where it is compiled without it, as here.
void join(task_group& group) {
  group.wait();
  detail::acquires(&group);
}

}  // namespace

task_graph::step::~step() = default;

struct task_graph::course {
  const detail::control_word control;
  detail::first_exception failure;
};

task_graph::task_graph() noexcept = default;
task_graph::~task_graph() {
  if (runs_.load(std::memory_order_relaxed)) {
    detail::end_for("a task_graph was destroyed while it ran");
  }
}

graph_task task_graph::add(std::unique_ptr<step> made, const after& others) {
  if (runs_.load(std::memory_order_relaxed)) {
    throw error("a task is added to a task_graph that runs, expected one that does not");
  }
  for (const graph_task& each : others.tasks_) {
    if (each.of_ != this) {
      throw error(each.of_ == nullptr ? "a task_graph's task comes after one that refers to no task"
                                      : "a task_graph's task comes after one of another graph");
    }
  }
  steps_.push_back(std::move(made));
  step& added = *steps_.back();
  try {
    for (const graph_task& each : others.tasks_) {
      steps_[each.number_]->later.push_back(&added);
      ++added.before;
    }
  } catch (...) {
    for (std::size_t i = 0; i != added.before; ++i) {
      steps_[others.tasks_[i].number_]->later.pop_back();
    }
    steps_.pop_back();
    throw;
  }
  return {this, steps_.size() - 1};
}

void task_graph::run() {
  if (runs_.exchange(true, std::memory_order_relaxed)) {
    throw error("a task_graph is run while it runs, expected one run at a time");
  }
  const struct ends_run {
    std::atomic<bool>& runs;
    ~ends_run() { runs.store(false, std::memory_order_relaxed); }
  } at_the_end{runs_};
  prepare();
  if (this_worker()) {
    run_in_task();
  } else {
    runtime::instance().run([this] { run_in_task(); });
  }
}

/// Tasks come after those that were added before them, so the longest chain behind each is known before theirs.
void task_graph::prepare() noexcept {
  for (auto at = steps_.rbegin(); at != steps_.rend(); ++at) {
    step& each = **at;
    each.left.store(each.before, std::memory_order_relaxed);  // the forks that follow release it
    each.behind = 0;
    for (const step* const next : each.later) {
      each.behind = std::max(each.behind, next->behind + 1);
    }
  }
}

void task_graph::run_in_task() {
  course on;
  task_group group;
  for (const auto& each : steps_) {
    if (each->before == 0 && !on.failure.any()) {
      start(group, *each, on);
    }
  }
  join(group);
  on.failure.rethrow();
}

void task_graph::start(task_group& group, step& ready, course& on) {
  const auto begin = [&ready, &on] { follow(ready, on); };
  if (ready.where) {
    group.run(*ready.where, begin);
  } else {
    group.run(begin);
  }
}

/// Runs a task that is ready. Of those that become ready at its end, the one with the longest chain behind it follows
/// here, and the others are forked. So a chain takes one stack, however long it is and whatever else waits for its
/// tasks.
void task_graph::follow(step& first, course& on) {
  task_group group;
  try {
    for (step* at = &first; at != nullptr && !on.failure.any();) {
      at->call();
      on.control.set();  // what a task has changed ends with it
      step* next = nullptr;
      for (step* each : at->later) {
        detail::releases(each);
        // Release: whoever begins that task sees what this one did. Acquire: that is who takes the number to 0, and it
        // sees what all others before that task did.
        if (each->left.fetch_sub(1, std::memory_order_acq_rel) != 1) {
          continue;
        }
        detail::acquires(each);
        if (!each->where && (next == nullptr || next->behind < each->behind)) {
          std::swap(next, each);
        }
        if (each != nullptr) {
          start(group, *each, on);
        }
      }
      at = next;
    }
  } catch (...) {
    on.failure.keep();
    on.control.set();
  }
  join(group);
}

}  // namespace jackdaw
