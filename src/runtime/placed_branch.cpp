#include "jackdaw/detail/placed_branch.hpp"

#include <exception>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/memory/affinity.hpp"
#include "jackdaw/runtime.hpp"
#include "jackdaw/task_group.hpp"
#include "runtime/recording.hpp"
#include "runtime/region.hpp"
#include "runtime/threads.hpp"
#include "runtime/worker.hpp"
#include "trace/recorder.hpp"

namespace jackdaw::detail {

/// Runs the branches of an invoke as children of a group that is opened at the place of the invoke.
class sited_group {
 public:
  sited_group(double total, const void* site) noexcept : group_(total), site_(site) {}

  void run(const placed_branch& branch) {
    const auto child = [&branch] { branch(); };
    const auto [amount, where] = branch.terms;
    if (where != nullptr && where->node()) {
      group_.run_near(*where, make_task(child), amount, site_);
    } else if (this_lane() == nullptr) {
      group_.run_slowly(make_task(child), amount, site_);
    } else {
      group_.run(child, amount);
    }
  }
  void wait() { group_.wait(); }

 private:
  task_group group_;
  const void* site_;
};

namespace {

void place(const void* site, std::span<const placed_branch> branches, double total) {
  const auto wishes = [](const placed_branch& each) {
    return each.terms.where != nullptr && each.terms.where->node().has_value();
  };
  sited_group group(total, site);
  for (const bool wished : {true, false}) {
    for (const placed_branch& each : branches) {
      if (wishes(each) == wished) {
        group.run(each);
      }
    }
  }
  group.wait();
}

/// Runs the branches in place, one after another; skips those after one that threw.
void record(const void* site, std::span<const placed_branch> branches, double total) {
  const auto group = this_recorder()->open_group(total, true, opened_at(site));
  std::exception_ptr thrown;
  for (const placed_branch& each : branches) {
    if (thrown) {
      break;
    }
    this_recorder()->fork(group, each.terms.amount, false);
    try {
      each();
    } catch (...) {
      thrown = caught();
    }
    this_recorder()->end_task();
  }
  this_recorder()->wait(group);
  if (thrown) {
    std::rethrow_exception(thrown);
  }
}

}  // namespace

bool outside_of_tasks() noexcept { return this_worker() == nullptr; }

void run_as_root(const placed_branch& function) {
  runtime::instance().run([&function] { function(); });
}

void place_branches(const void* site, std::span<const placed_branch> branches) {
  if (outside_of_tasks()) {
    auto all = [&] { place_branches(site, branches); };
    return run_as_root({all, {}});
  }
  double total = 0;
  for (const placed_branch& each : branches) {
    total += each.terms.amount;
    if (const affinity* const where = each.terms.where; where != nullptr && where->named()) {
      static_cast<void>(this_worker()->home.domain_of(*where));  // throws error if it cannot be met
    }
  }
  if (this_recorder() != nullptr) {
    record(site, branches, total);
  } else {
    place(site, branches, total);
  }
}

}  // namespace jackdaw::detail
