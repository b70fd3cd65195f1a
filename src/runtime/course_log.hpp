#pragma once

#include <atomic>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/own_memory.hpp"
#include "jackdaw/observer.hpp"
#include "sched/decision.hpp"

namespace jackdaw::detail {

/// The course of a run: its iterations, the scheduler's decisions, and the tasks that it placed or that were stolen.
/// Workers call see(); any thread may read meanwhile. Times are in ns of std::chrono::steady_clock.
class course_log {
 public:
  static constexpr std::size_t most = 100'000;  ///< of each list; what comes later is not kept

  struct stretch {
    std::string_view region;  ///< empty: the program has not named it
    std::uint64_t site = 0;
    std::uint64_t begin = 0, end = 0;
  };
  struct decision {
    std::uint64_t at = 0;
    std::uint32_t worker = 0;
    const sched::decision* what = nullptr;
    std::int64_t value = 0;
  };
  struct task {
    std::uint64_t id = 0, parent = 0;  ///< from 1; parent 0: not known
    std::uint32_t worker = 0, depth = 0;
    std::uint64_t begin = 0, end = 0;
    double first = 0, last = -1;  ///< the span; last < first: none
  };
  struct lists {
    std::vector<stretch> iterations;
    std::vector<decision> decisions;
    std::vector<task> tasks;
  };

  explicit course_log(std::uint32_t workers) : seats_(workers) {}

  void see(const worker_event& what) noexcept;
  /// Throws std::bad_alloc.
  void decide(const decision& made);
  /// Returns what has ended by now, in order of time. Iterations are the groups that roots opened; where the scheduler
  /// is told of none, the regions that roots were in, and else the roots. Throws std::bad_alloc.
  lists read() const;

 private:
  struct running {
    std::uint64_t id = 0;  // 0: no task that is kept
    std::uint32_t depth = 0;
  };
  struct seat {
    running now;
    bool stole = false;  // what it runs next was taken from `victim`
    std::uint32_t victim = 0;
    task stolen;  // id 0: it runs nothing stolen
  };
  struct opened {
    std::uint64_t task = 0;
    stretch what;
  };

  void see_tasks(const worker_event& what);
  void see_iterations(const worker_event& what);
  void begin_of(std::pmr::vector<opened>& open, const worker_event& what);
  void end_of(std::pmr::vector<opened>& open, std::pmr::vector<stretch>& into, const worker_event& what);
  void end_stolen(seat& of, std::uint64_t at);
  void keep(const task& ended);

  mutable std::mutex mutex_;  // for all that follows
  std::vector<seat> seats_;
  std::uint64_t last_id_ = 0;
  own_pool pool_;
  std::pmr::unordered_map<std::uint64_t, task> placed_{pool_.get()};     // those under way, by worker_event::task
  std::pmr::unordered_map<std::uint64_t, running> stacks_{pool_.get()};  // what runs on each stack, by its number
  std::pmr::vector<task> tasks_{pool_.get()};
  std::pmr::vector<opened> open_groups_{pool_.get()}, open_regions_{pool_.get()}, open_roots_{pool_.get()};
  std::pmr::vector<stretch> groups_{pool_.get()}, regions_{pool_.get()}, roots_{pool_.get()};
  std::pmr::vector<decision> decisions_{pool_.get()};
  std::atomic<bool> full_{false};  // of tasks
};

}  // namespace jackdaw::detail
