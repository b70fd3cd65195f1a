#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sched/change_watch.hpp"
#include "sched/region_map.hpp"
#include "sched/scheduler.hpp"
#include "sched/steal_tree.hpp"
#include "sched/upper_root.hpp"

namespace jackdaw::sched {

/// Constrained work stealing (Lifflander, Krishnamoorthy and Kale, SC'14), with which ADWS is compared: a region's
/// iterations repeat the steals of its earlier ones.
///
/// - record: the first iteration is random work stealing, and a steal tree records it.
/// - relax (RelWS): each recorded steal is sent to its thief. A worker that has got all of its own and has nothing to
///   do steals anything, and the record follows.
/// - replay (StOWS): each recorded steal is sent to its thief, in the order of the record, and nothing else is stolen.
///
/// What can be recorded is in the upper tier: each worker has a queue of what its tasks have forked, in serial order,
/// from which it takes the first and thieves the last, as from a deque, and an inbox of steals. Tasks whose children
/// would be too short for that are of the lower tier; steals there are not recorded. In a replay only the paths to
/// steals are in the upper tier. What follows a join runs on the worker that ended last.
///
/// A task that forks another number of children than the record knows is a change of shape: the workers steal freely
/// for the rest of the iteration, and the region starts over. It also does if replays change their time for good,
/// because what a worker runs alone is not seen. If a region changes again and again, more and more of its iterations
/// are plain random stealing.
class constrained final : public scheduler {
 public:
  static constexpr unsigned usual_relaxed = 5;  ///< iterations: "the best performance" (ADWS 5.1)
  static constexpr unsigned most_relaxed = 1000;
  struct decisions {
    /// Random stealing, whose steals are recorded.
    static constexpr decision record{"record", {"steals at random, and records who steals what"}};
    /// RelWS. The value: how many steals are recorded.
    static constexpr decision relax{"relax", {"repeats so many recorded steals, and lets idle workers steal more"}};
    /// StOWS. The value: how many steals are recorded.
    static constexpr decision replay{"replay", {"repeats so many recorded steals and no others"}};
    /// Random stealing, because the region keeps changing. The value: 2.
    static constexpr decision plain{"plain", {"steals at random, because the region keeps changing"}};
    /// The region starts over. 0: its shape has changed; 1: the time of its replays has.
    static constexpr decision restart{"restart",
                                      {"starts over, because the region has another shape",
                                       "starts over, because repeated steals take another time than before"},
                                      decision::holds::nothing};
  };

  /// `relaxed` iterations, at most most_relaxed, are replayed with stealing.
  explicit constrained(unsigned relaxed = usual_relaxed);

  std::string_view name() const noexcept override { return name_; }
  void start(const engine& on) override;

  destination root(upper_task& task) override;
  void resume(worker_id self, upper_task& task) override;
  void open(worker_id self, upper_group& group) override;
  destination fork(worker_id self, upper_group& group, upper_task& child) override;
  destination close(worker_id self, upper_group& group) override;
  void end(worker_id self, upper_task& task) override;
  item idle(worker_id self) override;
  double patience() const noexcept override;

 private:
  enum class phase : std::uint8_t { plain, record, relax, replay };
  struct task_state {
    steal_tree* known;     // null: nothing is known of it and nothing is to be
    double began;          // ns, while steals are recorded
    worker_id home;        // where it began
    std::uint32_t forked;  // children so far
    bool started;
    bool grows;  // the record has no children of it
  };
  struct region {
    steal_tree root;
    worker_id home = 0;  // where the recorded iteration began
    phase next = phase::record;
    unsigned relaxed = 0;            // iterations since the recorded one
    unsigned changes = 0;            // of its shape, without a replay in between
    unsigned plain = 0;              // iterations that are not recorded first
    std::vector<std::uint32_t> due;  // recorded steals, by thief
    change_watch times;              // of replays
  };
  /// Tasks deeper than this are of the lower tier: a record is as deep as they are, and is walked on a task's stack.
  static constexpr std::uint32_t deepest = 48;
  struct level_times {
    double sum = 0;  // ns
    double count = 0;
  };
  struct alignas(64) seat {
    pool_id forks = 0;                            // of its tasks, in serial order
    pool_id inbox = 0;                            // recorded steals, in the order of the record
    std::atomic<std::uint32_t> due{0};            // recorded steals that have not come yet
    std::uint32_t steals = 0;                     // in this iteration
    std::array<level_times, deepest + 2> took{};  // what it has seen of the tasks of each level
  };

  static task_state& of(upper_task& task) noexcept { return task.own<task_state>(); }
  phase now() const noexcept { return phase_.load(std::memory_order_relaxed); }
  bool records() const noexcept { return now() == phase::record || now() == phase::relax; }
  bool steals_freely() const noexcept;
  bool may_steal(worker_id self) const noexcept;
  bool worth_recording(worker_id self, const upper_task& child) const noexcept;
  void begin(worker_id self, upper_task& root, region& next);
  void finish(worker_id self, upper_task& root, region& ended);
  void start_over(worker_id self, region& changed, bool of_shape);
  void compare(const task_state& ended);
  void change();

  const unsigned relaxed_;
  const std::string name_;
  task_runner* on_ = nullptr;
  std::unique_ptr<seat[]> seats_;  // by worker
  upper_root root_;
  region_map<region> regions_;
  double began_ = 0;  // ns: the iteration
  // Relaxed: tasks see what their root's worker has set before it forked; idle workers may be late.
  std::atomic<phase> phase_{phase::plain};
  std::atomic<bool> changed_{false};  // the shape, in this iteration
};

}  // namespace jackdaw::sched
