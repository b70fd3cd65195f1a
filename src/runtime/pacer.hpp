#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace jackdaw::detail {

class threads;

/// Makes an engine's workers look up while tasks of other runtimes wait for its roots. A thread that waits does so
/// itself from time to time (threads_turns.cpp), but a task that waits is suspended. The pacer's thread starts with the
/// first such root, and sleeps once there has been none for a while. README-roots.md.
class pacer {
 public:
  explicit pacer(threads& engine) noexcept : engine_(engine) {}
  ~pacer();
  pacer(const pacer&) = delete;
  pacer& operator=(const pacer&) = delete;

  /// Counts a root that a task of another runtime waits for, or a task that rests. False: the system refuses a thread,
  /// so that such roots get turns only when other clients ask.
  bool begin() noexcept;
  void end() noexcept { waited_for_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  void pace();

  threads& engine_;
  // Both are sequentially consistent: a thread that adds a root then looks whether the pacer rests. The pacer says that
  // it rests and then looks for roots once more.
  std::atomic<std::uint32_t> waited_for_{0};
  std::atomic<bool> rests_{true};  // or has not started; changes from true to false under the mutex only
  std::mutex mutex_;
  std::condition_variable wanted_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace jackdaw::detail
