#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "profile/hotness/hotness.hpp"

namespace jackdaw::profile {

/// A thread that sweeps over the watched pages until end(). It works for at most a quarter of its time, and rests for
/// at least 1 ms after each sweep.
class sweeper {
 public:
  /// `first` is what the thread does before anything else. If no thread can be started, nothing is swept.
  sweeper(hotness& over, std::function<void()> first);
  ~sweeper();
  /// Ends the sweeping. Then the thread calls `last`, whose exceptions end() rethrows, and exits. Without a thread, the
  /// caller calls `last`. Meant for work that needs more stack than a task should need.
  void finish(const std::function<void()>& last);
  sweeper(const sweeper&) = delete;
  sweeper& operator=(const sweeper&) = delete;

 private:
  void work();
  void do_last() noexcept;
  void end() noexcept;

  hotness& over_;
  std::mutex mutex_;
  std::condition_variable told_;
  bool ending_ = false;
  const std::function<void()>* last_ = nullptr;
  // Written by the thread, read after it is joined.
  bool finished_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace jackdaw::profile
