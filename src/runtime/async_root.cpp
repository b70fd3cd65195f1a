#include <utility>

#include "base/happens_before.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/future.hpp"
#include "jackdaw/runtime.hpp"
#include "runtime/process.hpp"
#include "runtime/runtime_access.hpp"
#include "runtime/threads.hpp"
#include "runtime/uncancelled.hpp"
#include "runtime/worker.hpp"

namespace jackdaw::detail {

async_root::async_root(std::shared_ptr<runtime_link> on) noexcept
    : on_(std::move(on)), generation_(process::generation()) {
  unattended = true;
}

void async_root::check_process() const {
  if (!ended() && generation_ != process::generation()) {
    throw error("a future's task is of the parent process: it does not end in the child of a fork()");
  }
}

void async_root::start() {
  if (const worker* const on = this_worker(); on != nullptr && on->never_suspends()) {
    run();
    end();
    return;
  }
  if (on_ == nullptr) {
    runtime_access::send(runtime::instance(), *this);
    return;
  }
  const std::lock_guard until_sent(on_->mutex);
  if (on_->to == nullptr) {
    throw error("a future's function cannot start: the runtime of its task has ended");
  }
  runtime_access::send(*on_->to, *this);
}

/// Called on a worker of an engine that does not end yet.
void async_root::start_on(threads& engine) noexcept {
  engine.root_comes();
  engine.roots().begin();
  try {
    engine.send(*this, false);
  } catch (...) {
    engine.root_goes();
    engine.roots().end();
    fail(std::current_exception());
    async_root::end();
  }
}

void async_root::end() {
  releases(this);
  async_root* next = nullptr;
  {
    const std::lock_guard hold(mutex_);
    done_.store(true, std::memory_order_release);
    next = std::exchange(next_, nullptr);
    ended_.notify_all();
  }
  // The task that waits is under a root of its engine, which does not end before the task resumes.
  if (fiber* const waiting = latch_.settle(decltype(latch_)::result::ended)) {
    threads& its = *resumes_on_;
    its.begin_waking();
    its.requeue(waiting);
    its.end_waking();
  }
  if (next != nullptr) {
    if (worker* const on = this_worker(); on != nullptr && !on->never_suspends()) {
      next->start_on(on->home);
    } else {
      next->run();
      next->end();
    }
  }
  let_go();
}

void async_root::wait_for_end() {
  check_process();
  worker* const caller = this_worker();
  if (caller == nullptr || caller->never_suspends()) {
    const uncancelled until_it_has_ended;
    root::wait();
  } else if (!ended()) {
    resumes_on_ = &caller->home;
    caller->suspend(
        [](worker&, fiber* left, void* awaited) noexcept -> fiber* {
          return static_cast<async_root*>(awaited)->root::wait(left) ? nullptr : left;
        },
        this);
  }
  acquires(this);
}

void async_root::continue_with(async_root& next) {
  check_process();
  {
    const std::lock_guard hold(mutex_);
    if (!ended()) {
      next_ = &next;
      return;
    }
  }
  next.start();
}

void async_root::meet() noexcept {
  releases(&met_);
  // Release and acquire: whoever comes second sees the value, and what the other has done with it.
  if (met_.exchange(true, std::memory_order_acq_rel)) {
    acquires(&met_);
    clear();
  }
}

void async_root::drop() noexcept {
  meet();
  let_go();
}

void async_root::let_go() noexcept {
  releases(&owners_);
  // Release and acquire: the last one frees what the other has used.
  if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    acquires(&owners_);
    delete this;
  }
}

}  // namespace jackdaw::detail
