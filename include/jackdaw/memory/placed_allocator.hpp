#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/memory/placed_resource.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// A standard allocator whose memory a placement policy places on memory nodes; see placed_resource.
///
/// Copies of an allocator, also for other types, share one resource. The resource lives as long as any of them. A
/// standard container still fills its elements serially, but its pages are already placed. placed_vector fills its
/// elements in parallel.
/// @par Thread safety
/// Any number of threads may use copies of one allocator at the same time.
template <class T>
class placed_allocator {
 public:
  using value_type = T;  ///< The type of the elements.

  /// Makes an allocator with a resource of its own and the default policy, first touch.
  placed_allocator() : placed_allocator(placement{}) {}
  /// Makes an allocator with a resource of its own and the given policy.
  explicit placed_allocator(const placement& how) : resource_(std::make_shared<placed_resource>(how)) {}
  /// Makes an allocator that shares a resource. The pointer must not be null.
  explicit placed_allocator(std::shared_ptr<placed_resource> from) noexcept : resource_(std::move(from)) {}
  /// Makes an allocator for another type that shares the resource of `other`.
  template <class U>
  placed_allocator(const placed_allocator<U>& other) noexcept  // NOLINT(google-explicit-constructor): an allocator
      : resource_(other.resource()) {}

  /// Allocates memory for `count` elements.
  ///
  /// @throws std::bad_array_new_length if that many elements do not fit into the address space.
  /// @throws std::bad_alloc if there is no memory.
  /// @throws error as the constructor of placed_memory does.
  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / 4 / sizeof(T)) detail::throw_bad_length();
    return static_cast<T*>(resource_->allocate(count * sizeof(T), alignof(T)));
  }
  /// Gives back what allocate() returned for the same `count`.
  void deallocate(T* at, std::size_t count) noexcept { resource_->deallocate(at, count * sizeof(T), alignof(T)); }

  /// Returns the resource that the allocator shares with its copies.
  const std::shared_ptr<placed_resource>& resource() const noexcept { return resource_; }
  /// Returns the policy that places the memory.
  const placement& policy() const noexcept { return resource_->policy(); }

  /// Returns whether both allocators share one resource.
  template <class U>
  bool operator==(const placed_allocator<U>& other) const noexcept {
    return resource_ == other.resource();
  }

 private:
  std::shared_ptr<placed_resource> resource_;
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
