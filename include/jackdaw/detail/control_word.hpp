#pragma once

#include <concepts>
#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <cfenv>
#endif

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// The control bits of the floating-point unit: rounding mode, flush to zero, which exceptions trap. A context has them
/// as it has registers, because the ABIs make them callee-saved. A task that starts on a fiber of its own takes them
/// along in a control_word. On x86-64 it is MXCSR, whose status flags come along, with the x87's control word above; on
/// AArch64 it is FPCR; elsewhere it is what <cfenv> says of the rounding mode.
class control_word {
 public:
  /// Reads the calling thread's control bits.
  control_word() noexcept {
#if defined(__x86_64__)
    asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(sse_), "=m"(x87_));
#elif defined(__aarch64__)
    asm volatile("mrs %0, fpcr" : "=r"(bits_));
#else
    bits_ = static_cast<std::uint64_t>(std::fegetround());
#endif
  }

  /// Makes these the calling thread's control bits. The memory clobber keeps the compiler from moving calls, and the
  /// arithmetic in them, across this.
  void set() const noexcept {
#if defined(__x86_64__)
    asm volatile("ldmxcsr %0\n\tfldcw %1" ::"m"(sse_), "m"(x87_) : "memory");
#elif defined(__aarch64__)
    asm volatile("msr fpcr, %0" ::"r"(bits_) : "memory");
#else
    std::fesetround(static_cast<int>(bits_));
#endif
  }

  /// Whether these are the calling thread's control bits, as far as that is cheap to find out. On x86-64 MXCSR takes
  /// ten times as long to read as the x87's word, and <cfenv> changes both alike. So only the x87's word is read, and a
  /// change of MXCSR alone is missed.
  bool seems_set() const noexcept {
#if defined(__x86_64__)
    std::uint16_t x87;
    asm volatile("fnstcw %0" : "=m"(x87));
    return x87 == x87_;
#else
    return control_word().bits_ == bits_;
#endif
  }

  /// Returns a copy. Each half is read as it was stored, with a load of its own: one load of both, shortly after, would
  /// wait for the stores.
  control_word by_halves() const noexcept {
    control_word copy{unread()};
#if defined(__x86_64__)
    copy.sse_ = sse_;
    copy.x87_ = x87_;
#else
    copy.bits_ = bits_;
#endif
    return copy;
  }

  std::uint64_t bits() const noexcept {
#if defined(__x86_64__)
    return sse_ | std::uint64_t{x87_} << 32;
#else
    return bits_;
#endif
  }

 private:
  struct unread {};
  explicit control_word(unread) noexcept {}

#if defined(__x86_64__)
  std::uint32_t sse_;
  std::uint16_t x87_;
#else
  std::uint64_t bits_;
#endif
};

/// While it lives, code runs under `of`; afterwards it runs under what was set before. Both hold as far as seems_set()
/// sees.
class [[nodiscard]] under_control {
 public:
  explicit under_control(const control_word& of) noexcept : before_(of.by_halves()) {
    if (!of.seems_set()) [[unlikely]] {
      before_ = control_word();
      of.set();
    }
  }
  ~under_control() {
    if (!before_.seems_set()) [[unlikely]] {
      before_.set();
    }
  }
  under_control(const under_control&) = delete;
  under_control& operator=(const under_control&) = delete;

 private:
  control_word before_;
};

/// The same for every bit.
class [[nodiscard]] exactly_under_control {
 public:
  explicit exactly_under_control(const control_word& of) noexcept { of.set(); }
  ~exactly_under_control() { before_.set(); }
  exactly_under_control(const exactly_under_control&) = delete;
  exactly_under_control& operator=(const exactly_under_control&) = delete;

 private:
  control_word before_;
};

/// A function that knows under which control word it has to run if it is stolen.
template <class F>
concept knows_control = requires(const F& f) {
  { f.control() } -> std::same_as<const control_word&>;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
