#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "sched/event.hpp"
#include "sched/journal.hpp"

namespace jackdaw::sched {

/// Stands between an engine and a scheduler and logs what they tell each other, in the same form for every engine. Of a
/// worker's searches it keeps only those that found something.
class logging_scheduler : public scheduler, private task_runner {
 public:
  explicit logging_scheduler(std::unique_ptr<scheduler> inner) noexcept : inner_(std::move(inner)) {}

  /// Returns all events so far, in order. While workers run, as after exit() in a task, their latest events may be
  /// missing.
  std::vector<event> events() const;
  /// Returns the number of events that are missing because there was no memory.
  std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

  // scheduler
  std::string_view name() const noexcept override { return inner_->name(); }
  bool runs_backwards() const noexcept override { return inner_->runs_backwards(); }
  bool has_cache_squads() const noexcept override { return inner_->has_cache_squads(); }
  bool needs_own_threads() const noexcept override { return inner_->needs_own_threads(); }
  void start(const engine& on) override;
  destination root(upper_task& task) override;
  void resume(worker_id self, upper_task& task) override;
  void open(worker_id self, upper_group& group) override;
  double part_for(worker_id self, upper_group& group, double work) override {
    return inner_->part_for(self, group, work);
  }
  destination fork(worker_id self, upper_group& group, upper_task& child) override;
  bool places_below(const upper_group& group) const noexcept override { return inner_->places_below(group); }
  void wait(worker_id self, upper_group& group, tier as) override;
  destination close(worker_id self, upper_group& group) override;
  void end(worker_id self, upper_task& task) override;
  bool may_take(worker_id self, pool_id from) const noexcept override { return inner_->may_take(self, from); }
  bool tops_subtree(const upper_task& task) const noexcept override { return inner_->tops_subtree(task); }
  item idle(worker_id self) override;
  double patience() const noexcept override { return inner_->patience(); }
  void rescued(worker_id self) override;

 private:
  // task_runner
  std::uint32_t workers() const noexcept override { return on_->workers(); }
  unsigned distance(worker_id a, worker_id b) const noexcept override { return on_->distance(a, b); }
  unsigned max_distance() const noexcept override { return on_->max_distance(); }
  void use(worker_id self, deque_kind where) noexcept override { on_->use(self, where); }
  deque_kind uses(worker_id self) const noexcept override { return on_->uses(self); }
  item pop(worker_id self, deque_kind from) noexcept override;
  item steal(worker_id self, worker_id victim, deque_kind from) noexcept override;
  const upper_task* continues(item what) const noexcept override { return on_->continues(what); }
  bool insists(worker_id self) const noexcept override { return on_->insists(self); }
  void post(worker_id to, item what) override { on_->post(to, what); }
  item collect(worker_id self) noexcept override { return on_->collect(self); }
  item next_root(worker_id self) noexcept override { return on_->next_root(self); }
  bool crowded(bool others) const noexcept override { return on_->crowded(others); }
  pool_id make_pool(worker_id home, access to) override { return on_->make_pool(home, to); }
  void put(pool_id to, pool_end where, item what, std::uint64_t order) override { on_->put(to, where, what, order); }
  item take(worker_id self, pool_id from, pool_end where) noexcept override;
  void set_scope(worker_id self, worker_range scope) noexcept override { on_->set_scope(self, scope); }
  void rouse(worker_range range) noexcept override { on_->rouse(range); }
  void wake(worker_id who) noexcept override { on_->wake(who); }
  const std::vector<squad>& squads() const noexcept override { return on_->squads(); }
  const std::vector<squad>& cache_squads() const noexcept override { return on_->cache_squads(); }
  double now() const noexcept override { return on_->now(); }
  void note(worker_id self, const decision& what, std::int64_t value) override;
  std::uint32_t random(worker_id self, std::uint32_t below) noexcept override { return on_->random(self, below); }

  struct alignas(64) page {
    journal<event> kept;
    std::vector<event> looks;  // of the search under way; only used by the worker itself
  };

  event made(event::kind what, worker_id self, const upper_task* task) noexcept;
  void keep(const event& what) noexcept {
    keep_if_there_is_memory([&] { pages_[what.worker].kept.add(what); });
  }
  /// The event has happened, whether there is memory to record it or not.
  template <class F>
  void keep_if_there_is_memory(F keeps_one) noexcept {
    try {
      keeps_one();
    } catch (const std::bad_alloc&) {
      lost_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  item looked(worker_id self, event::kind what, std::uint32_t other, item found) noexcept;

  std::unique_ptr<scheduler> inner_;
  task_runner* on_ = nullptr;
  std::unique_ptr<page[]> pages_;  // by worker
  mutable std::mutex outside_mutex_;
  std::vector<event> outside_;  // guarded by outside_mutex_
  std::atomic<std::uint64_t> ordered_{0};
  std::atomic<std::uint64_t> tasks_{0};
  std::atomic<std::uint64_t> lost_{0};
};

}  // namespace jackdaw::sched
