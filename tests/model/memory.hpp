#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace jackdaw::model {

using word = std::uint64_t;
using location = std::uint16_t;

constexpr unsigned most_threads = 4;
constexpr unsigned most_locations = 48;

/// The memory models. README.md says what each covers and what it does not.
enum class machine : std::uint8_t {
  sequential,  ///< every access at once and in order
  tso,         ///< a store waits in its thread's buffer, first in, first out (x86)
  pso,         ///< relaxed stores to different locations leave the buffer in any order
  views,       ///< C++'s own: a load may return an old value unless something orders it (no load buffering)
};

/// Two hashes of a state; states with equal hashes count as the same.
struct digest {
  std::uint64_t a = 0x243f6a8885a308d3;
  std::uint64_t b = 0x13198a2e03707344;

  void add(std::uint64_t value) noexcept {
    a = mix(a ^ value);
    b = mix(b + value * 0x9e3779b97f4a7c15 + 0x452821e638d01377);
  }
  static constexpr std::uint64_t mix(std::uint64_t x) noexcept {
    x ^= x >> 32;
    x *= 0xe9846af9b1a615d;
    x ^= x >> 32;
    x *= 0xe9846af9b1a615d;
    x ^= x >> 28;
    return x;
  }
  friend bool operator==(const digest&, const digest&) = default;
};

/// A read-modify-write: the new value for `old`.
struct update {
  enum class how : std::uint8_t { exchange, compare_exchange, add, bit_or, bit_and } kind;
  word operand = 0;
  word expected = 0;

  bool writes(word old) const noexcept { return kind != how::compare_exchange || old == expected; }
  word apply(word old) const noexcept {
    switch (kind) {
      case how::add:
        return old + operand;
      case how::bit_or:
        return old | operand;
      case how::bit_and:
        return old & operand;
      case how::exchange:
      case how::compare_exchange:
        break;
    }
    return operand;
  }
};

/// The memory that the threads of a scenario share. The explorer decides when each operation happens and which of the
/// `choices` an operation has is taken.
class memory {
 public:
  using order = std::memory_order;
  virtual ~memory() = default;

  virtual void clear() = 0;
  virtual void threads(unsigned count) = 0;
  virtual location add(word initial) = 0;
  /// Before the threads start and after they have ended.
  virtual word& direct(location at) = 0;

  /// The thread is about to read a location that only it writes, or that only it knows.
  virtual word own(unsigned thread, location at) const = 0;
  /// No other thread ever looks.
  virtual void store_unseen(unsigned thread, location at, word value) = 0;

  virtual void store(unsigned thread, location at, word value, order how) = 0;
  virtual unsigned load_choices(unsigned thread, location at, order how) = 0;
  virtual word load(unsigned thread, location at, order how, unsigned choice) = 0;
  /// 0: not now.
  virtual unsigned update_choices(unsigned thread, location at, const update& what, order how, order failing) = 0;
  virtual word change(unsigned thread, location at, const update& what, order how, order failing, unsigned choice) = 0;
  virtual bool fence_possible(unsigned thread) const = 0;
  virtual void fence(unsigned thread) = 0;
  /// Whether a load by this thread could return something else than `seen`, which its last load returned.
  virtual bool news(unsigned thread, location at, word seen) const = 0;
  /// From now on it does.
  virtual void expect_news(unsigned thread, location at, word seen) = 0;
  /// Whether the thread has read or may overwrite the newest value without a data race.
  virtual bool race_free(unsigned thread, location at) const = 0;

  /// Steps that the memory takes by itself.
  virtual unsigned flushes(unsigned thread) const = 0;
  virtual void flush(unsigned thread, unsigned which) = 0;
  /// The thread takes a step, so its stores before that have certainly been made.
  virtual void settle(unsigned thread) = 0;
  /// Whether a heavy fence no longer waits for this thread.
  virtual bool quiet(unsigned thread) const = 0;
  /// Whether a store has to be a step of its own. `alone`: no other thread ever writes there.
  virtual bool store_is_step(bool alone) const = 0;

  virtual void sum(digest& into) const = 0;
};

std::unique_ptr<memory> make_memory(machine kind);

}  // namespace jackdaw::model
