#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/happens_before.hpp"
#include "jackdaw/data_report.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/root.hpp"
#include "jackdaw/machine.hpp"
#include "jackdaw/observer.hpp"
#include "jackdaw/priority.hpp"
#include "jackdaw/profile_source.hpp"
#include "jackdaw/statistics.hpp"
#include "runtime/checks.hpp"
#include "runtime/client.hpp"
#include "runtime/counter_page.hpp"
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
}  // namespace jackdaw
JACKDAW_EXPORT_END
namespace jackdaw::trace {
class recorder;
}

namespace jackdaw::detail {

class run_log;

struct guest;
class thread_of;
class threads;

/// What an engine without threads of its own is told. README-arena.md.
struct hosted {
  threads* by = nullptr;  ///< whose threads come to it; null: it has its own
  priority urgency = priority::normal;
  threads* apart_of = nullptr;  ///< for isolated tasks of this one, which ends it; null: it is no such engine
  bool tied = false;  ///< binds each suspended task to the thread that it has left, as an engine of a tied one
};

/// The engine that runs tasks on real threads: workers, their places on the machine, pools, sleeping and waking.
class threads final : public sched::task_runner {
 public:
  /// `into`: the recorder of all tasks, which then run in serial order on the only worker; otherwise null. `samples`:
  /// they show the scheduler's watch what workers access, if the system provides them. `watching` sees what workers do;
  /// null: nothing does. `log` is told of failed steals, declared accesses and roots. `in`: the engine whose threads
  /// run this one's tasks, and which outlives it; null: each worker has a thread of its own.
  threads(std::unique_ptr<sched::scheduler> scheduler, const machine& where, std::vector<worker_place> places,
          std::size_t stack_size, trace::recorder* into, profile::thread_samples samples = profile::thread_samples(),
          profile::perf_calls& counting = profile::this_kernel(), observer* watching = nullptr, run_log* log = nullptr,
          hosted in = {});
  ~threads() override;

  sched::scheduler& scheduler() noexcept { return *scheduler_; }
  fiber_pool& fibers() noexcept { return fibers_; }
  /// The tasks from outside. The sender counts them; each is counted until it has ended.
  under_way& roots() noexcept { return roots_; }
  /// Whether clients may stand in for workers: nothing has to know what the workers' own threads run.
  bool lends_places() const noexcept { return has_places_ && watching() == nullptr; }
  /// Whether anyone looks for work who would not have to be woken for it. A hint.
  bool anyone_searches() const noexcept { return sleepers_.anyone_searches(); }
  /// Whether all workers are busy with roots, none of which is the calling client's; it might begin its own. A hint.
  /// None if what runs outside of tasks would not be counted.
  bool all_at_work() const noexcept {
    return lends_places() && !counts_accesses_ && roots_.count() != 0 && !sleepers_.anyone_idle();
  }
  /// Counts an access that a task on worker `self`, the calling thread, has declared.
  void declare(sched::worker_id self, const declared_access& what) noexcept;
  trace::recorder* recorder() const noexcept { return recorder_; }
  /// Returns what sees what workers do; null if nothing does.
  observer* observed_by() const noexcept { return observer_; }
  /// Null if the runtime does not record itself.
  run_log* log() const noexcept { return log_; }
  /// The engine whose threads run this one's tasks; null: it has threads of its own. README-arena.md.
  threads* host() const noexcept { return host_; }
  priority urgency() const noexcept { return urgency_; }
  /// The engine that its tasks belong to: this one, or that whose isolated task it runs.
  const threads& owner() const noexcept { return apart_of_ != nullptr ? apart_of_->owner() : *this; }
  bool has_arenas() const noexcept { return arenas_.load(std::memory_order_acquire) != 0; }
  /// A thread of this engine is called to an arena. This counts as a root, and placed tasks wait for nobody for long.
  void begin_visit() noexcept {
    away_.fetch_add(1, std::memory_order_relaxed);
    roots_.begin();
  }
  /// A task that is in an arena in the name of this engine has ended.
  void end_visit() noexcept {
    away_.fetch_sub(1, std::memory_order_relaxed);
    roots_.end();
  }
  /// Queues a task that brings one of this engine's threads to a place in an arena.
  void invite(worker::summons& to) noexcept;
  /// The same of one that is on its way back into the queue.
  void summon(worker::summons& to) noexcept;
  /// Takes it back if no thread has it yet.
  bool withdraw(worker::summons& to) noexcept;
  bool withdraw(std::uint32_t who, guest& to) noexcept;
  /// Brings that worker's own thread to an arena, where something is to go on on it.
  void bring(std::uint32_t who, guest& to) noexcept;
  /// Returns the worker whose own thread that is; sched::none: there is none.
  std::uint32_t worker_on(const void* thread) const noexcept;
  /// In an arena, what the calling thread, a new client, counts its ties here in if they can follow it when it has
  /// left: it is a worker's own of the host, and goes home from here. Otherwise null.
  int* ties_that_follow() noexcept;
  /// Lets the calling thread, in a task, be in a place of an arena until it is to leave that.
  void visit(worker& place, stay how) noexcept;
  void is_in(worker& self, worker* place) noexcept;
  /// Called in the child of a fork(): what its task does is not the observer's.
  void stop_observing() noexcept;
  const std::vector<worker_place>& places() const noexcept { return places_; }
  const machine& where() const noexcept { return where_; }

