// A thread that has joined an arena leaves it when its root has ended: what other tasks have sent to it meanwhile it
// runs first; what comes later finds it as any other thread of the host. src/runtime/README-arena.md.
#include <gtest/gtest.h>

#include <mutex>

#include "jackdaw/detail/atomics.hpp"
#include "model/report.hpp"

namespace jackdaw::model {
namespace {

enum class leaving {
  right,
  goes_without_a_look,
  looks_before_it_has_the_lock,
  is_sent_to_without_the_lock,
};

/// Whose thread it is. The host can call only a worker's later.
enum class whose { a_workers, a_clients, a_clients_that_does_not_linger };

/// What threads::join(), client_list and threads::send_back() do. Thread 0, a worker's of the host, has joined. Thread
/// 1 is in the arena, and sends tasks of another root to thread 0. Thread 2 runs the root that thread 0 waits for.
struct member_world : scenario {
  explicit member_world(leaving how, whose thread = whose::a_workers) : how(how), thread(thread) {}

  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      join();
      work();
    } else if (self == 1) {
      for (unsigned sent = 0; sent != tasks; ++sent) send_back();
    } else {
      root_ended.store(1, std::memory_order_release);
      told.fetch_add(1, std::memory_order_acq_rel);
    }
  }

  // ---- thread 0 ---------------------------------------------------------------------------------------------------

  void join() {
    for (;;) {
      // As under the root's mutex: who changes anything tells it afterwards.
      const std::uint32_t seen = told.load(std::memory_order_acquire);
      if (step_in()) continue;
      if (root_ended.load(std::memory_order_acquire) != 0) break;
      if (told.load(std::memory_order_acquire) == seen) policy::yield();
    }
    while (thread == whose::a_clients && done.load(std::memory_order_relaxed) != tasks) linger();
    while (!remove_idle()) (void)step_in();
    client.set(1);
  }
  /// All of the tasks have been tied to it since it came.
  void linger() {
    const std::uint32_t seen = told.load(std::memory_order_acquire);
    if (!step_in() && told.load(std::memory_order_acquire) == seen) policy::yield();
  }
  bool remove_idle() {
    const auto is_idle = [this] { return returns.load(std::memory_order_acquire) == 0; };
    if (how == leaving::looks_before_it_has_the_lock && !is_idle()) return false;
    const std::lock_guard hold(lock);
    const bool looks = how == leaving::right || how == leaving::is_sent_to_without_the_lock;
    if (looks && !is_idle()) return false;
    listed.set(0);
    return true;
  }
  bool step_in() {
    if (returns.load(std::memory_order_acquire) == 0) return false;
    returns.fetch_sub(1, std::memory_order_acq_rel);
    done.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  /// It runs what it is called for as a guest.
  void work() {
    while (done.load(std::memory_order_relaxed) != tasks) {
      if (called.load(std::memory_order_acquire) != 0) {
        called.fetch_sub(1, std::memory_order_acq_rel);
        done.fetch_add(1, std::memory_order_relaxed);
      } else {
        policy::yield();
      }
    }
  }

  // ---- thread 1 ---------------------------------------------------------------------------------------------------

  void send_back() {
    bool found = false;
    {
      const std::lock_guard hold(lock);
      found = listed.get() != 0;
      if (found && how != leaving::is_sent_to_without_the_lock) put();
    }
    if (found && how == leaving::is_sent_to_without_the_lock) put();
    if (!found) {
      expect(thread == whose::a_workers, "a task is to return to a thread that has left");
      called.fetch_add(1, std::memory_order_acq_rel);
    }
  }
  void put() {
    expect(client.get() == 0, "a task is sent to a client that is gone");
    returns.fetch_add(1, std::memory_order_acq_rel);
    told.fetch_add(1, std::memory_order_acq_rel);
  }

  void finish(scenario::ended who) override {
    expect(all(who) && done.load(std::memory_order_relaxed) == tasks, "a task waits for a thread that has left");
  }

  static constexpr unsigned tasks = 2;
  const leaving how;
  const whose thread;
  detail::spin_lock<policy> lock;  // the list's
  plain<int> listed{1}, client{0};
  atomic<std::uint32_t> returns{0}, told{0}, root_ended{0}, called{0}, done{0};
};

class members : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, members, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(members, run_all_that_is_sent_to_them) {
  expect_holds(explore<member_world>({.on = GetParam()}, leaving::right));
}
TEST_P(members, that_are_clients_linger) {
  expect_holds(explore<member_world>({.on = GetParam()}, leaving::right, whose::a_clients));
}
TEST_P(members, that_are_clients_and_do_not_linger_are_found) {
  expect_violated(explore<member_world>({.on = GetParam()}, leaving::right, whose::a_clients_that_does_not_linger));
}
TEST_P(members, that_leave_without_a_look_are_found) {
  expect_violated(explore<member_world>({.on = GetParam()}, leaving::goes_without_a_look));
}
TEST_P(members, that_look_too_early_are_found) {
  expect_violated(explore<member_world>({.on = GetParam()}, leaving::looks_before_it_has_the_lock));
}
TEST_P(members, that_get_tasks_too_late_are_found) {
  expect_violated(explore<member_world>({.on = GetParam()}, leaving::is_sent_to_without_the_lock));
}

}  // namespace
}  // namespace jackdaw::model
