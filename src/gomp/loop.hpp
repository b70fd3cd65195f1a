#pragma once

#include <cstdint>

#include "gomp/team.hpp"

namespace jackdaw::gomp {

/// A loop as the program has it. Unsigned numbers stand for signed ones, too: all arithmetic is modulo 2^64, and `up`
/// says in which direction `step` goes.
struct loop {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t step = 1;
  bool up = true;

  /// Iterations.
  std::uint64_t count(bool is_signed) const noexcept;
};

/// How iterations are divided. Of schedule::runtime the calling task's variables know more.
struct division {
  schedule kind;
  std::uint64_t chunk;
};
division divide(const member& self, schedule kind, std::uint64_t chunk) noexcept;

/// Makes the share that of a loop.
void set_up(share& one, const loop& what, std::uint64_t count, const division& how) noexcept;

/// Gives the member its next piece, self.from to self.to. False: there is none.
bool take_piece(member& self) noexcept;
/// The same of an ordered loop; the last piece's turn is passed on before.
bool take_ordered_piece(member& self) noexcept;

/// Where the piece begins and ends in the program's numbers.
inline std::uint64_t first_of(const member& self) noexcept { return self.at->first + self.from * self.at->step; }
inline std::uint64_t end_of(const member& self) noexcept {
  const share& all = *self.at;
  return self.to == all.count ? all.end : all.first + self.to * all.step;
}

/// Waits for the piece's turn in an ordered loop.
void wait_for_turn(member& self) noexcept;

/// What the first member at a share makes for all, after it has come first. `memory`: in, the bytes that members want
/// in common; out, where these are. `reductions`: the construct's task reductions. Either may be null.
void furnish(member& self, bool comes_first, std::uintptr_t* reductions, void** memory);

/// As the kind is in the numbers that the compiler passes.
inline schedule kind_of(long number) noexcept { return static_cast<schedule>(number & 0x7fffffff); }

}  // namespace jackdaw::gomp
