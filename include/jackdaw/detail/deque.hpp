#pragma once

#include <cstddef>

#include "jackdaw/detail/atomics.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

struct c_layout;

/// A worker's deque of entries that other workers may run. The newest is at the head, the oldest at the tail.
///
///     slots:  0 ....... tail ....... split ....... head ....... end
///             taken     | public     | private     | free
///
/// The owner pushes and pops at the head. Slots below `split` are public: they change hands under the lock only. Slots
/// from `split` on belong to the owner alone, so push and pop need neither lock nor fence. Private slots become public
/// when the owner finds, at a push, that another thread asked (`limit` lowered). A thief whose question stays
/// unanswered, because the owner is inside a long leaf, moves `split` itself, with an asymmetric fence. If the kernel
/// refuses that fence, nothing is private. States, invariants and the argument for every memory order:
/// src/runtime/README-deque.md. Model: tests/model.
template <class P, class Entry>
class basic_deque {
 public:
  using slot = typename P::template atomic<Entry*>;

  /// `slots` has room for capacity + 2, and for as many more entries as will ever be kept beyond the capacity. The slot
  /// below the bottom stays null and stops every comparison there. A push may use the slot above the capacity before it
  /// finds the deque full.
  void open(slot* slots, std::size_t capacity) noexcept {
    slots->store(nullptr, std::memory_order_relaxed);
    base_ = slots + 1;
    end_ = base_ + capacity;
    head_.store(base_, std::memory_order_relaxed);
    limit_.store(unasked(), std::memory_order_relaxed);
    split_.store(base_, std::memory_order_relaxed);
    tail_.store(base_, std::memory_order_relaxed);
  }

  // ---- the owner ------------------------------------------------------------------------------------------------

  /// Pushes an entry. False: the entry is pushed all the same, but the deque is full or another thread has asked. Then
  /// call attend(), or serve() if the entry has to stay.
  [[nodiscard]] bool push(Entry* entry) noexcept {
    slot* at = nullptr;
    return push(entry, at);
  }
  /// The same; `at` is the slot that got the entry.
  [[nodiscard]] bool push(Entry* entry, slot*& at) noexcept {
    slot* const head = at = head_.load(std::memory_order_relaxed);
    head->store(entry, std::memory_order_relaxed);
    // Release: a thief that reads this head (force) sees the slot.
    head_.store(head + 1, std::memory_order_release);
    // First the head is stored, then the question is read. A sleeper asks, executes a heavy fence and looks at the
    // heads. So either it sees this entry or this push sees the question.
    P::light_fence();
    return head < limit_.load(std::memory_order_relaxed);
  }

  /// Of the owner, after a push: whether the entry has no room, or others' rests are beyond the capacity.
  bool seems_full() const noexcept { return head_.load(std::memory_order_relaxed) > end_; }

  enum class attention { served, full };

  /// Called after a push that returned false. served: the questions are withdrawn and half of what was private is
  /// public. full: the same, and the pushed entry is off the deque again.
  attention attend() noexcept {
    // By pop, because a thief may be forcing this entry out if everything below has been stolen already.
    const bool full = seems_full() && pop(newest());
    if (!full || limit_.load(std::memory_order_relaxed) != end_) {
      serve();
    }
    return full ? attention::full : attention::served;
  }

  /// Called after a push that returned false, if the entry has to stay, even beyond the capacity.
  void serve() noexcept {
    // The question is withdrawn before entries are published, so a question that comes later is a new one. It is
    // withdrawn by an exchange, which reads the last question and so acquires what the asker had done before it asked
    // (post: the mailbox is filled).
    limit_.exchange(unasked(), std::memory_order_acq_rel);
    lock_.lock();
    slot* const head = head_.load(std::memory_order_relaxed);
    slot* const split = split_.load(std::memory_order_relaxed);
    split_.store(P::can_fence() ? split + (head - split + 1) / 2 : head, std::memory_order_relaxed);
    lock_.unlock();
  }

  /// Called when asked() between two pushes. Returns whether something may have become public. If there is nothing, the
  /// question stays: the next push answers it, and thieves need not ask again.
  bool answer() noexcept {
    if (seems_empty()) {
      // Acquire, as in serve().
      static_cast<void>(limit_.load(std::memory_order_acquire));
      return false;
    }
    serve();
    return true;
  }

