#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "gomp/loop.hpp"

namespace jackdaw::gomp {

/// How far the pieces of an ordered(n) loop are, whose iterations wait for single others (`depend(sink: ...)`).
/// Iterations of a piece are in lexical order, so one number is enough for each piece: the last iteration that was
/// posted, counted from 1 over all n loops.
struct doacross {
  doacross(unsigned loops, const std::uint64_t* counts, const division& how, unsigned members);

  /// The iteration's number, counted from 0. `indices`: of the loops, counted from 0.
  std::uint64_t number(const std::uint64_t* indices) const noexcept;
  /// The piece that the outermost loop's iteration is in.
  std::atomic<std::uint64_t>& piece(std::uint64_t outermost) noexcept;

  const unsigned loops;
  const division how;
  const std::uint64_t count;         ///< iterations of the outermost loop
  std::uint64_t each = 0, more = 0;  ///< a block for each member: their length, and how many are longer by one
  std::unique_ptr<std::uint64_t[]> counts;
  std::unique_ptr<std::atomic<std::uint64_t>[]> posted;
};

}  // namespace jackdaw::gomp
