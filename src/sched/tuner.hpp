#pragma once

#include <optional>
#include <vector>

namespace jackdaw::sched {

/// Searches the packing under which an iteration takes the shortest time (LAWS, Algorithm 1), with what the printed
/// algorithm lacks: it ends after six iterations whatever they take, it knows that not packing at all may be best, it
/// takes a packing only if that gains more than times differ anyhow, and it starts over when the times change for good. One
/// iteration tells little of how long those after it will take, which find in the caches what their like has left there:
/// so the first iterations under the chosen packing have to confirm it, or there will be none.
///
/// Packings are steps from the first one: below zero larger subtrees, above zero smaller ones; none: no packing.
class tuner {
 public:
  using packing = std::optional<int>;

  /// Steps that make a difference are -larger to smaller.
  tuner(int larger, int smaller) noexcept : larger_(larger), smaller_(smaller) {}

  /// What the next iteration is to run under.
  packing next() const noexcept { return settled_ ? best_ : trying_; }
  /// What it took, in ns.
  void record(double took);
  bool settled() const noexcept { return settled_; }
  int tried() const noexcept { return static_cast<int>(trials_.size()); }

 private:
  struct trial {
    packing what;
    double took;
  };

  std::optional<double> took(packing what) const noexcept;
  bool went_on(int from, int to) const noexcept;
  void choose_next();
  void settle();
  void confirm(double took);
  void watch(double took);

  int larger_;
  int smaller_;
  bool settled_ = false;
  packing trying_ = 0;
  packing best_;
  unsigned confirmed_ = 0;  // iterations that `expected_` is the shortest of
  double expected_ = 0;
  unsigned off_ = 0;  // iterations in a row that took much more or less than expected
  std::vector<trial> trials_;
};

}  // namespace jackdaw::sched
