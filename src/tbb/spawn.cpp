// Tasks that are made ready.
#include "tbb/spawn.hpp"

#include <atomic>
#include <utility>

#include "base/happens_before.hpp"
#include "runtime/threads.hpp"
#include "tbb/contexts.hpp"
#include "tbb/dispatch.hpp"
#include "tbb/entry_root.hpp"
#include "tbb/slots.hpp"
#include "tbb/waits.hpp"

namespace jackdaw::onetbb {
namespace {

/// How many tasks are in inboxes that are parts of isolated tasks. A thread that has put one there sees that it has.
std::atomic<int> kept_apart{0};

record& prepare(d1::task& it, context& group, arena& in, slot_id wish) noexcept {
  return *new (r1::task_accessor::reserved(it)) record(&run_on_fiber, group, &in, this_slot(), wish);
}

/// Lets the workers of the node take the task that has the worker that it would like. False: it is not far, or there is
/// no such worker in this engine.
bool send_to(detail::worker& on, record& one) noexcept {
  if (one.wish >= on.home.workers()) return false;
  const bool is_apart = on.home.apart_of() != nullptr;
  if (is_apart) on.loose_put.add();
  const bool sent = on.home.place_near_worker(on.id, one.wish, detail::item_of(&one));
  if (is_apart && !sent) on.loose_ended.add_release();
  return sent;
}

void spawn(d1::task& it, context& group, slot_id wish) {
  frame* const from = this_frame();
  bind(group, from);
  if (detail::lane* const at = detail::this_lane()) [[likely]] {
    record& made = prepare(it, group, *from->in, wish);
    if (wish == d1::no_slot || !send_to(*at->owner, made)) push(*at->owner, made);
  } else if (detail::worker* const on = detail::this_worker(); on != nullptr && from != nullptr) {
    push(*on, prepare(it, group, *from->in, wish));
  } else {
    arena& in = this_arena();
    in.put(prepare(it, group, in, wish));
  }
}

void put_for_later(d1::task& it, context& group, arena& in) {
  bind(group, this_frame());
  in.put(prepare(it, group, in, d1::no_slot));
}

/// Runs a task now, on the calling worker, and waits.
void run_and_wait(d1::task& it, context& group, slot_id from, wait_context& until) noexcept {
  {
    frame here{{&group, from, d1::no_slot}, this_frame()->in, nullptr};
    const inside until_it_has_ended(here);
    const under_settings of_group(group, here.outer);
    run_chain(&it, here);
  }
  wait_here(until);
}

}  // namespace

void push(detail::worker& on, record& one) {
  detail::lane& at = *on.active;
  if (at.deque.room() == 0) [[unlikely]] {
    one.isolation = on.home.isolation();
    if (one.isolation != 0) kept_apart.fetch_add(1, std::memory_order_relaxed);
    one.in->put(one);
    return;
  }
  if (on.home.apart_of() != nullptr) [[unlikely]]
    on.loose_put.add();
  detail::releases(static_cast<detail::entry*>(&one));
  if (!at.deque.push(&one)) [[unlikely]] {
    // Another thread asks. A spawn does not give way, because it must return on its thread: the wait does.
    at.deque.serve();
    on.home.notice(on.id);
    if (on.mailbox.full() || on.gives_way.load(std::memory_order_relaxed)) on.summon();
  }
}

bool unpack(detail::worker& on, arena& from) noexcept {
  const std::uint64_t within = on.home.isolation();
  if (within != 0 && kept_apart.load(std::memory_order_relaxed) == 0) return false;
  bool found = false;
  // The newest first, so that this worker runs the oldest first.
  for (record* one = from.waiting().take_all(); one != nullptr;) {
    record& next = *one;
    one = one->next;
    if (within != 0 && next.isolation != within) {
      from.put(next);
      continue;
    }
    found = true;
    if (std::exchange(next.isolation, 0) != 0) kept_apart.fetch_sub(1, std::memory_order_relaxed);
    push(on, next);
  }
  return found;
}

void leave_behind(detail::worker& on) {
  while (detail::entry* const newest = on.active->deque.pop_newest()) {
    if (newest->start != &run_on_fiber) {
      on.keep(newest);
      return;
    }
    record& one = *static_cast<record*>(newest);
    on.loose_ended.add_release();
    one.in->put(one);
  }
}

}  // namespace jackdaw::onetbb

namespace tbb::detail::r1 {

using namespace jackdaw::onetbb;

void spawn(d1::task& it, d1::task_group_context& group) { jackdaw::onetbb::spawn(it, group, d1::no_slot); }

void spawn(d1::task& it, d1::task_group_context& group, d1::slot_id wish) { jackdaw::onetbb::spawn(it, group, wish); }

void execute_and_wait(d1::task& it, d1::task_group_context& group, d1::wait_context& until,
                      d1::task_group_context& waits_in) {
  bind(group, this_frame());
  const d1::slot_id from = this_slot();
  if (jackdaw::detail::this_worker() != nullptr) {
    run_and_wait(it, group, from, until);
  } else {
    enter_and_run(this_arena(), __builtin_return_address(0), [&] { run_and_wait(it, group, this_slot(), until); });
  }
  rethrow(waits_in);
}

void wait(d1::wait_context& until, d1::task_group_context& group) {
  if (!external_waiter::is_over(until)) {
    if (jackdaw::detail::this_worker() != nullptr) {
      wait_here(until);
    } else {
      enter_and_run(this_arena(), __builtin_return_address(0), [&] { wait_here(until); });
    }
  }
  rethrow(group);
}

void enqueue(d1::task& it, d1::task_arena_base* to) {
  arena& in = to != nullptr ? *task_arena_impl::inside(*to) : this_arena();
  put_for_later(it, in.common(), in);
}

void enqueue(d1::task& it, d1::task_group_context& group, d1::task_arena_base* to) {
  put_for_later(it, group, to != nullptr ? *task_arena_impl::inside(*to) : this_arena());
}

void submit(d1::task& it, d1::task_group_context& group, arena* to, std::uintptr_t) {
  const frame* const from = this_frame();
  if (from != nullptr && from->in == to && jackdaw::detail::this_worker() != nullptr) {
    jackdaw::onetbb::spawn(it, group, d1::no_slot);
  } else {
    put_for_later(it, group, *to);
  }
}

d1::slot_id execution_slot(const d1::execution_data*) { return this_slot(); }

}  // namespace tbb::detail::r1
