// Greed on threads: every worker comes for a task that waits, wherever it waits. The tasks of these programs end only
// when each worker is in one of them. So a worker that stays away holds the test up for ever, however fast the computer
// is, and no test looks at the clock.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "runtime/threads.hpp"
#include "support/schedulers.hpp"

namespace {

using jackdaw::machine;
using jackdaw::task_group;
using jackdaw::detail::root_of;
using jackdaw::detail::threads;

/// A runtime's workers on a described machine.
class crew {
 public:
  crew(const std::string& scheduler, const std::string& description)
      : where_(machine::from_synthetic(description)),
        engine_(jackdaw::sched::make_scheduler(scheduler), where_,
                where_.place_workers(0, jackdaw::placement_order::scatter), 1 << 16, nullptr) {}

  unsigned size() const noexcept { return engine_.workers(); }
  template <class F>
  void run(F program) {
    root_of<F> root(program);
    engine_.send(root);
    root.wait();
    root.result();
  }

 private:
  machine where_;
  threads engine_;
};

/// Holds those who come until all have come.
class meeting {
 public:
  explicit meeting(unsigned all) : missing_(all) {}
  void attend() noexcept {
    --missing_;
    while (missing_.load() != 0) std::this_thread::yield();
  }

 private:
  std::atomic<unsigned> missing_;
};

enum class forked : std::uint8_t { work_first, help_first, marked };

/// Forks a child for each other worker, then meets them. Hints say that the first child has all the work, or that none
/// has any: then under ADWS all are for one worker.
void hoard(unsigned workers, forked how, bool first_has_all) {
  meeting all(workers);
  task_group children(1, how == forked::help_first ? jackdaw::policy::help_first : jackdaw::policy::work_first);
  for (unsigned i = 1; i < workers; ++i) {
    const double hint = first_has_all && i == 1 ? 1 : 0;
    const auto child = [&all] { all.attend(); };
    how == forked::marked ? children.inter_spawn(child, hint) : children.run(child, hint);
  }
  all.attend();
  children.wait();
}

/// Halves down to one child for each worker; hints say that all the work is where there is none.
void scatter(meeting& all, unsigned children) {
  if (children == 1) return all.attend();
  jackdaw::invoke(jackdaw::work(1, [] {}), jackdaw::work(0, [&all, children] { scatter(all, children / 2); }),
                  jackdaw::work(0, [&all, children] { scatter(all, children - children / 2); }));
}

std::vector<std::string> greedy_schedulers() {
  std::vector<std::string> names = jackdaw::test::whole_schedulers();
  std::erase(names, "adws:no-steal");
  return names;
}

class greed : public testing::TestWithParam<std::string> {};

TEST_P(greed, brings_every_worker_to_a_task_that_waits) {
  for (const char* description :
       {"package:1 l3:1 core:3 pu:1", "package:3 l3:1 core:1 pu:1", "package:2 l3:1 core:2 pu:1"}) {
    SCOPED_TRACE(description);
    crew workers(GetParam(), description);
    // Schedulers that learn in one iteration do something else in the next.
    workers.run([&] {
      for (unsigned iteration = 0; iteration < 2; ++iteration) {
        for (const forked how : {forked::work_first, forked::help_first, forked::marked}) {
          hoard(workers.size(), how, true);
          hoard(workers.size(), how, false);
        }
        meeting all(workers.size());
        scatter(all, workers.size());
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(all, greed, testing::ValuesIn(greedy_schedulers()),
                         [](const auto& info) { return jackdaw::test::word(info.param); });

}  // namespace
