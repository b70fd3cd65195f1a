#include "numa/survey.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <memory>

#include "jackdaw/memory/page_locations.hpp"
#include "numa/node_view.hpp"
#include "numa/numa_kernel.hpp"
#include "numa/pinned_touch.hpp"

namespace jackdaw::numa {
namespace {

struct unmap {
  void operator()(std::byte* at) const noexcept { munmap(at, base_page_size()); }
};

}  // namespace

memory_survey survey_memory(const machine& where) {
  memory_survey found;
  void* const got = mmap(nullptr, base_page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) {
    found.move = found.query = found.bind = found.weighted = errno;
    return found;
  }
  const std::unique_ptr<std::byte, unmap> page(static_cast<std::byte*>(got));
  touch(page.get(), page.get() + base_page_size());

  numa_kernel& kernel = linux_kernel();
  std::vector<int> nodes;
  found.query = kernel.locate({page.get()}, nodes);
  if (found.query == 0 && nodes[0] < 0) found.query = -nodes[0];
  const unsigned now_on = found.query == 0 ? static_cast<unsigned>(nodes[0]) : 0;
  std::vector<int> states;
  found.move = kernel.move({page.get()}, now_on, states);
  const memory_view view = view_now(where);
  // A described machine has no nodes to place on, but the kernel's permissions can be tried all the same.
  if (!view.real) {
    found.bind = kernel.bind(page.get(), base_page_size(), kernel_policy::prefer, {now_on});
    found.weighted = kernel.bind(page.get(), base_page_size(), kernel_policy::weighted, {now_on});
    return found;
  }
  std::vector<unsigned> allowed;
  for (const node_view& node : view.nodes) {
    if (!node.allowed) continue;
    allowed.push_back(node.os);
    const int code = kernel.bind(page.get(), base_page_size(), kernel_policy::prefer, {node.os});
    if (code == 0) found.bindable.push_back(node.os);
    if (code != 0 && found.bind == 0) found.bind = code;
    if (!node.cpus.empty()) found.touchable.push_back(node.os);
    if (code != 0 && node.cpus.empty()) found.out_of_reach.push_back(node.os);
  }
  found.weighted =
      allowed.empty() ? EINVAL : kernel.bind(page.get(), base_page_size(), kernel_policy::weighted, allowed);
  return found;
}

}  // namespace jackdaw::numa
