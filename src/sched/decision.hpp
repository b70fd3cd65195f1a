#pragma once

#include <array>
#include <cstddef>
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

  /// What it says, as the end of a sentence that begins with the scheduler: for the numbers 0, 1, and all others. Those
  /// that are not given say what the one before says.
  using words = std::array<std::string_view, 3>;

  /// Does not compile without a name and words.
  consteval decision(std::string_view name, const words& says, holds until = holds::iteration,
                     std::string_view advice = {})
      : name(name.empty() || says[0].empty() ? throw "a decision has a name and words" : name),
        says(says),
        until(until),
        advice(advice) {}

  std::string_view name;  ///< without blanks
  words says;
  holds until;
  std::string_view advice;  ///< for the user when it is first made, with {} for the number; empty: none

  constexpr std::string_view in_words(std::int64_t value) const noexcept {
    std::size_t at = value == 0 || value == 1 ? static_cast<std::size_t>(value) : says.size() - 1;
    while (says[at].empty()) --at;
    return says[at];
  }

  /// Whether it says how an iteration is run.
  constexpr bool is_rule() const noexcept { return until != holds::nothing; }
  friend constexpr bool operator==(const decision& a, const decision& b) noexcept { return a.name == b.name; }
};

}  // namespace jackdaw::sched
