#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "machine/model.hpp"
#include "sched/item_queue.hpp"
#include "sched/scheduler.hpp"
#include "sim/event_queue.hpp"
#include "sim/fork_join.hpp"
#include "sim/greed_meter.hpp"
#include "sim/memory/memory.hpp"
#include "sim/memory/routes.hpp"
#include "sim/memory/traffic.hpp"
#include "sim/shared_cores.hpp"
#include "sim/simulated_counts.hpp"
#include "sim/simulated_data.hpp"
#include "sim/turn.hpp"
#include "sim/worker.hpp"

namespace jackdaw::sim {

/// Is told what happens to roots and to the groups that they open, and where leaves ran, all in simulated ns.
class observer {
 public:
  virtual ~observer() = default;
  virtual void root_begins(const trace::root&, double) {}
  virtual void root_ends(const trace::root&, double) {}
  virtual void group_opens(const trace::group&, double) {}
  virtual void group_closes(const trace::group&, double) {}
  /// A worker has made a computing step of some task. The op is one of task_tree::ops.
  virtual void leaf_ends(const trace::op&, sched::worker_id, double) {}
  /// Child `task` of a task of the upper tier has been forked and placed.
  virtual void child_placed(std::uint32_t /*task*/, const sched::upper_task&, const sched::destination&) {}
  /// The scheduler has decided something on that worker.
  virtual void decided(sched::worker_id, const sched::decision&, std::int64_t /*value*/, double /*now*/) {}
};

/// The engine that runs a recorded task tree on a described machine. It simulates discrete events, one for each action
/// of a worker that takes time. Events at the same time happen in the order in which they were scheduled. So a run
/// depends only on the tree, the machine, the scheduler and the seed. See src/sim/README.md.
class simulated final : public sched::task_runner {
 public:
  struct setup {
    unsigned workers = 0;  ///< at most one for each hardware thread; 0: one for each core
    bool scatter = true;   ///< spread evenly over the sockets, else one socket after another
    std::uint64_t seed = 1;
    bool rescues = true;                    ///< what no worker comes for is taken by others (scheduler::patience)
    hotness sees = hotness::accessed_bits;  ///< of accesses, for schedulers that watch data
  };

  /// All arguments must outlive it. Throws error for more workers than hardware threads.
  simulated(const trace::task_tree& tree, const address_space& space, const machine_model& machine,
            sched::scheduler& scheduler, const policy& placement, const setup& how);

  /// Runs all roots, one after another. Throws std::logic_error if the tree does not end or an invariant breaks.
  void run(observer& told);

  const sched::scheduler& scheduler() const noexcept { return scheduler_; }
  const std::vector<worker>& crew() const noexcept { return crew_; }
  const memory& data() const noexcept { return memory_; }
  const traffic& movements() const noexcept { return traffic_; }
  const routes& ways() const noexcept { return ways_; }
  const fork_join& tasks() const noexcept { return tasks_; }
  std::uint64_t events() const noexcept { return events_; }
  const balancing_cost& balancing() const noexcept { return data_.cost(); }
  /// The sums over all workers, up to now.
  worker_counters total() const;
  /// What one worker has done up to now.
  worker_counters counts(const worker& of) const;
  /// The longest time, in ns, for which a worker has been idle beside work.
  double longest_beside_work() const noexcept { return greed_.longest(); }
  /// Whether anything has depended on the seed.
  bool seeded() const noexcept { return drawn_ || data_.sampled(); }

  // sched::task_runner
  std::uint32_t workers() const noexcept override { return static_cast<std::uint32_t>(crew_.size()); }
  unsigned distance(sched::worker_id a, sched::worker_id b) const noexcept override;
  unsigned max_distance() const noexcept override { return max_distance_; }
  void use(sched::worker_id self, sched::deque_kind where) noexcept override;
  sched::deque_kind uses(sched::worker_id self) const noexcept override { return crew_[self].active; }
  sched::item pop(sched::worker_id self, sched::deque_kind from) noexcept override;
  sched::item steal(sched::worker_id self, sched::worker_id victim, sched::deque_kind from) noexcept override;
  /// Everything in a simulated deque is offered to thieves.
  const sched::upper_task* continues(sched::item what) const noexcept override {
    const frame& base = *frame_of(what).base;
    return base.begun ? base.upper.get() : nullptr;
  }
  bool insists(sched::worker_id) const noexcept override { return true; }
  void post(sched::worker_id to, sched::item what) override;
  sched::item collect(sched::worker_id self) noexcept override;
  sched::item next_root(sched::worker_id self) noexcept override;
  bool crowded(bool) const noexcept override { return !roots_.empty(); }  // one root at a time
  sched::pool_id make_pool(sched::worker_id home, sched::access to) override;
  void put(sched::pool_id to, sched::pool_end where, sched::item what, std::uint64_t order) override;
  sched::item take(sched::worker_id self, sched::pool_id from, sched::pool_end where) noexcept override;
  void set_scope(sched::worker_id self, sched::worker_range scope) noexcept override { crew_[self].scope = scope; }
  void rouse(sched::worker_range range) noexcept override;
  void wake(sched::worker_id who) noexcept override { wake(crew_[who]); }
  const std::vector<sched::squad>& squads() const noexcept override { return squads_; }
  const std::vector<sched::squad>& cache_squads() const noexcept override { return cache_squads_; }
  double now() const noexcept override { return now_; }
  void note(sched::worker_id self, const sched::decision& what, std::int64_t value) override {
    if (told_ != nullptr) told_->decided(self, what, value, now_);
  }
  std::uint32_t random(sched::worker_id self, std::uint32_t below) noexcept override;

