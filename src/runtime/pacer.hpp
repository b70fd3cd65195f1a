#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace jackdaw::detail {

class threads;

/// Has an engine's workers look up while tasks of other runtimes wait for its roots: a thread that waits does so itself
/// from time to time (threads_turns.cpp), a task that waits is suspended. Its thread starts with the first such root,
/// and sleeps once there has been none for a while. README-roots.md.
class pacer {
 public:
  explicit pacer(threads& engine) noexcept : engine_(engine) {}
  ~pacer();
  pacer(const pacer&) = delete;
  pacer& operator=(const pacer&) = delete;

  /// A root that a task of another runtime waits for is under way. If the system refuses a thread, such roots have
  /// their turns when other clients ask for some.
  void begin() noexcept;
  void end() noexcept { waited_for_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  void pace();

  threads& engine_;
  // Sequentially consistent, both: who adds a root looks whether the thread rests; the thread says that it does and
  // looks once more for roots.
  std::atomic<std::uint32_t> waited_for_{0};
  std::atomic<bool> rests_{true};  // or has not been started; true to false under the mutex only
  std::mutex mutex_;
  std::condition_variable wanted_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace jackdaw::detail
