#pragma once

// What parlaylib asks of its scheduler (jackdaw/parlay.hpp), in jackdaw's words.

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/ticks.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/invoke.hpp"
#include "jackdaw/runtime.hpp"
#include "jackdaw/tied.hpp"

// parlay/parallel.h asks for the plug-in of oneTBB, and finds that it is there.
#if !defined(PARLAY_TBB)
#define PARLAY_TBB
#endif
#define PARLAY_INTERNAL_SCHEDULER_PLUGINS_TBB_H_

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Threads that are no workers and have a number of their own below `Most`, from their first call of number() until
/// they end.
template <std::size_t Most>
class client_numbers {
 public:
  /// The calling thread's number. Not inlined: see this_worker(). A thread that is no worker never becomes one in the
  /// middle of its own function, but the caller may be inlined into the function of a task.
  [[gnu::noinline]] static std::size_t number() {
    static thread_local const seat mine;
    return mine.number;
  }

 private:
  struct seat {
    seat() : number(take()) {}
    // Release: what this thread did with what belongs to the number happens before what the next one does.
    ~seat() { taken[number].store(false, std::memory_order_release); }
    seat(const seat&) = delete;
    seat& operator=(const seat&) = delete;
    const std::size_t number;
  };

  static std::size_t take() {
    for (std::size_t i = 0; i < Most; ++i) {
      if (!taken[i].exchange(true, std::memory_order_acquire)) return i;
    }
    const std::string most = std::to_string(Most), more = std::to_string(Most + 1);
    throw_error("more than " + most + " threads that are no workers ask for parlay::worker_id(), expected at most " +
                most + ": compile with -DJACKDAW_PARLAY_CLIENTS=" + more + " or more");
  }

  static inline std::array<std::atomic<bool>, Most> taken{};
};

/// The ids of the calling task's runtime, and those of `Clients` threads that are no workers behind them.
template <std::size_t Clients>
std::size_t parlay_ids() {
  return std::size_t{concurrency()} + Clients;
}
template <std::size_t Clients>
std::size_t parlay_id() {
  if (const auto worker = this_worker()) return *worker;
  if constexpr (Clients == 0) {
    return 0;
  } else {
    return std::size_t{concurrency()} + client_numbers<Clients>::number();
  }
}

/// A call of its own. The compiler finds the address of a thread_local once in a function and takes it for valid to the
/// function's end. A task may go to another thread between a fork and its first branch, and between both branches; so
/// no branch is inlined into the function that forks.
template <class F>
[[gnu::noinline]] void run_apart(F&& f) {
  std::forward<F>(f)();
}
template <class F>
[[gnu::noinline]] void iterate_apart(F& f, std::size_t first, std::size_t last) {
  for (; first != last; ++first) f(first);
}

/// Whether a fork must not let its thread run other tasks while it waits, and would.
inline bool has_to_stay(bool conservative) noexcept { return conservative && this_worker().has_value(); }

template <class L, class R>
void parlay_fork(L&& left, R&& right, bool conservative) {
  if (has_to_stay(conservative)) [[unlikely]] {
    std::forward<L>(left)();
    std::forward<R>(right)();
    return;
  }
  tied([&] { invoke([&left] { run_apart(std::forward<L>(left)); }, [&right] { run_apart(std::forward<R>(right)); }); });
}

/// Makes the first steps of [first, last): 1, 2, 4, ..., until so many take a microsecond. Returns how many were made.
template <class F>
std::size_t make_first_steps(std::size_t first, std::size_t last, F& f) {
  const std::size_t begin = first;
  const std::uint64_t enough = half_a_millisecond_of_ticks() / 500;
  for (std::size_t steps = 1; first != last; steps *= 2) {
    const std::size_t until = first + std::min(steps, last - first);
    const std::uint64_t began = ticks();
    for (; first != until; ++first) f(first);
    const std::uint64_t now = ticks();
    if (now > began && now - began >= enough) break;
  }
  return first - begin;
}

/// The grain is that of parlaylib's own scheduler: what takes a microsecond, or a 128th of a worker's share if that is
/// more.
template <class F>
void parlay_loop(std::size_t first, std::size_t last, F& f, std::size_t grain_size, bool conservative) {
  if (first >= last) return;
  if (last - first > 1 && grain_size == 0) {
    const std::size_t count = last - first, made = make_first_steps(first, last, f);
    first += made;
    if (first == last) return;
    grain_size = std::max(made, count / (std::size_t{128} * concurrency()));
  }
  if (last - first <= std::max(grain_size, std::size_t{1}) || has_to_stay(conservative)) {
    for (; first != last; ++first) f(first);
    return;
  }
  tied([&] {
    pieces cut;
    for_range(
        first, last,
        [&](std::size_t begin, std::size_t end) {
          cut.run(end - begin, [&](std::size_t from, std::size_t to) { iterate_apart(f, begin + from, begin + to); });
        },
        grain{grain_size});
  });
}

template <class F>
void parlay_run_elsewhere(unsigned workers, F&& f) {
  tied([&] {
    runtime own({.workers = workers});
    own.run([&f] { static_cast<void>(std::invoke(std::forward<F>(f))); });
  });
}

/// $PARLAY_NUM_THREADS is for the default runtime what $JACKDAW_WORKERS is, which takes precedence. Returns whether it
/// was used.
inline bool take_parlay_num_threads() noexcept {
  const char* const text = std::getenv("PARLAY_NUM_THREADS");
  const char* const ours = std::getenv("JACKDAW_WORKERS");
  if (text == nullptr || *text == '\0' || (ours != nullptr && *ours != '\0')) return false;
  unsigned workers = 0;
  const char* const end = text + std::strlen(text);
  const auto [stopped, wrong] = std::from_chars(text, end, workers);
  if (wrong == std::errc{} && stopped == end && workers > 0) {
    JACKDAW_TRY {
      configure({.workers = workers});
      return true;
    }
    JACKDAW_CATCH {}
  }
  std::fprintf(stderr, "jackdaw: PARLAY_NUM_THREADS is '%s' and ignored, expected a number of workers\n", text);
  return false;
}
// Before the program's own variables are made, as each of its files begins with this header.
inline const bool parlay_num_threads_was_used = take_parlay_num_threads();

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
