#include "jackdaw/memory/placed_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include "base/say_once.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/memory/this_node.hpp"
#include "jackdaw/runtime.hpp"
#include "numa/mapped_pages.hpp"
#include "numa/node_view.hpp"
#include "numa/numa_kernel.hpp"
#include "numa/page_sizes.hpp"
#include "numa/pinned_touch.hpp"
#include "numa/placed_registry.hpp"
#include "numa/plan.hpp"

namespace jackdaw {
namespace {

using numa::kernel_policy;
using numa::numa_kernel;
using numa::planned_piece;
using way = planned_piece::way;

constexpr std::size_t most_bytes = std::size_t{1} << (std::numeric_limits<std::size_t>::digits - 2);

std::string reason(int code) { return std::generic_category().message(code); }

std::string unreachable_nodes(const numa::memory_view& view) {
  std::vector<unsigned> nodes;
  for (const numa::node_view& node : view.nodes) {
    if (node.allowed && node.cpus.empty()) nodes.push_back(node.os);
  }
  return nodes.empty() ? std::string("all nodes can be reached that way")
                       : numa::nodes_text(nodes) + (nodes.size() == 1 ? " has" : " have") +
                             " no CPU to touch from and cannot be used";
}

/// Printed once in the life of a process.
void say_refused(int code, const numa::memory_view& view) {
  static std::atomic<bool> said{false};
  if (!detail::first(said)) return;
  std::fprintf(stderr, "jackdaw: mbind is refused (%s): memory is placed by touching it from pinned threads; %s\n",
               reason(code).c_str(), unreachable_nodes(view).c_str());
}

kernel_policy policy_of(way how) {
  switch (how) {
    case way::interleave:
      return kernel_policy::interleave;
    case way::weighted:
      return kernel_policy::weighted;
    case way::first_touch:
    case way::prefer:
      break;
  }
  return kernel_policy::prefer;
}

placed_how done(way how) {
  switch (how) {
    case way::first_touch:
      return placed_how::first_touch;
    case way::prefer:
      return placed_how::bound;
    case way::interleave:
      return placed_how::interleaved;
    case way::weighted:
      return placed_how::weighted;
  }
  return placed_how::not_placed;
}

void add_note(std::vector<std::string>& notes, const std::string& note) {
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
}

/// The outcome of one piece of a plan.
placed_how place(std::byte* data, const planned_piece& piece, std::size_t page, const numa::memory_view& view,
                 std::vector<std::string>& notes) {
  if (piece.how == way::first_touch) return placed_how::first_touch;
  const int code = numa::linux_kernel().bind(data + piece.offset, piece.bytes, policy_of(piece.how), piece.nodes);
  if (code == 0) return done(piece.how);
  if (code == ENOMEM) throw std::bad_alloc();
  if (!numa_kernel::refused(code)) {
    add_note(notes, "mbind for " + numa::nodes_text(piece.nodes) + ": " + reason(code));
    return placed_how::not_placed;
  }
  say_refused(code, view);
  if (numa::touch_pinned(data, piece, page, view)) return placed_how::pinned_touch;
  add_note(notes, "mbind is refused (" + reason(code) + "): " + unreachable_nodes(view));
  return placed_how::out_of_reach;
}

/// Whether the kernel accepts the plan's weighted piece; notes the reason if not, else the weights.
bool takes_weights(std::byte* data, const planned_piece& piece, std::string& note) {
  const int code = numa::linux_kernel().bind(data, piece.bytes, kernel_policy::weighted, piece.nodes);
  if (code != 0) {
    note = "the kernel has no weighted interleaving here (" + reason(code) + "): contiguous pieces instead";
    return false;
  }
  std::vector<unsigned> weights;
  weights.reserve(piece.nodes.size());
  for (const unsigned node : piece.nodes) weights.push_back(numa::kernel_weight(node).value_or(1));
  if (weights.size() > 1 && std::equal(weights.begin() + 1, weights.end(), weights.begin())) {
    note = "the kernel's weights of all nodes are alike: see /sys/kernel/mm/mempolicy/weighted_interleave";
  }
  return true;
}

}  // namespace

placed_memory::placed_memory(std::size_t bytes, const placement& how, std::size_t alignment) : policy_(how) {
  if (bytes == 0 || bytes > most_bytes) {
    throw error("placed memory: " + std::to_string(bytes) + " B, expected 1 to " + std::to_string(most_bytes));
  }
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > most_bytes) {
    throw error("placed memory: an alignment of " + std::to_string(alignment) + " B, expected a power of two up to " +
                std::to_string(most_bytes));
  }
  const numa::page_sizes& sizes = numa::this_computers_pages();
  const numa::memory_view view = numa::view_now(*detail::machine_here());
  const bool by_workers = how.kind() == placement::policy::first_touch;
  const numa::users by{.workers = by_workers ? concurrency() : 1, .backwards = detail::loops_run_backwards()};
  numa::plan plan = numa::make_plan(how, bytes, view, sizes, by);

  numa::mapped_pages pages(plan.bytes, std::max({alignment, sizes.base, plan.page}), plan.page);
  std::string note;
  if (how.by_kernel() && view.real && !takes_weights(pages.data(), plan.pieces.front(), note)) {
    placement pieces = placement::by_bandwidth(how.bandwidths()).with_order(how.order());
    plan = numa::make_plan(pieces.with_pages(plan.page == sizes.base ? page_choice::base : page_choice::huge), bytes,
                           view, sizes, by);
  }
  if (!note.empty()) plan.notes.push_back(std::move(note));
  report_ = {.page = plan.page, .pieces = {}, .bandwidth = plan.bandwidth, .notes = std::move(plan.notes)};
  for (planned_piece& piece : plan.pieces) {
    const bool nowhere = !view.real && piece.how != way::first_touch;
    const placed_how end =
        nowhere ? placed_how::not_placed : place(pages.data(), piece, plan.page, view, report_.notes);
    report_.pieces.push_back({piece.offset, piece.bytes, std::move(piece.nodes), end});
    if (nowhere) add_note(report_.notes, "this machine exists only as a description; nothing was placed");
  }
  numa::hold({pages.data(), pages.size(), plan.page, !by_workers});
  data_ = pages.release();
  size_ = pages.size();
}

placed_memory::~placed_memory() {
  if (data_ == nullptr) return;
  numa::let_go(data_);
  munmap(data_, size_);
}

std::byte* placed_memory::release() noexcept {
  if (data_ != nullptr) numa::let_go(data_);
  size_ = 0;
  return std::exchange(data_, nullptr);
}

}  // namespace jackdaw
