#include "numa/numa_kernel.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdint>
#include <string_view>

#include "jackdaw/memory/page_locations.hpp"
#include "machine/cgroup.hpp"
#include "numa/memory_calls.hpp"

namespace jackdaw::numa {
namespace {

// Linux 6.9; libnuma's header of Debian 12 is older.
constexpr int mpol_weighted_interleave = 6;

constexpr unsigned word_bits = CHAR_BIT * sizeof(unsigned long);

std::vector<unsigned long> mask_of(const std::vector<unsigned>& nodes) {
  std::vector<unsigned long> mask(*std::max_element(nodes.begin(), nodes.end()) / word_bits + 1, 0);
  for (const unsigned node : nodes) mask[node / word_bits] |= 1UL << node % word_bits;
  return mask;
}

std::vector<unsigned> nodes_in(const std::vector<unsigned long>& mask) {
  std::vector<unsigned> nodes;
  for (unsigned node = 0; node < mask.size() * word_bits; ++node) {
    if ((mask[node / word_bits] >> node % word_bits & 1) != 0) nodes.push_back(node);
  }
  return nodes;
}

int mode_of(kernel_policy how) {
  switch (how) {
    case kernel_policy::prefer:
      return MPOL_PREFERRED;
    case kernel_policy::interleave:
      return MPOL_INTERLEAVE;
    case kernel_policy::weighted:
      return mpol_weighted_interleave;
  }
  return MPOL_DEFAULT;
}

int mode_of(const touch_policy& policy) {
  constexpr int flags = 7 << 13;  // MPOL_F_STATIC_NODES, MPOL_F_RELATIVE_NODES, MPOL_F_NUMA_BALANCING
  return policy.mode & ~flags;
}

constexpr std::size_t mask_words = 4096 / word_bits;

class this_kernel final : public numa_kernel {
 public:
  int bind(void* at, std::size_t bytes, kernel_policy how, const std::vector<unsigned>& nodes) override {
    const std::vector<unsigned long> mask = mask_of(nodes);
    // The kernel reads one bit less than `maxnode` says.
    return mbind(at, bytes, mode_of(how), mask.data(), mask.size() * word_bits + 1, 0) == 0 ? 0 : errno;
  }

  int locate(const std::vector<void*>& pages, std::vector<int>& nodes) override {
    nodes.assign(pages.size(), -ENOENT);
    if (move_pages(0, pages.size(), const_cast<void**>(pages.data()), nullptr, nodes.data(), 0) == 0) return 0;
    const int code = errno;
    return refused(code) ? locate_one_by_one(pages, nodes, code) : code;
  }

  int move(const std::vector<void*>& pages, unsigned node, std::vector<int>& states) override {
    const std::vector<int> to(pages.size(), static_cast<int>(node));
    states.assign(pages.size(), 0);
    const long left =
        move_pages(0, pages.size(), const_cast<void**>(pages.data()), to.data(), states.data(), MPOL_MF_MOVE);
    return left >= 0 ? 0 : errno;
  }

  int set_policy(const touch_policy& wanted) override {
    const bool none = wanted.mask.empty();
    return set_mempolicy(wanted.mode, none ? nullptr : wanted.mask.data(),
                         none ? 0 : wanted.mask.size() * word_bits + 1) == 0
               ? 0
               : errno;
  }

  int policy(touch_policy& now) override { return get_policy(nullptr, 0, now); }

  int policy_at(const void* at, touch_policy& now) override {
    return get_policy(const_cast<void*>(at), MPOL_F_ADDR, now);
  }

 private:
  static int get_policy(void* at, unsigned flags, touch_policy& now) {
    now.mask.assign(mask_words, 0);
    if (get_mempolicy(&now.mode, now.mask.data(), mask_words * word_bits, at, flags) != 0) return errno;
    while (!now.mask.empty() && now.mask.back() == 0) now.mask.pop_back();
    return 0;
  }

  /// get_mempolicy would allocate memory for a page that has none, so mincore first finds the pages that have some.
  static int locate_one_by_one(const std::vector<void*>& pages, std::vector<int>& nodes, int refusal) {
    for (std::size_t i = 0; i < pages.size(); ++i) {
      unsigned char resident = 0;
      void* const page =
          reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(pages[i]) / base_page_size() * base_page_size());
      if (::mincore(page, 1, &resident) != 0 || (resident & 1) == 0) continue;
      if (get_mempolicy(&nodes[i], nullptr, 0, page, MPOL_F_NODE | MPOL_F_ADDR) != 0) return refusal;
    }
    return 0;
  }
};

std::optional<std::vector<unsigned>> allowed_by_status() {
  const auto status = read_text_file("/proc/self/status");
  if (!status) return std::nullopt;
  constexpr std::string_view key = "Mems_allowed_list:";
  const std::size_t at = status->find(key);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t first = status->find_first_not_of(" \t", at + key.size());
  return parse_node_list(status->substr(first, status->find('\n', first) - first));
}

}  // namespace

