#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "jackdaw/memory/placed_resource.hpp"

#pragma GCC visibility push(default)

namespace jackdaw {

/// A standard allocator whose memory is placed as a policy says (see placed_resource). Copies of it, for other types
/// too, share one resource, which lives as long as any of them. A standard container still fills its elements serially,
/// but in pages that are placed by then; placed_vector fills in parallel.
template <class T>
class placed_allocator {
 public:
  using value_type = T;

  placed_allocator() : placed_allocator(placement{}) {}
  explicit placed_allocator(const placement& how) : resource_(std::make_shared<placed_resource>(how)) {}
  explicit placed_allocator(std::shared_ptr<placed_resource> from) noexcept : resource_(std::move(from)) {}
  template <class U>
  placed_allocator(const placed_allocator<U>& other) noexcept  // NOLINT(google-explicit-constructor): an allocator
      : resource_(other.resource()) {}

  /// Throws std::bad_alloc, std::bad_array_new_length; error as placed_memory does.
  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / 4 / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(resource_->allocate(count * sizeof(T), alignof(T)));
  }
  void deallocate(T* at, std::size_t count) noexcept { resource_->deallocate(at, count * sizeof(T), alignof(T)); }

  const std::shared_ptr<placed_resource>& resource() const noexcept { return resource_; }
  const placement& policy() const noexcept { return resource_->policy(); }

  template <class U>
  bool operator==(const placed_allocator<U>& other) const noexcept {
    return resource_ == other.resource();
  }

 private:
  std::shared_ptr<placed_resource> resource_;
};

}  // namespace jackdaw

#pragma GCC visibility pop
