#pragma once

#include <algorithm>
#include <functional>
#include <iterator>

#include "jackdaw/detail/deque.hpp"
#include "model/report.hpp"
#include "runtime/mailbox.hpp"
#include "runtime/sleepers.hpp"

/// Workers with deques and mailboxes that search, sleep and watch, for models of wake-ups.
namespace jackdaw::model::sleeping {

using sched::worker_range;

constexpr unsigned most_workers = 3;

struct thing {};

/// What is broken on purpose.
enum class flaw {
  none,
  looks_before_it_lies_down,
  keeps_the_baton,
  looks_only_in_its_scope,
  wakes_only_in_scope,
  forgets_placed_tasks,
  leaves_placed_tasks_alone,
  watches_on,
};

/// What threads_idle.cpp and threads.cpp does with deques, mailboxes and sleepers. Worker i is thread i; other threads
/// are no workers.
struct world : scenario {
  using deque_type = detail::basic_deque<policy, thing>;
  using sleepers_type = detail::basic_sleepers<policy>;

  /// `patient`: a worker leaves work out of its scope to others for so long that it sleeps meanwhile, and watches.
  world(unsigned workers, flaw broken, bool patient = false)
      : workers(workers), broken(broken), patient(patient), sleepers(workers) {
    for (unsigned i = 0; i < most_workers; ++i) {
      deques[i].open(slots[i], 3);
    }
  }

  /// Before the threads start: this worker sleeps, and has asked.
  void put_to_sleep(unsigned self) {
    sleepers.begin_search();
    parked[self].store(1, std::memory_order_relaxed);
    (void)sleepers.lie_down(self, all(), [&] { ask(); }, [](unsigned) { return false; }, [](unsigned) {});
  }

  // ---- a worker that owns something -------------------------------------------------------------------------------

  void push(unsigned self) {
    if (!deques[self].push(&what)) {
      deques[self].attend();
      notice(self);
      if (mailboxes[self].full()) {
        mailboxes[self].collect();
      }
    }
  }
  void notice(unsigned self) {
    policy::full_fence();
    const bool any = !patient || !sleepers.anyone_watches();
    wake(sleepers.notice(self, any && broken != flaw::wakes_only_in_scope));
  }

  // ---- a worker that has nothing ----------------------------------------------------------------------------------

  /// Searches, sleeps and searches again, until it has found something; the search has begun already.
  void search(unsigned self, unsigned rounds, bool forcing = false) {
    for (unsigned round = 0; round < rounds; ++round) {
      if (look(self, forcing)) {
        sleepers.end_search(self, [this](unsigned next) {
          if (broken != flaw::keeps_the_baton) wake(next);
        });
        if (broken != flaw::leaves_placed_tasks_alone) {
          summon_for_placed(self, [](unsigned) { return false; });
        }
        return;
      }
      if (round + 1 < rounds) {
        nap(self);
        forcing = true;
      }
    }
    ++still_searching;
  }

  bool look(unsigned self, bool forcing) {
    if (mailboxes[self].collect()) {
      return true;
    }
    if (take_placed()) {
      return true;
    }
    // A worker takes work out of its scope after a while. A model has no time; with patience the while never ends.
    const auto claim = [](thing*) {};
    for (unsigned victim = 0; victim < workers; ++victim) {
      if (victim != self && (!patient || sleepers.scope(self).contains(victim)) &&
          (deques[victim].steal(claim) != nullptr || (forcing && deques[victim].force(claim) != nullptr))) {
        return true;
      }
    }
    return false;
  }

