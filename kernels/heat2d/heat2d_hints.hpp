#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace jackdaw::kernels {

/// Deliberately wrong work hints for the four equal quarters of a block (ADWS, SC'19, section 5.4). "fixed:A": 1 - A :
/// 1 - A/2 : 1 + A/2 : 1 + A everywhere. "random:A": 1 + r A for each, with r uniform in [-1, 1], drawn anew for each
/// block and sweep but the same in every run. Empty: no hints.
class heat2d_hints {
 public:
  /// Throws jackdaw::error for anything else.
  explicit heat2d_hints(std::string_view text);

  bool given() const { return kind_ != kind::none; }

  /// Returns the hints for the quarters of a block, in the order in which they are forked. `sweep` and `block` identify
  /// it.
  std::array<double, 4> of(std::uint64_t sweep, std::uint64_t block) const;

 private:
  enum class kind : std::uint8_t { none, fixed, random };
  kind kind_ = kind::none;
  double alpha_ = 0;
};

}  // namespace jackdaw::kernels
