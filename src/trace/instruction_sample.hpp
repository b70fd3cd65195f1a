#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

namespace jackdaw::trace {

/// Finds out how many instructions a program's work takes, from some of the stretches of work that a recorder times:
/// all of the first few thousand, then ever fewer, because reading a counter is a system call. Their own cost is
/// measured and subtracted. All calls are by the recorded thread.
class instruction_sample {
 public:
  /// Returns the calling thread's instructions so far; nothing once they are no longer counted.
  using counter = std::function<std::optional<std::uint64_t>()>;

  void count_by(counter how);

  /// Called right before the clock is read at the beginning of a stretch. A stretch that does not end is not counted.
  void begin() noexcept {
    first_.reset();
    if (count_ && ++passed_ >= every_) read_first();
  }
  /// Called right after the clock is read at its end: it was `ns` of work of either kind.
  void end(double ns, bool vector) noexcept {
    if (first_) add(ns, vector);
  }

  /// The instructions in a ns of work of a core whose rates are 1; 0: none were counted. `rates`: of the core that
  /// worked, at scalar work and at work in vectors.
  double per_ns(const std::array<double, 2>& rates) const noexcept;

  /// Forgets what was counted.
  void clear() noexcept;

 private:
  static constexpr unsigned at_one_rate = 4096;

  void read_first() noexcept;
  void add(double ns, bool vector) noexcept;

  counter count_;
  double cost_ = 0;  ///< instructions of a stretch that does nothing
  unsigned every_ = 1, passed_ = 0, counted_ = 0;
  std::optional<std::uint64_t> first_;
  double instructions_ = 0;
  std::array<double, 2> ns_{};  ///< scalar, in vectors
};

}  // namespace jackdaw::trace
