#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sched/item_queue.hpp"
#include "sched/scheduler.hpp"

namespace jackdaw::test {

/// An engine that runs nothing: a test plays the tasks and looks at what the scheduler answered.
class script final : public sched::task_runner, public sched::work_counter, public sched::data_mover {
 public:
  operator sched::engine() { return {*this, *this, *this}; }

  /// On `nodes` memory nodes, each near one of the first squads.
  explicit script(std::uint32_t count, std::uint32_t nodes = 1)
      : counted(count), count_(count), mail_(count), scopes_(count), lanes_(count) {
    for (std::uint32_t first = 0; first < count; first += 4) {
      squads_.push_back({.workers = {first, std::min(first + 3, count - 1)}, .shared_cache = 1 << 20});
    }
    for (std::uint32_t node = 0; node < nodes; ++node) memory.push_back({.squad = node});
  }

  std::uint32_t workers() const noexcept override { return count_; }
  unsigned distance(sched::worker_id a, sched::worker_id b) const noexcept override {
    if (a == b) return 0;
    return 1 + (std::max(a, b) / 4 - std::min(a, b) / 4);  // sockets of four, in a row
  }
  unsigned max_distance() const noexcept override { return std::max(2U, 1 + (count_ - 1) / 4); }
  void use(sched::worker_id self, sched::deque_kind where) noexcept override { lanes_[self] = where; }
  sched::deque_kind uses(sched::worker_id self) const noexcept override { return lanes_[self]; }
  sched::item pop(sched::worker_id, sched::deque_kind) noexcept override { return {}; }
  sched::item steal(sched::worker_id self, sched::worker_id victim, sched::deque_kind from) noexcept override {
    attempts.push_back({self, victim, from});
    return {};
  }
  const sched::upper_task* continues(sched::item) const noexcept override { return nullptr; }
  bool insists(sched::worker_id) const noexcept override { return insisting; }
  void post(sched::worker_id to, sched::item what) override { mail_[to] = what; }
  sched::item collect(sched::worker_id self) noexcept override { return std::exchange(mail_[self], {}); }
  sched::item next_root(sched::worker_id) noexcept override { return {}; }
  bool crowded(bool others) const noexcept override { return others && all_busy; }
  sched::pool_id make_pool(sched::worker_id, sched::access) override {
    pools_.emplace_back();
    return static_cast<sched::pool_id>(pools_.size() - 1);
  }
  void put(sched::pool_id to, sched::pool_end where, sched::item what, std::uint64_t order) override {
    pools_[to].put(what, where, order);
  }
  sched::item take(sched::worker_id, sched::pool_id from, sched::pool_end where) noexcept override {
    if (before_take) before_take();
    return pools_[from].take(where);
  }
  void set_scope(sched::worker_id self, sched::worker_range scope) noexcept override { scopes_[self] = scope; }
  void rouse(sched::worker_range range) noexcept override { roused.push_back(range); }
  void wake(sched::worker_id who) noexcept override { woken.push_back(who); }
  const std::vector<sched::squad>& squads() const noexcept override { return squads_; }
  const std::vector<sched::squad>& cache_squads() const noexcept override { return squads_; }
  double now() const noexcept override { return clock; }
  const std::vector<sched::memory_node>& nodes() const noexcept override { return memory; }
  void touch_to(sched::worker_id, std::uint32_t) noexcept override {}
  void watch(sched::worker_id, std::uint32_t) override {}
  void watch_users(sched::worker_id, std::uint32_t) override { ++watches; }
  std::vector<sched::area> watched(sched::worker_id) override { return areas; }
  void move_areas(sched::worker_id, std::span<sched::area_move> moves, double most) override {
    std::vector<double> took(memory.size());  // a squad for each node
    for (sched::area_move& each : moves) {
      double& its = took[each.node];
      if (its > most) continue;
      its += move_takes;
      each.made = true;
      const auto left = room.find(each.node);
      if (!moves_data || (left != room.end() && left->second == 0)) continue;
      if (left != room.end()) --left->second;
      each.bytes = areas[each.area].bytes;
      areas[each.area].node = each.node;
    }
    clock += *std::ranges::max_element(took);
  }
  sched::evidence profile(sched::worker_id, bool on) override { return on ? listens_to : listened_to; }
  void note(sched::worker_id, const sched::decision& what, std::int64_t) override { decided.push_back(what); }
  sched::counts counts_of(sched::worker_id who) override { return counted[who]; }
  bool sees_memory() const noexcept override { return counts_memory; }
  std::uint32_t random(sched::worker_id, std::uint32_t below) noexcept override { return draws_++ % below; }

  struct attempt {
    sched::worker_id thief;
    sched::worker_id victim;
    sched::deque_kind from;
  };
  std::vector<attempt> attempts;
  std::vector<sched::worker_range> roused;
  std::vector<sched::worker_id> woken;
  std::vector<sched::counts> counted;  // by worker
  double clock = 0;
  bool insisting = true;
  bool all_busy = false;
  bool counts_memory = true;
  sched::evidence listens_to = sched::evidence::simulation, listened_to = sched::evidence::simulation;
  std::vector<sched::decision> decided;
  std::vector<sched::memory_node> memory;
  std::vector<sched::area> areas;     // what is seen of the data
  bool moves_data = true;             // else every move is refused
  std::map<std::uint32_t, int> room;  // by node, in areas; missing: there is enough
  double move_takes = 0;              // ns, of an area at once, as on threads
  unsigned watches = 0;               // of users
  std::function<void()> before_take;  // what happens between a worker's look at the rule and its look into a pool
  sched::worker_range scope(sched::worker_id of) const { return scopes_[of]; }
  sched::deque_kind lane_of(sched::worker_id of) const { return lanes_[of]; }

 private:
  std::uint32_t count_;
  std::vector<sched::item> mail_;
  std::vector<sched::worker_range> scopes_;
  std::vector<sched::deque_kind> lanes_;
  std::vector<sched::item_queue> pools_;
  std::vector<sched::squad> squads_;
  std::uint32_t draws_ = 0;
};

}  // namespace jackdaw::test