bool numa_kernel::refused(int code) noexcept { return code == EPERM || code == EACCES || code == ENOSYS; }

numa_kernel& linux_kernel() {
  static this_kernel only;
  return only;
}

touch_policy preferring(unsigned node) { return {MPOL_PREFERRED, mask_of({node})}; }

bool prefers(const touch_policy& policy, unsigned node) {
  return mode_of(policy) == MPOL_PREFERRED && nodes_in(policy.mask) == std::vector{node};
}

touch_policy only_to(const std::vector<unsigned>& nodes) { return {MPOL_BIND, mask_of(nodes)}; }

std::vector<unsigned> nodes_bound_by(const touch_policy& policy) {
  return mode_of(policy) == MPOL_BIND ? nodes_in(policy.mask) : std::vector<unsigned>();
}

std::optional<std::vector<unsigned>> allowed_nodes() {
  touch_policy now;
  if (linux_kernel().policy(now) == 0) {
    if (std::vector<unsigned> bound = nodes_bound_by(now); !bound.empty()) return bound;
  }
  std::vector<unsigned long> mask(mask_words, 0);
  if (get_mempolicy(nullptr, mask.data(), mask.size() * word_bits, nullptr, MPOL_F_MEMS_ALLOWED) != 0) {
    return allowed_by_status();
  }
  return nodes_in(mask);
}

std::optional<std::size_t> parse_free_bytes(const std::string& meminfo) {
  std::size_t sum = 0;
  bool found = false;
  for (const std::string_view key : {" MemFree:", " Active(file):", " Inactive(file):"}) {
    const std::size_t at = meminfo.find(key);
    if (at == std::string::npos) continue;
    const std::size_t digits = meminfo.find_first_of("0123456789", at + key.size());
    if (digits == std::string::npos) continue;
    std::size_t kib = 0;
    std::from_chars(meminfo.data() + digits, meminfo.data() + meminfo.size(), kib);
    sum += kib * 1024;
    found = found || key == " MemFree:";
  }
  return found ? std::optional(sum) : std::nullopt;
}

std::optional<std::size_t> free_bytes(unsigned node) {
  const auto text = read_text_file("/sys/devices/system/node/node" + std::to_string(node) + "/meminfo");
  const auto free = text ? parse_free_bytes(*text) : std::nullopt;
  if (!free) return std::nullopt;
  // The file is long, and the part that is read here changes only with an administrator's settings. Never destroyed,
  // because handlers of exit() may place memory.
  static const std::string& zones = *new std::string(read_text_file("/proc/zoneinfo").value_or(""));
  const std::size_t kept = parse_kept_back(zones, node) * base_page_size();
  return *free > kept ? *free - kept : 0;
}

std::size_t parse_kept_back(const std::string& zoneinfo, unsigned node) {
  const std::string zone = "Node " + std::to_string(node) + ", zone";
  std::size_t sum = 0;
  for (std::size_t at = zoneinfo.find(zone); at != std::string::npos; at = zoneinfo.find(zone, at + 1)) {
    constexpr std::string_view key = "\n        low ";
    const std::size_t next = zoneinfo.find("\nNode ", at);
    const std::size_t low = zoneinfo.find(key, at);
    if (low == std::string::npos || low > next) continue;
    const std::size_t digits = zoneinfo.find_first_of("0123456789", low + key.size());
    std::size_t pages = 0;
    if (digits != std::string::npos) {
      std::from_chars(zoneinfo.data() + digits, zoneinfo.data() + zoneinfo.size(), pages);
    }
    sum += pages;
  }
  return sum;
}

std::optional<unsigned> kernel_weight(unsigned node) {
  const auto text = read_text_file("/sys/kernel/mm/mempolicy/weighted_interleave/node" + std::to_string(node));
  if (!text) return std::nullopt;
  unsigned weight = 0;
  const auto [end, code] = std::from_chars(text->data(), text->data() + text->size(), weight);
  return code == std::errc() ? std::optional(weight) : std::nullopt;
}

std::optional<std::vector<unsigned>> parse_node_list(const std::string& text) {
  constexpr unsigned most = 4096;
  std::vector<unsigned> nodes;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    unsigned first = 0;
    auto read = std::from_chars(at, end, first);
    if (read.ec != std::errc() || first >= most) return std::nullopt;
    unsigned last = first;
    if (read.ptr != end && *read.ptr == '-') {
      read = std::from_chars(read.ptr + 1, end, last);
      if (read.ec != std::errc() || last < first || last >= most) return std::nullopt;
    }
    for (unsigned node = first; node <= last; ++node) nodes.push_back(node);
    if (read.ptr != end && *read.ptr != ',') return std::nullopt;
    at = read.ptr == end ? end : read.ptr + 1;
  }
  return nodes;
}

}  // namespace jackdaw::numa
