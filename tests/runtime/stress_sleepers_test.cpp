// Sleeping on real threads: no worker sleeps while there is work. A lost wake-up hangs the test, and the watchdog
// reports it.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "jackdaw/detail/deque.hpp"
#include "runtime/mailbox.hpp"
#include "runtime/sleepers.hpp"

namespace jackdaw::detail {
namespace {

struct offer {
  std::atomic<int> taken{0};
};

/// Worker 0 owns a deque; the others look for work in it and in their mailboxes, and sleep when there is none.
class crew {
 public:
  explicit crew(std::uint32_t workers) : sleepers(workers), mailboxes(workers), parked(workers), slots_(capacity + 2) {
    deque.open(slots_.data(), capacity);
    for (std::uint32_t id = 1; id < workers; ++id) {
      threads_.emplace_back([this, id] { work(id); });
    }
  }
  ~crew() {
    stopping.store(true, std::memory_order_seq_cst);
    for (std::uint32_t id = 1; id <= threads_.size(); ++id) {
      if (sleepers.rise(id)) {
        wake(id);
      }
    }
    for (std::thread& each : threads_) {
      each.join();
    }
  }
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;

  /// False: the deque is full.
  bool push(offer* what) {
    if (deque.push(what)) {
      return true;
    }
    if (deque.attend() == decltype(deque)::attention::full) {
      return false;
    }
    hardware::full_fence();
    if (const std::uint32_t who = sleepers.notice(0, true); who != sleepers.none) {
      wake(who);
    }
    return true;
  }
  bool post(std::uint32_t to, std::uintptr_t what) {
    if (!mailboxes[to].post(sched::item(what))) {
      return false;
    }
    if (sleepers.rise(to)) {
      wake(to);
    }
    return true;
  }

  static constexpr std::size_t capacity = 64;
  basic_deque<hardware, offer> deque;
  basic_sleepers<hardware> sleepers;
  std::vector<basic_mailbox<hardware>> mailboxes;
  std::vector<std::atomic<std::uint32_t>> parked;
  std::atomic<bool> stopping{false};
  std::atomic<unsigned> stolen{0}, collected{0};

 private:
  void wake(std::uint32_t who) {
    parked[who].store(0, std::memory_order_release);
    parked[who].notify_one();
  }

  bool look(std::uint32_t self, bool forcing) {
    if (mailboxes[self].collect()) {
      collected.fetch_add(1);
      return true;
    }
    const auto claim = [this](offer* what) {
      what->taken.fetch_add(1, std::memory_order_relaxed);
      stolen.fetch_add(1);
    };
    return deque.steal(claim) != nullptr || (forcing && deque.force(claim) != nullptr);
  }

  void work(std::uint32_t self) {
    while (!stopping.load(std::memory_order_seq_cst)) {
      sleepers.begin_search();
      for (bool forcing = false; !stopping.load(std::memory_order_seq_cst); forcing = true) {
        if (look(self, forcing)) {
          break;
        }
        nap(self);
      }
      sleepers.end_search(self, [this](std::uint32_t who) { wake(who); });
    }
  }

  void nap(std::uint32_t self) {
    parked[self].store(1, std::memory_order_relaxed);
    const auto outcome = sleepers.lie_down(
        self, {0, static_cast<std::uint32_t>(mailboxes.size()) - 1}, [this] { deque.ask(); },
        [&](std::uint32_t at) {
          return at == self ? stopping.load(std::memory_order_seq_cst) || mailboxes[self].full()
                            : at == 0 && !deque.seems_empty();
        },
        [](std::uint32_t) {});
    // Without heavy fences no worker here goes to sleep by itself.
    using rest = decltype(sleepers)::rest;
    if (outcome == rest::sleep || (outcome == rest::doze && !sleepers.get_up(self))) {
      parked[self].wait(1, std::memory_order_acquire);
    }
  }

  std::vector<basic_deque<hardware, offer>::slot> slots_;
  std::vector<std::thread> threads_;
};

/// The owner continues only when its entry has been taken, as if it were in a leaf that never ends.
TEST(stress_sleepers, no_worker_sleeps_through_a_push) {
  constexpr unsigned rounds = 1'000;
  std::vector<offer> things(rounds + rounds / 2 + 2);
  unsigned made = 0;
  crew workers(3);
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned burst = 1 + round % 2;
    for (unsigned i = 0; i < burst; ++i) {
      ASSERT_TRUE(workers.push(&things[made++]));
    }
    while (workers.stolen.load() != made) {
      std::this_thread::yield();
    }
    ASSERT_EQ(workers.deque.pop_newest(), nullptr);  // back to the bottom
  }
  for (unsigned i = 0; i < made; ++i) {
    ASSERT_EQ(things[i].taken.load(), 1);
  }
}

TEST(stress_sleepers, no_worker_sleeps_through_its_mail) {
  constexpr unsigned rounds = 1'000;
  crew workers(3);
  for (unsigned round = 1; round <= rounds; ++round) {
    ASSERT_TRUE(workers.post(1 + round % 2, round));
    while (workers.collected.load() != round) {
      std::this_thread::yield();
    }
  }
}

/// The owner pushes and pops, and posts in between; now and then it waits until both have had their effect.
TEST(stress_sleepers, pushes_and_posts_together) {
  constexpr unsigned rounds = 20'000;
  std::vector<offer> things(rounds);
  unsigned posted = 0;
  unsigned popped = 0;
  {
    crew workers(4);
    for (unsigned round = 0; round < rounds; ++round) {
      const bool pushed = workers.push(&things[round]);
      if (round % 64 == 0 && workers.post(1 + round / 64 % 3, round + 1)) {
        ++posted;
      }
      while (round % 64 == 0 && (workers.collected.load() != posted || (pushed && !workers.deque.seems_empty()))) {
        std::this_thread::yield();
      }
      if (!pushed || workers.deque.pop(&things[round])) {
        things[round].taken.fetch_add(1, std::memory_order_relaxed);
        ++popped;
      }
    }
    while (workers.collected.load() != posted || workers.stolen.load() + popped != rounds) {
      std::this_thread::yield();
    }
  }
  for (const offer& each : things) {
    ASSERT_EQ(each.taken.load(), 1);
  }
}

}  // namespace
}  // namespace jackdaw::detail
