#include "runtime/pacer.hpp"

#include <algorithm>
#include <chrono>
#include <exception>

#include "runtime/layout.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds between_turns(1), while_alone(10);
constexpr unsigned looks_before_rest = 10;

}  // namespace

pacer::~pacer() {
  {
    const std::lock_guard hold(mutex_);
    ends_ = true;
  }
  wanted_.notify_one();
  if (thread_.joinable()) {
    thread_.join();
  }
}

bool pacer::begin() noexcept {
  waited_for_.fetch_add(1, std::memory_order_seq_cst);
  if (!rests_.load(std::memory_order_seq_cst)) {
    return true;
  }
  const std::lock_guard hold(mutex_);
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { pace(); });
    } catch (const std::exception&) {
      return false;  // the next call tries again
    }
  }
  rests_.store(false, std::memory_order_seq_cst);
  wanted_.notify_one();
  return true;
}

void pacer::pace() {
  engine_.settle_this_thread(usable_cpus(engine_.where()));
  std::unique_lock hold(mutex_);
  for (unsigned in_vain = 0; !ends_;) {
    const std::uint32_t wait = waited_for_.load(std::memory_order_seq_cst);
    in_vain = wait == 0 ? in_vain + 1 : 0;
    if (in_vain > looks_before_rest) {
      in_vain = 0;
      rests_.store(true, std::memory_order_seq_cst);
      if (waited_for_.load(std::memory_order_seq_cst) == 0) {
        wanted_.wait(hold, [this] { return ends_ || !rests_.load(std::memory_order_relaxed); });
      }
      rests_.store(false, std::memory_order_seq_cst);
      continue;
    }
    hold.unlock();  // not held while the engine wakes workers
    for (std::uint32_t asked = 0; asked < std::min(wait, engine_.workers()); ++asked) {
      engine_.let_take_turns(true);
    }
    const bool roused = engine_.rouse_resting();
    const bool shared = roused || (wait != 0 && engine_.roots().count() > 1);
    hold.lock();
    wanted_.wait_for(hold, shared ? between_turns : while_alone, [this] { return ends_; });
  }
}

}  // namespace jackdaw::detail
