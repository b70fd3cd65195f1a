#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>

#include "jackdaw/memory/placement.hpp"

#pragma GCC visibility push(default)

namespace jackdaw {

/// Gives out memory that is placed as a policy says, for std::pmr containers and placed_allocator. What is `large` or
/// larger has pages of its own (at most one of them in part empty) and is placed by itself; under first touch its pages
/// are touched by the workers, as by a loop over it. Smaller pieces share slabs of `slab` bytes, each placed as one
/// object; their memory is used again, and given back to the system when the resource ends. May be used by all threads;
/// must outlive what it gave.
class placed_resource final : public std::pmr::memory_resource {
 public:
  static constexpr std::size_t large = std::size_t{64} * 1024;
  static constexpr std::size_t slab = std::size_t{256} * 1024;

  explicit placed_resource(const placement& how = {});
  ~placed_resource() override;
  placed_resource(const placed_resource&) = delete;
  placed_resource& operator=(const placed_resource&) = delete;

  const placement& policy() const noexcept;
  std::size_t in_use() const noexcept;  ///< bytes that were asked for and not given back
  std::size_t taken() const noexcept;   ///< bytes taken from the system: what is more than in_use() is waste or spare

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace jackdaw

#pragma GCC visibility pop
