#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/common/buffer.hpp"
#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"
#include "kernels/common/mix.hpp"
#include "kernels/matmul/matmul_leaf.hpp"

namespace jackdaw::kernels {

/// How the eight products of submatrices fork. `group`: two task groups of four, as in ADWS section 4.1.2. `invoke`:
/// the same with two invokes.
enum class matmul_shape { group, invoke };

inline constexpr auto matmul_sizes = std::to_array<choice<std::size_t>>(
    {{"2048", 2048}, {"tiny", 256}, {"512", 512}, {"1024", 1024}, {"4096", 4096}, {"8192", 8192}});
inline constexpr auto matmul_shapes =
    std::to_array<choice<matmul_shape>>({{"group", matmul_shape::group}, {"invoke", matmul_shape::invoke}});

/// A square part of a matrix that is stored by rows, `row` floats apart.
template <class T>
struct square {
  T* data;
  std::size_t n, row;

  /// A quarter: the upper or lower half's left or right half.
  square part(unsigned lower, unsigned right) const {
    const std::size_t half = n / 2;
    return {data + lower * half * row + right * half, half, row};
  }

  T* at_row(std::size_t i) const { return data + i * row; }
};

/// C = A B for dense square matrices of floats. Every element is a small multiple of 1/8, so each sum of products is
/// exact in any order.
class matmul_problem : public problem {
 public:
  using input = square<const float>;
  using output = square<float>;

  /// One task multiplies blocks of this many rows and columns.
  static constexpr std::size_t cutoff = jackdaw_matmul_block;

  explicit matmul_problem(const request& wanted)
      : n(choose(matmul_sizes, "matmul", "size", wanted.size)),
        shape(choose(matmul_shapes, "matmul", "shape", wanted.shape)),
        a_(n * row()),
        b_(n * row()),
        c_(n * row()) {}

  void prepare() override {
    for (std::size_t i = 0; i != n; ++i) fill_row(i);
  }

  /// Multiplies both sides of C = A B with a random vector (Freivalds 1977): a wrong row of C passes once in 2^15.
  void check() override {
    std::vector<double> x(n);
    for (std::size_t i = 0; i != n; ++i) x[i] = static_cast<double>(1 + mix(i ^ 0xf4e1) % (1u << 15));
    const auto expected = times(a(), times(b(), x)), found = times(c(), x);
    for (std::size_t i = 0; i != n; ++i)
      if (found[i] != expected[i]) throw check_failed("row " + std::to_string(i) + " of the product is wrong");
  }

  double items() const override {
    return 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  }
  std::string_view unit() const override { return "floating-point operations"; }

 protected:
  const std::size_t n;
  const matmul_shape shape;

  input a() const { return {a_.data(), n, row()}; }
  input b() const { return {b_.data(), n, row()}; }
  output c() { return {c_.data(), n, row()}; }

  /// Makes row i of all three matrices; C's is zero.
  void fill_row(std::size_t i) {
    for (std::size_t j = 0; j != row(); ++j) {
      const std::size_t at = i * row() + j;
      a_[at] = element(2 * at);
      b_[at] = element(2 * at + 1);
      c_[at] = 0;
    }
  }

  /// C += A B for blocks of cutoff x cutoff.
  static void multiply_leaf(input a, input b, output c) { jackdaw_matmul_leaf(a.data, b.data, c.data, c.row); }

 private:
  buffer<float> a_, b_, c_;

  /// One cache line of padding keeps the rows of a block out of each other's cache sets.
  std::size_t row() const { return n + 64 / sizeof(float); }

  static float element(std::uint64_t i) { return (static_cast<float>(mix(i) % 17) - 8) / 8; }

  template <class T>
  static std::vector<double> times(square<T> matrix, const std::vector<double>& x) {
    std::vector<double> result(matrix.n);
    for (std::size_t i = 0; i != matrix.n; ++i)
      for (std::size_t j = 0; j != matrix.n; ++j) result[i] += double{matrix.at_row(i)[j]} * x[j];
    return result;
  }
};

}  // namespace jackdaw::kernels
