#pragma once

#include <cstdint>
#include <string_view>

namespace jackdaw::sched {

/// A kind of decision that a scheduler makes and that logs show, with a number. Each scheduler declares its own kinds
/// as constants of static duration; two are the same if their names are.
struct decision {
  /// How long the decision holds.
  enum class holds : std::uint8_t {
    iteration,  ///< it says how the iteration that begins is run
    rest,       ///< it says how the rest of the iteration is run, whatever was decided at its beginning
    nothing,    ///< it is only information
  };

  std::string_view name;  ///< without blanks
  holds until = holds::iteration;
  /// The advice for the user when it is first made, with {} for the number; empty: none.
  std::string_view advice = {};

  /// Whether it says how an iteration is run.
  constexpr bool is_rule() const noexcept { return until != holds::nothing; }
  friend constexpr bool operator==(const decision& a, const decision& b) noexcept { return a.name == b.name; }
};

}  // namespace jackdaw::sched
