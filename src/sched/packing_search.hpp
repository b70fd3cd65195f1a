#pragma once

#include <optional>

namespace jackdaw::sched {

/// Searches for the packing with the shortest iterations as the paper prints it (LAWS, Algorithm 1): from the first
/// packing (step 0) to smaller subtrees (above 0) while these take less time; if the first smaller ones did not, to
/// larger ones (below 0) while these take no more.
class packing_search {
 public:
  /// Steps from -larger to smaller exist.
  packing_search(int larger, int smaller) noexcept : larger_(larger), smaller_(smaller) {}

  /// Returns the step for the next iteration; nothing: the search has ended.
  std::optional<int> next() const noexcept { return next_; }
  /// Records the time that it took, in ns.
  void record(double took) noexcept {
    const int tried = *next_;
    const bool better = tries_ == 0 || took < least_ || (tried < 0 && took == least_);
    gained_ = tries_++ == 0 ? 1 : took / least_;
    if (better) {
      best_ = tried;
      least_ = took;
    }
    next_.reset();
    if (tried >= 0 && better && tried < smaller_) {
      next_ = tried + 1;
    } else if (tried >= 0 ? best_ == 0 && larger_ > 0 : better && -tried < larger_) {
      next_ = tried >= 0 ? -1 : tried - 1;
    }
  }
  /// The best step so far, the ns of its one iteration, and how many steps were tried.
  int best() const noexcept { return best_; }
  double least() const noexcept { return least_; }
  int tries() const noexcept { return tries_; }
  /// The last step's time over the least before it; 1: there was none.
  double gained() const noexcept { return gained_; }

 private:
  int larger_, smaller_;
  std::optional<int> next_ = 0;
  int best_ = 0;
  double least_ = 0;
  int tries_ = 0;
  double gained_ = 1;
};

}  // namespace jackdaw::sched
