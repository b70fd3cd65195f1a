#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace jackdaw::test {

/// Ends the process when the watched test lasts too long: reports the test and where each worker is, then aborts.
/// ctest's own limit ends a test with SIGKILL, without a report.
class watchdog {
 public:
  using clock = std::chrono::steady_clock;

  explicit watchdog(clock::duration limit);
  ~watchdog();
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

  /// From now on `what` has the limit's time until release(). The first call starts the thread that watches.
  void watch(std::string what);
  void release();

 private:
  void run();

  const clock::duration limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // guarded by mutex_
  std::string watched_;
  clock::time_point deadline_ = clock::time_point::max();  ///< max: nothing is watched
  bool ending_ = false;

  std::thread thread_;
};

/// The limit that $JACKDAW_TEST_TIMEOUT asks for, in whole seconds; 100 s when it is not set. A bad value ends the
/// process with status 2.
std::chrono::seconds limit_from_environment();

}  // namespace jackdaw::test
