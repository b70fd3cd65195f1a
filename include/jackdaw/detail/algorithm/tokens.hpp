#pragma once

#include <cstddef>
#include <cstdint>

#include "jackdaw/detail/atomics.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// For how many tokens the word has room.
inline constexpr std::size_t most_tokens = std::size_t{1} << 61;

/// Lets runners into a source one at a time, each with a token. No caller ever waits.
///
/// The word has the number of free tokens and two marks:
///
/// - busy: a runner is in the source;
/// - called: a runner has been forked that will enter() the source, or has yet to find out that it cannot. Until then
///   what stands for it while it is put off belongs to it.
///
/// If a token is free, the source is busy or called: so it is not forgotten. One runner at a time is called, and a
/// runner that comes back with its token finds the source free meanwhile. So there are only as many runners as workers
/// that have stolen one.
///
/// A free token has its slot in the list, or none has been made for it yet.
template <class P, class Slot>
class basic_tokens {
 public:
  /// The caller is in the source with a token. `tokens`: from 1 to most_tokens.
  explicit basic_tokens(std::size_t tokens) : word_(std::uint64_t{tokens - 1} * one | busy) {}

  /// The caller's slot has come to the end of the pipeline. True: the caller is in the source with a token, and pop()
  /// is its slot: not always the same one, because another runner may have taken that for a token that had none.
  bool arrive(Slot* slot) noexcept {
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    while ((seen & busy) == 0) {
      if (take(seen, seen | busy)) {
        slot->next = taken_.load(std::memory_order_relaxed);
        taken_.store(slot, std::memory_order_relaxed);
        return true;
      }
    }
    Slot* first = freed_.load(std::memory_order_relaxed);
    do {
      slot->next = first;
      // Release: the slot, and what was done in stages that it has passed.
    } while (!freed_.compare_exchange_strong(first, slot, std::memory_order_release, std::memory_order_relaxed));
    for (;;) {
      if ((seen & busy) == 0) {
        if (take(seen, seen | busy)) return true;
        // Release: the slot is in the list before its token counts.
      } else if (word_.compare_exchange_strong(seen, seen + one, std::memory_order_release,
                                               std::memory_order_relaxed)) {
        return false;
      }
    }
  }

  /// By a runner that was called. True: it is in the source with a token, and pop() is its slot.
  bool enter() noexcept {
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      const bool enters = (seen & busy) == 0 && seen >= one;
      const std::uint64_t wanted = (seen & ~called) + (enters ? busy - one : 0);
      // If it is busy, the runner in the source calls another one when it leaves, if a token is free then.
      // Acquire: what was done in the source before. Release: the caller no longer needs what stood for it.
      if (word_.compare_exchange_strong(seen, wanted, std::memory_order_acq_rel, std::memory_order_relaxed))
        return enters;
    }
  }

  /// A slot for the caller, which is in the source. Null: one has to be made.
  Slot* pop() noexcept {
    Slot* first = taken_.load(std::memory_order_relaxed);
    // Acquire: the slots, which others have written.
    if (first == nullptr) first = freed_.exchange(nullptr, std::memory_order_acquire);
    if (first != nullptr) taken_.store(first->next, std::memory_order_relaxed);
    return first;
  }

  /// The caller leaves the source with an item. True: it has to fork a runner that will enter().
  bool leave() noexcept {
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      const bool calls = seen >= one && (seen & called) == 0;
      // Release: what was done in the source. Acquire: what stands for the runner that is called is free again.
      if (word_.compare_exchange_strong(seen, (seen & ~busy) | (calls ? called : 0), std::memory_order_acq_rel,
                                        std::memory_order_relaxed))
        return calls;
    }
  }

 private:
  static constexpr std::uint64_t busy = 1;
  static constexpr std::uint64_t called = 2;
  static constexpr std::uint64_t one = 4;

  /// Acquire: what was done in the source before.
  bool take(std::uint64_t& seen, std::uint64_t wanted) noexcept {
    return word_.compare_exchange_strong(seen, wanted, std::memory_order_acquire, std::memory_order_relaxed);
  }

  typename P::template atomic<std::uint64_t> word_;
  typename P::template atomic<Slot*> freed_{nullptr};
  // Relaxed: it belongs to the runner in the source; the word and the forks order it. Atomic for the models.
  typename P::template atomic<Slot*> taken_{nullptr};
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
