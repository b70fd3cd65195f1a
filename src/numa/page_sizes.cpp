#include "numa/page_sizes.hpp"

#include <unistd.h>

#include <charconv>

#include "jackdaw/memory/page_locations.hpp"
#include "machine/cgroup.hpp"

namespace jackdaw {

std::size_t base_page_size() noexcept {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

namespace numa {

page_sizes parse_page_sizes(std::size_t base, const std::string& enabled, const std::string& pmd_size) {
  page_sizes sizes{.base = base};
  std::size_t huge = 0;
  std::from_chars(pmd_size.data(), pmd_size.data() + pmd_size.size(), huge);
  sizes.unasked = enabled.find("[always]") != std::string::npos;
  const bool given = sizes.unasked || enabled.find("[madvise]") != std::string::npos;
  // A page size is a power of two above the base page.
  if (given && huge > base && (huge & (huge - 1)) == 0) sizes.huge = huge;
  return sizes;
}

const page_sizes& this_computers_pages() {
  static const page_sizes found =
      parse_page_sizes(base_page_size(), read_text_file("/sys/kernel/mm/transparent_hugepage/enabled").value_or(""),
                       read_text_file("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size").value_or(""));
  return found;
}

}  // namespace numa
}  // namespace jackdaw
