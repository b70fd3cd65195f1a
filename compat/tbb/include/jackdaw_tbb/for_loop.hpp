#pragma once

#include <functional>

#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/control_word.hpp"
#include "jackdaw/tied.hpp"

namespace tbb::detail::d1 {
inline namespace on_jackdaw {

/// A call of parallel_for. The parts that one task runs one after another share a copy of the body: the call's own, or
/// that of a part which another worker has taken.
template <class Range, class Body, class Division>
class for_loop {
 public:
  for_loop(scope& part_of, const Body& body) noexcept : scope_(part_of), body_(body) {}

  void run(const Range& range, Division division) {
    Range mine(range);
    run_alone(mine, division);
  }

 private:
  /// The right half of a range, while it can be taken. Its control word is that of the caller.
  struct right_half {
    for_loop& loop;
    Range& range;
    Division division;
    void operator()() {
      division.take();
      loop.run_alone(range, division);
    }
    const jackdaw::detail::control_word& control() const noexcept { return loop.control_; }
  };

  void run_alone(Range& range, Division division) {
    run_in(scope_, [&] {
      const Body mine(body_);
      run(range, division, mine);
    });
  }

  void run(Range& range, Division division, const Body& body) {
    if (scope_.cancelled()) return;
    if (division.more() && range.is_divisible()) {
      const Division right_division = division.cut();
      Range right = division.split_off(range, right_division);
      right_half later{*this, right, right_division};
      if (fork(scope_, range, [&] { run(range, division, body); }, right, later)) run(right, right_division, body);
      return;
    }
    jackdaw::detail::look_up_if_asked();
    JACKDAW_TRY { std::invoke(body, range); }
    JACKDAW_CATCH { scope_.fail(); }
  }

  scope& scope_;
  const Body& body_;
  const jackdaw::detail::control_word control_;
};

/// Calls `f` for first, first + step, ... of each part.
template <class Index, class F>
class steps {
 public:
  steps(Index first, Index step, const F& f) : first_(first), step_(step), f_(f) {}
  void operator()(const blocked_range<Index>& part) const {
    auto at = static_cast<Index>(first_ + part.begin() * step_);
    for (Index i = part.begin(); i < part.end(); ++i, at += step_) std::invoke(f_, at);
  }

 private:
  const Index first_, step_;
  const F& f_;
};

}  // namespace on_jackdaw
}  // namespace tbb::detail::d1
