#include "runtime/threads_data.hpp"
#include "base/say_once.hpp"

#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "jackdaw/access.hpp"
#include "jackdaw/memory/page_locations.hpp"
#include "numa/locate.hpp"
#include "numa/node_view.hpp"
#include "numa/pinned_touch.hpp"
#include "profile/hotness/declared_heat.hpp"

namespace jackdaw::detail {
namespace {

/// How many pages of an area are asked for their node.
constexpr std::size_t pages_asked = 16;

/// Adds the time that it lives to a sum.
class timed {
 public:
  timed(std::mutex& mutex, double& sum) : mutex_(mutex), sum_(sum) {}
  ~timed() {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start_;
    const std::lock_guard hold(mutex_);
    sum_ += took.count();
  }
  timed(const timed&) = delete;
  timed& operator=(const timed&) = delete;

 private:
  std::mutex& mutex_;
  double& sum_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void say_touch_refused(int code) {
  static std::atomic<bool> said{false};
  if (first(said)) {
    std::fprintf(stderr, "jackdaw: set_mempolicy is refused (%s): what a worker touches first is on its own node\n",
                 std::generic_category().message(code).c_str());
  }
}

}  // namespace

threads_data::threads_data(memory_nodes nodes, bool real, std::vector<unsigned> cpus,
                           const std::vector<sched::squad>& squads, numa::numa_kernel& kernel,
                           profile::page_calls& pages, profile::thread_samples samples)
    : kernel_(&kernel),
      real_(real),
      nodes_(std::move(nodes)),
      cpus_(std::move(cpus)),
      hotness_(pages, std::move(samples)) {
  for (std::uint32_t number = 0; number < squads.size(); ++number) {
    for (std::uint32_t id = squads[number].workers.first; id <= squads[number].workers.last; ++id) {
      seats_.push_back(std::make_unique<seat>(kernel, number));
    }
  }
}

threads_data::~threads_data() {
  if (watching_.load(std::memory_order_relaxed)) listen(false);
}

void threads_data::listen(bool on) noexcept {
  watching_.store(on, std::memory_order_relaxed);
  access_listeners.fetch_add(on ? 1U : ~0U, std::memory_order_relaxed);
}

void threads_data::arrive(sched::worker_id self) noexcept {
  // Relaxed: it is only a number. A watch that begins before it is stored has no samples, of any worker.
  seats_[self]->thread.store(static_cast<pid_t>(syscall(SYS_gettid)), std::memory_order_relaxed);
}

void threads_data::touch_to(sched::worker_id self, std::uint32_t node) noexcept {
  seat& mine = *seats_[self];
  if (node >= nodes_.nodes.size()) node = sched::none;
  if (node == mine.node || !real_ || touch_refused_.load(std::memory_order_relaxed)) return;
  try {
    if (!mine.before && kernel_->policy(mine.before.emplace()) != 0) *mine.before = {};
    const int code = kernel_->set_policy(node == sched::none ? *mine.before : numa::preferring(nodes_.os[node]));
    if (code == 0) {
      mine.node = node;
      return;
    }
    if (!numa::numa_kernel::refused(code) || touch_refused_.exchange(true)) return;
    {
      const std::lock_guard hold(mutex_);
      report_.touch_refused = code;
    }
    say_touch_refused(code);
  } catch (const std::bad_alloc&) {
    mine.before.reset();  // nothing was changed
  }
}

/// Ends a watch that may be under way.
void threads_data::forget_accesses() {
  sweeper_.reset();
  users_of_ = 0;
  if (watching_.load(std::memory_order_relaxed)) listen(false);
  for (const auto& each : seats_) {
    const std::lock_guard hold(each->mutex);
    each->log.clear();
  }
}

void threads_data::watch_users(sched::worker_id, std::uint32_t parts) {
  forget_accesses();
  users_of_ = std::max(parts, 1U);
  listen(true);
}

void threads_data::watch(sched::worker_id, std::uint32_t parts) {
  const timed taken(mutex_, report_.watch_seconds);
  forget_accesses();
  std::vector<pid_t> threads;
  for (const auto& each : seats_) threads.push_back(each->thread.load(std::memory_order_relaxed));
  // Without the samples of one worker, data that it alone uses would look cold.
  if (std::find(threads.begin(), threads.end(), 0) != threads.end()) threads.clear();
  hotness_.begin(parts);
  // The worker's thread is pinned, and the thread that it starts would be pinned too.
  sweeper_ = std::make_unique<profile::sweeper>(hotness_, [this, threads = std::move(threads)] {
    if (real_) numa::pin_this_thread(cpus_);
    hotness_.sample(threads);
  });
  listen(true);
}

std::vector<sched::area> threads_data::watched(sched::worker_id) {
  if (!watching_.load(std::memory_order_relaxed)) return {};
  const timed taken(mutex_, report_.watch_seconds);
  listen(false);
  try {
    return users_of_ > 0 ? find_users() : find_areas();
  } catch (const std::bad_alloc&) {
    sweeper_.reset();
    return {};  // nothing could be seen
  }
}

std::vector<sched::area> threads_data::find_areas() {
  std::vector<profile::access_log::entry> declared;
  for (const auto& each : seats_) {
    const std::lock_guard hold(each->mutex);
    declared.insert(declared.end(), each->log.entries().begin(), each->log.entries().end());
    each->log.clear();
  }
  profile::hotness_found found;
  sweeper_->finish([&] { found = hotness_.end(declared); });
  sweeper_.reset();
  areas_ = found.areas;
  std::vector<sched::area> areas(areas_.size());
  for (std::size_t i = 0; i < areas.size(); ++i) {
    areas[i].heat = found.heat[i];
    areas[i].bytes = areas_[i].bytes();
  }
  if (real_) place_areas(areas, 0);
  const std::lock_guard hold(mutex_);
  report_.watched_by = found.source;
  report_.areas = static_cast<std::uint32_t>(areas.size());
  report_.sweeps = found.sweeps;
  report_.samples = found.samples;
  report_.lost_samples = found.lost_samples;
  report_.sweep_seconds += found.sweep_seconds;
  report_.bits_refused = hotness_.refusal();
  return areas;
}

std::vector<sched::area> threads_data::find_users() {
  std::vector<std::vector<profile::access_log::entry>> by_squad;
  std::vector<profile::access_log::entry> all;
  for (const auto& each : seats_) {
    const std::lock_guard hold(each->mutex);
    const auto& entries = each->log.entries();
    if (each->squad == by_squad.size()) by_squad.emplace_back();  // workers go squad by squad
    by_squad.back().insert(by_squad.back().end(), entries.begin(), entries.end());
    all.insert(all.end(), entries.begin(), entries.end());
    each->log.clear();
  }
  areas_ = profile::declared_areas(all, std::exchange(users_of_, 0));
  std::vector<sched::area> areas(areas_.size());
  for (std::uint32_t squad = 0; squad < by_squad.size(); ++squad) {
    const std::vector<double> lines = profile::declared_heat(by_squad[squad], areas_);
    for (std::size_t i = 0; i < areas.size(); ++i) {
      areas[i].bytes = areas_[i].bytes();
      areas[i].heat += lines[i];
      if (lines[i] > areas[i].used) areas[i].user = squad;
      areas[i].used = std::max(areas[i].used, lines[i]);
    }
  }
  if (real_) place_areas(areas, 0.5);
  return areas;
}

/// Sets each area's node to that of most of its pages that are asked for, if these are more than the part `least`. Asks
/// for the pages of all areas at once.
void threads_data::place_areas(std::vector<sched::area>& areas, double least) {
  std::vector<void*> asked;
  std::vector<std::size_t> beyond;  // of each area, in asked
  for (const profile::data_area& each : areas_) {
    const std::size_t pages = each.bytes() / base_page_size();
    const std::size_t looks = std::min(pages, pages_asked);
    for (std::size_t i = 0; i < looks; ++i) {
      asked.push_back(reinterpret_cast<void*>(each.begin + pages * i / looks * base_page_size()));
    }
    beyond.push_back(asked.size());
  }
  int refusal = 0;
  const std::vector<int> on = numa::nodes_of(*kernel_, asked, refusal);
  for (std::size_t area = 0, i = 0; area < areas.size(); ++area) {
    std::map<int, std::size_t> pages;
    const double looks = static_cast<double>(beyond[area] - i);
    for (; i < beyond[area]; ++i) {
      if (on[i] >= 0) ++pages[on[i]];
    }
    const auto most =
        std::max_element(pages.begin(), pages.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != pages.end() && static_cast<double>(most->second) > least * looks)
      areas[area].node = nodes_.index_of(most->first);
  }
}

std::uint64_t threads_data::move_area(sched::worker_id, std::uint32_t index, std::uint32_t node) {
  if (!real_ || index >= areas_.size() || node >= nodes_.nodes.size()) return 0;
  const timed taken(mutex_, report_.move_seconds);
  const profile::data_area& area = areas_[index];
  const migration done =
      numa::move(*kernel_, reinterpret_cast<const void*>(area.begin), area.bytes(), nodes_.os[node], base_page_size());
  forget_homes();
  const std::lock_guard hold(mutex_);
  report_.moved += done.moved;
  if (done.failed != 0) {
    report_.failed += done.failed;
    report_.failed_node = done.node;
    report_.move_error = done.error;
  }
  return done.moved;
}

void threads_data::declare(sched::worker_id self, const declared_access& what, bool counting) {
  seat& mine = *seats_[self];
  if (watching_.load(std::memory_order_relaxed)) {
    const std::lock_guard hold(mine.mutex);
    mine.log.add({what.begin, what.end(), static_cast<double>(what.lines()), what.write});
  }
  if (!counting || !real_) return;
  const std::uint32_t generation = generation_.load(std::memory_order_relaxed);
  if (std::exchange(mine.generation, generation) != generation) mine.homes.forget();
  std::uint64_t near = 0, far = 0;
  for (const int os : mine.homes.of(what.begin, what.end())) {
    if (os < 0) continue;
    const std::uint32_t node = nodes_.index_of(os);
    const bool own = node != sched::none && nodes_.nodes[node].squad == mine.squad;
    ++(own ? near : far);
  }
  if (near + far == 0) return;
  const std::uint64_t local = what.lines() * near / (near + far);
  mine.local.add(local);
  mine.remote.add(what.lines() - local);
}

data_report threads_data::report() const {
  const std::lock_guard hold(mutex_);
  return report_;
}

}  // namespace jackdaw::detail
