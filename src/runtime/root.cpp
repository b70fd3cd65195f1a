#include "jackdaw/detail/root.hpp"

#include "runtime/notes.hpp"
#include "runtime/recording.hpp"
#include "runtime/threads.hpp"
#include "runtime/worker.hpp"
#include "trace/recorder.hpp"

namespace jackdaw::detail {

void root::begin() noexcept { begun_.store(true, std::memory_order_relaxed); }

void root::end() {
  releases(this);
  if (threads* const home = waited_in) {
    // Once its task resumes, that engine may end, but not before end_waking().
    home->begin_waking();
    if (fiber* const waiting = latch_.settle(decltype(latch_)::result::ended)) {
      home->requeue(waiting);
    }
    home->end_waking();
    return;
  }
  const std::lock_guard hold(mutex_);
  done_.store(true, std::memory_order_release);
  ended_.notify_one();
}

fiber* root::start_on_fiber(entry* self) noexcept {
  auto* const me = static_cast<root*>(self);
  me->control.set();
  me->begin();
  sched::upper_task* const upper = me->upper;
  this_worker()->counts.roots.add();
  this_worker()->adopt(upper, me->searching);
  trace::recorder* const into = this_recorder();
  if (into != nullptr) {
    measure_recording();
    into->begin_root();
  }
  me->run();
  this_worker()->check_process();
  if (into != nullptr) {
    into->end_root();
  }
  worker* const on = this_worker();
  on->home.scheduler().end(on->id, *upper);
  tell(*on, event_kind::end, *upper);
  delete upper;
  on->home.root_goes();
  const bool unattended = me->unattended;
  me->end();
  if (unattended) {
    on->home.end_unattended();
  }
  on->home.roots().end();
  return nullptr;
}

}  // namespace jackdaw::detail
