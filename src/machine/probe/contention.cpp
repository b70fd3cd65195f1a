#include "machine/probe/contention.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "jackdaw/detail/deque.hpp"
#include "machine/probe/median.hpp"
#include "machine/probe/memory.hpp"
#include "numa/pinned_touch.hpp"

namespace jackdaw::probe {
namespace {

using detail::hardware;

/// What a thief writes to when it claims an entry, as in a frame of the owner's stack.
struct alignas(64) claimable {
  std::atomic<bool> claimed{false};
};

/// A deque with entries of its own, for thieves.
class loot {
 public:
  explicit loot(std::size_t count) : entries_(count), slots_(count + 2) { deque_.open(slots_.data(), count); }

  /// Pushes all entries and makes them public.
  void fill() {
    for (claimable& each : entries_) {
      each.claimed.store(false, std::memory_order_relaxed);
      static_cast<void>(deque_.push(&each));  // false: a thief has asked; it is answered below
    }
    for (std::size_t hidden = entries_.size(); hidden > 0; hidden /= 2) deque_.serve();
  }
  bool steal() {
    return deque_.steal([](claimable* taken) { taken->claimed.store(true, std::memory_order_relaxed); }) != nullptr;
  }
  /// Takes back what is left; afterwards the deque is empty and its lines are the caller's.
  void empty() {
    while (deque_.pop_newest() != nullptr) {
    }
  }

 private:
  std::vector<claimable> entries_;
  std::vector<std::atomic<claimable*>> slots_;
  detail::basic_deque<hardware, claimable> deque_;
};

/// Runs body(i) on a thread on each CPU, all from one moment on; returns the ns until the last one has ended.
double time_together(const std::vector<unsigned>& os_cpus, const std::function<void(unsigned)>& body) {
  std::atomic<std::size_t> missing{os_cpus.size()};
  std::vector<double> began(os_cpus.size()), ended(os_cpus.size());
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < os_cpus.size(); ++i) {
    threads.emplace_back([&, i] {
      numa::pin_this_thread({os_cpus[i]});
      missing.fetch_sub(1);
      while (missing.load() != 0) std::this_thread::yield();
      began[i] = now();
      body(i);
      ended[i] = now();
    });
  }
  for (std::thread& each : threads) each.join();
  return *std::max_element(ended.begin(), ended.end()) - *std::min_element(began.begin(), began.end());
}

/// The ns that two readings of the clock take.
double clock_cost() {
  std::vector<double> costs;
  for (int i = 0; i < 1000; ++i) {
    const double start = now();
    costs.push_back(now() - start);
  }
  return median(costs);
}

/// A thread that sleeps on a futex as workers do.
class alignas(64) sleeper {
 public:
  void sleep() {
    parked.store(1);
    lain_down.fetch_add(1);
    while (parked.load(std::memory_order_acquire) != 0) call(FUTEX_WAIT, 1);
    ran = now();
    risen.fetch_add(1);
  }
  void wake() {
    parked.store(0, std::memory_order_release);
    call(FUTEX_WAKE, 1);
  }

  std::atomic<unsigned> lain_down{0}, risen{0};  ///< how often
  double ran = 0;                                ///< when, the last time

 private:
  void call(int operation, std::uint32_t value) {
    syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&parked), operation | FUTEX_PRIVATE_FLAG, value, nullptr,
            nullptr, 0);
  }

  std::atomic<std::uint32_t> parked{0};
};

}  // namespace

double time_after_other(unsigned other, const std::function<void()>& prepare, unsigned os_cpu,
                        const std::function<void()>& timed, unsigned times) {
  std::atomic<unsigned> turns{0};  // taken so far; the even ones are the other CPU's
  const auto await = [&](unsigned number) {
    for (unsigned tries = 0; turns.load(std::memory_order_acquire) != number; ++tries) {
      tries < 10000 ? hardware::pause() : hardware::yield();
    }
  };
  std::vector<double> taken;
  time_together({other, os_cpu}, [&](unsigned who) {
    const double clock = clock_cost();
    for (unsigned i = 0; i < times; ++i) {
      await(2 * i + who);
      if (who == 0) {
        prepare();
      } else {
        const double start = now();
        timed();
        taken.push_back(now() - start - clock);
      }
      turns.store(2 * i + who + 1, std::memory_order_release);
    }
  });
  return std::max(0.0, median(std::move(taken)));
}

steal_times time_steals(unsigned owner, unsigned thief) {
  constexpr int repeated = 16;
  loot deque(1);
  const auto fill = [&] {
    deque.empty();
    deque.fill();
  };
  const auto empty = [&] {
    fill();
    deque.empty();
  };
  const auto attempt = [&] { deque.steal(); };
  steal_times found;
  found.steal = time_after_other(owner, fill, thief, attempt);
  found.look = time_after_other(owner, empty, thief, attempt);
  const double looks = time_after_other(owner, empty, thief, [&] {
    for (int i = 0; i <= repeated; ++i) attempt();
  });
  found.look_again = std::max(0.0, looks - found.look) / repeated;
  return found;
}

double time_between_steals(const std::vector<unsigned>& thieves) {
  constexpr unsigned rounds = 20, entries = 1 << 12;
  std::vector<double> times;
  for (unsigned round = 0; round < rounds; ++round) {
    loot deque(entries);
    deque.fill();
    std::atomic<unsigned> left{entries};
    const double took = time_together(thieves, [&](unsigned) {
      while (left.load(std::memory_order_relaxed) != 0) {
        if (deque.steal())
          left.fetch_sub(1, std::memory_order_relaxed);
        else
          hardware::pause();
      }
    });
    times.push_back(took / entries);
  }
  return median(times);
}

double time_between_calls(const std::vector<unsigned>& os_cpus, unsigned times, const std::function<void()>& once) {
  std::vector<double> all;
  for (unsigned round = 0; round < 5; ++round) {
    const double took = time_together(os_cpus, [&](unsigned) {
      for (unsigned i = 0; i < times; ++i) once();
    });
    all.push_back(took / (static_cast<double>(times) * static_cast<double>(os_cpus.size())));
  }
  return median(all);
}

wake_times time_wakes(unsigned waker, const std::vector<unsigned>& sleepers, unsigned times) {
  constexpr double until_all_sleep = 1e6;
  const std::size_t count = sleepers.size();
  std::vector<sleeper> beds(count);
  std::vector<std::vector<double>> calls(count), runs(count);
  std::vector<unsigned> os_cpus{waker};
  os_cpus.insert(os_cpus.end(), sleepers.begin(), sleepers.end());
  time_together(os_cpus, [&](unsigned who) {
    for (unsigned round = 0; round < times; ++round) {
      if (who != 0) {
        beds[who - 1].sleep();
        continue;
      }
      const auto await_all = [&](std::atomic<unsigned> sleeper::* what) {
        for (const sleeper& each : beds) {
          while ((each.*what).load() == round) std::this_thread::yield();
        }
      };
      await_all(&sleeper::lain_down);
      const double lies_down = now();
      while (now() - lies_down < until_all_sleep) {
      }
      const double start = now();
      double from = start;
      for (std::size_t i = 0; i < count; ++i) {
        beds[i].wake();
        const double to = now();
        calls[i].push_back(to - from);
        from = to;
      }
      await_all(&sleeper::risen);
      for (std::size_t i = 0; i < count; ++i) runs[i].push_back(beds[i].ran - start);
    }
  });
  wake_times result;
  for (std::size_t i = 0; i < count; ++i) {
    result.call.push_back(median(calls[i]));
    result.runs.push_back(median(runs[i]));
  }
  return result;
}

}  // namespace jackdaw::probe
