#pragma once

#include <chrono>
#include <string>

namespace jackdaw::trace {

/// How other programs disturbed a thread.
struct interruptions {
  double wall = 0;  ///< ns that passed
  double lost = 0;  ///< ns of them without a processor
  long forced = 0;  ///< times that the thread lost its processor to others
  long chosen = 0;  ///< times that it gave it up, to wait

  /// Whether times are too long to be worth anything: more than 5% was lost, and not because the thread waited. Less
  /// than 0.1 s is too short to tell.
  bool matter() const noexcept { return wall > 1e8 && forced > chosen && lost > 0.05 * wall; }
  /// "it had no processor for 43% of the time (lost 712 times, to other programs or to a limit)"
  std::string text() const;
};

/// Counts the interruptions of a thread between start() and stop(), which that thread calls.
class interruption_count {
 public:
  void start() noexcept;
  void stop() noexcept;
  const interruptions& so_far() const noexcept { return sum_; }

 private:
  /// Figures of the calling thread.
  struct reading {
    std::chrono::steady_clock::time_point at;
    double processor = 0;  ///< ns of processor time
    long forced = 0, chosen = 0;
  };
  static reading now() noexcept;

  reading begin_;
  interruptions sum_;
};

}  // namespace jackdaw::trace
