#include "runtime/page_homes.hpp"

#include <algorithm>

namespace jackdaw::detail {
namespace {

constexpr std::size_t slots = 4096;

}  // namespace

const std::vector<int>& page_homes::of(std::uintptr_t begin, std::uintptr_t end) {
  if (slots_.empty()) slots_.resize(slots);
  const std::size_t granules = (end - 1) / granule - begin / granule + 1;
  const std::size_t looks = std::min(granules, most_looks);
  found_.assign(looks, -1);
  asked_.clear();
  places_.clear();
  for (std::size_t i = 0; i < looks; ++i) {
    // The middle of the part that this look stands for.
    const std::uintptr_t at = begin + (end - begin) / looks * i + (end - begin) / looks / 2;
    const slot& known = slot_of(at / granule);
    if (known.number == at / granule) {
      found_[i] = known.node;
    } else {
      asked_.push_back(reinterpret_cast<void*>(at));
      places_.push_back(i);
    }
  }
  if (asked_.empty() || kernel_->locate(asked_, told_) != 0) return found_;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    // An address that has no memory yet may have some the next time.
    if (told_[i] < 0) continue;
    const std::uintptr_t number = reinterpret_cast<std::uintptr_t>(asked_[i]) / granule;
    found_[places_[i]] = told_[i];
    slot_of(number) = {number, told_[i]};
  }
  return found_;
}

void page_homes::forget() noexcept { std::fill(slots_.begin(), slots_.end(), slot{}); }

}  // namespace jackdaw::detail
