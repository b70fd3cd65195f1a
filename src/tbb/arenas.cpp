// What task_arena and this_task_arena call.
#include <algorithm>
#include <exception>
#include <optional>
#include <thread>

#include "jackdaw/isolate.hpp"
#include "jackdaw/tied.hpp"
#include "runtime/runtime_access.hpp"
#include "runtime/threads.hpp"
#include "tbb/arena.hpp"
#include "tbb/controls.hpp"
#include "tbb/entry_root.hpp"
#include "tbb/machine_part.hpp"
#include "tbb/observers.hpp"

namespace jackdaw::onetbb {
namespace {

using inside_of = r1::task_arena_impl;

priority urgency_of(const d1::task_arena_base& of) noexcept {
  switch (inside_of::urgency(of)) {
    case d1::task_arena_base::priority::low:
      return priority::low;
    case d1::task_arena_base::priority::high:
      return priority::high;
    default:
      return priority::normal;
  }
}

/// Calls the delegate as a root that `send` sends and awaits, in the group of the caller; rethrows what it throws.
/// `holds`: the calling thread waits meanwhile, instead of running something else.
template <class Send>
void call_as_root(arena& in, const d1::delegate_base& what, const void* site, bool holds, Send send) {
  std::exception_ptr thrown;
  const auto call = [&] {
    try {
      what();
    } catch (...) {
      thrown = std::current_exception();
    }
  };
  const frame* const from = this_frame();
  std::optional<outsider> here;
  if (holds && outsider::here() != nullptr) here.emplace();
  entry_root_of<decltype(call)> task(in, from != nullptr ? from->now.context : nullptr, site, here ? &*here : nullptr,
                                     call);
  send(task);
  here.reset();
  if (thrown) std::rethrow_exception(thrown);
}

/// Calls the delegate on a thread that is no worker. What it forks goes to the arena.
void call_outside(arena& in, const d1::delegate_base& what) {
  const frame* const from = this_frame();
  frame here{{from != nullptr ? from->now.context : nullptr, d1::no_slot, d1::no_slot}, &in, nullptr};
  const inside until_it_returns(here);
  enter(&in);
  what();
}

}  // namespace
}  // namespace jackdaw::onetbb

namespace tbb::detail::r1 {

using namespace jackdaw::onetbb;

void initialize(d1::task_arena_base& made) {
  jackdaw::arena_options how;
  const machine_part wanted{task_arena_impl::numa_node(made), task_arena_impl::core_type(made)};
  const int available = workers_on(wanted);
  int& limit = task_arena_impl::limit(made);
  if (limit < 1) limit = available;
  how.workers = static_cast<unsigned>(std::min(limit, available));
  wanted.tell(how);
  how.priority = urgency_of(made);
  task_arena_impl::inside(made).store(&take_arena(how), std::memory_order_release);
}

bool attach(d1::task_arena_base& to) {
  arena& in = this_arena();
  in.users.fetch_add(1, std::memory_order_relaxed);
  task_arena_impl::limit(to) = in.workers();
  task_arena_impl::inside(to).store(&in, std::memory_order_release);
  return true;
}

void terminate(d1::task_arena_base& of) {
  if (arena* const in = task_arena_impl::inside(of).exchange(nullptr, std::memory_order_acq_rel)) drop(*in);
}

void execute(d1::task_arena_base& in, d1::delegate_base& what) {
  arena& to = *task_arena_impl::inside(in);
  const jackdaw::detail::worker* const on = jackdaw::detail::this_worker();
  if (on == nullptr) {
    call_outside(to, what);
  } else if (this_frame()->in == &to || on->never_suspends()) {
    what();
  } else if (to.is_default()) {
    outsider* const guest = outsider::here();
    if (guest != nullptr && !guest->tie()) {
      what();  // the task must not leave its thread
      return;
    }
    call_as_root(to, what, __builtin_return_address(0), false, [&, on](entry_root& task) {
      {
        // It waits for the host's threads, so its own may go there.
        int* const ties = ties_of_task();
        const jackdaw::detail::tie back(on->home.is_guests(ties) ? nullptr : ties);
        run_and_await(to, task);
      }
      if (guest != nullptr) guest->untie();
    });
  } else {
    // The thread runs nothing but the arena's tasks meanwhile: it may hold a lock.
    call_as_root(to, what, __builtin_return_address(0), true,
                 [&to](entry_root& task) { jackdaw::detail::runtime_access::join(to.engine(), task); });
  }
}

void isolate_within_arena(d1::delegate_base& what, std::intptr_t) {
  const jackdaw::detail::worker* const on = jackdaw::detail::this_worker();
  if (on == nullptr) {
    const only_waiting until_it_returns;
    what();
  } else if (on->never_suspends()) {
    what();  // such a thread runs nothing but what it waits for
  } else {
    call_as_root(this_arena(), what, __builtin_return_address(0), true, [](entry_root& task) {
      jackdaw::detail::worker& on = *jackdaw::detail::this_worker();
      // In an arena only the caller's index is free for it.
      on.home.isolate(&on, task, on.home.owner().host() != nullptr);
    });
  }
}

void wait(d1::task_arena_base& of) {
  arena& in = *task_arena_impl::inside(of);
  forget_ties();
  while (!in.waiting().seems_empty()) {
    if (jackdaw::detail::this_worker() == nullptr || !jackdaw::detail::stand_aside()) std::this_thread::yield();
  }
}

int max_concurrency(const d1::task_arena_base* of) {
  if (of == nullptr) return this_arena().workers();
  if (arena* const in = task_arena_impl::inside(*of)) return in->workers();
  const int limit = task_arena_impl::limit(*of);
  return limit > 0 ? limit : workers_on({task_arena_impl::numa_node(*of), task_arena_impl::core_type(*of)});
}

}  // namespace tbb::detail::r1
