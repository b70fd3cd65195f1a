#pragma once

#include <cstddef>
#include <vector>

#include "jackdaw/memory/migration.hpp"
#include "jackdaw/memory/page_locations.hpp"
#include "numa/numa_kernel.hpp"

namespace jackdaw::numa {

/// The addresses of the pages that a range touches.
std::vector<void*> pages_of(const void* first, std::size_t bytes, std::size_t page);

/// The node of each page, or one of page_locations' two marks. `refusal`: errno if the kernel does not tell, else 0.
std::vector<int> nodes_of(numa_kernel& kernel, const std::vector<void*>& pages, int& refusal);

/// where() on any numa_kernel.
page_locations locate(numa_kernel& kernel, const void* first, std::size_t bytes, std::size_t page);

/// migrate() on any numa_kernel; the node exists.
migration move(numa_kernel& kernel, const void* first, std::size_t bytes, unsigned node, std::size_t page);

}  // namespace jackdaw::numa
