#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <type_traits>

#include "jackdaw/cancellation.hpp"
#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/ticks.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Runs the leaves of one algorithm's call in pieces of about half a millisecond. After each piece of a leaf of many
/// steps other roots may have their turn, as at a fork, about as often as they ask: an automatic grain makes leaves
/// that are a share of the whole, however long their steps are. A task may go on with the next piece on another thread.
class pieces {
 public:
  /// Throws cancelled before the next piece once a stop has been requested. Null: nothing stops it.
  explicit pieces(const std::stop_token* stop = nullptr) : stop_(stop) {}

  /// `piece(first, last)` over [0, count) in order; all but the last are of a multiple of eight steps. One that returns
  /// false has not made all of its steps, and is the last.
  template <class Piece>
  void run(std::size_t count, const Piece& piece) {
    if (count < 2 * shortest) {
      check();
      piece(std::size_t{0}, count);
      return;
    }
    if (count <= steps_.load(std::memory_order_relaxed)) {
      check();
      apart(piece, std::size_t{0}, count);
      look_up();
      return;
    }
    for (std::size_t first = 0, last = 0; first < count; first = last) {
      check();
      const std::size_t length = steps_.load(std::memory_order_relaxed);
      last = count - first > length ? first + length : count;
      const std::uint64_t began = ticks();
      const bool whole = apart(piece, first, last);
      const std::uint64_t now = ticks();
      if (whole) {
        adapt(length, last - first, now > began ? now - began : 1);  // processors' clocks may differ by a little
      }
      look_up();
      if (!whole) return;
    }
  }

  /// The same with what cannot be cut.
  template <class Piece>
  void run_whole(const Piece& piece) {
    apart(piece);
    look_up();
  }

 private:
  /// A call of its own: the address of a thread_local, which the compiler finds once in a function, holds for one piece
  /// only (docs/forks.md).
  template <class Piece, class... Range>
  [[gnu::noinline]] static bool apart(const Piece& piece, Range... range) {
    if constexpr (std::is_void_v<std::invoke_result_t<const Piece&, Range...>>) {
      piece(range...);
      return true;
    } else {
      return piece(range...);
    }
  }

  /// Pieces grow step by step: the first steps tell little about those that follow. One that took long, because its
  /// steps are long or its worker was not running, makes the next ones short.
  void adapt(std::size_t length, std::size_t steps, std::uint64_t took) {
    const std::size_t in_half_a_millisecond = steps * (half_a_millisecond_of_ticks() / took);
    const std::size_t most = stop_ != nullptr ? most_before_a_stop : std::numeric_limits<std::size_t>::max();
    const std::size_t wanted = std::min({in_half_a_millisecond, growth * length, most}) / shortest * shortest;
    steps_.store(std::max(wanted, shortest), std::memory_order_relaxed);
  }

  void check() const {
    if (stop_ != nullptr) throw_if_stopped(*stop_);
  }

  void look_up() {
    if (look_up_if_asked()) {
      steps_.store(shortest, std::memory_order_relaxed);
    }
  }

  /// Steps that were short may become long: what can be stopped looks at its token after so many in any case.
  static constexpr std::size_t shortest = 8, growth = 16, most_before_a_stop = 4096;

  const std::stop_token* const stop_;
  std::atomic<std::size_t> steps_{shortest};  // of the next piece; a hint that the workers share
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