  /// Called around the life of a task from outside, before its sender knows of its end; for the log.
  void root_comes() noexcept;
  void root_goes() noexcept;
  /// Takes a task from outside, which calls root::end() later. `waits`: the calling thread is going to wait for it.
  /// Then this may return a sleeping worker whose place the thread has now; it must call stand_in().
  worker* send(root& task, bool waits = false);
  /// Runs tasks on the calling thread in the place of that worker's own, as long as that brings the end of its root
  /// nearer; it may not have ended on return. README-stand-in.md.
  void stand_in(worker& self, client& of) noexcept;
  /// Runs a task for a task of `of`, whose thread, the calling one, runs nothing else meanwhile. Null: the thread is no
  /// worker, and the engine must not end before that has returned. `alone`: no other thread helps.
  void isolate(const worker* of, root& task, bool alone = false);
  /// Runs a task as a root of this engine, an arena, for a task of another one. The calling thread, the host's, is in
  /// the arena meanwhile, as far as there is a place, and runs nothing outside of it.
  void join(root& task);
  /// Whose place in apart_of() the only place of an engine for isolated tasks stands for; sched::none: it has several.
  std::uint32_t stands_for() const noexcept { return stands_for_; }
  /// The number of the isolated task that runs in this engine, or was the last one to; 0: it is not for such tasks.
  std::uint64_t isolation() const noexcept { return isolation_; }
  const worker& place_of(std::uint32_t id) const noexcept { return *workers_[id]; }
  const threads* apart_of() const noexcept { return apart_of_; }
  /// Called before any thread comes: threads of the host leave this arena only when nothing is tied to them here.
  void hold_threads() noexcept;
  /// Whether that counts the ties of a thread of the host, which can follow it when it has left.
  bool is_guests(const int* ties) const noexcept;
  /// The same for a client that has no place, and to whose thread tasks return.
  void step_in(client& of) noexcept;
  client_list& clients() noexcept { return clients_; }
  /// Lets a task of this runtime, which is off its stack, go on on that thread and nowhere else. README-return.md.
  void send_back(const void* thread, fiber* rest) noexcept;
  /// Runs an entry on that worker's own thread and nowhere else. It is part of no root, and the engine must not end
  /// before it has. Called by any thread.
  void settle(std::uint32_t who, entry& what, queued& turn) noexcept;
  /// Called when an unattended root has ended.
  void end_unattended() noexcept { pacer_.end(); }
  /// Makes a worker look up if no worker is idle, and a root that has not begun or something else has waited for long.
  /// `begun`: the caller does not wait for such a root.
  void let_take_turns(bool begun) noexcept;
  /// Whether a root that runs has others to share the workers with.
  std::int64_t in_queues() const noexcept { return run_queue_.waiting() + urgent_.waiting(); }
  bool has_other_roots() const noexcept { return roots_.count() > 1 || in_queues() > 0; }
  /// Waits until no root is under way; no other may begin meanwhile. Asks for turns in place of the roots' clients.
  void wait_for_roots() noexcept;
  /// Returns after what time a waiting client should ask for a turn again.
  std::chrono::milliseconds between_looks(bool begun) const noexcept;
  /// Between these two calls a thread that is not one of its workers wakes one of its tasks, or stands in for a worker,
  /// and the engine does not end. end_waking() is the thread's last access to the engine.
  void begin_waking() noexcept { wakers_.fetch_add(1, std::memory_order_relaxed); }
  void end_waking() noexcept {
    releases(&wakers_);
    wakers_.fetch_sub(1, std::memory_order_release);
  }
  /// Lets the first worker that becomes idle run this.
  void queue(queued& place, sched::item what) noexcept;
  /// Lets a task of this runtime resume on the first worker that becomes idle.
  void requeue(fiber* rest) noexcept;
  /// The same when the pacer looks up next.
  void let_rest(fiber* task) noexcept;
  /// Called by the pacer: lets these tasks resume. False: there were none.
  bool rouse_resting() noexcept;
  /// Lets the calling thread, which the engine has started, run on these processors.
  void settle_this_thread(const std::vector<unsigned>& cpus) const noexcept;
  /// Returns something for `self` to run; sleeps until there is something. Empty: the runtime stops.
  sched::item find(worker& self);
  /// Puts an item where the scheduler wants it; not for `here`.
  void place(const sched::destination& where, sched::item what, queued& turn) noexcept;
  /// The same for an item that cannot be queued. False: there is no memory for it, and nothing has been done.
  [[nodiscard]] bool try_place(const sched::destination& where, sched::item what) noexcept;
  /// Returns the domain that a task with this wish goes to; none: the task is forked like any other. Throws error for
  /// an on() that cannot be met.
  std::optional<near_pools::domain> domain_of(const affinity& wish) const;
  /// Lets an item wait for the workers of a domain, and wakes a worker if one is needed. Throws std::bad_alloc.
  void place_near(near_pools::domain where, sched::item what);
  /// The same for the domain of worker `who`, on worker `self`. False: that is the domain of `self`, or there is no
  /// memory for it, and nothing has been done.
  [[nodiscard]] bool place_near_worker(std::uint32_t self, std::uint32_t who, sched::item what) noexcept;
  /// Called when worker `at` has made something public: wakes a sleeper for it if no worker searches.
  void notice(std::uint32_t at) noexcept;
  /// Called when worker `at`, which is busy, has been handed something that idle workers may not take yet: makes sure
  /// that one of them looks after it.
  void have_watched(std::uint32_t at) noexcept;

