#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/data_report.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/machine.hpp"
#include "jackdaw/profile_source.hpp"
#include "jackdaw/statistics.hpp"
#include "runtime/fiber_pool.hpp"
#include "runtime/near_pools.hpp"
#include "runtime/overflow.hpp"
#include "runtime/pacer.hpp"
#include "runtime/profiler.hpp"
#include "runtime/recording.hpp"
#include "runtime/run_queue.hpp"
#include "runtime/shares.hpp"
#include "runtime/sleepers.hpp"
#include "runtime/threads_counts.hpp"
#include "runtime/threads_data.hpp"
#include "runtime/under_way.hpp"
#include "runtime/worker.hpp"
#include "sched/item_queue.hpp"
#include "sched/scheduler.hpp"

JACKDAW_EXPORT_BEGIN
namespace jackdaw {
class affinity;
namespace detail {
class root;
}  // namespace detail
}  // namespace jackdaw
JACKDAW_EXPORT_END
namespace jackdaw::trace {
class recorder;
}

namespace jackdaw::detail {

/// The engine that runs tasks on real threads: workers, their places on the machine, pools, sleeping and waking.
class threads final : public sched::task_runner {
 public:
  /// `into`: what records all tasks, which then run in serial order on the one worker; else null. `samples`: by
  /// these the scheduler's watch sees what workers access, where they can be had.
  threads(std::unique_ptr<sched::scheduler> scheduler, const machine& where, std::vector<worker_place> places,
          std::size_t stack_size, trace::recorder* into, profile::thread_samples samples = profile::thread_samples(),
          profile::perf_calls& counting = profile::this_kernel());
  ~threads() override;

  sched::scheduler& scheduler() noexcept { return *scheduler_; }
  fiber_pool& fibers() noexcept { return fibers_; }
  /// Tasks from outside; counted by whoever sends them, and until each has ended.
  under_way& roots() noexcept { return roots_; }
  /// A task on that worker, the calling thread, has declared what it accesses.
  void declare(sched::worker_id self, const declared_access& what) noexcept;
  trace::recorder* recorder() const noexcept { return recorder_; }
  const std::vector<worker_place>& places() const noexcept { return places_; }
  const machine& where() const noexcept { return where_; }

  /// A task from outside, which `end`s later.
  void send(root& task);
  /// One that a task of another runtime waited for has.
  void end_waited_in() noexcept { pacer_.end(); }
  /// If no worker is idle, and a root that has not begun or something else has waited for long, a worker looks up.
  /// `begun`: who asks does not wait for such a root.
  void let_take_turns(bool begun) noexcept;
  /// Until no root is under way; no other may begin meanwhile. Those whose clients cannot ask any more take turns too.
  void wait_for_roots() noexcept;
  /// After what time who waits had better ask for that again.
  std::chrono::milliseconds between_looks(bool begun) const noexcept;
  /// Between these a thread that is none of its workers wakes one of its tasks; the engine does not end meanwhile. The
  /// last is the last touch.
  void begin_waking() noexcept { wakers_.fetch_add(1, std::memory_order_relaxed); }
  void end_waking() noexcept { wakers_.fetch_sub(1, std::memory_order_release); }
  /// Lets a task of this runtime go on, on whichever worker comes first.
  void requeue(fiber* rest) noexcept;
  /// The calling thread, which the engine has started, runs there from now on; none: wherever the process may.
  void settle_this_thread(std::optional<unsigned> os_cpu) const noexcept;
  /// Something for `self` to run; sleeps until there is. Empty: the runtime stops.
  sched::item find(worker& self);
  /// Puts an item where the scheduler wants it; not for `here`.
  void place(const sched::destination& where, sched::item what, queued& turn) noexcept;
  /// The same for what cannot be queued. False: there is no memory for it, and nothing has been done.
  [[nodiscard]] bool try_place(const sched::destination& where, sched::item what) noexcept;
  /// The domain that a task with this wish goes to; none: it is forked as any other. Throws error for an on() that
  /// cannot be had.
  std::optional<near_pools::domain> domain_of(const affinity& wish) const;
  /// Lets an item wait for the workers of a domain, and wakes who may be needed. Throws std::bad_alloc.
  void place_near(near_pools::domain where, sched::item what);
  /// Worker `at` has made something public: wakes a sleeper for it if nobody searches.
  void notice(std::uint32_t at) noexcept;
  /// Worker `at`, which is busy, has been handed what only others than idle workers may take for now: sees to it that
  /// one of those looks after it.
  void have_watched(std::uint32_t at) noexcept;

  statistics stats() const noexcept;
  void reset_stats() noexcept;
  threads_counts& counter() noexcept { return counts_; }
  profile_source profiled_by() const noexcept { return counts_.profiled_by(); }
  data_report data() const { return data_.report(); }
  /// Writes where each worker is, with nothing but write(2).
  void dump(int file) const noexcept;

