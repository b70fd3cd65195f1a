#include "kernels/common/kernel.hpp"

#include <algorithm>
#include <utility>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

std::vector<kernel>& registry() {
#define KERNEL(name) name(),
  static std::vector<kernel> kernels = {
#include "kernels/common/list.def"
  };
#undef KERNEL
  return kernels;
}

}  // namespace

std::span<const kernel> all() { return registry(); }

const kernel* find(std::string_view name) {
  const auto found = std::ranges::find_if(
      registry(), [name](const kernel& k) { return k.name == name || (!k.alias.empty() && k.alias == name); });
  return found == registry().end() ? nullptr : &*found;
}

void add_side(std::string_view kernel_name, side added) {
  const auto found = std::ranges::find(registry(), kernel_name, &kernel::name);
  if (found == registry().end()) throw std::invalid_argument("add_side: no kernel '" + std::string(kernel_name) + "'");
  const auto known = std::ranges::find(found->sides, added.name, &side::name);
  if (known == found->sides.end())
    found->sides.push_back(std::move(added));
  else
    *known = std::move(added);
}

}  // namespace jackdaw::kernels
