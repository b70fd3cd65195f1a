#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// The loops that measurements time.
namespace jackdaw::probe {

inline constexpr std::size_t line = 64;  ///< bytes of a cache line

/// Reads `words` words of 8 bytes in order, with the widest loads of this processor, and returns their sum.
std::uint64_t read_all(const std::uint64_t* data, std::size_t words) noexcept;

/// Reads and writes `words` words in order, which keep their values: they may be those of a chain.
void update_all(std::uint64_t* data, std::size_t words) noexcept;

/// Writes words 1 to words - 2 of rows 1 to rows - 2 of `to`: each is computed from the five around the same place of
/// `from`, as a stencil does, in the widest vectors. The beginnings of rows are `pitch` words apart in both.
void stencil(double* to, const double* from, std::size_t rows, std::size_t words, std::size_t pitch) noexcept;

/// Makes one cycle through all `lines` cache lines of `data`, in an order that prefetchers do not follow. `lines` must
/// be a power of two.
void make_chain(std::uint64_t* data, std::size_t lines) noexcept;

/// Follows the chain for `steps` steps from `at`, which is 0 in a first call. Each step depends on the one before.
/// Returns the end.
std::uint64_t follow_chain(const std::uint64_t* data, std::uint64_t at, std::size_t steps) noexcept;

/// Follows several chains through `data` at once for `steps` steps: one from each place in `at`, which is updated. A
/// step depends only on the one before in its own chain.
void follow_chains(const std::uint64_t* data, std::span<std::uint64_t> at, std::size_t steps) noexcept;

/// Keeps the compiler from removing the computation of `value`.
template <class T>
void keep(const T& value) noexcept {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace jackdaw::probe