  /// Returns the counts of each worker, and their sum.
  std::vector<statistics> counters() const;
  statistics stats() const noexcept;
  void reset_stats() noexcept;
  worker_counts& counts_of(std::uint32_t id) noexcept { return page_.of(id); }
  /// Called in the child of a fork(), which has none of the workers.
  void leave_counts_to_parent() noexcept;
  /// Counts all declared accesses from now on, not only while a scheduler watches.
  void count_accesses() noexcept;
  /// Whether each suspended task is bound to the thread that it has left. README-return.md.
  bool ties_tasks() const noexcept { return ties_tasks_; }
  threads_counts& counter() noexcept { return counts_; }
  profile_source profiled_by() const noexcept { return counts_.profiled_by(); }
  data_report data() const { return data_.report(); }
  /// Writes what each worker is doing, using only write(2).
  void dump(int file) const noexcept;

  // sched::task_runner
  std::uint32_t workers() const noexcept override { return static_cast<std::uint32_t>(places_.size()); }
  unsigned distance(sched::worker_id a, sched::worker_id b) const noexcept override;
  unsigned max_distance() const noexcept override { return max_distance_; }
  void use(sched::worker_id self, sched::deque_kind where) noexcept override;
  sched::deque_kind uses(sched::worker_id self) const noexcept override;
  sched::item pop(sched::worker_id self, sched::deque_kind from) noexcept override;
  sched::item steal(sched::worker_id self, sched::worker_id victim, sched::deque_kind from) noexcept override;
  const sched::upper_task* continues(sched::item what) const noexcept override {
    return (what.handle() & 1) == 0 ? reinterpret_cast<const fiber*>(what.handle())->upper : nullptr;
  }
  bool insists(sched::worker_id self) const noexcept override { return workers_[self]->forcing; }
  void post(sched::worker_id to, sched::item what) override;
  sched::item collect(sched::worker_id self) noexcept override;
  sched::item next_root(sched::worker_id self) noexcept override;
  bool crowded(bool others) const noexcept override { return in_queues() > 0 || (others && !sleepers_.anyone_idle()); }
  sched::pool_id make_pool(sched::worker_id home, sched::access to) override;
  void put(sched::pool_id to, sched::pool_end where, sched::item what, std::uint64_t order) override;
  sched::item take(sched::worker_id self, sched::pool_id from, sched::pool_end where) noexcept override;
  void set_scope(sched::worker_id self, sched::worker_range scope) noexcept override;
  void rouse(sched::worker_range range) noexcept override;
  void wake(sched::worker_id who) noexcept override;
  void note(sched::worker_id self, const sched::decision& what, std::int64_t value) override;
  const std::vector<sched::squad>& squads() const noexcept override { return squads_; }
  const std::vector<sched::squad>& cache_squads() const noexcept override { return cache_squads_; }
  double now() const noexcept override;
  std::uint32_t random(sched::worker_id self, std::uint32_t below) noexcept override;

