#pragma once

#include <cstddef>
#include <string>

namespace jackdaw::numa {

/// The sizes of pages.
struct page_sizes {
  std::size_t base = 4096;
  std::size_t huge = 0;  ///< bytes of a transparent huge page; 0: the kernel gives none
  bool unasked = false;  ///< the kernel uses huge pages without a request ("always")
};

/// This computer's page sizes; read once.
const page_sizes& this_computers_pages();

/// From the texts of transparent_hugepage/enabled and hpage_pmd_size.
page_sizes parse_page_sizes(std::size_t base, const std::string& enabled, const std::string& pmd_size);

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace jackdaw::numa
