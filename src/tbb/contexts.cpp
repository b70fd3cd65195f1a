// Groups of tasks. README.md says how cancellation reaches the groups inside of a group.
#include "tbb/contexts.hpp"

#include <array>
#include <cstring>
#include <mutex>
#include <new>

#include "base/immortal.hpp"
#include "jackdaw/detail/atomics.hpp"

namespace jackdaw::onetbb {
namespace {

using detail::hardware;
using state = context_inside::state;

/// Some of the bound contexts that live. A circular list.
struct alignas(64) shard {
  detail::spin_lock<hardware> lock;
  d1::intrusive_list_node ends;
};
struct registry {
  std::array<shard, 64> shards;
  std::mutex spreading;                   // held while a cancellation spreads
  std::atomic<std::uint32_t> spreads{0};  // how many have begun or ended: odd while one is under way
};
detail::immortal<registry> known;

shard& shard_for(const context& group) noexcept {
  return known.it.shards[reinterpret_cast<std::uintptr_t>(&group) * 0x9e3779b97f4a7c15u >> 58];
}
shard* shard_of(context& group) noexcept { return reinterpret_cast<shard*>(context_inside::list(group)); }

context& context_of(d1::intrusive_list_node& node) noexcept {
  // Where the node is in a context, found once in one that exists.
  static const std::ptrdiff_t at = [] {
    alignas(context) static char room[sizeof(context)];
    auto& there = *reinterpret_cast<context*>(room);
    return reinterpret_cast<char*>(&context_inside::node(there)) - room;
  }();
  return *reinterpret_cast<context*>(reinterpret_cast<char*>(&node) - at);
}

void enlist(context& group) noexcept {
  shard& in = shard_for(group);
  d1::intrusive_list_node& node = context_inside::node(group);
  context_inside::list(group) = reinterpret_cast<r1::context_list*>(&in);
  const std::lock_guard hold(in.lock);
  if (in.ends.my_next_node == nullptr) in.ends.my_next_node = in.ends.my_prev_node = &in.ends;
  node.my_prev_node = in.ends.my_prev_node;
  node.my_next_node = &in.ends;
  node.my_prev_node->my_next_node = &node;
  in.ends.my_prev_node = &node;
}

void strike(context& group) noexcept {
  shard* const in = shard_of(group);
  if (in == nullptr) return;
  d1::intrusive_list_node& node = context_inside::node(group);
  const std::lock_guard hold(in->lock);
  node.my_prev_node->my_next_node = node.my_next_node;
  node.my_next_node->my_prev_node = node.my_prev_node;
}

bool descends(context& from, const context& ancestor) noexcept {
  for (context* at = context_inside::parent(from); at != nullptr; at = context_inside::parent(*at)) {
    if (at == &ancestor) return true;
  }
  return false;
}

void spread(const context& from) noexcept {
  registry& all = known.it;
  const std::lock_guard one_at_a_time(all.spreading);
  // Sequentially consistent: a context that is bound meanwhile is either found in its list, or finds this (bind()).
  all.spreads.fetch_add(1, std::memory_order_seq_cst);
  for (shard& each : all.shards) {
    const std::lock_guard hold(each.lock);
    if (each.ends.my_next_node == nullptr) continue;
    for (d1::intrusive_list_node* at = each.ends.my_next_node; at != &each.ends; at = at->my_next_node) {
      context& group = context_of(*at);
      if (descends(group, from)) context_inside::cancelled(group).store(1, std::memory_order_relaxed);
    }
  }
  all.spreads.fetch_add(1, std::memory_order_seq_cst);
}

void inherit(context& group, context& from) noexcept {
  if (is_cancelled(from)) context_inside::cancelled(group).store(1, std::memory_order_relaxed);
}

void capture(context& group) noexcept {
  const detail::control_word now;
  static_assert(sizeof now <= sizeof(std::uint64_t));
  std::uint64_t kept = 0;
  std::memcpy(&kept, &now, sizeof now);
  context_inside::control(group) = kept;
}

void drop_exception(context& group) noexcept {
  delete context_inside::exception(group).exchange(nullptr, std::memory_order_acquire);
}

}  // namespace

void under_settings::set(std::uint64_t kept) noexcept {
  detail::control_word of_group;
  std::memcpy(static_cast<void*>(&of_group), &kept, sizeof of_group);
  of_group.set();
}

void bind(context& group, const frame* spawner) noexcept {
  std::atomic<state>& now = context_inside::state_of(group);
  if (now.load(std::memory_order_acquire) >= state::isolated) return;
  state made = state::created;
  if (!now.compare_exchange_strong(made, state::locked, std::memory_order_acquire, std::memory_order_acquire)) {
    while (now.load(std::memory_order_acquire) == state::locked) hardware::pause();
    return;
  }
  if (!context_inside::has_control(group)) capture(group);
  context* const parent = spawner != nullptr ? spawner->now.context : nullptr;
  if (parent == nullptr || parent == &group || !context_inside::is_bound(group)) {
    now.store(state::isolated, std::memory_order_release);
    return;
  }
  context_inside::parent(group) = parent;
  std::atomic<std::uint8_t>& marked = context_inside::may_have_children(*parent);
  // Acquire: what this reads below is not from before the mark of another child.
  if (marked.load(std::memory_order_acquire) == 0) marked.store(1, std::memory_order_seq_cst);
  const std::uint32_t before = known.it.spreads.load(std::memory_order_seq_cst);
  enlist(group);
  // The lists' locks order this after what has gone through this list.
  inherit(group, *parent);
  if (known.it.spreads.load(std::memory_order_seq_cst) != before || before % 2 != 0) {
    const std::lock_guard until_it_has_spread(known.it.spreading);
    inherit(group, *parent);
  }
  now.store(state::bound, std::memory_order_release);
}

bool cancel(context& group) noexcept {
  // Sequentially consistent: a child that is bound at the same time sees this, or marks the group before.
  if (context_inside::cancelled(group).load(std::memory_order_relaxed) != 0 ||
      context_inside::cancelled(group).exchange(1, std::memory_order_seq_cst) != 0) {
    return false;
  }
  if (context_inside::may_have_children(group).load(std::memory_order_seq_cst) != 0) spread(group);
  return true;
}

void forget_contexts() noexcept {
  for (shard& each : known.it.shards) each.lock.unlock();
  new (&known.it.spreading) std::mutex;
  known.it.spreads.store(0, std::memory_order_relaxed);
}

}  // namespace jackdaw::onetbb

