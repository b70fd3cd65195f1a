#include "gomp/patience.hpp"

#include "gomp/settings.hpp"

namespace jackdaw::gomp {

bool is_crowded() noexcept {
  return threads_awake.load(std::memory_order_relaxed) > static_cast<int>(settings::of_process().processors);
}

unsigned looks() noexcept {
  const settings& set = settings::of_process();
  return is_crowded() ? set.looks_when_crowded : set.looks;
}

void word_lock::lock_slowly() noexcept {
  for (unsigned left = looks(); left > 0; --left) {
    if (at_.load(std::memory_order_relaxed) == 0 && try_lock()) return;
    pause();
  }
  while (at_.exchange(2, std::memory_order_acquire) != 0) {
    sleep_on(at_, 2);
  }
}

}  // namespace jackdaw::gomp
