#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "sched/confinement.hpp"
#include "sched/idle_clock.hpp"
#include "sched/learning_adws.hpp"
#include "sched/memory_shares.hpp"
#include "sched/region_map.hpp"
#include "sched/region_set.hpp"
#include "sched/way_finder.hpp"

namespace jackdaw::sched {

/// `auto`, for programs of which nothing is known: places data first, then finds out how each region is best run.
///
/// Data. What a worker touches first goes to the node that it works from (memory_shares): the fastest one of its
/// socket, and a slower one, or another socket's, only where the fast one is crowded. Data that are elsewhere move
/// there once their users are known (relocator). What the user or the program has placed stays.
///
/// Tasks. Iterations are laid out by work hints, by what earlier ones took, or stolen plainly: way_finder decides for
/// each region. A group that is opened once is laid out by its hints.
///
/// "auto:hints", "auto:times" and "auto:plain" run all regions in that one way, so that two runs differ in nothing that
/// was decided by times; data still move.
class automatic final : public learning_adws {
 public:
  class decisions {
    static constexpr auto holds = decision::holds::nothing;

   public:
    /// What workers touch first goes to nodes chosen for them. The value: how many nodes.
    static constexpr decision place{
        "place", {"sends first touches to the memory that gives their workers most, so many nodes in all"}, holds};
    /// How a region's iterations are run from now on. The value: percent of the time that this saves, or, for hints,
    /// for which workers idle with them.
    static constexpr decision hints{
        "by-hints",
        {"lays the region out by its work hints: workers idle for so many % of its time, and no other way that was "
         "tried has shortened it by 3%"},
        holds};
    static constexpr decision times{
        "by-times", {"lays the region out by what earlier iterations took, which saves so many % of its time"}, holds};
    static constexpr decision plain{"plainly",
                                    {"steals the region's tasks as random does, which saves so many % of "
                                     "its time"},
                                    holds};
    /// How all regions that take turns are run from now on. The value: percent of their time that this saves.
    static constexpr decision all_times{
        "all-by-times",
        {"lays all regions that take turns out by what earlier iterations took, which saves so many % of their time"},
        holds};
    static constexpr decision all_hints{
        "all-by-hints",
        {"lays all regions that take turns out by their work hints, which saves so many % of their time"},
        holds};
  };

  /// `pinned`: the way of all regions.
  explicit automatic(std::optional<way> pinned);

  std::string_view name() const noexcept override { return named_; }
  bool needs_own_threads() const noexcept override { return places_; }
  void start(const engine& on) override;
  void resume(worker_id self, upper_task& task) override;
  destination fork(worker_id self, upper_group& group, upper_task& child) override;
  destination close(worker_id self, upper_group& group) override;
  item idle(worker_id self) override;
  void rescued(worker_id self) override;

 private:
  struct region {
    way_finder how;
    region_set::member together;
    double began = 0;  // ns, of the iteration under way
    double took = 0;   // ns, the last one; 0: none has ended
  };
  struct alignas(64) seat {
    bool placed = false;  // the worker's first touches
    idle_clock idle;
    double before = 0;  // ns idle when the iteration began; used between iterations
  };

  bool learns(worker_id self, const upper_group& iteration) override;
  bool steals_plainly() const noexcept override { return now() == way::plain; }
  way now() const noexcept { return now_.load(std::memory_order_relaxed); }
  way way_of(const region& next) const noexcept { return set_.tries().value_or(next.how.next()); }
  bool looks(const region& at) const noexcept { return at.how.looks() || set_.looks(); }
  void begin_in_set(worker_id self, region& next);
  void finish(worker_id self, region& ended);
  void tell(worker_id self, const way_finder& decided);
  idleness idle_in(const region& ended, double now) const noexcept;
  void looked(worker_id self, bool found) noexcept;

  const std::optional<way> pinned_;
  const std::string named_;
  task_runner* on_ = nullptr;
  data_mover* data_ = nullptr;
  memory_shares shares_;
  bool places_ = false;  // first touches
  std::unique_ptr<seat[]> seats_;
  confinement confined_;
  // Used by the root that is laid out, between iterations:
  region_map<region> regions_;
  region_set set_;
  region* under_way_ = nullptr;       // null: without memory
  bool told_ = false;                 // of the placing
  bool disturbed_ = false;            // the iteration under way, by data that move or another root
  std::atomic<way> now_{way::hints};  // its way; relaxed: a worker that reads an old one looks at more, or less, once
};

}  // namespace jackdaw::sched