// ---- what programs call -------------------------------------------------------------------------------------------

namespace tbb::detail::r1 {

using namespace jackdaw::onetbb;

void initialize(d1::task_group_context& made) {
  using inside = context_inside;
  inside::cancelled(made).store(0, std::memory_order_relaxed);
  inside::may_have_children(made).store(0, std::memory_order_relaxed);
  inside::state_of(made).store(inside::state::created, std::memory_order_relaxed);
  inside::parent(made) = nullptr;
  inside::list(made) = nullptr;
  inside::node(made).my_prev_node = inside::node(made).my_next_node = nullptr;
  inside::exception(made).store(nullptr, std::memory_order_relaxed);
  inside::itt_caller(made) = nullptr;
  inside::control(made) = 0;
  if (inside::has_control(made)) capture(made);
}

void destroy(d1::task_group_context& gone) {
  strike(gone);
  drop_exception(gone);
  context_inside::state_of(gone).store(context_inside::state::dead, std::memory_order_relaxed);
}

void reset(d1::task_group_context& of) {
  drop_exception(of);
  context_inside::cancelled(of).store(0, std::memory_order_relaxed);
}

bool cancel_group_execution(d1::task_group_context& of) { return cancel(of); }

bool is_group_execution_cancelled(d1::task_group_context& of) { return is_cancelled(of); }

void capture_fp_settings(d1::task_group_context& of) {
  context_inside::set_has_control(of);
  capture(of);
}

d1::task_group_context* current_context() {
  const frame* const in = this_frame();
  return in != nullptr ? in->now.context : nullptr;
}

}  // namespace tbb::detail::r1
