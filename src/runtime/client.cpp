#include "runtime/client.hpp"

#include "jackdaw/tied.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::detail {

client::client(threads& home, root& task, unlisted) noexcept : home(home), task(task), thread(nullptr) {}

client::client(threads& home, root& task) noexcept : home(home), task(task), thread(this_thread()) {
  home.begin_waking();
  if (int* const guests = home.ties_that_follow()) ties = guests;
  home.clients().add(*this);
}

client::~client() {
  if (thread != nullptr) {
    home.clients().remove(*this);
    home.end_waking();
  }
}

bool client::wait(std::chrono::milliseconds at_most) {
  const auto called = [this] { return returns.waiting() > 0; };
  if (task.wait(at_most, called) && is_over()) {
    return true;
  }
  if (lingers) {
    task.wait_for_call(at_most, called);
  }
  if (called()) {
    home.step_in(*this);
  }
  return false;
}

void client_list::add(client& one) noexcept {
  const std::lock_guard hold(mutex_);
  one.next_ = first_;
  first_ = &one;
}

void client_list::remove(client& one) noexcept {
  const std::lock_guard hold(mutex_);
  client** at = &first_;
  while (*at != &one) {
    at = &(*at)->next_;
  }
  *at = one.next_;
}

bool client_list::remove_idle(client& one) noexcept {
  const std::lock_guard hold(mutex_);
  if (one.returns.waiting() > 0) return false;
  client** at = &first_;
  while (*at != &one) {
    at = &(*at)->next_;
  }
  *at = one.next_;
  return true;
}

void client_list::want_place(client& one) noexcept {
  const std::lock_guard hold(mutex_);
  client** at = &first_waiting_;
  while (*at != nullptr) {
    at = &(*at)->next_waiting_;
  }
  one.next_waiting_ = nullptr;
  *at = &one;
  waiting_.fetch_add(1, std::memory_order_seq_cst);
}

client* client_list::take_waiting() noexcept {
  const std::lock_guard hold(mutex_);
  client* const first = first_waiting_;
  if (first != nullptr) {
    first_waiting_ = first->next_waiting_;
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  return first;
}

}  // namespace jackdaw::detail