 private:
  struct alignas(64) pool {
    // Not noexcept: the items are in a deque, which takes memory when it is made.
    pool(sched::worker_id home, sched::access to) : home(home), to(to) {}
    const sched::worker_id home;
    const sched::access to;
    std::atomic<std::size_t> size{0};  // of items; read without the lock
    std::mutex mutex;
    sched::item_queue items;
  };

  void stop() noexcept;
  std::uint32_t nearest_to_caller() const noexcept;
  std::unique_ptr<threads> place_apart(std::uint32_t who, bool alone);
  bool is_busy() const noexcept;
  std::unique_ptr<threads> make_apart(std::vector<worker_place> places);
  void run_apart(root& task);
  void let_go(client& one) noexcept;
  /// Whether it has places for fewer threads than its host has.
  bool is_limited() const noexcept { return host_ != nullptr && workers() < host_->workers(); }
  statistics counted_by(std::uint32_t id, std::uint64_t now) const noexcept;
  /// Takes what the scheduler or the worker's own domain has.
  sched::item look(worker& self);
  sched::item search(worker& self);
  sched::item returned(worker& self) noexcept;
  void hurry(worker& busy) noexcept;
  worker& place_for(client& of) noexcept;
  bool is_wanted(const worker& self) const noexcept;
  void lend(worker& self);
  void serve(worker& self, client& of, bool begins) noexcept;
  void ask_for_new_root() noexcept;
  void ask_next() noexcept;
  void put_now(run_queue& into, queued& place, sched::item what) noexcept;
  bool is_overdue(const run_queue& which) const noexcept;
  worker* borrow(const sched::destination& where) noexcept;
  bool borrow(worker& at) noexcept;
  const std::vector<unsigned>* held_to(std::uint32_t id) const noexcept;
  void give_back(worker& self, bool searches, bool quiet) noexcept;
  /// Whether a client stands in for the worker's thread and is to leave its place: its root has ended, or is not the
  /// only one any more; or its thread is the host's and has to go back. Then a task that it has taken may be another
  /// root's. This order: if the count is 1 and the root has not ended later, what was taken before is the root's.
  bool has_served(const worker& self) const noexcept {
    return self.serves != nullptr && ((roots_.count_now() > 1 && !self.serves->is_member) || self.serves->is_over() ||
                                      self.leaves.load(std::memory_order_relaxed));
  }
  /// Takes what waits for another worker, if it has been in sight for as long as the scheduler lets it wait.
  sched::item rescue(worker& self);
  void share_vigil(const worker& self) noexcept;
  sched::item take_placed_with(worker& self, worker& there) noexcept;
  sched::item take_near(worker& self, bool shared) noexcept;
  sched::item take_placed(worker& self, bool insists) noexcept;
  sched::item steal_anywhere(worker& self) noexcept;
  template <class Try>
  sched::item from_others(const worker& self, Try attempt) noexcept;
  bool anything_in_sight() const noexcept;
  bool anything_guarded() const noexcept;
  bool impatient() const noexcept;
  double patience_now() const noexcept;
  bool needs_watcher() const noexcept;
  bool anything_placed() const noexcept;
  bool anything_placed(const worker& at) const noexcept;
  bool rests_in_deques() const noexcept;
  shares::weights what_waits(const worker& self) const noexcept;
  sched::item take(worker& self, shares::kind which) noexcept;
  sched::item take_turn(worker& self) noexcept;
  /// Tells the observer where `found` comes from, if it is something; returns it.
  sched::item taken(sched::worker_id self, worker_event::source from, std::uint32_t other, sched::item found) noexcept;
  /// Returns how many items wait that any worker may take.
  std::int64_t waiting() const noexcept { return near_.waiting() + in_queues(); }
  void end_search(worker& self) noexcept;
  template <class Best>
  void wake_for_placed(std::uint32_t at, Best is_best) noexcept;
  void wake_for_queued() noexcept;
  enum class after_nap : std::uint8_t { stayed_awake, woken, looks_up, leaves };
  after_nap nap(worker& self, bool in_vain);
  bool sleep(worker& self, std::chrono::nanoseconds most, bool may_go = false);
  void run_errand(worker& self) noexcept;
  bool call_home(worker& sleeper) noexcept;
  void wake_spare(std::uint32_t except = sched::none) noexcept;
  void look_after_spare() noexcept;
  run_queue& queue_for(const worker::summons& to) noexcept;
  void unpark(std::uint32_t who) noexcept;
  void occupy(worker& self, stay how) noexcept;
  bool vacate(worker& self) noexcept;
  void open_places();
  bool send_to_guest(const void* thread, fiber* rest) noexcept;
  bool take_vacant(worker& at) noexcept;
  worker* take_vacant() noexcept;
  void lend_vacant() noexcept;
  void close_places() noexcept;
  void call_for_thread(worker& to) noexcept;
  bool has_to_leave(const worker& self) const noexcept;
  bool is_wanted_elsewhere(const worker& self) const noexcept;
  void recall(std::uint32_t who) noexcept;
  static void call_back(worker& place) noexcept;
  thread_of come_to(worker& self, stay how, int* ties) const noexcept;
  void ask(sched::worker_range range) noexcept;
  /// Whether `self` has to be awake for something else: the end, its mailbox, a queued or near task, a guarded pool.
  bool wanted(const worker& self) const noexcept;
  /// Whether there is something to take at that worker: in its deques or mailbox, or in pools that belong to it.
  bool in_sight(std::uint32_t at) const noexcept;
  bool may_take(std::uint32_t who, sched::pool_id from) const noexcept { return scheduler_->may_take(who, from); }