  // sched::task_runner
  std::uint32_t workers() const noexcept override { return static_cast<std::uint32_t>(places_.size()); }
  unsigned distance(sched::worker_id a, sched::worker_id b) const noexcept override;
  unsigned max_distance() const noexcept override { return max_distance_; }
  void use(sched::worker_id self, sched::deque_kind where) noexcept override;
  sched::item pop(sched::worker_id self, sched::deque_kind from) noexcept override;
  sched::item steal(sched::worker_id self, sched::worker_id victim, sched::deque_kind from) noexcept override;
  bool insists(sched::worker_id self) const noexcept override { return workers_[self]->forcing; }
  void post(sched::worker_id to, sched::item what) override;
  sched::item collect(sched::worker_id self) noexcept override;
  sched::item next_root(sched::worker_id) noexcept override { return run_queue_.take(); }
  bool roots_wait() const noexcept override { return run_queue_.waiting() > 0; }
  sched::pool_id make_pool(sched::worker_id home, sched::access to) override;
  void put(sched::pool_id to, sched::pool_end where, sched::item what, std::uint64_t order) override;
  sched::item take(sched::worker_id self, sched::pool_id from, sched::pool_end where) noexcept override;
  void set_scope(sched::worker_id self, sched::worker_range scope) noexcept override;
  void rouse(sched::worker_range range) noexcept override;
  void wake(sched::worker_id who) noexcept override;
  void note(sched::worker_id self, const sched::decision& what, std::int64_t value) override;
  const std::vector<sched::squad>& squads() const noexcept override { return squads_; }
  double now() const noexcept override;
  std::uint32_t random(sched::worker_id self, std::uint32_t below) noexcept override;

 private:
  struct alignas(64) pool {
    // A deque takes memory when it is made.
    pool(sched::worker_id home, sched::access to) : home(home), to(to) {}
    const sched::worker_id home;
    const sched::access to;
    std::atomic<std::size_t> size{0};  // of items; read without the lock
    std::mutex mutex;
    sched::item_queue items;
  };

  void stop() noexcept;
  /// What the scheduler or the worker's own domain has.
  sched::item look(worker& self);
  sched::item search(worker& self);
  /// Takes what waits for somebody else, if that has been in sight for as long as the scheduler lets it wait.
  sched::item rescue(worker& self);
  sched::item take_placed_with(const worker& self, worker& there) noexcept;
  sched::item take_placed(worker& self, bool insists) noexcept;
  sched::item steal_anywhere(worker& self) noexcept;
  template <class Try>
  sched::item from_others(const worker& self, Try attempt) noexcept;
  bool anything_in_sight() const noexcept;
  bool anything_guarded() const noexcept;
  bool impatient() const noexcept;
  bool needs_watcher() const noexcept;
  bool anything_placed() const noexcept;
  bool anything_placed(const worker& at) const noexcept;
  bool rests_in_deques() const noexcept;
  shares::weights what_waits(const worker& self) const noexcept;
  sched::item take(worker& self, shares::kind which) noexcept;
  sched::item take_turn(worker& self) noexcept;
  void queue(queued& place, sched::item what) noexcept;
  /// Items that wait for whoever comes.
  std::int64_t waiting() const noexcept { return near_.waiting() + run_queue_.waiting(); }
  void end_search(worker& self) noexcept;
  template <class Best>
  void wake_for_placed(std::uint32_t at, Best is_best) noexcept;
  void wake_for_queued() noexcept;
  enum class after_nap : std::uint8_t { stayed_awake, woken, looks_up };
  after_nap nap(worker& self, bool in_vain);
  bool sleep(worker& self, std::chrono::nanoseconds most);
  void unpark(std::uint32_t who) noexcept;
  void ask(sched::worker_range range) noexcept;
  /// Whether there is something that only `self` can see to.
  bool wanted(const worker& self) const noexcept;
  /// Whether there is something to take at that worker: in its deques, or in pools that belong to it.
  bool in_sight(std::uint32_t at) const noexcept;
  bool may_take(std::uint32_t who, sched::pool_id from) const noexcept { return scheduler_->may_take(who, from); }

  std::unique_ptr<sched::scheduler> scheduler_;
  trace::recorder* const recorder_;
  const machine& where_;  // its runtime's
  std::vector<worker_place> places_;
  std::vector<std::uint8_t> distances_;  // from a to b at [a * workers + b]
  unsigned max_distance_ = 0;
  std::vector<sched::squad> squads_;
  threads_data data_;
  profiler profiler_;
  threads_counts counts_{*this, profiler_, data_};
  bool rescues_ = true;   // what nobody comes for is taken by others; not if the scheduler's patience has no end
  bool crowded_ = false;  // more workers than processors: a worker that spins is in another one's way
  fiber_pool fibers_;
  near_pools near_;
  std::vector<std::unique_ptr<worker>> workers_;
  std::vector<std::unique_ptr<pool>> pools_;
  std::vector<sched::pool_id> guarded_;  // those of pools_; fixed once the scheduler has started
  basic_sleepers<hardware> sleepers_;
  const overflow_handlers handlers_;
  under_way roots_;
  run_queue run_queue_;
  std::atomic<std::uint32_t> wakers_{0};
  std::atomic<std::uint32_t> turn_{0};  // which worker looks up next
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> running_;
  pacer pacer_{*this};  // the first to end
};

}  // namespace jackdaw::detail
