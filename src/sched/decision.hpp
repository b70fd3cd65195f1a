#pragma once

#include <cstdint>
#include <string_view>

namespace jackdaw::sched {

/// One kind of decision that a scheduler makes and that logs show, with a number beside it. Each scheduler declares its
/// own as constants of static duration; two are the same if their names are.
struct decision {
  /// For what it holds.
  enum class holds : std::uint8_t {
    iteration,  ///< it is how the iteration that begins is run
    rest,       ///< it is how the rest of the iteration is run, whatever was decided at its beginning
    nothing,    ///< it is only something to know
  };

  std::string_view name;  ///< without blanks
  holds until = holds::iteration;
  /// What the user should know when it is first made, with {} for the number; empty: nothing.
  std::string_view advice = {};

  /// Whether an iteration is run by it.
  constexpr bool is_rule() const noexcept { return until != holds::nothing; }
  friend constexpr bool operator==(const decision& a, const decision& b) noexcept { return a.name == b.name; }
};

}  // namespace jackdaw::sched