  /// Counts an arena with its host from before the first of its parts to after the last: the pacer asks the host, too.
  class counted {
   public:
    explicit counted(const hosted& in) noexcept : host_(in.apart_of != nullptr ? nullptr : in.by) {
      if (host_ != nullptr) {
        host_->arenas_.fetch_add(1, std::memory_order_relaxed);
      }
    }
    ~counted() {
      if (host_ != nullptr) {
        host_->arenas_.fetch_sub(1, std::memory_order_release);
      }
    }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;

   private:
    threads* const host_;
  } counted_;

  std::unique_ptr<sched::scheduler> scheduler_;
  threads* const host_;
  const priority urgency_;
  threads* const apart_of_;
  bool holds_threads_ = false;
  std::uint32_t stands_for_ = sched::none;
  std::uint64_t isolation_ = 0;
  std::vector<std::unique_ptr<guest>> guests_;  // of an arena: by the host's worker
  trace::recorder* const recorder_;
  observer* observer_;    // constant but for stop_observing()
  run_log* const log_;    // null if the runtime does not record itself
  const machine& where_;  // its runtime's
  std::vector<worker_place> places_;
  std::vector<std::uint8_t> distances_;  // from a to b at [a * workers + b]
  unsigned max_distance_ = 0;
  std::vector<sched::squad> squads_, cache_squads_;
  threads_data data_;
  profiler profiler_;
  threads_counts counts_{*this, profiler_, data_};
  bool rescues_ = true;      // others take what its worker leaves waiting; false if the scheduler's patience has no end
  bool has_places_ = false;  // for clients that stand in for sleeping workers
  std::vector<std::vector<unsigned>> cpus_;  // that each worker may use; empty: the machine is only described
  bool crowded_ = false;       // more workers than processors: a worker that spins takes time from another one
  unsigned looks_around_ = 1;  // in each of so many rounds of a search
  fiber_pool fibers_;
  near_pools near_;
  bool counts_accesses_ = false;  // all of them, always
  const bool ties_tasks_;
  counter_page page_;
  std::vector<statistics> before_;  // the page's counts at the last reset_stats(), which nobody calls while tasks run
  std::vector<std::unique_ptr<worker>> workers_;
  std::vector<std::unique_ptr<pool>> pools_;
  std::vector<sched::pool_id> guarded_;  // the guarded ones of pools_; fixed once the scheduler has started
  basic_sleepers<hardware> sleepers_;
  const overflow_handlers handlers_;
  under_way roots_;
  client_list clients_;
  run_queue run_queue_;
  run_queue urgent_, spare_;  // summonses to arenas of high and low priority
  run_queue resting_;         // tasks that look up when the pacer does
  std::atomic<std::uint32_t> wakers_{0};
  std::mutex visiting_;                 // guards visits_
  std::atomic<unsigned> arenas_{0};     // whose host this is
  std::atomic<unsigned> away_{0};       // threads that are in an arena, or have been called to one
  std::vector<worker*> visits_;         // by worker: the place in an arena where its thread is; null: it is at home
  std::atomic<std::uint32_t> turn_{0};  // which worker looks up next
  std::atomic<std::int64_t> asked_for_new_{0};  // when a new root made one look up
  std::atomic<bool> stopping_{false};
  std::mutex apart_mutex_;
  std::vector<std::unique_ptr<threads>> apart_;  // engines for isolated tasks that nobody uses now
  std::size_t made_apart_ = 0;                   // for which there is room in apart_
  std::size_t places_apart_ = 0;                 // in all of them
  std::vector<std::thread> running_;
  pacer pacer_{*this};  // destroyed first
};

}  // namespace jackdaw::detail
