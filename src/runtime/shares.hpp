#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace jackdaw::detail {

/// How a worker divides its time between kinds of work if more waits than it can run: stride scheduling (Waldspurger
/// and Weihl, 1995). Each kind has used a certain time over its weight; the kind that has used least comes next.
/// README-roots.md.
class shares {
 public:
  enum kind : std::uint8_t {
    queued,  ///< roots, and the rests of tasks that gave way
    rests,   ///< in this worker's own deques
    wishes,  ///< tasks near some memory
    placed,  ///< in mailboxes and pools
  };
  static constexpr std::size_t kinds = 4;
  /// 0: nothing of that kind waits.
  using weights = std::array<std::uint32_t, kinds>;

  /// Returns the kind that comes next, one whose weight is not 0. Charges the kind that has run since the last call
  /// with that time. `now` in ns.
  kind next(const weights& of, std::int64_t now) noexcept {
    if (contended_) {
      used_[last_] += static_cast<double>(now - since_) / weight_;
    }
    std::size_t least = kinds;
    for (std::size_t each = 0; each != kinds; ++each) {
      // A kind that has just appeared has no claim on earlier time. A kind that ran for long without interruption owes
      // no more than most_ahead.
      used_[each] = std::clamp(used_[each], reached_, reached_ + most_ahead);
      if (of[each] != 0 && (least == kinds || used_[each] < used_[least])) {
        least = each;
      }
    }
    reached_ = used_[least];
    last_ = static_cast<kind>(least);
    weight_ = of[least];
    since_ = now;
    contended_ = true;
    return last_;
  }

  /// Whether several kinds waited when this worker last chose. If so, it chooses whenever its deques are empty.
  bool contended() const noexcept { return contended_; }
  /// Called when no longer several kinds wait.
  void end() noexcept { contended_ = false; }

 private:
  static constexpr double most_ahead = 4e6;  // ns

  std::array<double, kinds> used_{};
  double reached_ = 0;
  kind last_ = queued;
  std::uint32_t weight_ = 1;
  std::int64_t since_ = 0;
  bool contended_ = false;
};

}  // namespace jackdaw::detail
