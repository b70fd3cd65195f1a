#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/recorded_group.hpp"
#include "jackdaw/runtime.hpp"
#include "jackdaw/task_group.hpp"
#include "jackdaw/work.hpp"

namespace jackdaw {
namespace detail {

/// Where a branch puts its result: nowhere if it has none.
template <class R>
struct outcome {
  std::optional<R> value;
  template <class F>
  void of(F& f) {
    value.emplace(f());
  }
  R take() { return std::move(*value); }
};
template <>
struct outcome<void> {
  template <class F>
  void of(F& f) {
    f();
  }
  std::monostate take() { return {}; }
};

/// Branches 0 to Last of `branches`, in serial order on this worker if nobody steals.
template <std::size_t Last, class Branches>
inline void nest(Branches& branches, std::atomic<bool>& failed) {
  if constexpr (Last == 0) {
    std::get<0>(branches)();
  } else {
    fork_join(
        this_lane(), [&] { nest<Last - 1>(branches, failed); },
        [&] {
          if (failed.load(std::memory_order_relaxed)) {
            return;
          }
          try {
            std::get<Last>(branches)();
          } catch (...) {
            failed.store(true, std::memory_order_relaxed);
            throw;
          }
        });
  }
}

/// In the upper tier every branch is a child that the scheduler places.
template <std::size_t... I, class Branches>
[[gnu::noinline]] void place_branches(Branches& branches, const std::array<double, sizeof...(I)>& amounts,
                                      std::index_sequence<I...>) {
  double total = 0;
  for (const double amount : amounts) {
    total += amount;
  }
  task_group group(total);
  (group.run([&branches] { std::get<I>(branches)(); }, amounts[I]), ...);
  group.wait();
}

/// Whether this thread is a worker of some runtime.
bool on_worker() noexcept;

/// A branch without a hint counts 1.
template <class F>
double share_of(const F& branch) noexcept {
  const double amount = amount_of(branch);
  return amount == unknown ? 1.0 : amount;
}

/// In a recorded runtime every branch runs in place, in serial order.
template <std::size_t... I, class Branches>
[[gnu::noinline]] void record_branches(Branches& branches, const std::array<double, sizeof...(I)>& amounts,
                                       const void* site, std::index_sequence<I...>) {
  double total = 0;
  for (const double amount : amounts) {
    total += amount;
  }
  recorded_group group(total, site);
  (group.run(std::get<I>(branches), amounts[I]), ...);
  group.wait();
}

template <class... Fs>
[[gnu::noinline]] void invoke_slowly(Fs&... fs) {
  const void* const site = __builtin_return_address(0);
  const auto fork = [&] {
    std::tuple<Fs&...> branches(fs...);
    const std::array<double, sizeof...(Fs)> amounts{share_of(fs)...};
    if (recording()) {
      record_branches(branches, amounts, site, std::index_sequence_for<Fs...>{});
    } else {
      place_branches(branches, amounts, std::index_sequence_for<Fs...>{});
    }
  };
  if (on_worker()) {
    fork();
  } else {
    runtime::instance().run(fork);
  }
}

template <class... Fs>
inline void invoke_all(Fs&... fs) {
  lane* const at = this_lane();
  if (at == nullptr) [[unlikely]] {
    invoke_slowly(fs...);
  } else if constexpr (sizeof...(Fs) == 2) {
    fork_join(at, fs...);
  } else {
    std::tuple<Fs&...> branches(fs...);
    std::atomic<bool> failed{false};
    nest<sizeof...(Fs) - 1>(branches, failed);
  }
}

}  // namespace detail

/// Runs all functions, possibly at the same time, and returns when all have ended. The first one starts at once on the
/// caller's stack; the later ones can be stolen meanwhile and run here, in order, if they are not. Costs no allocation,
/// no lock and no change of stack unless something is stolen. Wrap a branch in work() to say how much it is.
///
/// Returns nothing if no branch does, else a tuple of the results (std::monostate for a branch without one). Throws
/// the first exception of a branch; branches that had not started by then are skipped.
template <class F, class... Gs>
inline auto invoke(F&& f, Gs&&... gs) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&>> && (std::is_void_v<std::invoke_result_t<Gs&>> && ...)) {
    if constexpr (sizeof...(Gs) == 0) {
      f();
    } else {
      detail::invoke_all(f, gs...);
    }
  } else {
    std::tuple<detail::outcome<std::invoke_result_t<F&>>, detail::outcome<std::invoke_result_t<Gs&>>...> outcomes;
    const auto run = [&]<std::size_t... I>(std::index_sequence<I...>, auto&... branches) {
      invoke(hinted{detail::share_of(branches), [&outcomes, &branches] { std::get<I>(outcomes).of(branches); }}...);
    };
    run(std::index_sequence_for<F, Gs...>{}, f, gs...);
    return std::apply([](auto&... each) { return std::tuple(each.take()...); }, outcomes);
  }
}

}  // namespace jackdaw
