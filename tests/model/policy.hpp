#pragma once

#include <atomic>
#include <bit>
#include <type_traits>

#include "model/explorer.hpp"

namespace jackdaw::model {

template <class T>
word to_word(T value) noexcept {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<word>(value);
  } else {
    return static_cast<word>(value);
  }
}
template <class T>
T from_word(word value) noexcept {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(value);
  } else {
    return static_cast<T>(value);
  }
}

/// The part of std::atomic<T> that the runtime uses; each access is a step that the explorer schedules.
template <class T>
class atomic {
 public:
  atomic() : atomic(T{}) {}
  atomic(T initial) : at_(explorer::active().add(to_word(initial))) {}  // NOLINT: as std::atomic
  /// By a thread of the model: a later access by another one is a violation.
  ~atomic() { explorer::active().end(at_); }
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(std::memory_order how) const { return from_word<T>(explorer::active().load(at_, how)); }
  void store(T value, std::memory_order how) { explorer::active().store(at_, to_word(value), how); }
  T exchange(T value, std::memory_order how) { return change({update::how::exchange, to_word(value)}, how); }
  bool compare_exchange_strong(T& expected, T value, std::memory_order how, std::memory_order failing) {
    const word wanted = to_word(expected);
    const update what{update::how::compare_exchange, to_word(value), wanted};
    const word old = explorer::active().change(at_, what, how, failing);
    expected = from_word<T>(old);
    return old == wanted;
  }
  bool compare_exchange_strong(T& expected, T value, std::memory_order how) {
    return compare_exchange_strong(expected, value, how,
                                   how == std::memory_order_acq_rel   ? std::memory_order_acquire
                                   : how == std::memory_order_release ? std::memory_order_relaxed
                                                                      : how);
  }
  T fetch_add(T value, std::memory_order how) { return change({update::how::add, to_word(value)}, how); }
  T fetch_sub(T value, std::memory_order how) { return change({update::how::add, word{0} - to_word(value)}, how); }
  T fetch_or(T value, std::memory_order how) { return change({update::how::bit_or, to_word(value)}, how); }
  T fetch_and(T value, std::memory_order how) { return change({update::how::bit_and, to_word(value)}, how); }

 private:
  T change(const update& what, std::memory_order how) {
    return from_word<T>(explorer::active().change(at_, what, how, how));
  }
  location at_;
};

/// Non-atomic data: a race on it is a violation (found on machine::views; on the others a stale value is read).
template <class T>
class plain {
 public:
  plain() : plain(T{}) {}
  plain(T initial) : at_(explorer::active().add(to_word(initial))) {}  // NOLINT
  T get() const { return from_word<T>(explorer::active().plain(at_, nullptr)); }
  void set(T value) {
    const word written = to_word(value);
    explorer::active().plain(at_, &written);
  }

 private:
  location at_;
};

/// Replaces jackdaw::detail::hardware.
struct policy {
  template <class T>
  using atomic = model::atomic<T>;

  static void light_fence() noexcept {}
  static bool heavy_fence() noexcept { return explorer::active().heavy_fence(); }
  static bool can_fence() noexcept { return explorer::active().can_fence(); }
  static void full_fence() noexcept { explorer::active().full_fence(); }
  static void pause() noexcept { explorer::active().pause(); }
  static void yield() noexcept { explorer::active().pause(); }
};

inline void expect(bool holds, const char* what) { explorer::active().expect(holds, what); }
inline unsigned choose(unsigned count) { return explorer::active().choose(count); }

}  // namespace jackdaw::model
