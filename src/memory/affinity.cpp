#include "jackdaw/memory/affinity.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "jackdaw/memory/placed_memory.hpp"
#include "jackdaw/memory/this_node.hpp"
#include "numa/locate.hpp"
#include "numa/numa_kernel.hpp"

namespace jackdaw {
namespace {

/// The largest number of pages in one query to the kernel, which takes about 10 us.
constexpr std::size_t most_asked = 64;

}  // namespace

affinity near(const void* first, std::size_t bytes) {
  const auto here = detail::machine_here();
  // The kernel's nodes are not those of a described machine.
  if (bytes == 0 || !here->is_this_computer || here->nodes.size() < 2) {
    return {};
  }
  const std::size_t page = base_page_size();
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  const std::uintptr_t first_page = begin / page, last_page = (begin + bytes - 1) / page;
  const std::size_t steps = std::min<std::size_t>(last_page - first_page, most_asked - 1);
  std::vector<void*> pages;
  for (std::size_t i = 0; i <= steps; ++i) {
    const std::uintptr_t number = first_page + (steps == 0 ? 0 : (last_page - first_page) * i / steps);
    pages.push_back(reinterpret_cast<void*>(number * page));
  }
  int refusal = 0;
  std::map<int, std::size_t> found;
  for (const int node : numa::nodes_of(numa::linux_kernel(), pages, refusal)) {
    if (node >= 0) ++found[node];
  }
  const auto most =
      std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most != found.end() ? affinity(static_cast<unsigned>(most->first), false) : affinity();
}

}  // namespace jackdaw
