#include "jackdaw/memory/migration.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "jackdaw/memory/page_locations.hpp"
#include "numa/locate.hpp"
#include "numa/node_view.hpp"

namespace jackdaw {

std::string migration::text() const {
  std::string line = std::to_string(moved) + " B moved to node " + std::to_string(node);
  if (already_there != 0) line += ", " + std::to_string(already_there) + " B were there";
  if (untouched != 0) line += ", " + std::to_string(untouched) + " B have no memory yet";
  if (failed != 0) {
    line += ", " + std::to_string(failed) + " B could not be moved: " + std::generic_category().message(error);
    for (const left_behind& each : stayed) {
      line += "; " + std::to_string(each.bytes) + " B from byte " + std::to_string(each.offset) + " on stay on " +
              (each.node < 0 ? std::string("an unknown node") : "node " + std::to_string(each.node));
    }
  }
  return line;
}

namespace numa {
namespace {

/// Pages per move_pages call: the kernel stops at the first page that it cannot move.
constexpr std::size_t batch = 512;
/// After this many batches in a row in which no page moved, the node counts as full.
constexpr unsigned most_vain_batches = 4;
/// How often to try a page that is briefly in use (EBUSY).
constexpr unsigned most_tries = 3;

/// Moves as many of these pages as possible; returns the errno of the first that cannot move, or 0.
int try_to_move(numa_kernel& kernel, const std::vector<void*>& pages, unsigned node) {
  int error = 0;
  unsigned vain = 0;
  std::vector<int> states;
  for (std::size_t i = 0; i < pages.size() && vain < most_vain_batches; i += batch) {
    const auto from = pages.begin() + static_cast<std::ptrdiff_t>(i);
    const std::vector<void*> some(from, from + static_cast<std::ptrdiff_t>(std::min(batch, pages.size() - i)));
    const int code = kernel.move(some, node, states);
    if (error == 0) error = code;
    if (numa_kernel::refused(code)) return code;
    for (const int state : states) {
      if (error == 0 && state < 0 && state != -ENOENT && state != -EFAULT) error = -state;
    }
    int refusal = 0;
    const std::vector<int> now = nodes_of(kernel, some, refusal);
    const bool some_moved = std::find(now.begin(), now.end(), static_cast<int>(node)) != now.end();
    vain = some_moved || refusal != 0 ? 0 : vain + 1;
  }
  return error;
}

}  // namespace

migration move(numa_kernel& kernel, const void* first, std::size_t bytes, unsigned node, std::size_t page) {
  migration result{.node = node};
  const std::vector<void*> pages = pages_of(first, bytes, page);
  const int to = static_cast<int>(node);
  int refusal = 0;
  const std::vector<int> before = nodes_of(kernel, pages, refusal);
  std::vector<int> after = before;
  const auto is_elsewhere = [&](int at) { return at != to && at != page_locations::untouched_page; };
  for (unsigned round = 0; round < most_tries; ++round) {
    std::vector<void*> elsewhere;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (is_elsewhere(after[i])) elsewhere.push_back(pages[i]);
    }
    if (elsewhere.empty()) break;
    const int code = try_to_move(kernel, elsewhere, node);
    if (round == 0 || code != 0) result.error = code;
    after = nodes_of(kernel, pages, refusal);
    if (code != 0 && code != EBUSY && code != EAGAIN) break;
  }
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (before[i] == to) {
      result.already_there += page;
    } else if (before[i] == page_locations::untouched_page && after[i] == before[i]) {
      result.untouched += page;
    } else if (after[i] == to) {
      result.moved += page;
    } else if (is_elsewhere(after[i])) {
      result.failed += page;
      auto& stayed = result.stayed;
      if (!stayed.empty() && stayed.back().node == after[i] && stayed.back().offset + stayed.back().bytes == i * page) {
        stayed.back().bytes += page;
      } else {
        stayed.push_back({i * page, page, after[i]});
      }
    }
  }
  // The kernel does not always give a reason. There are two: the node is full, or the page is in use.
  if (result.failed != 0 && result.error == 0) {
    const auto free = free_bytes(node);
    result.error = free && *free < result.failed ? ENOMEM : EBUSY;
  }
  if (result.failed == 0) result.error = 0;
  return result;
}

}  // namespace numa
}  // namespace jackdaw
