#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/memory/placement.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// A memory resource for std::pmr containers and placed_allocator whose memory a placement policy places.
///
/// An allocation of at least `large` bytes has pages of its own and is placed by itself. At most its last page is
/// partly empty. Under first touch the workers touch its pages, as a loop over them would. Smaller allocations share
/// slabs of `slab` bytes, each of which is placed as one object. Memory of slabs is reused, and goes back to the system
/// when the resource is destroyed. The resource must outlive all memory that it gave out.
/// @par Thread safety
/// Any number of threads may use a resource at the same time.
class placed_resource final : public std::pmr::memory_resource {
 public:
  /// The size in bytes from which an allocation has pages of its own.
  static constexpr std::size_t large = std::size_t{64} * 1024;
  /// The size of a slab in bytes.
  static constexpr std::size_t slab = std::size_t{256} * 1024;

  /// Makes a resource with the given policy. It takes no memory yet.
  explicit placed_resource(const placement& how = {});
  /// Gives all slabs back to the system.
  ~placed_resource() override;
  /// Not copyable.
  placed_resource(const placed_resource&) = delete;
  /// Not assignable.
  placed_resource& operator=(const placed_resource&) = delete;

  /// Returns the policy that places the memory.
  const placement& policy() const noexcept;
  /// Returns the number of bytes that are allocated at the moment.
  std::size_t in_use() const noexcept;
  /// Returns the number of bytes taken from the system. The bytes in excess of in_use() are waste or spare.
  std::size_t taken() const noexcept;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
