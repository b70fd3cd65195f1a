#include "numa/side_by_side.hpp"

#include <pthread.h>

#include <csignal>
#include <cstddef>
#include <new>
#include <system_error>
#include <thread>

#include "numa/pinned_touch.hpp"

namespace jackdaw::numa {
namespace {

/// While it lives, threads that the caller makes get no signals, which the program's handlers would meet on a thread
/// that it does not know. Those that a thread causes itself are no matter of waiting.
class without_signals {
 public:
  without_signals() noexcept {
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) sigdelset(&blocked, own);
    pthread_sigmask(SIG_SETMASK, &blocked, &was_);
  }
  ~without_signals() { pthread_sigmask(SIG_SETMASK, &was_, nullptr); }
  without_signals(const without_signals&) = delete;
  without_signals& operator=(const without_signals&) = delete;

 private:
  sigset_t was_;
};

bool start(const pinned_job& job, std::vector<std::thread>& helpers) noexcept {
  try {
    const without_signals meanwhile;
    helpers.emplace_back([&job] {
      try {
        pin_this_thread(job.cpus);
      } catch (const std::bad_alloc&) {  // it runs where the caller may
      }
      job.work();
    });
    return true;
  } catch (const std::system_error&) {
    return false;  // the system starts no more threads
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

void do_side_by_side(std::span<const pinned_job> jobs, const std::function<void()>& own) {
  std::vector<std::thread> helpers;
  std::size_t started = 0;
  while (started < jobs.size() && start(jobs[started], helpers)) ++started;
  own();
  for (const pinned_job& each : jobs.subspan(started)) each.work();
  for (std::thread& each : helpers) each.join();
}

}  // namespace jackdaw::numa
