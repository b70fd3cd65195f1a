#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The exception of what has not been done, or not wholly, because a stop was requested.
struct cancelled : std::exception {
  cancelled() noexcept = default;
  /// Copyable, as exceptions are.
  cancelled(const cancelled&) noexcept = default;
  /// Assignable, as exceptions are.
  cancelled& operator=(const cancelled&) noexcept = default;
  ~cancelled() override;
  /// Returns a line that says so.
  const char* what() const noexcept override;
};

namespace detail {

/// Throws cancelled if a stop has been requested.
inline void throw_if_stopped(const std::stop_token& stop) {
  if (stop.stop_requested()) throw_cancelled();
}

}  // namespace detail

/// A function that is called only as long as no stop has been requested; made by unless_stopped().
template <class F>
class stoppable {
 public:
  /// Keeps both.
  template <class G>
  stoppable(std::stop_token stop, G&& function) : stop_(std::move(stop)), function_(std::forward<G>(function)) {}

  /// Calls the function and returns its result.
  ///
  /// @throws cancelled if a stop has been requested; then the function is not called.
  template <class... Args>
    requires std::invocable<F&, Args...>
  decltype(auto) operator()(Args&&... args) {
    detail::throw_if_stopped(stop_);
    return std::invoke(function_, std::forward<Args>(args)...);
  }
  /// The same.
  template <class... Args>
    requires std::invocable<const F&, Args...>
  decltype(auto) operator()(Args&&... args) const {
    detail::throw_if_stopped(stop_);
    return std::invoke(function_, std::forward<Args>(args)...);
  }

 private:
  std::stop_token stop_;
  F function_;
};

/// Wraps `f` so that it throws cancelled, and does nothing else, once a stop has been requested.
///
/// For what is forked and may not have begun by then: a child of a group, a branch of invoke(), a root of run() or
/// async(). The parent's wait, invoke() or future throws cancelled in turn. What has begun goes on: it may ask
/// `stop.stop_requested()` itself, and hand the token to algorithms, which take it as an option.
///
///     std::stop_source source;
///     auto found = jackdaw::async(jackdaw::unless_stopped(source.get_token(), search));
///     source.request_stop();
///     found.get();  // throws jackdaw::cancelled if the search had not begun
///
/// @param stop The token. One without a state never stops anything.
/// @param f The function. It is copied, or moved, into the result.
/// @par Complexity
/// A call costs the function's, and one atomic load. One that is cancelled takes some microseconds, as any exception
/// does.
template <class F>
stoppable<std::decay_t<F>> unless_stopped(std::stop_token stop, F&& f) {
  return stoppable<std::decay_t<F>>(std::move(stop), std::forward<F>(f));
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
