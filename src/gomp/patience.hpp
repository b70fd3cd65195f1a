#pragma once

#include <atomic>

#include "gomp/futex.hpp"

namespace jackdaw::gomp {

/// Threads that are in a team, or outside of all teams and have opened one. Only a hint of how many want a processor.
inline constinit std::atomic<int> threads_awake{0};

/// Whether more threads are awake than there are processors.
bool is_crowded() noexcept;

/// How many times a thread looks before it sleeps: not at all while more threads are awake than there are processors,
/// since then the thread that it waits for may want this one's.
unsigned looks() noexcept;

/// For what any number of threads wait that sleep in the meantime. A thread that waits counts itself and then looks;
/// one that changes what is waited for does so and then looks at the count. Both are sequentially consistent, so one of
/// them sees the other: `ready` has to load with that order, and the change has to be made with it.
class bell {
 public:
  template <class Ready>
  void wait(const Ready& ready) noexcept {
    for (unsigned left = looks(); left > 0; --left) {
      if (ready()) return;
      pause();
    }
    for (;;) {
      waiting_.fetch_add(1, std::memory_order_seq_cst);
      const std::uint32_t rung = rung_.load(std::memory_order_seq_cst);
      const bool is = ready();
      if (!is) sleep_on(rung_, rung);
      waiting_.fetch_sub(1, std::memory_order_relaxed);
      if (is || ready()) return;
    }
  }

  /// Wakes at most that many of those that sleep.
  void ring(int most = INT_MAX) noexcept {
    if (waiting_.load(std::memory_order_seq_cst) != 0) {
      rung_.fetch_add(1, std::memory_order_seq_cst);
      wake(rung_, most);
    }
  }

 private:
  word rung_{0};
  word waiting_{0};
};

}  // namespace jackdaw::gomp
