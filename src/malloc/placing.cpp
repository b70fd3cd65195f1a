#include "malloc/placing.hpp"

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/environment.hpp"
#include "base/say_once.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/memory/placement.hpp"
#include "jackdaw/memory/this_node.hpp"
#include "malloc/kernel_calls.hpp"
#include "malloc/node_heaps.hpp"
#include "numa/node_view.hpp"
#include "numa/page_sizes.hpp"
#include "numa/plan.hpp"

namespace jackdaw::malloc {
namespace {

constexpr std::array<std::pair<std::string_view, placing>, 5> names{{{"scheduler", placing::scheduler},
                                                                     {"first-touch", placing::first_touch},
                                                                     {"interleave", placing::interleave},
                                                                     {"by-bandwidth", placing::by_bandwidth},
                                                                     {"fastest", placing::fastest}}};

// Linux 6.9.
constexpr int mpol_weighted_interleave = 6;

constinit std::atomic<placing> chosen{placing::scheduler};

void say_refused(int code) noexcept {
  static constinit std::atomic<bool> said{false};
  if (!detail::first(said)) return;
  std::fprintf(stderr, "jackdaw: the kernel places no memory here (%s): each page is where it is touched first\n",
               std::generic_category().message(code).c_str());
}

placement placement_of(placing how) {
  switch (how) {
    case placing::interleave:
      return placement::interleave();
    case placing::by_bandwidth:
      return placement::by_bandwidth();
    case placing::fastest:
      return placement::fastest();
    case placing::scheduler:
    case placing::first_touch:
      break;
  }
  return placement::first_touch();
}

/// The nodes as they are now, or were a moment ago: how much room they have is read from files.
class recent_view {
 public:
  std::shared_ptr<const numa::memory_view> get() {
    constexpr std::chrono::milliseconds old{100};
    const std::lock_guard hold(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (view_ == nullptr || now - seen_ > old) {
      view_ = std::make_shared<const numa::memory_view>(numa::view_now(*detail::machine_here()));
      seen_ = now;
    }
    return view_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const numa::memory_view> view_;
  std::chrono::steady_clock::time_point seen_;
};

node_set set_of(const std::vector<unsigned>& nodes) noexcept {
  node_set all = 0;
  for (const unsigned node : nodes) {
    if (node < static_cast<unsigned>(node_heaps::most_nodes)) all |= node_set{1} << node;
  }
  return all;
}

numa::plan plan_for(placing how, std::size_t bytes) {
  static recent_view& seen = *new recent_view;  // also used by static objects' destructors
  return numa::make_plan(placement_of(how), bytes, *seen.get(), numa::this_computers_pages(), {});
}

int bind_piece(std::byte* data, const numa::planned_piece& piece) noexcept {
  const node_set nodes = set_of(piece.nodes);
  if (nodes == 0) return 0;
  switch (piece.how) {
    case numa::planned_piece::way::interleave:
      return bind_memory(data + piece.offset, piece.bytes, MPOL_INTERLEAVE, nodes);
    case numa::planned_piece::way::weighted:
      return bind_memory(data + piece.offset, piece.bytes, mpol_weighted_interleave, nodes);
    case numa::planned_piece::way::prefer:
      return bind_memory(data + piece.offset, piece.bytes, MPOL_PREFERRED, nodes);
    case numa::planned_piece::way::first_touch:
      break;
  }
  return 0;
}

/// A huge page is on one node whole. So parts that are to be on different nodes have small ones, unless they are large.
/// 0: huge pages do no harm, whatever the size of a block.
constinit std::atomic<std::size_t> least_with_huge_pages{0};

std::size_t find_least_with_huge_pages() {
  const numa::page_sizes& sizes = numa::this_computers_pages();
  cpu_set_t cpus;
  if (std::popcount(allowed_memory()) < 2 || !sizes.unasked || sched_getaffinity(0, sizeof cpus, &cpus) != 0) return 0;
  return numa::least_huge_pages * sizes.huge * static_cast<std::size_t>(CPU_COUNT(&cpus));
}

/// While a thread plans, what it allocates is not planned.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool plans = false;

/// Small blocks, stacks and the program's own mappings follow the policy of the thread that touches them.
void set_policy_of_threads(placing how) {
  // A large block's plan names the nodes that may be used, and the fastest first.
  const numa::plan all = plan_for(how, std::size_t{1} << 30);
  std::vector<unsigned> nodes;
  for (const numa::planned_piece& piece : all.pieces) nodes.insert(nodes.end(), piece.nodes.begin(), piece.nodes.end());
  const node_set in_turn = set_of(nodes);
  if (in_turn == 0) return;
  int code = 0;
  switch (how) {
    case placing::fastest:
      code = bind_threads(MPOL_PREFERRED, set_of({nodes.front()}));
      break;
    case placing::by_bandwidth:
      code = bind_threads(mpol_weighted_interleave, in_turn);
      if (code == 0) break;
      [[fallthrough]];
    case placing::interleave:
      code = bind_threads(MPOL_INTERLEAVE, in_turn);
      break;
    case placing::scheduler:
    case placing::first_touch:
      break;
  }
  if (code != 0) say_refused(code);
}

/// Before main(), on its thread, so that all threads inherit the policy.
[[gnu::constructor]] void begin() noexcept {
  try {
    const placing how =
        detail::read_variable("JACKDAW_PLACEMENT", placing::scheduler,
                              [](std::string_view text, const char* name) { return placing_of(text, name); });
    plans = true;
    if (how != placing::scheduler && how != placing::first_touch) set_policy_of_threads(how);
    chosen.store(how, std::memory_order_relaxed);
    least_with_huge_pages.store(find_least_with_huge_pages(), std::memory_order_relaxed);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "jackdaw: JACKDAW_PLACEMENT is ignored: %s\n", failure.what());
  }
  plans = false;
}

}  // namespace

placing placing_of(std::string_view text, std::string_view where) {
  for (const auto& [name, value] : names) {
    if (name == text) return value;
  }
  throw error(std::string(where) + ": '" + detail::shown(text) +
              "', expected first-touch, interleave, by-bandwidth, fastest or scheduler");
}

placing chosen_placing() noexcept { return chosen.load(std::memory_order_relaxed); }

void place_fresh(void* data, std::size_t bytes) noexcept {
  const placing how = chosen_placing();
  const int node = how == placing::scheduler ? node_heaps::chosen() : -1;
  int code = 0;
  if (node >= 0) {
    code = prefer_node(data, bytes, static_cast<unsigned>(node));
  } else if (bytes < least_with_huge_pages.load(std::memory_order_relaxed)) {
    madvise(data, bytes, MADV_NOHUGEPAGE);  // a kernel that refuses has none
  }
  if (how == placing::by_bandwidth || how == placing::fastest) {
    if (std::exchange(plans, true)) return;
    try {
      for (const numa::planned_piece& piece : plan_for(how, bytes).pieces) {
        if (code == 0) code = bind_piece(static_cast<std::byte*>(data), piece);
      }
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): no room for a plan, or no nodes
    }
    plans = false;
  }
  if (code != 0) say_refused(code);
}

}  // namespace jackdaw::malloc
