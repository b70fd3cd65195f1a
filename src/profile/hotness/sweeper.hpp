#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "profile/hotness/hotness.hpp"

namespace jackdaw::profile {

/// A thread that sweeps over what is watched, until it ends. It works for at most a quarter of its time, and rests for
/// at least 1 ms after each sweep.
class sweeper {
 public:
  /// `first`: what the thread does before anything else. Where no thread can be had, nothing is swept.
  sweeper(hotness& over, std::function<void()> first);
  ~sweeper();
  /// Ends the sweeping; then the thread does `last`, whose exceptions come from here, and ends. Where there is none the
  /// caller does it. For what needs more stack than tasks should be asked for.
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
  // Of that, by the thread; read once it is joined.
  bool finished_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace jackdaw::profile
