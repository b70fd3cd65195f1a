#include "profile/hotness/sweeper.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

namespace jackdaw::profile {

sweeper::sweeper(hotness& over, std::function<void()> first) : over_(over) {
  try {
    thread_ = std::thread([this, first = std::move(first)] {
      try {
        first();
      } catch (const std::exception&) {
        return;  // out of memory: nothing is swept
      }
      work();
      do_last();
    });
  } catch (const std::system_error&) {
    thread_ = std::thread();
  }
}

sweeper::~sweeper() { end(); }

void sweeper::end() noexcept {
  {
    const std::lock_guard hold(mutex_);
    ending_ = true;
  }
  told_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void sweeper::do_last() noexcept {
  const std::function<void()>* last = nullptr;
  {
    // If memory ran out while sweeping, end() may not have been called yet.
    const std::lock_guard hold(mutex_);
    last = last_;
  }
  if (last == nullptr) return;
  try {
    (*last)();
    finished_ = true;
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void sweeper::finish(const std::function<void()>& last) {
  {
    const std::lock_guard hold(mutex_);
    last_ = &last;
  }
  end();
  if (failure_) std::rethrow_exception(failure_);
  if (!finished_) last();
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
      return;  // out of memory: what was seen so far must suffice
    }
    rest = std::max(least_rest, 3 * (clock::now() - start));
    hold.lock();
  }
}

}  // namespace jackdaw::profile
