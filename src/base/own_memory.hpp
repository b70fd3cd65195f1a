#pragma once

#include <cstddef>
#include <memory_resource>

namespace jackdaw::detail {

/// Memory for containers of jackdaw that may grow large, each piece a mapping of its own (own_mapping).
class own_memory final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override;
};

/// The same for containers with many small pieces. Used by one thread at a time.
class own_pool {
 public:
  std::pmr::memory_resource* get() noexcept { return &pool_; }

 private:
  static constexpr std::size_t pooled = 4096;

  own_memory mapped_;
  std::pmr::unsynchronized_pool_resource pool_{{.max_blocks_per_chunk = 0, .largest_required_pool_block = pooled},
                                               &mapped_};
};

}  // namespace jackdaw::detail
