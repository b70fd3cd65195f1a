#include "base/own_mapping.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace jackdaw::detail {
namespace {

// No initialiser runs: a guard of one could stay locked in the child of a fork().
constinit std::mutex listing;
constinit own_mapping* first_listed = nullptr;  // guarded by listing

}  // namespace

bool own_mapping::map(std::size_t bytes, int rights, int flags) noexcept {
  void* const memory = mmap(nullptr, bytes, rights, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (memory == MAP_FAILED) return false;
  adopt(memory, bytes);
  return true;
}

void own_mapping::adopt(void* begin, std::size_t bytes) noexcept {
  unmap();
  const std::lock_guard hold(listing);
  begin_ = begin;
  bytes_ = bytes;
  next_ = std::exchange(first_listed, this);
  if (next_ != nullptr) next_->before_ = this;
}

bool own_mapping::unmap() noexcept {
  if (begin_ == nullptr) return true;
  {
    const std::lock_guard hold(listing);
    (before_ != nullptr ? before_->next_ : first_listed) = next_;
    if (next_ != nullptr) next_->before_ = before_;
    next_ = before_ = nullptr;
  }
  // After it has left the list: once it is unmapped, the program may have other memory there.
  return munmap(std::exchange(begin_, nullptr), std::exchange(bytes_, 0)) == 0;
}

std::vector<own_range> own_ranges() {
  std::vector<own_range> found;
  {
    const std::lock_guard hold(listing);
    for (const own_mapping* each = first_listed; each != nullptr; each = each->next_) {
      const auto begin = reinterpret_cast<std::uintptr_t>(each->begin_);
      found.push_back({begin, begin + each->bytes_});
    }
  }
  std::sort(found.begin(), found.end(), [](const own_range& a, const own_range& b) { return a.begin < b.begin; });
  return found;
}

void keep_own_mappings() noexcept { listing.lock(); }
void release_own_mappings() noexcept { listing.unlock(); }

}  // namespace jackdaw::detail
