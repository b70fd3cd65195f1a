#include "runtime/process.hpp"

#include <cxxabi.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <new>
#include <string_view>

#include "base/own_mapping.hpp"
#include "base/print.hpp"
#include "profile/counters/counter_events.hpp"
#include "runtime/fatal.hpp"
#include "runtime/notes.hpp"
#include "runtime/worker.hpp"

namespace jackdaw::detail {

void end_of_child(const char* what) noexcept {
  print(2, "jackdaw: in the child of a fork(), ", std::string_view(what), "\n");
  _exit(EXIT_FAILURE);
}

namespace {

std::mutex registration;
// guarded by registration:
bool forks_seen_to = false;
bool end_registered = false;

__thread bool removing = false;  // this thread is removing the mark; exit() may run on another one meanwhile

std::atomic<std::uint32_t> forks{0};
std::atomic<std::uint64_t> began_at{0}, began_cpu{0};
std::atomic<bool> has_begun_to_exit{false};
std::atomic<bool> must_mark{true};

// The mark is registered under this address. It is no library's handle, so unloading a library does not run the mark.
char mark_owner;

/// Run by exit(), which runs what was registered last first: after this come all destructors that were registered
/// before.
void mark_exit(void*) {
  if (!removing) {
    has_begun_to_exit.store(true, std::memory_order_release);
  }
}

/// Called with `registration` held.
void remove_mark() noexcept {
  removing = true;
  abi::__cxa_finalize(&mark_owner);
  removing = false;
}

/// While the process forks, no thread of ours changes the C library's list of functions to run at exit. The library
/// does not repair that list's lock in the child, which could then not even exit().
void before_fork() noexcept {
  registration.lock();
  keep_machine();
  keep_region_names();
  profile::keep_event_names();
  keep_own_mappings();
}
void in_parent() noexcept {
  release_own_mappings();
  profile::release_event_names();
  release_region_names();
  release_machine();
  registration.unlock();
}

void in_child() {
  forks.fetch_add(1, std::memory_order_relaxed);
  release_own_mappings();
  new (&registration) std::mutex;
  if (worker* const self = this_worker()) {
    self->strand();
  }
  forget_default();
  forget_outside_groups();
  forget_engines();
  forget_handlers();
  profile::release_event_names();
  release_region_names();
  release_machine();
}

/// Called at the end of the program, or of a library that contains this one: registered like a static object's
/// destructor.
void at_end() {
  end_default();
  if (process::exiting()) {
    return;
  }
  const std::lock_guard hold(registration);
  end_registered = false;
  remove_mark();
  must_mark.store(true, std::memory_order_relaxed);
}

}  // namespace

void process::join() {
  const std::lock_guard hold(registration);
  if (!forks_seen_to) {
    if (pthread_atfork(before_fork, in_parent, in_child) != 0) {
      throw std::bad_alloc();
    }
    forks_seen_to = true;
  }
  if (!end_registered) {
    if (std::atexit(at_end) != 0) {
      throw std::bad_alloc();
    }
    end_registered = true;
  }
}

std::uint32_t process::generation() noexcept { return forks.load(std::memory_order_relaxed); }

process::beginning process::began() noexcept {
  return {began_at.load(std::memory_order_relaxed), began_cpu.load(std::memory_order_relaxed)};
}

std::uint64_t process::processor_time() noexcept {
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return 0;
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(used.tv_nsec);
}

namespace {
void note_beginning() noexcept {
  began_at.store(nanoseconds_now(), std::memory_order_relaxed);
  began_cpu.store(process::processor_time(), std::memory_order_relaxed);
}

// When the library is loaded, before static objects of the program, which may make a runtime. Not in join(): a process
// may fork before it makes one. If there is no memory for that, a child counts from when its parent loaded the library.
[[gnu::constructor(101)]] void note_loading() noexcept {
  note_beginning();
  pthread_atfork(nullptr, nullptr, note_beginning);
}
}  // namespace

void process::expect_exit() noexcept { must_mark.store(true, std::memory_order_relaxed); }

void process::notice_exit() {
  if (!must_mark.load(std::memory_order_relaxed)) {
    return;
  }
  const std::lock_guard hold(registration);
  if (must_mark.exchange(false, std::memory_order_relaxed) && !exiting()) {
    remove_mark();
    if (abi::__cxa_atexit(mark_exit, nullptr, &mark_owner) != 0) {
      must_mark.store(true, std::memory_order_relaxed);
      throw std::bad_alloc();
    }
  }
}

bool process::exiting() noexcept { return has_begun_to_exit.load(std::memory_order_acquire); }

}  // namespace jackdaw::detail
