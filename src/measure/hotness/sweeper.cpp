#include "measure/hotness/sweeper.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

namespace jackdaw::measure {

sweeper::sweeper(hotness& over, std::function<void()> first) : over_(over) {
  try {
    thread_ = std::thread([this, first = std::move(first)] {
      try {
        first();
      } catch (const std::exception&) {
        return;  // no memory: nothing is swept
      }
      work();
    });
  } catch (const std::system_error&) {
    thread_ = std::thread();
  }
}

sweeper::~sweeper() {
  {
    const std::lock_guard hold(mutex_);
    ending_ = true;
  }
  told_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void sweeper::work() {
  using clock = std::chrono::steady_clock;
  constexpr clock::duration least_rest = std::chrono::milliseconds(1);
  clock::duration rest = least_rest;
  std::unique_lock hold(mutex_);
  while (!told_.wait_for(hold, rest, [this] { return ending_; })) {
    hold.unlock();
    const auto start = clock::now();
    try {
      over_.sweep();
    } catch (const std::exception&) {
      return;  // no memory: what has been seen so far has to do
    }
    rest = std::max(least_rest, 3 * (clock::now() - start));
    hold.lock();
  }
}

}  // namespace jackdaw::measure
