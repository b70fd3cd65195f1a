// Limits and settings for the whole program.
#include "tbb/controls.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

#include "base/immortal.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/runtime.hpp"
#include "runtime/worker.hpp"
#include "tbb/arena.hpp"
#include "tbb/frame.hpp"
#include "tbb/known_library.hpp"
#include "tbb/layout.hpp"

namespace jackdaw::onetbb {
namespace {

using control = d1::global_control;

/// As much as oneTBB gives its threads: what runs on them runs on jackdaw's fibers here.
constexpr std::size_t usual_stack = std::size_t{4} << 20;

struct in_force {
  std::mutex mutex;
  std::vector<const control*> all;
  int handles = 0;
};
detail::immortal<in_force> controls;

// What is in force, where it is asked for often.
std::atomic<bool> prepared{false};
std::atomic<bool> terminates{false};
std::atomic<unsigned> parallelism{0};

/// Returns what `choose` makes of the values in force; `otherwise` if there are none. Called with the mutex.
template <class Choose>
std::size_t in_force_of(control::parameter which, std::size_t otherwise, Choose choose) {
  std::size_t found = otherwise;
  bool any = false;
  for (const control* each : controls.it.all) {
    if (r1::global_control_impl::parameter(*each) != which) continue;
    const std::size_t value = r1::global_control_impl::value(*each);
    found = any ? choose(found, value) : value;
    any = true;
  }
  return found;
}
const auto least = [](std::size_t a, std::size_t b) { return std::min(a, b); };
const auto most = [](std::size_t a, std::size_t b) { return std::max(a, b); };

void renew() {
  terminates.store(in_force_of(control::terminate_on_exception, 0, most) != 0, std::memory_order_relaxed);
  parallelism.store(static_cast<unsigned>(in_force_of(control::max_allowed_parallelism, 0, least)),
                    std::memory_order_relaxed);
}

}  // namespace

bool terminates_on_exception() noexcept { return terminates.load(std::memory_order_relaxed); }
unsigned allowed_parallelism() noexcept { return parallelism.load(std::memory_order_relaxed); }

void forget_controls() noexcept { new (&controls.it.mutex) std::mutex; }

void prepare_default_runtime() {
  if (prepared.load(std::memory_order_acquire)) return;
  const std::lock_guard hold(controls.it.mutex);
  if (prepared.load(std::memory_order_relaxed)) return;
  check_library();
  const char* const recorded = std::getenv("JACKDAW_RECORD");
  if (recorded != nullptr && *recorded != '\0') {
    std::fprintf(stderr, "libjackdaw_tbb.so: JACKDAW_RECORD is set, expected a program with forks of jackdaw's own\n");
    std::_Exit(2);
  }
  const char* const given = std::getenv("JACKDAW_STACK_SIZE");
  if (given == nullptr || *given == '\0') {
    try {
      configure({.stack_size = in_force_of(control::thread_stack_size, usual_stack, most)});
    } catch (const error&) {  // NOLINT(bugprone-empty-catch): it has started, or the size is out of bounds
    }
  }
  prepared.store(true, std::memory_order_release);
}

}  // namespace jackdaw::onetbb

namespace tbb::detail::r1 {

using namespace jackdaw::onetbb;

void create(d1::global_control& made) {
  const std::lock_guard hold(controls.it.mutex);
  controls.it.all.push_back(&made);
  renew();
}

void destroy(d1::global_control& gone) {
  const std::lock_guard hold(controls.it.mutex);
  std::erase(controls.it.all, &gone);
  renew();
}

std::size_t global_control_active_value(int which) {
  using control = d1::global_control;
  const auto parameter = static_cast<control::parameter>(which);
  const std::size_t workers =
      parameter == control::max_allowed_parallelism ? static_cast<std::size_t>(default_arena().workers()) : 0;
  const std::lock_guard hold(controls.it.mutex);
  switch (parameter) {
    case control::max_allowed_parallelism:
      return in_force_of(parameter, workers, least);
    case control::thread_stack_size:
      return in_force_of(parameter, usual_stack, most);
    case control::terminate_on_exception:
      return in_force_of(parameter, 0, most);
    default:
      return static_cast<std::size_t>(controls.it.handles);
  }
}

void get(d1::task_scheduler_handle& to) {
  const std::lock_guard hold(controls.it.mutex);
  ++controls.it.handles;
  static char token;  // a handle is empty or not; what it points to is never looked at
  to.m_ctl = reinterpret_cast<d1::global_control*>(&token);
}

void release_impl(d1::task_scheduler_handle& handle) {
  const std::lock_guard hold(controls.it.mutex);
  --controls.it.handles;
  handle.m_ctl = nullptr;
}

/// Ends the workers, if nothing can need them: the caller is no task, and no task_arena is active.
bool finalize_impl(d1::task_scheduler_handle& handle) {
  release_impl(handle);
  if (jackdaw::detail::this_worker() != nullptr || this_frame() != nullptr || !end_unused_arenas()) return false;
  try {
    jackdaw::shutdown();
    return true;
  } catch (const jackdaw::error&) {
    return false;
  }
}

bool finalize(d1::task_scheduler_handle& handle, std::intptr_t mode) {
  if (mode == d1::release_nothrowing) {
    release_impl(handle);
    return true;
  }
  const bool ended = finalize_impl(handle);
  if (!ended && mode == d1::finalize_throwing) {
    // The exception's class is libtbb's, and so is what throws it.
    if (void* const thrower = library_function("_ZN3tbb6detail2r115throw_exceptionENS0_2d012exception_idE")) {
      reinterpret_cast<void (*)(d0::exception_id)>(thrower)(d0::exception_id::unsafe_wait);
    }
  }
  return ended;
}

}  // namespace tbb::detail::r1
