#include "jackdaw/memory/page_locations.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <map>
#include <system_error>

#include "numa/locate.hpp"

namespace jackdaw {

std::size_t page_locations::on(unsigned node) const noexcept {
  const auto found = std::find_if(shares.begin(), shares.end(), [&](const share& each) { return each.node == node; });
  return found == shares.end() ? 0 : found->bytes;
}

std::string page_locations::text() const {
  std::string line;
  const auto add = [&](const std::string& what, std::size_t bytes) {
    if (bytes != 0) line += (line.empty() ? "" : ", ") + what + ": " + std::to_string(bytes) + " B";
  };
  for (const share& each : shares) add("node " + std::to_string(each.node), each.bytes);
  add("untouched", untouched);
  add(refusal == 0 ? "unknown" : "unknown (" + std::generic_category().message(refusal) + ")", unknown);
  return line.empty() ? "nothing" : line;
}

page_locations where(const void* first, std::size_t bytes) {
  return numa::locate(numa::linux_kernel(), first, bytes, base_page_size());
}

namespace numa {

namespace {
/// move_pages is asked about this many pages at a time.
constexpr std::size_t pages_of_a_call = 4096;
}  // namespace

std::vector<void*> pages_of(const void* first, std::size_t bytes, std::size_t page) {
  std::vector<void*> pages;
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  for (std::uintptr_t at = begin / page * page; bytes != 0 && at < begin + bytes; at += page) {
    pages.push_back(reinterpret_cast<void*>(at));
  }
  return pages;
}

std::vector<int> nodes_of(numa_kernel& kernel, const std::vector<void*>& pages, int& refusal) {
  std::vector<int> nodes;
  nodes.reserve(pages.size());
  std::vector<int> told;
  refusal = 0;
  for (std::size_t i = 0; i < pages.size(); i += pages_of_a_call) {
    const auto from = pages.begin() + static_cast<std::ptrdiff_t>(i);
    const std::vector<void*> some(from,
                                  from + static_cast<std::ptrdiff_t>(std::min(pages_of_a_call, pages.size() - i)));
    const int code = kernel.locate(some, told);
    if (code != 0) {
      if (refusal == 0) refusal = code;
      nodes.insert(nodes.end(), some.size(), page_locations::unknown_page);
      continue;
    }
    for (const int node : told) {
      // A page that was only read (the zero page) does not count either.
      const bool none = node == -ENOENT || node == -EFAULT;
      nodes.push_back(none ? page_locations::untouched_page : node < 0 ? page_locations::unknown_page : node);
    }
  }
  return nodes;
}

page_locations locate(numa_kernel& kernel, const void* first, std::size_t bytes, std::size_t page) {
  page_locations found{.page = page};
  const std::vector<void*> pages = pages_of(first, bytes, page);
  found.nodes = nodes_of(kernel, pages, found.refusal);
  std::map<int, std::size_t> sums;
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto at = reinterpret_cast<std::uintptr_t>(pages[i]);
    sums[found.nodes[i]] += std::min(at + page, begin + bytes) - std::max(at, begin);
  }
  for (const auto& [node, sum] : sums) {
    if (node >= 0) {
      found.shares.push_back({static_cast<unsigned>(node), sum});
    } else {
      (node == page_locations::untouched_page ? found.untouched : found.unknown) = sum;
    }
  }
  return found;
}

}  // namespace numa
}  // namespace jackdaw
