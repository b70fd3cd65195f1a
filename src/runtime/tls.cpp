#include <utility>

#include "jackdaw/detail/home_slot.hpp"
#include "jackdaw/detail/lane.hpp"
#include "jackdaw/detail/task_slot.hpp"
#include "jackdaw/per_worker.hpp"
#include "jackdaw/tied.hpp"
#include "runtime/worker.hpp"

extern "C" {
__thread jackdaw::detail::lane* jackdaw_lane = nullptr;
__thread unsigned jackdaw_home_slot = 0;
__thread int* jackdaw_open_ties = nullptr;
}

namespace jackdaw::detail {
namespace {
__thread worker* current = nullptr;
__thread void* outside_of_tasks = nullptr;
}  // namespace

// Never inlined, and opaque to the caller: see this_lane().
[[gnu::noinline]] worker* this_worker() noexcept {
  asm volatile("" ::: "memory");
  return current;
}

[[gnu::noinline]] const void* running() noexcept {
  asm volatile("" ::: "memory");
  return current != nullptr ? static_cast<const void*>(current->active->current) : static_cast<const void*>(&current);
}

[[gnu::noinline]] void*& task_slot_slow() noexcept {
  asm volatile("" ::: "memory");
  return current != nullptr && current->active->current != nullptr ? current->active->current->frame : outside_of_tasks;
}

[[gnu::noinline]] const void* this_seat() noexcept {
  asm volatile("" ::: "memory");
  return current != nullptr ? static_cast<const void*>(current) : static_cast<const void*>(&current);
}

[[gnu::noinline]] const void* this_thread_slow() noexcept {
  asm volatile("" ::: "memory");
  return &current;
}

[[gnu::noinline]] int* count_ties_into(int* now) noexcept { return std::exchange(jackdaw_open_ties, now); }

[[gnu::noinline]] int* counts_ties_into() noexcept {
  asm volatile("" ::: "memory");
  return jackdaw_open_ties;
}

void set_this_worker(worker* self) noexcept { current = self; }

[[gnu::noinline]] lane* this_lane_slow() noexcept {
  asm volatile("" ::: "memory");
  return jackdaw_lane;
}

[[gnu::noinline]] void set_this_lane(lane* to) noexcept { jackdaw_lane = to; }

[[gnu::noinline]] unsigned this_home_slot_slow() noexcept {
  asm volatile("" ::: "memory");
  return jackdaw_home_slot;
}

[[gnu::noinline]] void set_this_home_slot(unsigned slot) noexcept { jackdaw_home_slot = slot; }

}  // namespace jackdaw::detail
