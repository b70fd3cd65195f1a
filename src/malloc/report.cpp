// What $JACKDAW_PLACEMENT_REPORT asks for: where the program's memory was.
#include "malloc/report.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.hpp"
#include "malloc/large_blocks.hpp"
#include "malloc/node_heaps.hpp"
#include "numa/census.hpp"

namespace jackdaw::malloc {
namespace {

/// How many pages of a range are asked for their node: each stands for as many bytes.
constexpr std::size_t most_asked = 512;

/// Bytes by node; the last one is memory that has no page.
using bytes_by_node = std::array<std::atomic<std::uint64_t>, node_heaps::most_nodes + 1>;

constinit std::atomic<bool> wanted{false};
/// A copy of stderr: some programs close theirs before the destructors run.
constinit int to = -1;
/// The process that reports; 0: each that has the library, also as a child of another one.
constinit pid_t only = 0;
constinit bytes_by_node given_back{};

/// Relaxed: they are only added up.
void count(const void* data, std::size_t bytes, bytes_by_node& into) noexcept {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t pages = bytes / page, asked = std::min(pages, most_asked);
  std::array<const void*, most_asked> at;
  std::array<int, most_asked> nodes;
  for (std::size_t i = 0; i < asked; ++i) {
    // Anywhere in its part: at equal distances all could be on the same few of the nodes that take turns.
    const std::size_t first = pages * i / asked, beyond = pages * (i + 1) / asked;
    at[i] = static_cast<const std::byte*>(data) + (first + i * 0x9e3779b97f4a7c15U % (beyond - first)) * page;
  }
  if (asked == 0 || syscall(SYS_move_pages, 0, asked, at.data(), nullptr, nodes.data(), 0) != 0) return;
  for (std::size_t i = 0; i < asked; ++i) {
    const bool there = nodes[i] >= 0 && nodes[i] < node_heaps::most_nodes;
    into[static_cast<std::size_t>(there ? nodes[i] : node_heaps::most_nodes)].fetch_add(bytes / asked,
                                                                                        std::memory_order_relaxed);
  }
}

/// The program's other memory: small blocks, stacks, its own mappings.
void count_others(bytes_by_node& into) {
  std::vector<detail::own_range> large;
  large_blocks::each([&large](const void* data, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    large.push_back({begin, begin + bytes});
  });
  for (const numa::mapping& each : numa::without(numa::anonymous_mappings(), large)) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): /proc gives numbers
    count(reinterpret_cast<const void*>(each.begin), each.end - each.begin, into);
  }
}

double mebibytes(const std::atomic<std::uint64_t>& bytes) noexcept {
  return static_cast<double>(bytes.load(std::memory_order_relaxed)) / (1024.0 * 1024.0);
}

/// The variable is `all`, or the number of the one process that reports.
[[gnu::constructor]] void begin() noexcept {
  const char* const who = detail::from_environment("JACKDAW_PLACEMENT_REPORT");
  const bool all = who != nullptr && std::string_view(who) == "all";
  if (who == nullptr || (!all && std::to_string(getpid()) != who)) return;
  if (!all) only = getpid();
  to = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 200);  // out of the way of those who count on low numbers
  wanted.store(to >= 0, std::memory_order_relaxed);
}

void report() {
  large_blocks::each([](const void* data, std::size_t bytes) { count(data, bytes, given_back); });
  bytes_by_node others{};
  count_others(others);
  dprintf(to, "jackdaw: where the memory of %s (process %d) was when it was given back, or at the end (MiB)\n",
          program_invocation_short_name, static_cast<int>(getpid()));
  dprintf(to, "  node   large blocks   other memory\n");
  for (std::size_t node = 0; node < node_heaps::most_nodes; ++node) {
    const double large = mebibytes(given_back[node]), rest = mebibytes(others[node]);
    if (large + rest > 0) dprintf(to, "  %4zu %14.1f %14.1f\n", node, large, rest);
  }
  // Other memory without pages is what is reserved, and tells nothing.
  if (const double untouched = mebibytes(given_back.back()); untouched > 0) {
    dprintf(to, "  none %14.1f\n", untouched);
  }
}

[[gnu::destructor]] void end() noexcept {
  if (!wanted.load(std::memory_order_relaxed) || (only != 0 && only != getpid())) return;
  try {
    report();
  } catch (const std::exception& failure) {
    dprintf(to, "jackdaw: no report on memory: %s\n", failure.what());
  }
}

}  // namespace

void count_given_back(const void* data, std::size_t bytes) noexcept {
  if (wanted.load(std::memory_order_relaxed)) count(data, bytes, given_back);
}

}  // namespace jackdaw::malloc
