#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/control_word.hpp"

namespace tbb::detail::d1 {
inline namespace on_jackdaw {

/// A call of parallel_reduce, or of parallel_deterministic_reduce. A body takes in the parts that its task runs, one
/// after another. A right half gets a body of its own if another worker takes it, or always, if the shape has to be the
/// same every time. The task that has divided the range joins both.
template <class Range, class Body, class Division, bool Deterministic>
class reduction {
 public:
  explicit reduction(scope& part_of) noexcept : scope_(part_of) {}

  void run(const Range& range, Division division, Body& body) {
    Range mine(range);
    run_alone(mine, division, body);
  }

 private:
  struct right_half {
    reduction& all;
    Range& range;
    Division division;
    Body& left;
    std::optional<Body>& body;
    void operator()() {
      division.take();
      run_in(all.scope_, [&] {
        if (!body) body.emplace(left, split());
        all.run_part(range, division, *body);
      });
    }
    const jackdaw::detail::control_word& control() const noexcept { return all.control_; }
  };

  void run_alone(Range& range, Division division, Body& body) {
    run_in(scope_, [&] { run_part(range, division, body); });
  }

  void run_part(Range& range, Division division, Body& body) {
    if (scope_.cancelled()) return;
    if (division.more() && range.is_divisible()) {
      divide(range, division, body);
      return;
    }
    jackdaw::detail::look_up_if_asked();
    JACKDAW_TRY { body(range); }
    JACKDAW_CATCH { scope_.fail(); }
  }

  void divide(Range& range, Division division, Body& body) {
    const Division right_division = division.cut();
    Range right = division.split_off(range, right_division);
    std::optional<Body> right_body;
    if constexpr (Deterministic) right_body.emplace(body, split());
    right_half later{*this, right, right_division, body, right_body};
    if (fork(scope_, range, [&] { run_part(range, division, body); }, right, later)) {
      run_part(right, right_division, Deterministic ? *right_body : body);
    }
    if (right_body && !scope_.cancelled()) body.join(*right_body);
  }

  scope& scope_;
  const jackdaw::detail::control_word control_;
};

/// The body of the forms with functions: a value, and how to take in a part and to combine two values.
template <class Range, class Value, class Take, class Combine>
class values_of {
 public:
  values_of(const Value& identity, const Take& take, const Combine& combine)
      : identity_(identity), take_(take), combine_(combine), value_(identity) {}
  values_of(values_of& other, split) : values_of(other.identity_, other.take_, other.combine_) {}

  void operator()(Range& part) { value_ = std::invoke(take_, part, std::as_const(value_)); }
  void join(values_of& right) { value_ = std::invoke(combine_, std::as_const(value_), std::as_const(right.value_)); }
  Value&& result() && { return std::move(value_); }

 private:
  const Value& identity_;
  const Take& take_;
  const Combine& combine_;
  Value value_;
};

}  // namespace on_jackdaw
}  // namespace tbb::detail::d1
