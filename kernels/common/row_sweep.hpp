#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"
#include "kernels/common/list.hpp"
#include "kernels/common/row_tree.hpp"

namespace jackdaw::kernels {

/// A problem that repeatedly sweeps over all rows of its state: the memory-bound, iterative kernels of the papers on
/// CAB and LAWS. A State is made from one of its sizes and has:
///   name, sizes, unit           as in kernel and problem; a size has a `cutoff`, the rows of a leaf
///   sweeps_of(size, iterations) the number of sweeps in that many iterations, 0 being the size's default; throws
///                               jackdaw::error if that many are not possible
///   rows()                      the number of rows
///   fill(first, last)           sets rows first..last-1 to their values before sweep 0
///   sweep(s, first, last)       sweep s of these rows, which must not depend on how the rows are divided
///   declare_fill, declare_sweep declare the memory that these two read and write
///   fingerprint(sweeps)         a number that changes with every bit of the state after `sweeps` sweeps
///   updates(sweeps)             the number of units in that many sweeps
template <class State>
class row_sweep : public problem {
 public:
  explicit row_sweep(const request& wanted)
      : row_sweep(wanted, choose(State::sizes, State::name, "size", wanted.size)) {}

  void prepare() override { state.fill(0, state.rows()); }

  /// Compares every bit with a serial run.
  void check() override {
    if (!expected_) {
      State other(size_);
      other.fill(0, other.rows());
      for (std::uint64_t s = 0; s != sweeps; ++s) other.sweep(s, 0, other.rows());
      expected_ = other.fingerprint(sweeps);
    }
    if (state.fingerprint(sweeps) != *expected_)
      throw check_failed(std::string(State::name) + ": the result differs from what a serial run gives");
  }

  double items() const override { return state.updates(sweeps); }
  std::string_view unit() const override { return State::unit; }

 private:
  using size_type = decltype(State::sizes.front().value);
  const size_type size_;
  std::optional<std::uint64_t> expected_;

  row_sweep(const request& wanted, const size_type& size)
      : size_(size),
        tree{size.cutoff, choose(row_shapes, State::name, "shape", wanted.shape)},
        sweeps(State::sweeps_of(size, wanted.iterations)),
        state(size) {}

 protected:
  const row_tree tree;
  const std::uint64_t sweeps;
  State state;
};

template <class State>
class jackdaw_swept : public row_sweep<State> {
 public:
  using row_sweep<State>::row_sweep;

  // Rows are filled in the same way as they are swept, so that a page lies on the memory node of the worker that will
  // update it.
  void prepare() override {
    this->tree.visit(0, this->state.rows(), [this](std::size_t first, std::size_t last) {
      this->state.declare_fill(first, last);
      this->state.fill(first, last);
    });
  }

  void run() override {
    for (std::uint64_t s = 0; s != this->sweeps; ++s)
      this->tree.of(s).visit(0, this->state.rows(), [this, s](std::size_t first, std::size_t last) {
        this->state.declare_sweep(s, first, last);
        this->state.sweep(s, first, last);
      });
  }
};

template <class State>
class serial_swept : public row_sweep<State> {
 public:
  using row_sweep<State>::row_sweep;

  void run() override {
    for (std::uint64_t s = 0; s != this->sweeps; ++s) this->state.sweep(s, 0, this->state.rows());
  }
};

/// Returns the kernel whose problems sweep over a State; `alias` as in kernel.
template <class State>
kernel make_swept(std::string_view summary, std::string_view alias = {}) {
  return {.name = State::name,
          .summary = summary,
          .sizes = names(State::sizes),
          .shapes = names(row_shapes),
          .takes_input = false,
          .sides = {make_side<jackdaw_swept<State>>("jackdaw"), make_side<serial_swept<State>>("serial")},
          .alias = alias,
          .iterates = true};
}

}  // namespace jackdaw::kernels