  void nap(unsigned self) {
    parked[self].store(1, std::memory_order_relaxed);
    const worker_range scope = sleepers.scope(self);
    const auto in_sight = [&](unsigned at) {
      return (at == self && (mailboxes[self].full() || (broken != flaw::forgets_placed_tasks && placed() > 0))) ||
             ((broken != flaw::looks_only_in_its_scope || scope.contains(at)) && !deques[at].seems_empty());
    };
    if (broken == flaw::looks_before_it_lies_down) {
      for (unsigned at = 0; at < workers; ++at) {
        if (in_sight(at)) {
          return;
        }
      }
    }
    const worker_range reach = patient || broken == flaw::looks_only_in_its_scope ? scope : all();
    const auto outcome = sleepers.lie_down(
        self, reach, [&] { ask(); },
        [&](unsigned at) { return broken != flaw::looks_before_it_lies_down && in_sight(at); },
        [&](unsigned who) { wake(who); });
    if (outcome == sleepers_type::rest::awake) {
      parked[self].store(0, std::memory_order_relaxed);
      return;
    }
    if (outcome == sleepers_type::rest::watch) {
      watch(self);
    } else {
      sleep(self);
    }
  }

  void begin_watch(unsigned self) {
    watches[self] = true;
    sleepers.begin_watch();
  }
  /// A model has no time for its periodic look, so it is woken instead.
  void watch(unsigned self) {
    if (!watches[self]) begin_watch(self);
    sleep(self);
    watches[self] = false;
    if (broken != flaw::watches_on) sleepers.end_watch();
  }

  void sleep(unsigned self) {
    while (parked[self].load(std::memory_order_acquire) != 0) {
      policy::yield();
    }
  }

  // ---- any thread -------------------------------------------------------------------------------------------------

  void post(unsigned to) {
    expect(mailboxes[to].post(sched::item(1)), "the mailbox was full");
    deques[to].summon();
    if (sleepers.rise(to)) {
      wake(to);
    }
  }
  /// Puts a task where any worker may take it, if `best` do not.
  template <class Best>
  void put_near(unsigned at, Best best) {
    waiting.fetch_add(1, std::memory_order_seq_cst);
    summon_for_placed(at, best);
  }
  template <class Best>
  void summon_for_placed(unsigned at, Best best) {
    if (const std::int64_t now = placed(); now > 0) {
      wake(sleepers.summon_any(at, now, best));
    }
  }
  std::int64_t placed() const { return waiting.load(std::memory_order_seq_cst); }
  bool take_placed() {
    std::int64_t now = waiting.load(std::memory_order_relaxed);
    return now > 0 &&
           waiting.compare_exchange_strong(now, now - 1, std::memory_order_acquire, std::memory_order_relaxed);
  }

  worker_range all() const { return {0, workers - 1}; }
  void wake(std::uint32_t who) {
    if (who != sleepers_type::none) {
      parked[who].store(0, std::memory_order_release);
    }
  }
  void ask() {
    for (unsigned at = 0; at < workers; ++at) {
      deques[at].ask();
    }
  }

  void finish(ended who) override {
    for (unsigned self = 0; self < threads(); ++self) {
      if (who[self]) {
        continue;
      }
      expect(self < workers && sleepers.asleep(self), "a thread waits for ever");
      expect(!mailboxes[self].full(), "a worker sleeps over its mailbox");
      expect(placed() <= counted + static_cast<int>(still_searching), "a worker sleeps over a placed task");
      for (unsigned at = 0; at < workers; ++at) {
        // Workers that leave the model would continue to search.
        const bool leaves = patient && anyone_watches() && !sleepers.scope(self).contains(at);
        expect(still_searching > 0 || at == self || leaves || deques[at].seems_empty(),
               "a worker sleeps over something to take");
      }
    }
    for (unsigned at = 0; at < workers; ++at) {
      expect(!mailboxes[at].full() || still_searching > 0 || !deques[at].push(&what),
             "a worker is not told of what it has been posted");
    }
  }

  bool anyone_watches() const { return std::any_of(std::begin(watches), std::end(watches), std::identity()); }

  const unsigned workers;
  const flaw broken;
  const bool patient;
  bool watches[most_workers] = {};
  sleepers_type sleepers;
  deque_type deques[most_workers];
  deque_type::slot slots[most_workers][5];
  detail::basic_mailbox<policy> mailboxes[most_workers];
  atomic<std::uint32_t> parked[most_workers];
  atomic<std::int64_t> waiting{0};  // placed tasks
  thing what;
  unsigned still_searching = 0;
  int counted = 0;  // searchers that are not threads of the model
};

}  // namespace jackdaw::model::sleeping