  /// Takes `entry` back if it is the newest of this deque. False: it is not here any more.
  [[nodiscard]] bool pop(Entry* entry) noexcept {
    slot* const top = head_.load(std::memory_order_relaxed) - 1;
    if (top->load(std::memory_order_relaxed) != entry) [[unlikely]] {
      return false;
    }
    return lower(top);
  }

  /// The same, if the entry is the newest and still in `at`, where push() put it, perhaps in another deque. The new
  /// head comes from `at`, and the processor predicts the comparison. So nothing waits for the head that the last pop
  /// has stored: no chain of loads and stores runs through a push and a pop.
  [[nodiscard]] bool pop(Entry* entry, slot* at) noexcept {
    // at + 1 is no other deque's head, because the slot below a deque's lowest slot gets no entry.
    if (head_.load(std::memory_order_relaxed) - 1 != at || at->load(std::memory_order_relaxed) != entry) [[unlikely]] {
      return false;
    }
    return lower(at);
  }

  /// The newest entry, whatever it is; null if there is none.
  Entry* pop_newest() noexcept {
    for (;;) {
      // The slot may be read before it is certain that the entry is still here, because only the owner writes to slots.
      slot* const top = head_.load(std::memory_order_relaxed) - 1;
      Entry* const entry = top->load(std::memory_order_relaxed);
      if (entry == nullptr || lower(top)) {
        return entry;
      }
      // The entry was stolen, and so were all older ones: the deque has been emptied.
    }
  }

  /// The newest entry, which stays where it is and may be stolen at any time.
  Entry* newest() const noexcept {
    return (head_.load(std::memory_order_relaxed) - 1)->load(std::memory_order_relaxed);
  }

