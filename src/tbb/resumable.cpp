// Tasks that are suspended and resumed by hand.
#include <chrono>
#include <thread>

#include "base/happens_before.hpp"
#include "runtime/fatal.hpp"
#include "runtime/threads.hpp"
#include "tbb/frame.hpp"
#include "tbb/waits.hpp"

namespace tbb::detail::r1 {

/// On the stack of the task that is suspended.
struct suspend_point_type {
  jackdaw::detail::threads* home = nullptr;  // null: the thread waits
  jackdaw::detail::fiber* task = nullptr;
  std::atomic<bool> resumed{false};
};

}  // namespace tbb::detail::r1

namespace jackdaw::onetbb {
namespace {

using point = r1::suspend_point_type;

/// Calls what the program wants to be called once the task is off its stack, as a task of its own: it may fork.
struct farewell : detail::entry {
  farewell(r1::suspend_callback_type what, void* with, point& at, arena* in, context* group) noexcept
      : entry(&run), what(what), with(with), at(&at), in(in), group(group) {}

  static detail::fiber* run(detail::entry* self) noexcept {
    const farewell me = *static_cast<farewell*>(self);  // gone as soon as the task resumes
    frame here{{me.group, d1::no_slot, d1::no_slot}, me.in, nullptr};
    const inside until_it_returns(here);
    me.what(me.with, me.at);
    if (detail::worker& on = *detail::this_worker(); on.home.apart_of() != nullptr) [[unlikely]]
      on.loose_ended.add_release();  // the task that it has suspended may have ended
    return nullptr;
  }

  r1::suspend_callback_type what;
  void* with;
  point* at;
  arena* in;
  context* group;
};

}  // namespace
}  // namespace jackdaw::onetbb

namespace tbb::detail::r1 {

using namespace jackdaw::onetbb;

void suspend(suspend_callback_type what, void* with) {
  suspend_point_type here;
  jackdaw::detail::worker* const on = jackdaw::detail::this_worker();
  if (on == nullptr || on->never_suspends()) {
    what(with, &here);
    // A thread outside of tasks, which is rare. It looks again rather than sleep on `resumed`: whoever resumes it must
    // not touch the point after that store, as it would to wake a sleeper, because the point is on this stack.
    while (!here.resumed.load(std::memory_order_acquire)) std::this_thread::sleep_for(std::chrono::microseconds(50));
    return;
  }
  const frame* const from = this_frame();
  forget_ties();
  farewell then(what, with, here, from->in, from->now.context);
  here.home = &on->home;
  on->suspend(
      [](jackdaw::detail::worker& on, jackdaw::detail::fiber* left,
         void* argument) noexcept -> jackdaw::detail::fiber* {
        farewell& next = *static_cast<farewell*>(argument);
        next.at->task = left;
        if (on.home.apart_of() != nullptr) on.loose_put.add();
        on.set_next(jackdaw::detail::item_of(static_cast<jackdaw::detail::entry*>(&next)));
        return nullptr;
      },
      &then);
  jackdaw::detail::acquires(&here);
}

void resume(suspend_point_type* at) {
  jackdaw::detail::releases(at);
  jackdaw::detail::threads* const home = at->home;
  if (home == nullptr) {
    at->resumed.store(true, std::memory_order_release);
    return;
  }
  home->begin_waking();
  home->requeue(at->task);
  home->end_waking();
}

suspend_point_type* current_suspend_point() {
  jackdaw::detail::end_for("tbb::detail::r1::current_suspend_point, which no header of oneTBB calls, is not there");
}

}  // namespace tbb::detail::r1
