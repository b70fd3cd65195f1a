#include "checks/hooks.hpp"

#include <pthread.h>
#include <unistd.h>

#include "checks/held.hpp"
#include "checks/report.hpp"

namespace jackdaw::checks {
namespace {

void begin(bool aborts) noexcept { set_aborts(aborts); }

void enter(const stack& on, const void* site) noexcept {
  thread_state& self = this_thread();
  self.id = gettid();  // asked again: the process may have been forked
  self.base = on.base;
  self.busy = true;
  for (holding found; pick_moved(on, self.id, found);) {
    report_moved(found, site);
  }
  self.busy = false;
  self.in_task = true;
}

void leave() noexcept {
  thread_state& self = this_thread();
  self.busy = true;
  for (holding found; pick_of_thread(self.id, found);) {
    report_left(found, __builtin_return_address(0), self.base);
  }
  self.busy = false;
  self.in_task = false;
}

void end(const stack& on) noexcept {
  this_thread().in_task = false;
  forget(on);
}

/// The child has no other threads, and whatever they held stays held for ever. Its only task no longer changes threads.
[[gnu::constructor]] void expect_forks() noexcept { pthread_atfork(nullptr, nullptr, &forget_all); }

}  // namespace
}  // namespace jackdaw::checks

extern "C" __attribute__((visibility("default"))) constinit const jackdaw::checks::hooks jackdaw_checks_1{
    &jackdaw::checks::begin, &jackdaw::checks::enter, &jackdaw::checks::leave, &jackdaw::checks::end};
