#include "kernels/heat2d/heat2d_hints.hpp"

#include <charconv>
#include <string>

#include <jackdaw/error.hpp>

#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {

heat2d_hints::heat2d_hints(std::string_view text) {
  if (text.empty()) return;
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  kind_ = name == "fixed" ? kind::fixed : name == "random" ? kind::random : kind::none;
  const char* const last = text.data() + text.size();
  const char* const first = colon == text.npos ? last : text.data() + colon + 1;
  const auto [end, code] = std::from_chars(first, last, alpha_);
  const bool in_range = alpha_ >= 0 && alpha_ <= 1;  // false for NaN
  if (kind_ == kind::none || code != std::errc() || end != last || !in_range)
    throw error("heat2d: unknown hints '" + std::string(text) +
                "', expected fixed:ALPHA or random:ALPHA with ALPHA from 0 to 1");
}

std::array<double, 4> heat2d_hints::of(std::uint64_t sweep, std::uint64_t block) const {
  if (kind_ == kind::fixed) return {1 - alpha_, 1 - 0.5 * alpha_, 1 + 0.5 * alpha_, 1 + alpha_};
  std::array<double, 4> hints{};
  const std::uint64_t seed = mix(mix(sweep) + block);
  for (std::size_t i = 0; i != hints.size(); ++i) {
    const double r = static_cast<double>(mix(seed + i) >> 11) * 0x1p-52 - 1;
    hints[i] = 1 + r * alpha_;
  }
  return hints;
}

}  // namespace jackdaw::kernels
