#include "tbb/dispatch.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#include "base/happens_before.hpp"
#include "runtime/worker.hpp"
#include "tbb/contexts.hpp"
#include "tbb/controls.hpp"
#include "tbb/observers.hpp"
#include "tbb/slots.hpp"
#include "tbb/spawn.hpp"

namespace jackdaw::onetbb {
namespace {

thread_local void* outside_frame = nullptr;

/// By thread, so that threads do not share a line.
thread_local unsigned long run_by_this_thread = 0;
std::atomic<unsigned long> run_in_all{0};

[[gnu::noinline]] void count() noexcept {
  constexpr unsigned long batch = 16;
  if (++run_by_this_thread % batch == 1) run_in_all.fetch_add(batch, std::memory_order_relaxed);
}

/// The group learns of what is being thrown, unless it has been cancelled before.
void keep_exception(context& of) noexcept {
  if (terminates_on_exception()) std::abort();
  auto* const kept = new (std::nothrow) r1::tbb_exception_ptr{std::current_exception()};
  if (kept == nullptr) std::abort();
  // First the exception, then the request: who sees the group cancelled sees why.
  r1::tbb_exception_ptr* none = nullptr;
  const bool first = context_inside::cancelled(of).load(std::memory_order_relaxed) == 0 &&
                     context_inside::exception(of).compare_exchange_strong(none, kept, std::memory_order_acq_rel,
                                                                           std::memory_order_relaxed);
  if (!first) delete kept;
  cancel(of);
}

}  // namespace

void*& slow_frame() noexcept {
  if (const detail::worker* const on = detail::this_worker(); on != nullptr && on->active->current != nullptr) {
    return on->active->current->frame;
  }
  return outside_frame;
}

unsigned long tasks_run() noexcept { return run_in_all.load(std::memory_order_relaxed); }

void run_chain(d1::task* next, frame& in) noexcept {
  context& group = *in.now.context;
  while (next != nullptr) {
    try {
      next = is_cancelled(group) ? next->cancel(in.now) : next->execute(in.now);
    } catch (...) {
      // The group is cancelled now, so that the same task is called once more, to end.
      keep_exception(group);
      continue;
    }
    if (next != nullptr) {
      in.now.original_slot = this_slot();
      in.now.affinity_slot = d1::no_slot;
    }
  }
}

void run_here(record& taken) noexcept {
  detail::acquires(&taken);
  frame here{{taken.group, taken.origin, taken.wish}, taken.in, nullptr};
  const inside until_it_has_ended(here);
  const under_settings of_group(*taken.group, here.outer);
  count();
  run_chain(&taken.task(), here);
}

detail::fiber* run_on_fiber(detail::entry* taken) noexcept {
  record& it = *static_cast<record*>(taken);
  arena& in = *it.in;
  enter(&in);
  run_here(it);
  // What an isolated task had no room for may be for this thread alone, which comes to nothing but its deques.
  if (detail::worker& on = *detail::this_worker(); on.home.apart_of() != nullptr) [[unlikely]] {
    unpack(on, in);
    on.loose_ended.add_release();  // from here on the engine may be another isolated task's
  }
  return nullptr;
}

void rethrow(context& of) {
  if (const r1::tbb_exception_ptr* const kept = context_inside::exception(of).load(std::memory_order_acquire)) {
    std::rethrow_exception(kept->thrown);
  }
}

}  // namespace jackdaw::onetbb