 private:
  friend class fork_join;

  struct pool {
    sched::worker_id home = 0;
    sched::access to = sched::access::scope;
    sched::item_queue items;
    turn users{};
    std::uint64_t changes = 0;
    std::vector<std::uint64_t> seen;  // value of `changes` when that worker last looked
  };

  /// Has the worker act after `delay` ns.
  void act_in(double delay, worker& who) { who.due = events_due_.add(now_, delay, who.id); }
  /// The same for a delay that comes again and again.
  void look_in(double delay, worker& who) { who.due = events_due_.add_repeated(now_, delay, who.id); }
  void step(worker& self);
  bool look(worker& self);
  sched::item rescue(worker& self);
  void share_vigil(const worker& self);
  sched::item take_placed(worker& self, bool insists);
  sched::item steal_anywhere(worker& self);
  template <class Try>
  sched::item from_others(const worker& self, Try attempt);
  bool anything_at(const worker& there) const noexcept;
  bool in_reach(const worker& self) const noexcept;
  bool anything_in_sight() const noexcept;
  bool rescues() const noexcept { return rescues_ && !std::isinf(scheduler_.patience()); }
  bool impatient() const noexcept;
  bool needs_watcher() const noexcept;
  void check_greed();
  void end_copying(worker& self);
  void enter(worker& self, frame& what);
  void begin_leaf(worker& self, const trace::op& leaf);
  void go_on_with_leaf(worker& self);
  void compute(worker& self, double work);
  void end_computing(worker& self);
  void move_ends(unsigned core);
  void end_leaf(worker& self);
  void place(const sched::destination& where, frame& what);
  void wake(worker& sleeper);
  /// Ends a sleep, by wake() or because the worker's timer is due.
  void get_up(worker& sleeper);
  /// Worker `at` has made something public: if no worker searches, wakes the nearest sleeper that may take it.
  void notice(sched::worker_id at);
  void have_watched(sched::worker_id at);
  void call(worker& idle);
  void pass_on(const worker& self);
  worker* wake_any(sched::worker_id near);
  template <class Accept>
  worker* wake_nearest(sched::worker_id at, Accept will_do);
  double look_cost(const worker& self, const worker& there) const noexcept;
  double steal_cost(const worker& self, const worker& there) const noexcept;
  double turn_cost(const worker& self, const worker& there) const noexcept;
  void send(const trace::root& root);
  void check() const;

  const trace::task_tree& tree_;
  const address_space& space_;
  const machine_model& machine_;
  sched::scheduler& scheduler_;
  routes ways_;
  memory memory_;
  traffic traffic_;
  std::vector<worker> crew_;
  greed_meter greed_;
  std::vector<pool> pools_;
  std::vector<sched::pool_id> guarded_;  // those of pools_
  std::deque<sched::item> roots_;        // that any worker may take
  std::vector<sched::squad> squads_, cache_squads_;
  shared_cores cores_;
  simulated_counts counts_;
  simulated_data data_;
  worker* acting_ = nullptr;  // whose step this is; null: the outside's
  const bool rescues_;
  fork_join tasks_;
  observer* told_ = nullptr;
  event_queue events_due_;
  std::uint64_t events_ = 0;
  double now_ = 0;
  // By kind of work, scalar and in vectors:
  std::array<double, 2> scale_;         // from recorded ns to ns of this machine's cores
  std::array<double, 2> instructions_;  // in a recorded ns
  unsigned max_distance_ = 0;
  bool drawn_ = false;          // a random number
  double neglected_since_ = 0;  // since when all workers that do not run sleep while something waits; 0: this is not so
  unsigned searching_ = 0;
  bool changed_while_running_ = false;  // a worker's deque
  unsigned sleeping_ = 0;
  unsigned watching_ = 0;  // of the sleeping workers
};

}  // namespace jackdaw::sim
