#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

struct fiber;

/// What the calls of one loop of a program have shown outside of tasks. Hints, for all threads.
class loop_history {
 public:
  /// What a call over so many elements seems to take, ns; negative: not known, or recent guesses were wrong.
  double expects(std::size_t elements) noexcept;
  void measured(std::size_t elements, std::int64_t ns) noexcept;
  /// The guess was right, or wrong: wrong ones make the next calls go without, after each as many again.
  void was(bool right) noexcept;

 private:
  std::atomic<double> per_element_{-1};
  std::atomic<std::uint32_t> sits_out_{0}, penalty_{0};  // calls
};

/// How a loop that is called outside of tasks begins: with steps from the front that one thread runs, and that grow as
/// long as they take little time.
///
/// The calling thread takes such steps itself, before it sends a root, if all workers of the default runtime are busy
/// with other roots, for 0.1 ms: a short loop is over before any worker would have looked up. A long one gets its share
/// of the workers in turns then. After more time pages that the loop touches first would lie where the thread is, and
/// workers that are free again would have nothing to do.
///
/// The loop's root begins with such steps if the whole loop is expected to take less than a theft, or than a wake-up if
/// nobody searches, and as long as the rest seems to take less than four times that. So a short loop costs neither. To
/// the scheduler these steps are the root's own work: what their elements fork is in the lower tier, and for the first
/// 20 us nobody else is told of it.
class head_start {
 public:
  /// Beside busy workers loops with smaller leaves get none: their elements may take long. With as many elements in a
  /// leaf, one element of an even loop is at most 1/128 of what the loop takes on all workers.
  static constexpr std::size_t least_leaf = 16;

  /// Of the calling task or thread, which destroys it, in a loop with `left` more elements.
  head_start(loop_history& history, std::size_t left) noexcept;
  ~head_start();
  head_start(const head_start&) = delete;
  head_start& operator=(const head_start&) = delete;

  /// Returns how many elements are to be run now, at most `most`, and `least` unless fewer are left; 0, and from then
  /// on, none.
  [[gnu::cold]] std::size_t next(std::size_t most, std::size_t least = 1) noexcept;

  /// ns of the steady clock.
  static std::int64_t time() noexcept;

 private:
  bool goes_on(std::int64_t took, double rest) const noexcept;

  loop_history& history_;
  std::size_t left_;
  const bool in_task_;
  bool begins_ = false, stopped_ = false;
  int cancelable_ = 0;          // whether the thread was, outside of tasks
  fiber* lowered_ = nullptr;    // the task, if it is in the upper tier
  std::uint32_t began_on_ = 0;  // that worker
  std::int64_t begun_ = 0, last_ = 0;
  std::size_t step_ = 0;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
