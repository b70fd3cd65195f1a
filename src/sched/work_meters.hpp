#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "sched/task_runner.hpp"

namespace jackdaw::sched {

/// The time that workers have worked for one part of a computation. Any worker adds to it. Its memory is never given
/// back while its accounts live, so a worker that is late may add to an account that serves another part by now.
struct work_account {
  std::atomic<double> spent{0};      ///< ns
  std::atomic<bool> divided{false};  ///< another worker has stolen a piece of it
  /// Returns what was added since the last call.
  double settle() noexcept { return spent.exchange(0, std::memory_order_relaxed); }
};

/// The accounts of a scheduler. Any worker takes and gives back.
class work_accounts {
 public:
  static constexpr std::size_t most = std::size_t{1} << 16;

  /// Returns an empty account; null if there are `most` or no memory, and then exhausted() is true.
  work_account* take() noexcept;
  void give(work_account* back) noexcept;
  bool exhausted() const noexcept { return exhausted_.load(std::memory_order_relaxed); }
  void forgive() noexcept { exhausted_.store(false, std::memory_order_relaxed); }

 private:
  std::mutex mutex_;  // guards the next two
  std::deque<work_account> all_;
  std::vector<work_account*> free_;  // has room for all
  std::atomic<bool> exhausted_{false};
};

/// An account as long as it is needed.
struct give_back_account {
  work_accounts* to = nullptr;
  void operator()(work_account* back) const noexcept { to->give(back); }
};
using held_account = std::unique_ptr<work_account, give_back_account>;

/// Charges the time of workers to accounts. A worker reads the clock when a placed task begins or ends, when it runs
/// out of work and when it has found some, and never at a fork or join of the lower tier. What it runs of the lower
/// tier without asking the scheduler in between is charged together. The wait for a stolen piece is not charged: a
/// worker that waits looks for work.
class work_meters {
 public:
  void start(task_runner& on);

  /// `self` works for this account from now on, and what it pushes to the deque that it uses belongs to that; null: to
  /// none.
  void begin(worker_id self, work_account* account) noexcept;
  /// Charges what `self` has done up to now.
  void charge(worker_id self) noexcept;
  /// `self` has nothing to do.
  void stop(worker_id self) noexcept;
  /// What lies in the deques of `self` from now on belongs to no account yet.
  void forget(worker_id self) noexcept {
    for (auto& each : seats_[self].behind) each.store(nullptr, std::memory_order_relaxed);
  }
  /// Returns the account for which a worker last pushed to its deque; any worker asks.
  work_account* behind(worker_id who, deque_kind what) const noexcept {
    return seats_[who].behind[static_cast<std::size_t>(what)].load(std::memory_order_acquire);
  }

 private:
  struct alignas(64) seat {
    work_account* account = nullptr;
    double since = 0;                                    // ns
    std::array<std::atomic<work_account*>, 2> behind{};  // release: a thief uses an account that it has not seen made
  };
  task_runner* on_ = nullptr;
  std::unique_ptr<seat[]> seats_;  // by worker
};

}  // namespace jackdaw::sched