  /// Called in the child of a fork(), where the owner is the only thread left. Afterwards what has not been taken is
  /// private, the lock is free, and no thread has asked.
  void keep() noexcept {
    lock_.unlock();
    split_.store(tail_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    limit_.store(end_, std::memory_order_relaxed);
  }

  /// Puts `by` into the slot that holds `entry`, wherever it is, and calls `moved` before any thief can see `by`.
  /// False: the entry is not here any more.
  template <class F>
  bool replace(Entry* entry, Entry* by, F moved) noexcept {
    lock_.lock();
    bool found = false;
    slot* const tail = tail_.load(std::memory_order_relaxed);
    for (slot* at = head_.load(std::memory_order_relaxed); at > tail && !found;) {
      --at;
      if (at->load(std::memory_order_relaxed) == entry) {
        moved();
        at->store(by, std::memory_order_relaxed);
        found = true;
      }
    }
    lock_.unlock();
    return found;
  }

  /// How many entries there are; some may be stolen at any time.
  std::size_t size() const noexcept {
    const slot* const head = head_.load(std::memory_order_relaxed);
    const slot* const tail = tail_.load(std::memory_order_relaxed);
    return head > tail ? static_cast<std::size_t>(head - tail) : 0;
  }

  /// How many entries can be pushed before the deque is full.
  std::size_t room() const noexcept {
    const slot* const head = head_.load(std::memory_order_relaxed);
    return head < end_ ? static_cast<std::size_t>(end_ - head) : 0;
  }

  /// Empties the deque: calls take(entry) for each entry that is still here, the oldest first.
  template <class F>
  void take_all(F take) noexcept {
    lock_.lock();
    slot* const head = head_.load(std::memory_order_relaxed);
    for (slot* at = tail_.load(std::memory_order_relaxed); at < head; ++at) {
      take(at->load(std::memory_order_relaxed));
    }
    empty();
    lock_.unlock();
  }

  /// Whether another thread has asked since the last answer. Always true if nothing is private because there is no
  /// heavy fence.
  bool asked() const noexcept { return limit_.load(std::memory_order_relaxed) == base_; }

  // ---- any thread --------------------------------------------------------------------------------------------------

  /// Asks the owner to make something public, or to look up, at its next push.
  void ask() noexcept {
    if (limit_.load(std::memory_order_relaxed) != base_) {
      limit_.store(base_, std::memory_order_release);
    }
  }

  /// ask() by a thread that has done something that the owner must see when it answers. Unlike ask(), it stores even if
  /// another thread has asked already.
  void summon() noexcept { limit_.store(base_, std::memory_order_release); }

  /// Takes the oldest public entry, calling claim(entry) while the owner cannot have it; null if nothing is public
  /// (then the owner has been asked), or another thread holds the lock for long. It waits for other thieves, because
  /// what it would find elsewhere instead is further away or does not exist.
  template <class Claim>
  Entry* steal(Claim claim) noexcept {
    // A look without the lock: stale values cost a useless attempt, nothing else.
    if (tail_.load(std::memory_order_relaxed) >= split_.load(std::memory_order_relaxed)) {
      ask();
      return nullptr;
    }
    if (!lock_.lock_soon()) {
      return nullptr;
    }
    Entry* const entry = take_oldest(claim);
    lock_.unlock();
    return entry;
  }

  /// Like steal(), but also takes from the private part, for when the owner does not answer. It interrupts every
  /// processor that runs this process. It also returns null if the kernel has no membarrier.
  template <class Claim>
  Entry* force(Claim claim) noexcept {
    if (!lock_.try_lock()) {
      return nullptr;
    }
    Entry* entry = take_oldest(claim);
    slot* const split = split_.load(std::memory_order_relaxed);
    if (entry == nullptr && head_.load(std::memory_order_acquire) > split) {
      split_.store(split + 1, std::memory_order_relaxed);
      // Now every pop either comes later and sees the new split, or came before and its head is seen here.
      if (P::heavy_fence() && head_.load(std::memory_order_acquire) > split) {
        entry = take_oldest(claim);
      } else {
        split_.store(split, std::memory_order_relaxed);
      }
    }
    lock_.unlock();
    return entry;
  }

  /// Whether nothing seems to be here, neither private nor public.
  bool seems_empty() const noexcept {
    return head_.load(std::memory_order_relaxed) <= tail_.load(std::memory_order_relaxed);
  }

 private:
  friend struct c_layout;  // of compat/cilk

  /// If private slots cannot be taken by force, no slot is private: every push publishes, as if another thread always
  /// asked.
  slot* unasked() const noexcept { return P::can_fence() ? end_ : base_; }

  template <class Claim>
  Entry* take_oldest(Claim claim) noexcept {
    slot* const tail = tail_.load(std::memory_order_relaxed);
    if (tail >= split_.load(std::memory_order_relaxed)) {
      return nullptr;
    }
    Entry* const entry = tail->load(std::memory_order_relaxed);
    tail_.store(tail + 1, std::memory_order_relaxed);
    claim(entry);
    return entry;
  }

  /// Starts again at the bottom. The owner calls it under the lock; thieves look at slots under the lock only.
  void empty() noexcept {
    head_.store(base_, std::memory_order_relaxed);
    tail_.store(base_, std::memory_order_relaxed);
    split_.store(base_, std::memory_order_relaxed);
  }

  /// Pops what is in `top`, the newest slot. False: it was stolen.
  [[gnu::always_inline]] bool lower(slot* top) noexcept {
    // First `head` is stored, then `split` is loaded. force() stores `split` and then loads `head`, with its heavy
    // fence between, so at least one of the two sees the other. Release, because force() may read this head and then
    // older slots.
    head_.store(top, std::memory_order_release);
    P::light_fence();
    if (top >= split_.load(std::memory_order_relaxed)) [[likely]] {
      return true;
    }
    return pop_public(top);
  }

  [[gnu::noinline]] bool pop_public(slot* top) noexcept {
    lock_.lock();
    slot* const tail = tail_.load(std::memory_order_relaxed);
    const bool mine = top >= tail;
    if (!mine) {
      empty();  // it was stolen, and so was everything older
    } else if (top < split_.load(std::memory_order_relaxed)) {
      // Half of what is left stays public, so that the next pops are private again.
      split_.store(P::can_fence() ? tail + (top - tail) / 2 : top, std::memory_order_relaxed);
    }
    lock_.unlock();
    return mine;
  }

  // There are three cache lines, by the thread that writes them. The owner writes the first at every push and pop, so a
  // thief looks at it only when it is about to force.
  alignas(64) typename P::template atomic<slot*> head_{nullptr};
  // The owner reads these at every push and pop, thieves before they ask. They are seldom written.
  alignas(64) typename P::template atomic<slot*> limit_{nullptr};
  typename P::template atomic<slot*> split_{nullptr};
  slot* base_ = nullptr;
  slot* end_ = nullptr;
  // Thieves use these at every steal and every attempt at one. The owner uses them only when what it pops may be
  // public.
  alignas(64) typename P::template atomic<slot*> tail_{nullptr};
  spin_lock<P> lock_;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
