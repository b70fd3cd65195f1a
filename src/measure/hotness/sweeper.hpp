#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "measure/hotness/hotness.hpp"

namespace jackdaw::measure {

/// A thread that sweeps over what is watched, until it ends. It works for at most a quarter of its time, and rests for
/// at least 1 ms after each sweep.
class sweeper {
 public:
  /// `first`: what the thread does before anything else. Where no thread can be had, nothing is swept.
  sweeper(hotness& over, std::function<void()> first);
  ~sweeper();
  sweeper(const sweeper&) = delete;
  sweeper& operator=(const sweeper&) = delete;

 private:
  void work();

  hotness& over_;
  std::mutex mutex_;
  std::condition_variable told_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace jackdaw::measure
