#include "runtime/fiber_pool.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "runtime/announce.hpp"

namespace jackdaw::detail {
namespace {

constexpr std::size_t most_at_once = 16;
constexpr std::size_t first_allowance = 1024;
constexpr std::size_t most_trimmed_at_once = 256;  // a fraction of a millisecond: the worker may be needed

}  // namespace

fiber_pool::fiber_pool(std::size_t stack_size)
    : slabs_(stack_size), allowance_(first_allowance), looked_(clock::now()) {}

fiber_pool::~fiber_pool() { retire(free_); }

fiber* fiber_pool::make(bool needed) noexcept {
  const stack_slabs::stack got = slabs_.take(needed);
  if (got.lowest == nullptr) {
    return nullptr;
  }
  // Each stack begins at another offset. With equal offsets the tops of all stacks would share a few cache sets.
  const std::size_t offset = colour_.fetch_add(1, std::memory_order_relaxed) * 2496 % 4096;
  constexpr std::size_t header = (sizeof(fiber) + 63) / 64 * 64;
  auto* const made = new (got.lowest + slabs_.stack_size() - header - offset) fiber;
  made->stack = got.lowest;
  made->slab = got.of;
  made->guard = slabs_.guard_size();
  made->end = got.lowest + slabs_.stack_size();
  return made;
}

void fiber_pool::retire(fiber* list) noexcept {
  while (list != nullptr) {
    fiber* const gone = std::exchange(list, list->next);
    const stack_slabs::stack memory{gone->stack, static_cast<stack_slabs::slab*>(gone->slab)};
    announce_retirement(*gone);
    gone->~fiber();
    slabs_.give(memory);
  }
}

/// Takes the first fibers of the list, at most `count`. Called under the mutex.
fiber* fiber_pool::cut(std::size_t count) noexcept {
  fiber* const first = free_;
  fiber** end = &free_;
  std::size_t got = 0;
  for (; got < count && *end != nullptr; ++got) {
    end = &(*end)->next;
  }
  if (got == 0) {
    return nullptr;
  }
  free_ = std::exchange(*end, nullptr);
  const std::size_t left = free_count_.load(std::memory_order_relaxed) - got;
  free_count_.store(left, std::memory_order_relaxed);
  return first;
}

fiber* fiber_pool::take() noexcept {
  {
    const std::lock_guard hold(mutex_);
    fiber* const list = cut(most_at_once);
    least_free_ = std::min(least_free_, free_count_.load(std::memory_order_relaxed));
    if (list != nullptr) {
      return list;
    }
    if (retired_ != clock::time_point() && clock::now() - std::exchange(retired_, {}) < period) {
      // The number has risen again so soon that more of them stay the next time.
      allowance_ = std::min(2 * allowance_, most_stacks);
    }
  }
  return make(false);
}

fiber* fiber_pool::take_needed() {
  fiber* const made = make(true);
  if (made == nullptr) {
    throw std::bad_alloc();
  }
  return made;
}

void fiber_pool::give(fiber* list) noexcept {
  fiber* surplus = nullptr;
  {
    const std::lock_guard hold(mutex_);
    std::size_t count = free_count_.load(std::memory_order_relaxed);
    for (; list != nullptr; ++count) {
      fiber* const one = std::exchange(list, list->next);
      one->next = free_;
      free_ = one;
    }
    free_count_.store(count, std::memory_order_relaxed);
    if (count > allowance_) {
      surplus = cut(count - allowance_);
      retired_ = clock::now();
    }
  }
  retire(surplus);
}

bool fiber_pool::trim() noexcept {
  fiber* unneeded = nullptr;
  bool more = false;
  {
    const std::unique_lock hold(mutex_, std::try_to_lock);
    const auto now = clock::now();
    if (!hold.owns_lock() || now - looked_ < period) {
      return false;
    }
    const std::size_t count = free_count_.load(std::memory_order_relaxed);
    if (least_free_ > kept_idle) {
      const std::size_t some = std::min(least_free_ - kept_idle, most_trimmed_at_once);
      unneeded = cut(some);
      least_free_ -= some;
      more = least_free_ > kept_idle;
    }
    if (!more) {
      looked_ = now;
      least_free_ = count;
      allowance_ = std::max(allowance_ / 2, first_allowance);
    }
  }
  retire(unneeded);
  return more;
}

}  // namespace jackdaw::detail
