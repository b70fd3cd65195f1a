#include "c/group_table.hpp"

#include <limits>
#include <new>
#include <utility>

#include "base/locked_at_forks.hpp"

namespace jackdaw::c_api {
namespace {

// A handle: a mark that no address of a program has on 64-bit systems, the uses of the place, and its number.
constexpr unsigned width = std::numeric_limits<std::uintptr_t>::digits;
constexpr unsigned number_bits = width == 64 ? 32 : 20;
constexpr std::uintptr_t mark = std::uintptr_t{2} << (width - 2);
constexpr std::uintptr_t most_uses = (std::uintptr_t{1} << (width - 2 - number_bits)) - 1;

constexpr std::size_t chunk = 1024;
constexpr std::size_t chunks = 1024;
std::atomic<group_slot*> places[chunks];  // set once each, in order, with the table's lock held

constexpr unsigned most_spare = 128;

}  // namespace

/// The free places of a thread.
struct spare_slots {
  group_slot* first;
  unsigned count;
  bool thread_ends;  // from here on it keeps none: nobody would give them back

  static spare_slots& here() noexcept;

  /// Moves places to the table until so many are left.
  void shed(unsigned left) noexcept {
    group_table& all = detail::locked_at_forks<group_table>();  // it exists: the places are from there
    const std::lock_guard hold(all.mutex);
    while (count > left) {
      group_slot* const moved = std::exchange(first, first->next);
      moved->next = std::exchange(all.free_, moved);
      --count;
    }
  }
  void refill() {
    group_table& all = detail::locked_at_forks<group_table>();
    const std::lock_guard hold(all.mutex);
    if (all.free_ == nullptr) {
      all.grow();
    }
    while (all.free_ != nullptr && count < most_spare / 2) {
      group_slot* const moved = std::exchange(all.free_, all.free_->next);
      moved->next = std::exchange(first, moved);
      ++count;
    }
  }
};

namespace {

__thread spare_slots spare;
/// Gives them back when the thread ends.
struct until_thread_ends {
  ~until_thread_ends() {
    spare_slots::here().thread_ends = true;
    spare_slots::here().shed(0);
  }
};

}  // namespace

/// Never inlined, like this_worker(): a task may be on another thread than before.
[[gnu::noinline]] spare_slots& spare_slots::here() noexcept {
  asm volatile("" ::: "memory");
  return spare;
}

void group_table::grow() {
  for (std::size_t at = 0; at < chunks; ++at) {
    if (places[at].load(std::memory_order_relaxed) != nullptr) continue;
    auto* const made = new group_slot[chunk];
    for (std::size_t i = 0; i < chunk; ++i) {
      made[i].index_ = static_cast<std::uint32_t>(at * chunk + i);
      made[i].next = i + 1 < chunk ? &made[i + 1] : nullptr;
    }
    free_ = made;
    places[at].store(made, std::memory_order_release);  // find() sees the numbers
    return;
  }
  throw std::bad_alloc();
}

group_slot& group_table::take() {
  spare_slots& here = spare_slots::here();
  if (here.first == nullptr) [[unlikely]] {
    here.refill();
    thread_local until_thread_ends gives_back;
    static_cast<void>(&gives_back);
  }
  --here.count;
  group_slot& taken = *std::exchange(here.first, here.first->next);
  if (here.thread_ends) [[unlikely]] {
    here.shed(0);
  }
  return taken;
}

void group_table::give(group_slot& unused) noexcept {
  spare_slots& here = spare_slots::here();
  unused.next = std::exchange(here.first, &unused);
  if (++here.count > most_spare || here.thread_ends) [[unlikely]] {
    here.shed(here.thread_ends ? 0 : most_spare / 2);
  }
}

std::uintptr_t group_table::next_id(group_slot& of) noexcept {
  of.uses_ = of.uses_ == most_uses ? 1 : of.uses_ + 1;
  return mark | (std::uintptr_t{of.uses_} << number_bits) | of.index_;
}

group_slot* group_table::find(std::uintptr_t handle) noexcept {
  const std::size_t index = handle & ((std::uintptr_t{1} << number_bits) - 1);
  if (index >= chunk * chunks) {
    return nullptr;
  }
  group_slot* const some = places[index / chunk].load(std::memory_order_acquire);
  if (some == nullptr) {
    return nullptr;
  }
  group_slot& found = some[index % chunk];
  return found.id_.load(std::memory_order_acquire) == handle ? &found : nullptr;
}

}  // namespace jackdaw::c_api
